// Puts what is said on every page onto this one. It is loaded after everything that the page itself needs.

import { mount } from "svelte";
import StatusBar from "./StatusBar.svelte";
import { followStatus } from "./status.svelte";

export function openStatus(readers: "students" | "staff"): void {
  const target = document.createElement("div");
  // After the page, so that it is the last that the keyboard reaches.
  document.body.append(target);
  mount(StatusBar, { target, props: { readers } });
  followStatus();
}
