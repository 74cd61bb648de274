// What undoes something ignores the second tap of whoever has just done it.

import type { Attachment } from "svelte/attachments";
import { deafen } from "../ui/deafness";

/** Longer than any double tap: nobody changes their mind in this time. */
export const UNDO_DEAF_MS = 800;

/** For a button that undoes what was just done: it hears nothing for a moment after it was shown, and says so. */
export const deafAtFirst: Attachment<HTMLElement> = (node) => {
  node.setAttribute("aria-disabled", "true");
  return deafen(node, () => node.removeAttribute("aria-disabled"), UNDO_DEAF_MS);
};
