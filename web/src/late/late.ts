// What a page does with work that came too late: sends it all the same, or makes a file of it where the server does not get it
// or does not keep it. Loaded ahead while a test runs, since the network may be gone by then.

export { default as LateOffer } from "./LateOffer.svelte";
export { default as LateEnd } from "./LateEnd.svelte";
export { sendLate } from "./sending";
