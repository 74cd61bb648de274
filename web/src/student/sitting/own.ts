// The sittings of the student who is signed in, as the server lists them.

/** What the candidate may do now. */
export type OwnAction = "wait" | "enter" | "resume" | "result" | "nothing";

export interface OwnSitting {
  id: string;
  name: string;
  code: string;
  state: "expected" | "waiting" | "ready" | "active" | "paused" | "submitted" | "absent";
  may: OwnAction;
  startsAt: string;
  doorsAt: string;
  minutes: number;
  room: string | null;
  seat: string | null;
  sessionId: string | null;
  released: boolean;
}

export type OwnResult = { kind: "loaded"; sittings: OwnSitting[]; serverMs: number } | { kind: "signIn" | "unreachable" };

export async function loadOwn(): Promise<OwnResult> {
  const response = await fetch("/api/sittings", { headers: { Accept: "application/json" }, cache: "no-store" }).catch(() => undefined);
  if (response?.status === 401) return { kind: "signIn" };
  // A server whose data is elsewhere has no sittings.
  if (response?.status === 501) return { kind: "loaded", sittings: [], serverMs: Date.now() };
  const body = response?.ok === true ? ((await response.json().catch(() => undefined)) as { sittings?: OwnSitting[] } | undefined) : undefined;
  if (body?.sittings === undefined) return { kind: "unreachable" };
  const date = Date.parse(response?.headers.get("Date") ?? "");
  return { kind: "loaded", sittings: body.sittings, serverMs: Number.isNaN(date) ? Date.now() : date };
}

/** Whether it is over for this candidate. */
export function isPast({ state, may }: OwnSitting): boolean {
  return state === "submitted" || (state === "absent" && may === "nothing") || may === "result";
}

/** In how many milliseconds something opens, if anything does. */
export function nextDoorsIn(sittings: OwnSitting[], serverMs: number): number | undefined {
  const coming = sittings.filter(({ may }) => may === "wait").map(({ doorsAt }) => Math.max(0, Date.parse(doorsAt) - serverMs));
  return coming.length === 0 ? undefined : Math.min(...coming);
}
