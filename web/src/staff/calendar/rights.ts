// Who may do what with the calendar, as docs/calendar.md has it. The server decides; the pages only do not offer what it would refuse.

import { isManager, isStaff } from "../me.svelte";
import type { EventStatus } from "./shapes";

const PUBLISHED: EventStatus[] = ["publish", "future"];

/** Whether they write events, venues and organizers; what reviewers write waits for somebody who publishes it. */
export function mayWrite(): boolean {
  return isStaff();
}

/** Whether they publish, and change what is published, also categories and tags. */
export function mayPublish(): boolean {
  return isManager();
}

/** Whether they may change a record that they can read. */
export function mayChange(status: EventStatus): boolean {
  return mayPublish() || (mayWrite() && !PUBLISHED.includes(status));
}

/** The statuses that they may give an event that has this one. */
export function offeredStatuses(status: EventStatus): EventStatus[] {
  const offered: EventStatus[] = mayPublish() ? ["publish", "pending", "draft", "private"] : ["draft", "pending"];
  return offered.includes(status) ? offered : [status, ...offered];
}
