import type { Table } from "./vocabulary";

export function follow(address: string, show: (tables: Map<string, Table>) => void, failures?: number): void;
