// Ignores the second tap of a double tap, which would otherwise press whatever has just appeared under the finger.

/** The second tap comes within this time, even of a child or an unsteady hand. */
const DEAF_MS = 600;

/** Ignores clicks within the node for a moment, then calls `over`. Returns what ends it early. */
export function deafen(node: HTMLElement, over: () => void): () => void {
  const ignore = (event: Event) => {
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  node.addEventListener("click", ignore, { capture: true });
  const end = () => {
    clearTimeout(timer);
    node.removeEventListener("click", ignore, { capture: true });
  };
  const timer = setTimeout(() => {
    end();
    over();
  }, DEAF_MS);
  return end;
}
