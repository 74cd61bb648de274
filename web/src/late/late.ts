// What a page does with work that came too late: sends it all the same, or makes a file of it where there is no network.
// Loaded ahead while a test runs, since the network may be gone by then.

export { default as LateOffer } from "./LateOffer.svelte";
export { default as LateNote } from "./LateNote.svelte";
export { sendLate } from "./sending";
