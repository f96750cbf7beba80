// The panels of the operator's page, in the order in which they are offered. A new one is its own file and a row here.

import { boards } from "./boards";
import type { Panel } from "./panel";

export const PANELS: readonly Panel<never>[] = [boards];
