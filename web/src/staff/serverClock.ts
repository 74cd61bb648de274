// The server's time of day, which decides when an exam begins and ends, and when it was last heard.

import { ServerTime } from "../exam/server_time";

const time = new ServerTime();
let heard: number | undefined;

/** The clock of a device that sleeps may stand still, or go on: so far apart the two clocks of this device do not drift. */
const JUMP_MS = 5_000;
const LOOK_MS = 1_000;

const listeners = new Set<() => void>();

/** The server has said its time. What it has said in whole seconds, or after a while, is in doubt by that much. */
export function note(serverTime: string, roundTripMs = 0, doubtMs = roundTripMs): void {
  if (Number.isNaN(Date.parse(serverTime))) return;
  heard = performance.now();
  time.heard(serverTime, heard, roundTripMs, doubtMs);
}

/** Milliseconds since 1970. Before the server has said its time, those of this device. */
export function now(): number {
  return time.at(performance.now()) ?? Date.now();
}

/** When the server last said its time, on the clock of `performance`; undefined also after that clock stood still. */
export function heardAt(): number | undefined {
  return heard;
}

/** Calls back when the device has slept: what was heard before is old, and connections may be gone. Returns how to stop. */
export function onJump(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Looks whether the device has slept, as long as the pages are shown. Returns how to stop. */
export function watchClocks(): () => void {
  const apart = () => Date.now() - performance.now();
  let before = apart();
  const look = () => {
    const present = apart();
    const isJump = Math.abs(present - before) > JUMP_MS;
    before = present;
    if (!isJump) return;
    time.doubt();
    heard = undefined;
    for (const listener of [...listeners]) listener();
  };
  const shown = () => {
    if (document.hidden) return;
    // A hidden page may have been stopped with its clock: whatever is heard next is better.
    time.doubt();
    look();
  };
  const timer = setInterval(look, LOOK_MS);
  document.addEventListener("visibilitychange", shown);
  return () => {
    clearInterval(timer);
    document.removeEventListener("visibilitychange", shown);
  };
}
