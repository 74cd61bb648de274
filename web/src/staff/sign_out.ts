// Ends the sign-in from any page of the staff, and says if that did not work everywhere.

import { signOut } from "../student/api";
import { forget } from "./me.svelte";
import { staffTexts } from "./texts/texts.svelte";
import { complain } from "./undo.svelte";

export async function leave(): Promise<void> {
  const left = await signOut();
  if (left !== "failed") forget();
  if (left !== "ended") complain(left === "here" ? staffTexts().signedOutHere : staffTexts().signOutFailed);
}
