// The school's crest as a file: which pictures can be one, and how one is read so that it can be shown before it is sent.

/** As many bytes as the server takes. */
export const CREST_BYTES_MAX = 256 * 1_024;
/** As many pixels as it takes in a row or a column. */
const CREST_SIDE_MAX = 4_096;
export const CREST_TYPES = ["image/png", "image/jpeg", "image/webp"] as const;
export type CrestType = (typeof CREST_TYPES)[number];

export type CrestFault = "large" | "wide" | "kind" | "broken";

/** What is to become of the crest: it stays, goes, or becomes this one. */
export type CrestChoice = { kind: "kept" | "removed" } | { kind: "chosen"; file: Blob; type: CrestType; url: string };

/** What a picture is by its first bytes: its name and its declared type may say anything. */
export function crestType(bytes: Uint8Array): CrestType | undefined {
  const text = (from: number, to: number) => String.fromCharCode(...bytes.subarray(from, to));
  if (text(0, 8) === "\u0089PNG\r\n\u001A\n") return "image/png";
  if (text(0, 3) === "\u00FF\u00D8\u00FF") return "image/jpeg";
  return text(0, 4) === "RIFF" && text(8, 12) === "WEBP" ? "image/webp" : undefined;
}

/** Reads what was chosen, and says what is wrong with it. It stays in memory, so that what is sent is what was shown. */
export async function readCrest(file: Blob): Promise<CrestChoice | CrestFault> {
  if (file.size > CREST_BYTES_MAX) return "large";
  const bytes = await file.arrayBuffer().then((buffer) => new Uint8Array(buffer), () => undefined);
  if (bytes === undefined) return "broken";
  const type = crestType(bytes);
  if (type === undefined) return "kind";
  const kept = new Blob([bytes], { type });
  const url = await addressOf(kept);
  const side = await sideOf(url);
  if (side === undefined) return "broken";
  return side > CREST_SIDE_MAX ? "wide" : { kind: "chosen", file: kept, type, url };
}

/** The picture as an address: pages may show those of `data:`, and none of `blob:`. */
function addressOf(file: Blob): Promise<string> {
  return new Promise((resolve) => {
    const reader = new FileReader();
    reader.onloadend = () => resolve(typeof reader.result === "string" ? reader.result : "");
    reader.readAsDataURL(file);
  });
}

/** Its longer side in pixels, if it is a picture. */
async function sideOf(url: string): Promise<number | undefined> {
  const image = new Image();
  image.src = url;
  return image.decode().then(() => Math.max(image.naturalWidth, image.naturalHeight), () => undefined);
}
