// What the server says of its own state: the answers of `/readyz` and `/metrics`, read as far as a person needs them.

import type { Raw } from "./raw";

/** Each is `ok`, or one word for what is wrong. */
export interface Readiness {
  status: string;
  database: string;
  migrations: string;
  redis: string;
}

/** What monitoring sees, of the one server that has answered. A figure that it did not say is undefined. */
export interface Figures {
  version: string | undefined;
  startedAtMs: number | undefined;
  seats: number | undefined;
  sockets: number | undefined;
  proctors: number | undefined;
  transfersWaiting: number | undefined;
  transfersRefused: number | undefined;
  failures: number | undefined;
  journalFailures: number | undefined;
}

interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

/** Undefined for the answer of anybody else, such as a gateway. */
export function readinessIn(raw: Raw | undefined): Readiness | undefined {
  if (raw === undefined || (raw.status !== 200 && raw.status !== 503)) return undefined;
  try {
    const said = JSON.parse(raw.text) as Partial<Readiness>;
    const { status, database, migrations, redis } = said;
    if (status === undefined || database === undefined || migrations === undefined || redis === undefined) return undefined;
    return { status, database, migrations, redis };
  } catch {
    return undefined;
  }
}

/** Undefined if the server does not tell them to this device. */
export function figuresIn(raw: Raw | undefined): Figures | undefined {
  if (raw?.status !== 200) return undefined;
  const samples = raw.text.split("\n").flatMap(sampleIn);
  if (samples.length === 0) return undefined;
  const of = (name: string) => samples.filter((sample) => sample.name === name);
  const one = (name: string) => of(name)[0]?.value;
  const sum = (name: string) => (of(name).length === 0 ? undefined : of(name).reduce((total, { value }) => total + value, 0));
  const startedAt = one("process_start_time_seconds");
  return {
    version: of("examhall_build_info")[0]?.labels["version"],
    startedAtMs: startedAt === undefined ? undefined : startedAt * 1_000,
    seats: one("examhall_seats"),
    sockets: one("examhall_sockets"),
    proctors: one("examhall_proctors"),
    transfersWaiting: one("examhall_transfers_waiting"),
    transfersRefused: one("examhall_transfers_refused"),
    failures: sum("examhall_failures_total"),
    journalFailures: sum("examhall_journal_failures_total"),
  };
}

/** A line of OpenMetrics, such as `examhall_failures_total{kind="panic"} 0`. */
function sampleIn(line: string): Sample[] {
  const [, name, inner = "", number] = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})?\s+(\S+)/.exec(line) ?? [];
  const value = Number(number);
  if (name === undefined || Number.isNaN(value)) return [];
  const labels = Object.fromEntries([...inner.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key, text]) => [key as string, text as string]));
  return [{ name, labels, value }];
}
