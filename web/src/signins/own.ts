// One's own sign-ins, as the server lists and ends them, for students and for staff.

import type { SignInsView, SignInView } from "../api/schema";

const OWN = "/api/me/sign-ins";

/** The list, or why there is none. */
export type SignInsFound = { kind: "loaded"; list: SignInView[] } | { kind: "guest" | "unreachable" };

/** The list in what a server has answered; `unreachable` if something else has answered in its place. */
export function signInsOf(status: number, body: unknown): SignInsFound {
  if (status === 401) return { kind: "guest" };
  const list = (body as Partial<SignInsView> | undefined)?.signIns;
  return status === 200 && Array.isArray(list) ? { kind: "loaded", list } : { kind: "unreachable" };
}

export async function loadOwnSignIns(): Promise<SignInsFound> {
  const answer = await fetch(OWN, { headers: { Accept: "application/json" }, cache: "no-store" }).catch(() => undefined);
  return answer === undefined ? { kind: "unreachable" } : signInsOf(answer.status, await answer.json().catch(() => undefined));
}

/** Ends one; also true if it had ended already, which is what was wanted. */
export async function endOwnSignIn(id: string): Promise<boolean> {
  const answer = await remove(`${OWN}/${encodeURIComponent(id)}`);
  return answer?.ok === true || answer?.status === 404;
}

export async function endOtherSignIns(): Promise<boolean> {
  return (await remove(OWN))?.ok === true;
}

function remove(address: string): Promise<Response | undefined> {
  return fetch(address, { method: "DELETE", headers: { Accept: "application/json" } }).catch(() => undefined);
}
