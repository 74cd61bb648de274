// What is loaded once a test is over, in one piece: a test that runs does not need it.

export { default as EndFacts } from "./EndFacts.svelte";
export { default as ReportPage } from "./ReportPage.svelte";
