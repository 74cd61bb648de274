// A paper for a later sitting: another template by the settings of the one before, with questions that are drawn anew, since
// whoever has sat a paper knows it.

import { get, send, type Answer } from "../api";
import { copiedAccess } from "../templates/access/rules";
import { templateDraftOf, templateFields, TEMPLATE_NAME_MAX } from "../templates/draft";
import { TEMPLATES } from "../templates/shapes";
import { readTemplates } from "./reading.svelte";

/** The choice of a new paper among templates, which have ids. */
export const NEW_PAPER = "new";

export interface DrawnPaper {
  id: string;
  name: string;
  /** Whether the bank had too few questions for it. */
  isShort: boolean;
}

/** What the next one is called: a number follows the name, above those that there are. */
export function nextPaperName(name: string, others: Iterable<string>): string {
  const stem = name.replace(/ \(\d+\)$/, "");
  const taken = new Set(others);
  for (let number = 2; ; number += 1) {
    const ending = ` (${number})`;
    const next = stem.slice(0, TEMPLATE_NAME_MAX - ending.length) + ending;
    if (!taken.has(next)) return next;
  }
}

/** Pinned questions do not come along: they would be known too. */
export async function drawNewPaper(templateId: string, others: Iterable<string>): Promise<Answer<DrawnPaper>> {
  const read = await get("/api/manager/test-templates/{id}", { id: templateId });
  if (read.kind !== "done") return read;
  const draft = templateDraftOf(read.value.template);
  const name = nextPaperName(draft.name, [draft.name, ...others]);
  const drawn = await send("POST", TEMPLATES, templateFields({ ...draft, access: copiedAccess(draft.access), name }));
  if (drawn.kind !== "done") return drawn;
  void readTemplates();
  return { kind: "done", value: { id: drawn.value.template.id, name, isShort: Object.keys(drawn.value.shortfalls).length > 0 } };
}

/** Nobody needs the paper of a sitting that was not planned after all. */
export function removeNewPaper({ id }: Pick<DrawnPaper, "id">): Promise<Answer<unknown>> {
  return send("DELETE", "/api/manager/test-templates/{id}", undefined, { params: { id } });
}

/**
 * The paper that a dialog draws for the sitting that it plans: drawn once, also if the sitting is refused and planned again, and
 * removed with the dialog if no sitting has it. Without one nothing would withhold its questions.
 */
export class PaperToBe {
  #drawn: DrawnPaper | undefined;
  #isPlanning = false;
  #isClosed = false;

  async planWith<T>(draw: () => Promise<Answer<DrawnPaper>>, plan: (paper: DrawnPaper) => Promise<Answer<T>>): Promise<Answer<T>> {
    this.#isPlanning = true;
    const drawing: Answer<DrawnPaper> = this.#drawn === undefined ? await draw() : { kind: "done", value: this.#drawn };
    if (drawing.kind === "done") this.#drawn = drawing.value;
    const answer: Answer<T> = drawing.kind === "done" ? await plan(drawing.value) : drawing;
    this.#isPlanning = false;
    if (answer.kind === "done") this.#drawn = undefined;
    else if (this.#isClosed) this.close();
    return answer;
  }

  /** What is being planned while the dialog is closed may still come to be. */
  close(): void {
    this.#isClosed = true;
    if (this.#isPlanning || this.#drawn === undefined) return;
    // A sitting that was planned although its answer was lost keeps its paper: the server does not remove it then.
    void removeNewPaper(this.#drawn).then(() => readTemplates());
    this.#drawn = undefined;
  }
}
