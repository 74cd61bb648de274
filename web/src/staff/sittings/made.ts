// A sitting that was just planned from another one: its page is shown, and it can be taken back.

import { loadAgenda } from "../agenda.svelte";
import { send } from "../api";
import { go } from "../router.svelte";
import { complain, offerUndo } from "../undo.svelte";
import { removeNewPaper, type DrawnPaper } from "./new_paper";
import type { Sitting } from "./shapes";
import { planTexts } from "./texts/texts.svelte";

/** `paper` was drawn for it, and goes with it. */
export function showMade({ id, name }: Sitting, first: Sitting, paper?: DrawnPaper): void {
  if (paper?.isShort === true) complain(planTexts().newPaperShort(paper.name));
  offerUndo(paper === undefined ? planTexts().planned(name) : planTexts().plannedWithPaper(name, paper.name), async () => {
    const undone = await send("DELETE", "/api/admin/sittings/{id}", undefined, { params: { id } });
    if (undone.kind === "done" && paper !== undefined) await removeNewPaper(paper);
    if (undone.kind === "done") go(`/staff/sittings/${first.id}`);
    return undone;
  });
  void loadAgenda();
  go(`/staff/sittings/${id}`);
}
