// The browser's socket and clocks, as the watcher uses them.

import type { Timing } from "../../exam/ports";
import { get } from "../api";
import { queryOf } from "./room";
import type { Reach } from "./watcher";

export const reach: Reach = {
  open(events) {
    const address = new URL("/api/live/proctor", location.href);
    address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(address);
    socket.onopen = () => events.opened();
    socket.onmessage = ({ data }) => typeof data === "string" && events.message(data);
    socket.onclose = ({ code }) => events.closed(code);
    return {
      send: (text) => socket.readyState === WebSocket.OPEN && socket.send(text),
      close: () => socket.close(),
    };
  },
  async status(room) {
    const answer = await get<unknown>(`/api/live/sessions?${queryOf(room)}`);
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
