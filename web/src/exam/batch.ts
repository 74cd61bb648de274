// Which commands one request carries: the small ones first, so that no answer waits for drawings, and never many at
// once.

import type { Command, EndingCommand } from "./protocol";

const COMMANDS_MAX = 50;
const BYTES_MAX = 100_000;

export function commandBytes(command: Command | EndingCommand): number {
  return JSON.stringify(command).length;
}

/** The next of these to send by HTTPS: at least one, however large it is. */
export function batchOf(pending: (Command | EndingCommand)[]): (Command | EndingCommand)[] {
  const isDrawing = (command: Command | EndingCommand) => Number(command.type === "drawing");
  const ordered = [...pending].sort((one, other) => isDrawing(one) - isDrawing(other));
  let bytes = 0;
  const isWithin = (command: Command | EndingCommand, index: number) => {
    bytes += commandBytes(command);
    return index === 0 || (bytes <= BYTES_MAX && index < COMMANDS_MAX);
  };
  const end = ordered.findIndex((command, index) => !isWithin(command, index));
  return end === -1 ? ordered : ordered.slice(0, end);
}
