// Turns LaTeX into MathML. Separate because the library is large, and only few questions need it.

import temml from "temml";
import "temml/dist/Temml-Local.css";

/** The largest length in em, and the most macro expansions: a question can't fill the page or keep the processor busy. */
const SIZE_MAX = 20;
const STEPS_MAX = 500;

/** Returns whether the formula could be rendered, in a line of its own if it `isDisplay`. It is not trusted, so links, pictures and styles in it are refused. */
export function render(tex: string, node: HTMLElement, isDisplay: boolean): boolean {
  try {
    temml.render(tex, node, { displayMode: isDisplay, throwOnError: true, trust: false, annotate: true, maxExpand: STEPS_MAX, maxSize: [SIZE_MAX, SIZE_MAX] });
    return true;
  } catch {
    node.replaceChildren();
    return false;
  }
}
