// Turns LaTeX into MathML. Separate because the library is large, and only few questions need it.

import temml from "temml";
import { wordsOf } from "../reading/formula";
import { TONGUES } from "../reading/tongues";
import "./math.css";

/** The largest length in em, and the most macro expansions: a question can't fill the page or keep the processor busy. */
const SIZE_MAX = 20;
const STEPS_MAX = 500;
const LIMITS = { maxExpand: STEPS_MAX, maxSize: [SIZE_MAX, SIZE_MAX] satisfies [number, number] };
/** The room beside + and −, which × gets too: without it, children take it for a letter. */
const ROOM = "0.2222em";

/**
 * Returns whether the formula could be rendered, in a line of its own if it `isDisplay`. It is not trusted, so links, pictures
 * and styles in it are refused. In a line of text, it may be broken after its operators, as the text around it is.
 */
export function render(tex: string, node: HTMLElement, isDisplay: boolean): boolean {
  try {
    temml.render(tex, node, { displayMode: isDisplay, wrap: isDisplay ? "none" : "tex", throwOnError: true, trust: false, ...LIMITS });
    // Each digit comes as a text of its own: whatever translates the page, or reads it text by text, would take a number apart.
    node.normalize();
    for (const sign of node.querySelectorAll("mo")) if (sign.textContent === "×") widen(sign);
    return true;
  } catch {
    node.replaceChildren();
    return false;
  }
}

/** Whether the formula could be rendered, without showing it. */
export function isReadable(tex: string, isDisplay: boolean): boolean {
  try {
    temml.renderToString(tex, { displayMode: isDisplay, throwOnError: true, trust: false, ...LIMITS });
    return true;
  } catch {
    return false;
  }
}

/** The formula in words, in the language of the text that it stands in. */
export function wordsAt(node: HTMLElement, tex: string): string {
  const language = node.closest<HTMLElement>("[lang]")?.lang.slice(0, 2);
  return wordsOf(tex, language === "vi" ? TONGUES.vi : TONGUES.en);
}

function widen(sign: Element): void {
  sign.setAttribute("lspace", ROOM);
  sign.setAttribute("rspace", ROOM);
}
