// Gives the focus back to where it was before something covered the question, and the page to where it was scrolled.

import { giveFocus, inUse } from "../../ui/focus";

/** To be called while a component is made, whose effects these are. Where nothing else has a use for the focus, `heading` gets it. */
export function giveBackWhenUncovered(isCovered: () => boolean, heading: () => HTMLElement | undefined): void {
  let origin: HTMLElement | undefined;
  let scrolled = 0;
  $effect.pre(() => {
    if (isCovered()) [origin, scrolled] = [inUse(), scrollY];
  });
  $effect(() => {
    if (isCovered() || origin === undefined) return;
    const before = origin;
    origin = undefined;
    if (document.activeElement !== document.body) return;
    if (!giveFocus(before) && !giveFocus(successorOf(before))) giveFocus(heading());
    scrollTo({ top: scrolled });
  });
}

/** The option, or the box, that has taken the place of this one, since a drawing lies on the question now. */
function successorOf(before: HTMLElement): HTMLElement | undefined {
  if (!(before instanceof HTMLInputElement)) return undefined;
  return [...document.querySelectorAll<HTMLInputElement>("[name=option], [name=number]")].find(({ name, value }) => name === before.name && (name === "number" || value === before.value));
}
