// Breaks a text into the lines in which it is drawn, as the field breaks it in which it was typed.

/** Lines that are no wider than this, as `widthOf` measures them: broken between words, and within one that is too wide. */
export function linesOf(text: string, width: number, widthOf: (line: string) => number): string[] {
  const lines: string[] = [];
  for (const paragraph of text.split("\n")) {
    let line = "";
    for (const word of paragraph.split(/\s+/).filter((word) => word !== "")) {
      const longer = line === "" ? word : `${line} ${word}`;
      if (widthOf(longer) <= width) {
        line = longer;
        continue;
      }
      if (line !== "") lines.push(line);
      line = "";
      for (const letter of word) {
        if (line !== "" && widthOf(line + letter) > width) {
          lines.push(line);
          line = "";
        }
        line += letter;
      }
    }
    if (line !== "") lines.push(line);
  }
  return lines;
}
