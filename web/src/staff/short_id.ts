// The id of a question for whoever reads a list: those of a file's own are short, and those that the server makes would push out the text.

const WHOLE_MAX = 12;
const KEPT = 8;

export function shortId(id: string): string {
  return id.length > WHOLE_MAX ? `${id.slice(0, KEPT)}…` : id;
}
