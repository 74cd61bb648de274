// The ways of crossing an option out by hand: a swipe to the left by touch, and the right button of a mouse. Both come as events
// of the options' group, so that an option itself stays a plain label.

import { Swipe } from "./swipe";

/** An attachment for the group of options. `cross` gets the value of the option that was meant. */
export function crossing(cross: (value: string) => void): (group: HTMLElement) => () => void {
  return (group) => {
    const swipe = new Swipe();
    let pointerType = "";
    const valueOf = ({ target }: Event) => (target as Element).closest("label")?.querySelector("input")?.value;
    const on = (event: Event) => {
      const value = valueOf(event);
      if (value !== undefined) cross(value);
      return value !== undefined;
    };
    const listeners: Record<string, (event: PointerEvent) => void> = {
      pointerdown: (event) => {
        pointerType = event.pointerType;
        swipe.down(event);
      },
      pointerup: (event) => void (swipe.up(event) && on(event)),
      pointercancel: (event) => swipe.cancel(event),
      contextmenu: (event) => {
        // A finger that rests opens this menu too, and so does a key; both want the menu.
        const isMouse = pointerType !== "touch" && (event.button === 2 || event.ctrlKey);
        if (isMouse && on(event)) event.preventDefault();
      },
    };
    for (const [name, listener] of Object.entries(listeners)) group.addEventListener(name, listener as (event: Event) => void);
    return () => {
      for (const [name, listener] of Object.entries(listeners)) group.removeEventListener(name, listener as (event: Event) => void);
    };
  };
}
