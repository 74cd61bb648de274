// A student's choices of how the pages look: the choices, what they are at first, and how they are read from where they
// were stored. What was stored may be of another version of the pages, or of nobody's making.

export const SIZES = [100, 125, 150, 175, 200] as const;
export const SPACINGS = ["normal", "wide", "widest"] as const;
export const THEMES = ["light", "cream", "dark", "contrast"] as const;
/** `auto` shows the clock where there is room for it, which is nearly everywhere. */
export const CLOCKS = ["auto", "shown", "hidden"] as const;

export interface View {
  /** Of the text, in per cent. */
  size: (typeof SIZES)[number];
  spacing: (typeof SPACINGS)[number];
  theme: (typeof THEMES)[number];
  /** Whether a band shows the line that is being read. */
  ruler: boolean;
  clock: (typeof CLOCKS)[number];
  /** Whether screen readers get formulas in words instead of as mathematics. */
  words: boolean;
}

/** What nobody has chosen. */
export const USUAL: View = { size: 100, spacing: "normal", theme: "light", ruler: false, clock: "auto", words: false };

/** Up to this width the pages have one column, at the usual size of the text. */
const NARROW_REM = 64;
/** The last grade that has large text at first. */
const LITTLE_GRADE = 3;
/** The grade of a page without a test, above all others. */
export const NO_GRADE = 99;
/** Up to this width the head of a test has two lines. */
const HIGH_HEAD_REM = 48;

/** The view as long as nobody has chosen one: by the grade of the test, and by what the device asks for. */
export function usualView(grade: number, isDark: boolean, hasContrast: boolean): View {
  return { ...USUAL, size: grade > LITTLE_GRADE ? 100 : 125, theme: hasContrast ? "contrast" : isDark ? "dark" : "light" };
}

/** The view in what was stored. Whatever is not a choice is as usual. */
export function viewIn(stored: unknown): View {
  const found = typeof stored === "object" && stored !== null ? (stored as Record<string, unknown>) : {};
  return {
    size: oneOf(SIZES, found["size"]) ?? USUAL.size,
    spacing: oneOf(SPACINGS, found["spacing"]) ?? USUAL.spacing,
    theme: oneOf(THEMES, found["theme"]) ?? USUAL.theme,
    ruler: found["ruler"] === true,
    clock: oneOf(CLOCKS, found["clock"]) ?? USUAL.clock,
    words: found["words"] === true,
  };
}

function oneOf<T>(choices: readonly T[], value: unknown): T | undefined {
  return choices.find((choice) => choice === value);
}

export function isSameView(one: View, other: View): boolean {
  return (Object.keys(USUAL) as (keyof View)[]).every((name) => one[name] === other[name]);
}

/** The widest page that has one column with this view: larger text needs the room of the second one. */
export function narrowQuery({ size }: View): string {
  return `(max-width: ${(NARROW_REM * size) / 100}rem)`;
}

/** The widest page whose head has two lines with this view. */
export function highHeadQuery({ size }: View): string {
  return `(max-width: ${(HIGH_HEAD_REM * size) / 100}rem)`;
}

/** Whether the time is shown all the time. In the last minutes it always is, whatever the view. */
export function isClockShown({ clock }: View, hasRoom: boolean): boolean {
  return clock === "auto" ? hasRoom : clock === "shown";
}
