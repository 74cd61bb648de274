// The pages that are loaded once a test is over, in one piece: a running test does not need them.

export { default as EndFacts } from "./EndFacts.svelte";
export { default as ReportPage } from "./ReportPage.svelte";
export { default as SheetsPage } from "./SheetsPage.svelte";
