// Says that the test is paused, and that it goes on; the focus goes to the heading of the pause, unless a dialog is open.

import { tick, untrack } from "svelte";
import type { ExamView } from "../../exam/view";
import { texts } from "../../texts/language.svelte";
import { say } from "../../ui/announcements.svelte";
import { giveFocus } from "../../ui/focus";

/** To be called while a component is made, whose effects these are. */
export function tellPauses(view: () => ExamView, heading: () => HTMLElement | undefined): void {
  const isPaused = $derived(view().isPaused);
  const pauseText = $derived(view().pauseText);
  $effect(() => {
    if (!isPaused) return;
    void tick().then(() => document.querySelector("dialog") === null && giveFocus(heading()));
    return () => untrack(() => view().phase === "running" && say(texts().goesOn, "pause"));
  });
  $effect(() => {
    if (!isPaused) return;
    const title = pauseText === "" ? texts().pausedTitle : `${texts().stopped} ${pauseText}`;
    untrack(() => say(`${title}. ${texts().pausedLead}`, "pause"));
  });
}
