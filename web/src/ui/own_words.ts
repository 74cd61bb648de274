// Keeps what runs in its own words. Whatever translates a page puts elements in the place of its text nodes. The page goes
// on to write into the nodes that are gone: a clock would stand still, and a question would keep the text of the one before
// it. So the browser is asked not to translate, and where something does so all the same, the nodes are put back.

/** What translates again at once would take turns with the page for ever. Its words stay then, until the page has others. */
const RETURNS_MAX = 3;

/** How many parts of the page want it; the observer, while any does. */
let wanting = 0;
let observer: MutationObserver | undefined;
/** What stands in the place of a text, and how often that has been put back since the page wrote it. */
const substitutes = new WeakMap<Text, Element>();
const returns = new WeakMap<Text, number>();

/** To be called while the part is shown; returns what ends it. Dialogs lie outside of the part, so all of the page is meant. */
export function keepOwnWords(): () => void {
  wanting += 1;
  document.documentElement.translate = false;
  if (observer === undefined) {
    observer = new MutationObserver((records) => {
      const added = new Set(records.flatMap(({ addedNodes }) => [...addedNodes]));
      for (const record of records) note(record, added);
    });
    observer.observe(document.body, { childList: true, subtree: true });
  }
  return () => {
    wanting -= 1;
    if (wanting > 0) return;
    document.documentElement.removeAttribute("translate");
    observer?.disconnect();
    observer = undefined;
  };
}

/** `added` is all that was added together with this record. */
function note(record: MutationRecord, added: Set<Node>): void {
  if (record.type === "characterData") return putBack(record.target as Text, true);
  for (const node of record.removedNodes) {
    if (!(node instanceof Text)) continue;
    const substitute = substituteIn(record, added);
    if (substitute === undefined) continue;
    substitutes.set(node, substitute);
    putBack(node, false);
  }
}

/** What took the place of the text that this record removed. The pages themselves use no `font` and replace no text. */
function substituteIn({ addedNodes, previousSibling, nextSibling }: MutationRecord, added: Set<Node>): Element | undefined {
  const [here] = addedNodes;
  if (here instanceof Element) return here;
  return [previousSibling, nextSibling].find((node): node is HTMLElement => node instanceof HTMLElement && node.localName === "font" && added.has(node));
}

function putBack(text: Text, isWritten: boolean): void {
  const substitute = substitutes.get(text);
  const returned = isWritten ? 0 : (returns.get(text) ?? 0);
  if (substitute?.parentNode == null) return;
  if (returned === RETURNS_MAX) return void observer?.observe(text, { characterData: true });
  returns.set(text, returned + 1);
  substitute.replaceWith(text);
}
