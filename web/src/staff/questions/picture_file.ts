// A picture that somebody chooses, drops or pastes: whether it is one that the server takes, and what it says of one that it does not.

import type { Answer } from "../api";

/** What the server takes. It scales down what is larger than a page shows. */
export const PICTURE_TYPES = ["image/png", "image/jpeg", "image/webp", "image/svg+xml"];
export const PICTURE_BYTES_MAX = 8 * 1024 * 1024;

export type PictureFault = "type" | "large" | "invalid" | "detailed" | "many";

/** The picture among files that were dropped or pasted; else the first file, so that it is said what is wrong with it. */
export function pictureIn(files: Iterable<File> | null | undefined): File | undefined {
  const all = [...(files ?? [])];
  return all.find(({ type }) => PICTURE_TYPES.includes(type)) ?? all[0];
}

/** What is wrong before it is sent. */
export function faultOfFile({ type, size }: Pick<File, "type" | "size">): PictureFault | undefined {
  if (!PICTURE_TYPES.includes(type)) return "type";
  return size > PICTURE_BYTES_MAX ? "large" : undefined;
}

/** What the server found wrong; undefined for what any request may meet. */
export function faultOfAnswer(answer: Answer<unknown>): PictureFault | undefined {
  if (answer.kind !== "refused") return undefined;
  if (answer.status === 413) return "large";
  if (answer.status === 429) return "many";
  if (answer.status !== 400) return undefined;
  return answer.error === "The picture cannot be made small enough" ? "detailed" : "invalid";
}
