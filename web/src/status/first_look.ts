// Loads what shows the status when there is something to show. On most days there is nothing, and a test begins without its
// weight.

import { askStatus } from "./asking";
import { nameOf } from "./said";

/** If nothing is said, what shows it is loaded after this time and asks from then on. */
const LATER_MS = 30_000;

export async function lookFirst(): Promise<void> {
  const status = await askStatus();
  if (status !== undefined && nameOf(status) !== "") load();
  else waitForMore();
}

function load(): void {
  void import("./open").then(({ openStatus }) => openStatus("students"), () => {});
}

/** A page that is looked at again asks at once. */
function waitForMore(): void {
  const later = setTimeout(end, LATER_MS);
  document.addEventListener("visibilitychange", end, { once: true });

  function end() {
    clearTimeout(later);
    document.removeEventListener("visibilitychange", end);
    load();
  }
}
