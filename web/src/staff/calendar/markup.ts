// Between the HTML in which the calendar keeps titles and descriptions, and the texts that people read and type.

const NAMED: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: "\u00a0" };
const ENTITY = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]+));/gi;
/** What a description may have and still be shown without its paragraphs' tags: nothing that stands on lines of its own. */
const WITHIN_LINES = /^(?:p|br|a|abbr|b|cite|code|del|em|i|ins|q|s|small|span|strong|sub|sup|u)$/i;
/** Marks that the server makes of typed ones. */
const MARKS = /&#(8220|8221|8216|8217|8212|8230);/g;

/** The text that a reader sees. */
export function plainOf(html: string): string {
  return decoded(html.replace(/<[^>]*>/g, ""));
}

/** The text as HTML that shows just this text. */
export function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/**
 * A description as it is edited: paragraphs are blank lines, and tags within lines stay. One with lists, tables and the like
 * is HTML, as it is.
 */
export function sourceOf(html: string): string {
  const tags = [...html.matchAll(/<\/?([a-z][a-z\d]*)([^>]*)>/gi)];
  const isOfParagraphs = tags.every(([, name = "", attributes = ""]) => WITHIN_LINES.test(name) && (name !== "p" || attributes === ""));
  if (!isOfParagraphs) return html;
  const lines = html
    .replace(/<br ?\/?>\n?/g, "\n")
    .replace(/<\/p>\s*<p>/g, "\n\n")
    .replace(/<\/?p>/g, "");
  const typed = lines.replace(MARKS, decoded).replaceAll("&gt;", ">");
  // An ampersand before what looks like an entity would become a part of it.
  return typed.replace(/&(?:#038|amp);(?!#?\w+;)/g, "&").trim();
}

function decoded(text: string): string {
  return text.replace(ENTITY, (entity, decimal?: string, hexadecimal?: string, name?: string) => {
    if (name !== undefined) return NAMED[name.toLowerCase()] ?? entity;
    const code = decimal === undefined ? parseInt(hexadecimal ?? "", 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : entity;
  });
}
