// The audit as the server tells it: what administrators and others did, found by who, what and when.

import { isDay } from "../times";
import { pageIn } from "./deliveries";

export const AUDIT = "/api/admin/audit";

export type { AuditEntryView as AuditEntry, AuditPage as AuditLedger } from "../../api/schema";

/** As they stand in the address; an empty text is no filter. */
export interface AuditFilters {
  actor: string;
  action: string;
  /** Days such as 2026-06-01, by the clocks of the school, both included. */
  from: string;
  to: string;
}

/** The filters as the server takes them. */
export function auditQuery({ actor, action, from, to }: AuditFilters): Record<string, string> {
  const all = { actor: actor.trim(), action, from: dayIn(from), to: dayIn(to) };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ""));
}

export function auditPageQuery(filters: AuditFilters, page: string): Record<string, string> {
  const number = pageIn(page);
  return { ...auditQuery(filters), ...(number === 1 ? {} : { page: String(number) }) };
}

export function auditFile(filters: AuditFilters, format: "csv" | "xlsx"): string {
  return `${AUDIT}/export?${new URLSearchParams({ ...auditQuery(filters), format })}`;
}

/** What is no day is no filter. */
function dayIn(text: string): string {
  return isDay(text) ? text : "";
}

/** The facts of an entry by their names. A sentence has no name. */
export function auditFacts(detail: unknown): [string, string][] {
  if (detail === null || detail === undefined || detail === "") return [];
  if (typeof detail !== "object" || Array.isArray(detail)) return [["", valueOf(detail)]];
  return Object.entries(detail).map(([name, value]) => [name, valueOf(value)]);
}

/** The same in one line. */
export function detailText(detail: unknown): string {
  return auditFacts(detail)
    .map(([name, value]) => (name === "" ? value : `${name}: ${value}`))
    .join(", ");
}

function valueOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(valueOf).join(", ");
  if (value === null || value === undefined || value === "") return "–";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
