// The pause before a page tries again: longer after each failure, and with chance in it, so that a thousand pages do
// not come back at the same moment.

const FIRST_MS = 500;
const LONGEST_MS = 15_000;
/** After a planned stop of the server, pages come back over this time (docs/live-protocol.md). */
const RESTART_MS = 5_000;
/** While work goes by HTTPS, a socket is tried about this often … */
const SOCKET_AGAIN_MS = 30_000;
/** … and where sockets keep breaking, up to this many times less often. */
const SOCKET_PAUSES_MAX = 16;

/** The pause after this many failures in a row. `random` is from 0 to 1, here and below. */
export function pauseAfter(failures: number, random: number, longestMs = LONGEST_MS): number {
  const longest = Math.min(longestMs, FIRST_MS * 2 ** Math.max(0, failures - 1));
  return longest / 2 + (longest / 2) * random;
}

export function pauseAfterRestart(random: number): number {
  return RESTART_MS * random;
}

/** The pause before a socket is tried again, after this many sockets too many that came to nothing. */
export function pauseBeforeSocket(fruitless: number, random: number): number {
  const pauses = Math.min(SOCKET_PAUSES_MAX, 2 ** Math.max(0, fruitless));
  return SOCKET_AGAIN_MS * pauses * (0.75 + random / 2);
}
