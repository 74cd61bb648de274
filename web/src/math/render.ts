// LaTeX to MathML. It is apart because the library is large, and only few questions need it.

import temml from "temml";
import "temml/dist/Temml-Local.css";

/** In em, and in steps of macros: a question can't fill the page or the processor. */
const SIZE_MAX = 20;
const STEPS_MAX = 500;

/** Whether the formula could be read. Links, pictures and styles in it are refused: it is not trusted. */
export function render(tex: string, node: HTMLElement): boolean {
  try {
    temml.render(tex, node, { throwOnError: true, trust: false, annotate: true, maxExpand: STEPS_MAX, maxSize: [SIZE_MAX, SIZE_MAX] });
    return true;
  } catch {
    node.replaceChildren();
    return false;
  }
}
