// What the desk calls states and reasons, and the few words that a tile or a table says of a row.

import { takenOverAt, undecidedChanges, type Attention, type Reason } from "./attention";
import type { TimeStanding } from "./frames";
import { isStopped, type Row, type RowState } from "./row";
import { clockTime, deskTexts, lasting, lastingExactly } from "./texts/texts.svelte";
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
    takenOver: texts.reasonTakenOver,
    offline: texts.reasonOffline,
    notEntered: texts.reasonNotEntered,
    storage: texts.reasonStorage,
    paper: texts.reasonPaper,
    away: texts.reasonAway,
    silent: texts.reasonSilent,
    wrongCodes: texts.reasonWrongCodes,
    unheard: texts.reasonUnheard,
    lateWork: texts.reasonLateWork,
  }[reason];
}

/** The reasons in one line; the first that has a time with how long it has been so. `now` is the server's. */
export function reasonLine({ row, reasons, since }: Attention, now: number): string {
  const timed = reasons.find((reason) => reason === "offline" || reason === "silent");
  const line = (reason: Reason) => {
    if (reason === "lateWork") return deskTexts().lateWaits(undecidedChanges(row));
    if (reason === "takenOver" && row.takenOverAt != null) return deskTexts().atTime(reasonWord(reason), clockTime(row.takenOverAt));
    return reason === timed && since !== undefined ? deskTexts().forTime(reasonWord(reason), lasting(now - since)) : reasonWord(reason);
  };
  return reasons.map(line).join(", ");
}

/** The same for a row. Who is paused, or in a hall that is, is also that, whatever else is the matter. */
export function troubleLine(row: Row, attention: Attention, now: number): string {
  const trouble = reasonLine(attention, now);
  if (row.state === "paused") return `${stateWord(row.state)} · ${trouble}`;
  return isStopped(row) ? `${deskTexts().timeStopped} · ${trouble}` : trouble;
}

/** What a row is, and what is so besides: its hall is stopped, or another device has just taken the test over. */
export function stateLine(row: Row, now: number): string {
  const texts = deskTexts();
  const taken = takenOverAt(row, now);
  const parts = [stateWord(row.state)];
  if (isStopped(row) && row.state !== "paused") parts.push(texts.timeStopped);
  if (taken !== undefined) parts.push(texts.atTime(texts.otherDevice, clockTime(taken)));
  return parts.join(" · ");
}

/** How something stands: since when its time is stopped, by whom and why, and what everyone in it was given. */
export function standingLine({ state, since, by, text, minutes, pausedMs }: TimeStanding): string {
  const texts = deskTexts();
  const given = minutes === 0 ? [] : [minutes > 0 ? texts.givenToAll(minutes) : texts.takenFromAll(-minutes)];
  const before = pausedMs > 0 ? [texts.stoppedSoFar(lastingExactly(pausedMs))] : [];
  const word = text == null || text === "" || /[.!?…]$/.test(text) ? (text ?? "") : `${text}.`;
  const now = state === "running" || since === null ? texts.timeNotStopped : texts.stoppedSince(clockTime(since), by ?? "", word);
  return [now, ...given, ...before].join(" ");
}

/** What a candidate has beyond the usual time, as chips say it. */
export function moreTime({ factor = 100, extraMinutes = 0 }: Row): string[] {
  const texts = deskTexts();
  return [...(factor === 100 ? [] : [texts.extraTime(factor)]), ...(extraMinutes === 0 ? [] : [texts.extraMinutes(extraMinutes)])];
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
export function roomAndSeat(row: Row, isOneRoom: boolean): string {
  return [isOneRoom ? undefined : row.room, row.seat].filter((part) => part !== undefined).join(" · ");
}

/** How much work came after the end, how late, and what the server knows of the connection before. */
export function lateLine({ changes, lateMs, lastAt, offlineSince }: NonNullable<Row["late"]>): string {
  const texts = deskTexts();
  const parts = [texts.lateCame(changes, lasting(lateMs)), texts.lateHeard(clockTime(lastAt))];
  if (offlineSince !== null) parts.push(texts.lateOffline(clockTime(offlineSince)));
  return parts.join(" · ");
}
