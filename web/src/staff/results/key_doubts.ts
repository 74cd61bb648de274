// Whether the figures of a question make its key doubtful. Each doubt has its rule here; the words stand elsewhere.

import type { Selected } from "../../exam/protocol";
import type { KeyFigures } from "../../api/schema";
import { isNumberResult, type ResultQuestion } from "./answer";
import type { CopyNote } from "./copy_note";
import { labelsOf, sharesOf } from "./items";

/** Of fewer tests nothing is claimed: chance alone does as much. */
const DOUBT_ASKED_MIN = 8;
const MORE_CHOSE_MIN = 3;
/** Whoever guesses among four options is right more often than this. */
const FEW_RIGHT_SHARE = 0.15;
/** A correlation needs more tests than a share. At this number, one below the limit is rare if the key is right. */
const BACKWARDS_ASKED_MIN = 15;
const BACKWARDS_BELOW = -0.15;

export type KeyDoubt =
  /** More students gave this wrong answer than were right. */
  | { kind: "another"; choice: Selected; count: number; right: number }
  | { kind: "few"; right: number; asked: number }
  /** Whoever did well in the rest of the test was wrong more often here. */
  | { kind: "backwards" };

/** What was answered to a question, wrong answers in the order of the options. */
interface Figures {
  asked: number;
  right: number;
  isNumber: boolean;
  mistakes: { choice: Selected; count: number }[];
  /** Null where all did equally well. */
  discrimination: number | null;
}

/** What speaks against the key, the plainest first. One that was corrected has been looked at. */
export function keyDoubts(question: ResultQuestion): KeyDoubt[] {
  const { asked, right, correction, discrimination } = question;
  if (correction !== null) return [];
  return doubtsOf({ asked, right, isNumber: isNumberResult(question), mistakes: sharesOf(question).filter(({ isRight }) => !isRight), discrimination });
}

function doubtsOf({ asked, right, isNumber, mistakes, discrimination }: Figures): KeyDoubt[] {
  if (asked < DOUBT_ASKED_MIN) return [];
  const [most] = [...mistakes].sort((one, other) => other.count - one.count);
  const isAnother = most !== undefined && most.count > right && most.count >= MORE_CHOSE_MIN;
  return [
    ...(isAnother ? [{ kind: "another" as const, choice: most.choice, count: most.count, right }] : []),
    // Where another option stands out, this says nothing more; and a number is not guessed.
    ...(!isAnother && !isNumber && right / asked < FEW_RIGHT_SHARE ? [{ kind: "few" as const, right, asked }] : []),
    ...(asked >= BACKWARDS_ASKED_MIN && (discrimination ?? 0) < BACKWARDS_BELOW ? [{ kind: "backwards" as const }] : []),
  ];
}

/** A question that looks wrong, as the pages call it. */
export interface Doubtful {
  id: string;
  label: string;
  isNumber: boolean;
  doubts: KeyDoubt[];
}

/** The questions that look wrong, those first against which most answers speak. */
export function doubtfulOf({ questions }: Pick<KeyFigures, "questions">): Doubtful[] {
  const labels = labelsOf(questions);
  const all = questions.map((question, index) => {
    const { id, corrected } = question;
    const isNumber = isNumberResult(question);
    const doubts = corrected ? [] : doubtsOf({ ...question, isNumber });
    return { id, label: labels[index] ?? id, isNumber, doubts };
  });
  return all.filter(({ doubts }) => doubts.length > 0).sort((one, other) => weightOf(other) - weightOf(one));
}

/** How many have chosen what the key has not: the plainest doubt counts. */
function weightOf({ doubts: [doubt] }: Doubtful): number {
  return doubt?.kind === "another" ? doubt.count - doubt.right : 0;
}

/** What is to be said of the letters and numbers of these figures. */
export function copyNoteOf({ forms, shuffled }: Pick<KeyFigures, "forms" | "shuffled">): CopyNote | undefined {
  return forms ? "forms" : shuffled ? "letters" : undefined;
}
