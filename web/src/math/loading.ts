// Loads what mathematics needs: a large library and a font, which only few questions use, and both at once.

import { loadFont, settleFont } from "./font";
import { pieces } from "./pieces";

export function hasMath(text: string): boolean {
  return pieces(text).some(({ isMath }) => isMath);
}

/** Resolves when a formula can be set and its font is settled, and fails without the library. */
export async function mathematics(): Promise<typeof import("./render")> {
  const [library] = await Promise.all([import("./render"), settleFont()]);
  return library;
}

/** Loads both ahead. Resolves to whether both are here, and fails without the library. */
export async function loadAhead(): Promise<boolean> {
  const [hasFont] = await Promise.all([loadFont(), import("./render")]);
  return hasFont;
}
