// The panels of the operator's page, in the order in which they are offered. A new one is its own file and a row here.

import { air } from "./air";
import { boards } from "./boards";
import { invitations } from "./invitations";
import type { Panel } from "./panel";
import { results } from "./results";
import { rounds } from "./rounds";
import { targets } from "./targets";
import { voices } from "./voices";

export const PANELS: readonly Panel<never>[] = [boards, rounds, results, air, targets, invitations, voices];
