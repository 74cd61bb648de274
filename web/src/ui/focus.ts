// Where the focus was before something covered the page, and how it gets back there.

let pressed: HTMLElement | undefined;

/** Some browsers do not focus a button that is clicked, so the last one is remembered. */
if (typeof document !== "undefined") {
  const remember = ({ target }: Event) => (pressed = target instanceof Element ? (target.closest<HTMLElement>("button, a, input") ?? undefined) : undefined);
  addEventListener("click", remember, { capture: true });
}

/** The element that the student uses now: the focused one, or else the one that was clicked last. */
export function inUse(): HTMLElement | undefined {
  const { activeElement, body } = document;
  return activeElement instanceof HTMLElement && activeElement !== body ? activeElement : pressed;
}

/** Focuses the element without scrolling, and tells whether that worked: it may be gone, hidden or disabled. */
export function giveFocus(element: HTMLElement | undefined): boolean {
  if (element?.isConnected !== true) return false;
  element.focus({ preventScroll: true });
  return document.activeElement === element;
}
