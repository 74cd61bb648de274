// What a morning kit is asked for with, and whose codes it makes.

import { SITTINGS, type Candidate } from "../shapes";

/** The papers of a kit, in the order in which they are printed. */
export const KIT_PARTS = ["door", "plan", "list", "slips"] as const;
export type KitPart = (typeof KIT_PARTS)[number];

/** The server's names of sizes. */
export const KIT_PAPERS = ["a4", "letter"] as const;
export type KitPaper = (typeof KIT_PAPERS)[number];

/** Candidates of one file, by the server's limit. */
export const KIT_MAX = 1_000;

export interface KitWish {
  parts: readonly KitPart[];
  /** Empty for all rooms. */
  room: string;
  paper: KitPaper;
  renew: boolean;
}

/** The address of a kit. The server makes all parts, on A4, where nothing is said. */
export function kitAddress(id: string, { parts, room, paper, renew }: KitWish): string {
  const chosen = KIT_PARTS.filter((part) => parts.includes(part));
  const query = new URLSearchParams({
    ...(chosen.length === KIT_PARTS.length ? {} : { parts: chosen.join(",") }),
    ...(room === "" ? {} : { room }),
    ...(paper === "a4" ? {} : { paper }),
    ...(renew ? { renew: "true" } : {}),
  });
  return `${SITTINGS}/${id}/kit.pdf?${query}`;
}

/** Of these candidates: how many get a code, keep one, and could get another one. */
export function kitCodes(candidates: readonly Pick<Candidate, "hasAccessCode" | "sessionId">[]): { fresh: number; kept: number; renewable: number } {
  const kept = candidates.filter(({ hasAccessCode }) => hasAccessCode);
  return { fresh: candidates.length - kept.length, kept: kept.length, renewable: kept.filter(({ sessionId }) => sessionId === null).length };
}
