// Where a message lies on the page of a running test, and the room below the question that lets it be scrolled out from
// under one.

/** Above and below a message. */
const MARGIN_PX = 20;

export class MessageRoom {
  /** The height of the message that is shown; 0 without one. */
  height = $state(0);
  /** The bar below the question. */
  navigation = $state<HTMLElement>();
  /** It stays as long as the question, since the page must not move when a message goes. */
  #room = $state(0);

  /** To be made while a component is, whose effects these are. `isBarHidden` tells whether the bar is out of sight. */
  constructor(isBarHidden: () => boolean) {
    $effect(() => {
      if (this.height > 0) this.#room = Math.max(this.#room, this.height + MARGIN_PX);
    });
    $effect(() => document.documentElement.style.setProperty("--message-room", `${this.#room}px`));
    $effect(() => {
      void [isBarHidden(), this.height, this.#room];
      this.place();
    });
    $effect(() => () => {
      for (const name of ["--foot", "--message-room"]) document.documentElement.style.removeProperty(name);
    });
  }

  /** Another question is shown, which needs no room for messages that are gone. */
  renew(): void {
    this.#room = this.height === 0 ? 0 : this.height + MARGIN_PX;
  }

  /** A message lies at the foot of the screen, or on the bar below the question where that is in the way. */
  place = (): void => {
    if (this.height === 0 || this.navigation === undefined) return;
    const { top, bottom, height } = this.navigation.getBoundingClientRect();
    const isInTheWay = height > 0 && top < innerHeight && bottom > innerHeight - this.height - MARGIN_PX;
    document.documentElement.style.setProperty("--foot", `${isInTheWay ? innerHeight - top : 0}px`);
  };
}
