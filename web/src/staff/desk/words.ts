// What the desk calls states and reasons, and the few words that a tile or a table says of a row.

import type { Attention, Reason } from "./attention";
import type { Row, RowState } from "./row";
import { deskTexts, lasting } from "./texts/texts.svelte";
import type { Unready } from "./unready";

export function stateWord(state: RowState): string {
  const texts = deskTexts();
  return {
    expected: texts.stateExpected,
    waiting: texts.stateWaiting,
    ready: texts.stateReady,
    active: texts.stateActive,
    paused: texts.statePaused,
    submitted: texts.stateSubmitted,
    absent: texts.stateAbsent,
  }[state];
}

export function reasonWord(reason: Reason): string {
  const texts = deskTexts();
  return {
    refused: texts.reasonRefused,
    saving: texts.reasonSaving,
    offline: texts.reasonOffline,
    notEntered: texts.reasonNotEntered,
    storage: texts.reasonStorage,
    paper: texts.reasonPaper,
    away: texts.reasonAway,
    silent: texts.reasonSilent,
    wrongCodes: texts.reasonWrongCodes,
  }[reason];
}

/** The reasons in one line; the first that has a time with how long it has been so. `now` is the server's. */
export function reasonLine({ reasons, since }: Attention, now: number): string {
  const timed = reasons.find((reason) => reason === "offline" || reason === "silent");
  return reasons.map((reason) => (reason === timed && since !== undefined ? deskTexts().forTime(reasonWord(reason), lasting(now - since)) : reasonWord(reason))).join(", ");
}

export function unreadyWord(reason: Unready): string {
  const texts = deskTexts();
  return { notEntered: texts.whyNotEntered, socket: texts.whySocket, storage: texts.whyStorage, paper: texts.whyPaper, clock: texts.whyClock }[reason];
}

export function unreadyCount(reason: Unready, count: number): string {
  const texts = deskTexts();
  return { notEntered: texts.countNotEntered, socket: texts.countSocket, storage: texts.countStorage, paper: texts.countPaper, clock: texts.countClock }[reason](count);
}

/** Room and seat, if the row has them. */
export function placeOf(row: Row, isOneRoom: boolean): string {
  return [isOneRoom ? undefined : row.room, row.seat].filter((part) => part !== undefined).join(" · ");
}
