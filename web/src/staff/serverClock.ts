// The server's time of day, which decides when an exam begins and ends, and when it was last heard.

import { ServerTime } from "../sitting/server_time";

const time = new ServerTime();
let heard: number | undefined;

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

/** When the server last said its time, on the clock of `performance`. */
export function heardAt(): number | undefined {
  return heard;
}
