// Reads from the address of a question's picture whether it is one, and the size of a drawing.

/** Addresses that can be nothing but a picture. */
const PICTURE = /^(https:\/\/|data:image\/(png|jpeg|gif|webp|svg\+xml)[;,])/i;
/** Where this site has files alone. The server takes no other path for a picture. */
const MEDIA = /^\/((assets|media|pictures)\/|icon\.svg$|api\/school\/crest$)/;
/** Where it has none. A picture from the time before the server's rule may be at any other path. */
const PROGRAMS = /^\/(api|auth|v1|wp-json)(\/|$)/;
const DRAWING = /^data:image\/svg\+xml((?:;[^,;]*)*),/i;
/** The first tag of a drawing is looked for within so many characters. */
const HEAD_MAX = 4_096;
/** Larger sizes are mistakes. */
const SIDE_MAX = 10_000;

export interface PictureSize {
  width: number;
  height: number;
}

/** Whether the pages ask for the picture. */
export function isPicture(address: string): boolean {
  const path = pathOf(address);
  return PICTURE.test(address) || (path !== undefined && (MEDIA.test(path) || !PROGRAMS.test(path)));
}

/** Whether the server takes the address for the picture of a question. */
export function isNewPicture(address: string): boolean {
  const path = pathOf(address);
  return PICTURE.test(address) || (path !== undefined && MEDIA.test(path));
}

/** The path of this site that a browser makes of the address; undefined for an address of another site. */
function pathOf(address: string): string | undefined {
  const isPath = /^\/(?![/\\])[^\s\\]*$/.test(address);
  return isPath ? new URL(address, "https://site.invalid").pathname : undefined;
}

/** The size that a drawing in the address names, by its width and height or by its view box; undefined for other pictures. */
export function sizeOf(address: string): PictureSize | undefined {
  const parameters = DRAWING.exec(address);
  if (parameters === null) return undefined;
  const body = address.slice(parameters[0].length, parameters[0].length + HEAD_MAX);
  const tag = /<svg\b[^>]*>/i.exec(decoded(body, /;base64$/i.test(parameters[1] ?? "")))?.[0] ?? "";
  const [, , boxWidth, boxHeight] = (attribute(tag, "viewBox") ?? "").trim().split(/[\s,]+/);
  return size(attribute(tag, "width"), attribute(tag, "height")) ?? size(boxWidth, boxHeight);
}

/** The beginning of the drawing, which may end within a character. */
function decoded(body: string, isBase64: boolean): string {
  try {
    return isBase64 ? atob(body.slice(0, body.length - (body.length % 4))) : decodeURIComponent(body.replace(/(?:%[\da-f]{0,2})+$/i, ""));
  } catch {
    return "";
  }
}

function attribute(tag: string, name: string): string | undefined {
  return new RegExp(`\\s${name}\\s*=\\s*["']([^"']*)["']`).exec(tag)?.[1];
}

/** Both in pixels, or undefined if one of them is a share or nothing. */
function size(width: string | undefined, height: string | undefined): PictureSize | undefined {
  const sides = [width, height].map((side) => (/^\s*\d+(\.\d+)?(px)?\s*$/.test(side ?? "") ? parseFloat(side ?? "") : 0));
  const [wide = 0, high = 0] = sides;
  return sides.every((side) => side > 0 && side <= SIDE_MAX) ? { width: wide, height: high } : undefined;
}
