// A sitting that was just planned from another one: its page is shown, and it can be taken back.

import { loadAgenda } from "../agenda.svelte";
import { send } from "../api";
import { go } from "../router.svelte";
import { offerUndo } from "../undo.svelte";
import type { Sitting } from "./shapes";
import { planTexts } from "./texts/texts.svelte";

export function showMade({ id, name }: Sitting, first: Sitting): void {
  offerUndo(planTexts().planned(name), async () => {
    const undone = await send("DELETE", "/api/admin/sittings/{id}", undefined, { params: { id } });
    if (undone.kind === "done") go(`/staff/sittings/${first.id}`);
    return undone;
  });
  void loadAgenda();
  go(`/staff/sittings/${id}`);
}
