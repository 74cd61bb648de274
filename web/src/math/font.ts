// The font of mathematics. A script loads it, and no stylesheet: only so does it never come late, and move a formula that
// somebody is reading (docs/decisions/0034-nothing-moves-under-the-hand.md).

import address from "../style/noto-sans-mathematics.woff2?url";

/** The name in math.css. */
const NAME = "Noto Sans Mathematics";
/** The first formula waits this long for its font. Most pages have asked for it before they show one. */
const PATIENCE_MS = 3_000;

let loading: Promise<boolean> | undefined;
let settled: Promise<void> | undefined;
/** Formulas are shown without the font, and stay as they are until the page is loaded again. */
let isGivenUp = false;

/** Resolves to whether it has arrived. What has failed can be asked for again. */
export function loadFont(): Promise<boolean> {
  loading ??= load().catch(() => {
    loading = undefined;
    return false;
  });
  return loading;
}

/** Resolves when formulas may be shown: when the font is here, or when it has failed or had its time. */
export function settleFont(): Promise<void> {
  settled ??= settle();
  return settled;
}

async function load(): Promise<boolean> {
  const face = await new FontFace(NAME, `url("${address}")`).load();
  if (!isGivenUp) document.fonts.add(face);
  return true;
}

async function settle(): Promise<void> {
  const isLate = new Promise<false>((resolve) => setTimeout(() => resolve(false), PATIENCE_MS));
  isGivenUp = !(await Promise.race([loadFont(), isLate]));
}
