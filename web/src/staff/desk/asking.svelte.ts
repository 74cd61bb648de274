// Which of the desk's dialogs is open, and for whom. One at a time.

import { createContext } from "svelte";
import type { Desk } from "./desk.svelte";
import type { Row } from "./row";

/** Without `rows` it is for everyone, who is there or comes later. */
export type AskedOrder =
  | { kind: "message" | "finish"; rows: Row[] }
  | { kind: "takeTime"; rows: Row[] | undefined }
  | { kind: "pauseAll" }
  | { kind: "hall" }
  | { kind: "begin" }
  | { kind: "incident"; row: Row | undefined }
  | { kind: "code"; row: Row }
  | { kind: "accessCode"; row: Row }
  | { kind: "walkIn" }
  | { kind: "onlyThisDevice"; row: Row }
  | { kind: "lateWork"; row: Row }
  | { kind: "reopen"; row: Row };

export class Asking {
  asked = $state.raw<AskedOrder>();
  /** How many minutes the buttons give. */
  minutes = $state(5);
  /** What had the focus when the drawer was opened, and gets it back. */
  openedFrom: Element | null = null;
  #opened = $state<string>();

  /** The key of the student in the drawer. */
  get opened(): string | undefined {
    return this.#opened;
  }

  set opened(key: string | undefined) {
    if (this.#opened === undefined) this.openedFrom = document.activeElement;
    this.#opened = key;
  }
}

interface OfDesk {
  desk: Desk;
  asking: Asking;
}

export const [ofDesk, setDesk] = createContext<OfDesk>();
