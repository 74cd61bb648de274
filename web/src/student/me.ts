// The student at the page: their account, with which their view comes. Separate from the API, which the staff pages use
// too.

import { known, unknown } from "../view/view.svelte";
import { findMe, type Me } from "./api";

/** Who is signed in, or undefined if nobody is. */
export async function loadMe(): Promise<Me | undefined> {
  const found = await findMe();
  if (found === "guest") unknown();
  if (found === "guest" || found === undefined) return undefined;
  // Nothing waits for their view.
  void known(found.email);
  return found;
}
