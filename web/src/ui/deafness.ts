// Ignores the second tap of a double tap, which would otherwise press whatever has just appeared under the finger.

/** The second tap comes within this time, even of a child or an unsteady hand. */
const DEAF_MS = 600;

/**
 * Ignores the clicks within the node that were made until a moment after it was shown, then calls `over`. What counts is
 * the time of the tap itself, since a busy page hears of it late. Returns what ends it early.
 */
export function deafen(node: EventTarget, over: () => void, milliseconds = DEAF_MS): () => void {
  let shownAt = Infinity;
  let timer: ReturnType<typeof setTimeout> | undefined;
  // The node is seen with the next frame, and a busy page may be late with that too.
  const frame = requestAnimationFrame(() => {
    shownAt = performance.now();
    timer = setTimeout(over, milliseconds);
  });
  const end = () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
    node.removeEventListener("click", hear, { capture: true });
  };
  function hear(event: Event) {
    if (event.timeStamp - shownAt < milliseconds) {
      event.preventDefault();
      event.stopImmediatePropagation();
    } else {
      end();
      over();
    }
  }
  node.addEventListener("click", hear, { capture: true });
  return end;
}
