// A message that is sent only to see whether a receiver takes it: what was sent, what came back, and what that means.

export const TEST_MESSAGE = "/api/admin/webhooks/test";

export interface TestReply {
  delivered: boolean;
  /** What the receiver answered with; null if it did not answer. */
  status: number | null;
  /** Why it did not, in the server's words; empty if it did. */
  error: string;
  milliseconds: number;
  request: { headers: Record<string, string>; body: string };
  /** The beginning of the answer. */
  response: string;
}

export type TestOutcome = "arrived" | "refused" | "silent";
/** Why nothing answered, as far as the server's words tell. */
export type TestObstacle = "late" | "closed" | "nameless" | "certificate" | "other";

const OBSTACLES: [TestObstacle, RegExp][] = [
  ["late", /in time|timed? ?out|deadline/i],
  ["certificate", /certificate|tls|ssl|handshake/i],
  ["nameless", /dns|resolve|lookup|name or service|no address/i],
  ["closed", /refused|unreachable|reset|no route/i],
];

/** This one is a secret itself, and nobody needs to see it to find a fault. */
const SECRET_HEADER = "x-webhook-secret";

export function outcomeOf({ delivered, status }: TestReply): TestOutcome {
  if (delivered) return "arrived";
  return status === null ? "silent" : "refused";
}

export function obstacleOf(error: string): TestObstacle {
  return OBSTACLES.find(([, words]) => words.test(error))?.[0] ?? "other";
}

/** The headers as lines, in the order of their names, with what is secret covered. */
export function headerLines(headers: Record<string, string>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${name.toLowerCase() === SECRET_HEADER ? "••••••••" : value}`)
    .sort((one, other) => one.localeCompare(other))
    .join("\n");
}

/** The address as it can be sent; undefined if it is none. */
export function receiverIn(text: string): string | undefined {
  const address = text.trim();
  return /^https?:\/\/[^\s/?#]+[^\s]*$/i.test(address) ? address : undefined;
}
