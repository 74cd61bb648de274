// How an author looks at a question, which stays so from one question to the next.

import type { View } from "../../view/settings";

/** The width of the question's card and the size of its text on such a screen, in pixels. */
export const SCREENS = {
  phone: { width: 362, text: 16 },
  desktop: { width: 820, text: 18.25 },
} as const;
export type ScreenKind = keyof typeof SCREENS;

export const preview = $state<{ screen: ScreenKind; theme: View["theme"] }>({ screen: "desktop", theme: "light" });
