// The school's crest as a file: which pictures can be one, how a large one is made smaller, and how it is shown before it is sent.

/** As many bytes as the server takes. */
export const CREST_BYTES_MAX = 256 * 1_024;
/** As many pixels as it takes in a row or a column. */
const CREST_SIDE_MAX = 4_096;
/** A browser holds a picture of this file in memory while it is made smaller. */
export const CREST_FILE_BYTES_MAX = 64 * 1_024 * 1_024;
/** The longer side of one that is made smaller: sharp on paper, and smaller yet while it is too many bytes. */
const SCALED_SIDES = [1_024, 768, 512, 384, 256, 128];
const JPEG_QUALITY = 0.9;
export const CREST_TYPES = ["image/png", "image/jpeg", "image/webp"] as const;
export type CrestType = (typeof CREST_TYPES)[number];

export type CrestFault = "large" | "wide" | "drawing" | "kind" | "broken";

export interface CrestSize {
  width: number;
  height: number;
}

/** What is to become of the crest: it stays, goes, or becomes this one. `scaled` is its size if it was made smaller. */
export type CrestChoice = { kind: "kept" | "removed" } | { kind: "chosen"; file: Blob; type: CrestType; url: string; scaled?: CrestSize };

/** What a picture is by its first bytes: its name and its declared type may say anything. */
export function crestType(bytes: Uint8Array): CrestType | undefined {
  const text = (from: number, to: number) => String.fromCharCode(...bytes.subarray(from, to));
  if (text(0, 8) === "\u0089PNG\r\n\u001A\n") return "image/png";
  if (text(0, 3) === "\u00FF\u00D8\u00FF") return "image/jpeg";
  return text(0, 4) === "RIFF" && text(8, 12) === "WEBP" ? "image/webp" : undefined;
}

/** Whether a text begins as an SVG does, which the server takes for no crest. */
function isDrawing(bytes: Uint8Array): boolean {
  const head = new TextDecoder().decode(bytes.subarray(0, 1_024)).trimStart();
  return /^(?:<\?xml|<!--|<!doctype svg|<svg)/i.test(head) && /<svg[\s>]/i.test(head);
}

/** The sizes to try, the largest first: in the shape of the picture, and never larger than it is. */
export function scaledSizes({ width, height }: CrestSize): CrestSize[] {
  const side = Math.max(width, height);
  const sides = [...new Set(SCALED_SIDES.map((most) => Math.min(most, side)))];
  const scaled = (length: number, most: number) => Math.max(1, Math.round((length * most) / side));
  return sides.map((most) => ({ width: scaled(width, most), height: scaled(height, most) }));
}

/** Reads what was chosen, makes it smaller if it must be, or says what is wrong. It stays in memory, so that what is sent is what was shown. */
export async function readCrest(file: Blob): Promise<CrestChoice | CrestFault> {
  if (file.size > CREST_FILE_BYTES_MAX) return "wide";
  const bytes = await file.arrayBuffer().then((buffer) => new Uint8Array(buffer), () => undefined);
  if (bytes === undefined) return "broken";
  const type = crestType(bytes);
  if (type === undefined) return isDrawing(bytes) ? "drawing" : "kind";
  const kept = new Blob([bytes], { type });
  const url = await addressOf(kept);
  const image = await pictureAt(url);
  if (image === undefined) return "broken";
  const size = { width: image.naturalWidth, height: image.naturalHeight };
  const isSmall = kept.size <= CREST_BYTES_MAX && Math.max(size.width, size.height) <= CREST_SIDE_MAX;
  return isSmall ? { kind: "chosen", file: kept, type, url } : scaled(image, size, type);
}

/** The picture as large as it may be. What may shine through stays so; a photograph stays one. */
async function scaled(image: HTMLImageElement, size: CrestSize, type: CrestType): Promise<CrestChoice | CrestFault> {
  const as = type === "image/jpeg" ? "image/jpeg" : "image/png";
  for (const tried of scaledSizes(size)) {
    const file = await drawn(image, tried, as);
    if (file === undefined) return "wide";
    if (file.size <= CREST_BYTES_MAX) return { kind: "chosen", file, type: as, url: await addressOf(file), scaled: tried };
  }
  return "large";
}

/** Undefined when the browser can't draw it, such as for lack of memory. */
async function drawn(image: HTMLImageElement, { width, height }: CrestSize, type: CrestType): Promise<Blob | undefined> {
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width, height });
  const context = canvas.getContext("2d");
  if (context === null) return undefined;
  context.imageSmoothingQuality = "high";
  try {
    context.drawImage(image, 0, 0, width, height);
  } catch {
    return undefined;
  }
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, JPEG_QUALITY));
  return blob ?? undefined;
}

/** The picture as an address: pages may show those of `data:`, and none of `blob:`. */
function addressOf(file: Blob): Promise<string> {
  return new Promise((resolve) => {
    const reader = new FileReader();
    reader.onloadend = () => resolve(typeof reader.result === "string" ? reader.result : "");
    reader.readAsDataURL(file);
  });
}

/** Undefined if it is none. */
async function pictureAt(url: string): Promise<HTMLImageElement | undefined> {
  const image = new Image();
  image.src = url;
  return image.decode().then(() => image, () => undefined);
}
