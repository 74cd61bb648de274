// What the server accepts in a question and students would stumble over. A formula that can't be set, and a picture that does not come
// or is not described, keep a question from being saved; a formula that may have lost its dollar signs, and a unit that stands in the
// question too, are only said.

import { mathematics } from "../../math/loading";
import { outside, pieces } from "../../math/pieces";
import { isNewPicture } from "../../ui/picture";
import type { QuestionField } from "./bank";
import type { QuestionDraft } from "./draft";
import { NUMBER } from "./number_draft";
import { plainText } from "./plain";

export interface DraftDoubt {
  field: QuestionField;
  kind: "formula" | "noFormula" | "notPicture" | "noPicture" | "noDescription" | "unitTwice";
  /** The piece that it is about. */
  text: string;
}

/** A picture that takes longer does not come to a classroom either. */
const PICTURE_PATIENCE_MS = 10_000;
/** A command of LaTeX, or a dollar sign that is no price and closes nowhere; with a little of what follows. */
const LOST = /(?:\\[a-zA-Z]{2,}|\$(?=[^\s\d$.,;:!?)]))\S{0,20}/;

/** Whether a question with this is not saved. */
export function isBlocking({ kind }: DraftDoubt): boolean {
  return kind !== "noFormula" && kind !== "unitTwice";
}

export async function draftDoubts(draft: QuestionDraft, reaches: (address: string) => Promise<boolean>): Promise<DraftDoubt[]> {
  const { type, question, explanation } = draft;
  const options = type === NUMBER ? [] : draft.options;
  const fields = ["Option A", "Option B", "Option C", "Option D"] as const;
  const written: [QuestionField, string][] = [["Question", question], ...fields.map((field, index): [QuestionField, string] => [field, options[index] ?? ""]), ["Explanation", explanation]];
  const [pictured, ...found] = await Promise.all([pictureDoubts(draft, reaches), ...written.map(([field, text]) => formulaDoubts(field, text))]);
  return [...found.flat(), ...unitDoubts(draft), ...pictured];
}

/** A question that asks in centimetres itself, before a box with `cm` behind it: students would wonder which of the two is meant. */
function unitDoubts({ type, question, number }: QuestionDraft): DraftDoubt[] {
  const unit = number.unit.trim();
  if (type !== NUMBER || unit === "") return [];
  const text = plainText(question);
  for (let place = text.indexOf(unit); place !== -1; place = text.indexOf(unit, place + 1)) {
    const [before, after] = [text.slice(0, place), text.slice(place + unit.length)];
    // Behind a number it belongs to what is given, and within a word it is none.
    const isGiven = /[\p{N}\p{No}]\s*$/u.test(before);
    const isPart = /^[\p{L}\p{N}²³]/u.test(after) || (/^\p{L}/u.test(unit) && /\p{L}$/u.test(before));
    if (!isGiven && !isPart) return [{ field: "Unit", kind: "unitTwice", text: unit }];
  }
  return [];
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

async function pictureDoubts({ image, imageDescription }: QuestionDraft, reaches: (address: string) => Promise<boolean>): Promise<DraftDoubt[]> {
  const address = image.trim();
  if (address === "") return [];
  const kind = !isNewPicture(address) ? "notPicture" : (await reaches(address)) ? undefined : "noPicture";
  return [
    ...(kind === undefined ? [] : [{ field: "Image" as const, kind, text: address } as const]),
    ...(imageDescription.trim() === "" ? [{ field: "Image description" as const, kind: "noDescription" as const, text: "" }] : []),
  ];
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
