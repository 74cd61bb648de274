// The messages as they are shown: what is said alike is one message with a count, and its button undoes the last.

import type { StaffNotice } from "./undo.svelte";

export interface NoticeGroup {
  /** The latest of them. */
  last: StaffNotice;
  ids: number[];
  /** How often it was said. */
  count: number;
}

export function groupsOf(notices: StaffNotice[]): NoticeGroup[] {
  const groups = new Map<string, NoticeGroup>();
  for (const notice of notices) {
    // What is being undone is another message.
    const key = `${notice.kind} ${notice.isUndoing === true ? notice.id : ""} ${notice.undo === undefined} ${notice.text}`;
    const times = notice.times ?? 1;
    const known = groups.get(key);
    if (known === undefined) groups.set(key, { last: notice, ids: [notice.id], count: times });
    else groups.set(key, { last: notice, ids: [...known.ids, notice.id], count: known.count + times });
  }
  return [...groups.values()];
}
