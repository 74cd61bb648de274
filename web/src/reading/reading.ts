// All that reading aloud needs, as one part that is loaded when it is first asked for.

export { Reader } from "./reader.svelte";
export { scriptOf } from "./script";
export { TONGUES } from "./tongues";
