// Estimates the room that a formula will take, so that little moves when it takes the place that was kept for it.

/** Commands that show nothing of their own. */
const SILENT = /\\(?:[dtc]?frac|sqrt|text|mathrm|mathbf|left|right|begin|end|overline|underline|vec|quad|displaystyle)(?![a-z])/gi;

/** The number of characters side by side. */
export function widthOfFormula(tex: string): number {
  // Of a fraction, only the longer half counts.
  const flat = tex.replace(/\\[dtc]?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}/g, (_, above: string, below: string) => (above.length > below.length ? above : below));
  const shown = flat.replace(SILENT, "").replace(/\\[a-z]+/gi, "x").replace(/[{}^_&\s\\]/g, "");
  return Math.max(1, shown.length);
}
