// What in an edit the server accepts and students would stumble over: a formula that can't be read, one that has lost its dollar
// signs, a picture that does not come.

import { mathematics } from "../../math/loading";
import { outside, pieces } from "../../math/pieces";
import { isNewPicture } from "../../ui/picture";
import type { QuestionField } from "./bank";
import type { QuestionDraft } from "./draft";

export interface DraftDoubt {
  field: QuestionField;
  kind: "formula" | "noFormula" | "notPicture" | "noPicture";
  /** The piece that it is about. */
  text: string;
}

/** A picture that takes longer does not come to a classroom either. */
const PICTURE_PATIENCE_MS = 10_000;
/** A command of LaTeX, or a dollar sign that is no price and closes nowhere; with a little of what follows. */
const LOST = /(?:\\[a-zA-Z]{2,}|\$(?=[^\s\d$.,;:!?)]))\S{0,20}/;

export async function draftDoubts({ question, options, explanation, image }: QuestionDraft, reaches: (address: string) => Promise<boolean>): Promise<DraftDoubt[]> {
  const fields = ["Option A", "Option B", "Option C", "Option D"] as const;
  const written: [QuestionField, string][] = [["Question", question], ...fields.map((field, index): [QuestionField, string] => [field, options[index] ?? ""]), ["Explanation", explanation]];
  const [pictured, ...found] = await Promise.all([pictureDoubts(image.trim(), reaches), ...written.map(([field, text]) => formulaDoubts(field, text))]);
  return [...found.flat(), ...pictured];
}

async function formulaDoubts(field: QuestionField, text: string): Promise<DraftDoubt[]> {
  const lost = LOST.exec(outside(text))?.[0];
  const formulas = pieces(text).filter(({ isMath }) => isMath);
  // Without the library nothing is known, and nothing is doubted.
  const library = formulas.length === 0 ? undefined : await mathematics().catch(() => undefined);
  const broken = library === undefined ? undefined : formulas.find(({ text, isDisplay = false }) => !library.isRenderable(text, isDisplay));
  return [
    ...(broken === undefined ? [] : [{ field, kind: "formula" as const, text: broken.text }]),
    ...(lost === undefined ? [] : [{ field, kind: "noFormula" as const, text: lost }]),
  ];
}

async function pictureDoubts(image: string, reaches: (address: string) => Promise<boolean>): Promise<DraftDoubt[]> {
  if (image === "") return [];
  if (!isNewPicture(image)) return [{ field: "Image", kind: "notPicture", text: image }];
  return (await reaches(image)) ? [] : [{ field: "Image", kind: "noPicture", text: image }];
}

/** Whether a picture comes from this address, as students' browsers would load it. */
export function hasPicture(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const picture = new Image();
    const late = setTimeout(() => over(false), PICTURE_PATIENCE_MS);
    const over = (isThere: boolean) => (clearTimeout(late), resolve(isThere));
    picture.referrerPolicy = "no-referrer";
    picture.onload = () => over(true);
    picture.onerror = () => over(false);
    picture.src = address;
  });
}
