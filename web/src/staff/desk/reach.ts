// The browser's socket and clocks, as the watcher uses them.

import type { Timing } from "../../exam/ports";
import { get } from "../api";
import type { Reach } from "./watcher";

const COMPRESSION = "deflate-raw";

function canInflate(): boolean {
  try {
    return new DecompressionStream(COMPRESSION) !== undefined;
  } catch {
    return false;
  }
}

async function inflated(bytes: ArrayBuffer): Promise<string> {
  return await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream(COMPRESSION))).text();
}

export const reach: Reach = {
  inflates: canInflate(),
  open(events) {
    const address = new URL("/api/live/proctor", location.href);
    address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(address);
    socket.binaryType = "arraybuffer";
    // Messages are read in the order in which they came, also those that arrive while one is being inflated.
    let before = Promise.resolve();
    let inflating = 0;
    let isBroken = false;
    const readInTurn = async (data: string | ArrayBuffer) => {
      inflating += 1;
      const turn = before;
      try {
        const [text] = await Promise.all([data instanceof ArrayBuffer ? inflated(data) : data, turn]);
        if (!isBroken) events.message(text);
      } catch {
        // What comes after it is of no use without it, and the watcher comes back for both.
        isBroken = true;
        socket.close();
      } finally {
        inflating -= 1;
      }
    };
    socket.onopen = () => events.opened();
    socket.onmessage = ({ data }: MessageEvent<string | ArrayBuffer>) => {
      if (typeof data === "string" && inflating === 0) events.message(data);
      else before = readInTurn(data);
    };
    socket.onclose = ({ code }) => void before.then(() => events.closed(code));
    return {
      send: (text) => socket.readyState === WebSocket.OPEN && socket.send(text),
      close: () => socket.close(),
    };
  },
  async status(room) {
    const answer = await get("/api/live/sessions", room);
    if (answer.kind === "unreachable") return undefined;
    return answer.kind === "done" ? 200 : answer.status;
  },
};

export const timing: Timing = {
  now: () => performance.now(),
  calendar: () => Date.now(),
  random: () => Math.random(),
  later(milliseconds, call) {
    const timer = setTimeout(call, milliseconds);
    return () => clearTimeout(timer);
  },
};
