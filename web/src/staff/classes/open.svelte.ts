// One class as the page has it open: read again and again, and changed in the version that was seen.

import type { RosterReport } from "../../api/schema";
import { get, send, upload, type Answer } from "../api";
import type { ListSending, ListTarget } from "../roster/target";
import { offerUndo } from "../undo.svelte";
import { CLASS, type ClassPerson, type SchoolClass } from "./shapes";

/** What a class is called, and whose it is. */
export type ClassFields = Pick<SchoolClass, "name" | "grade">;

const CHANGED = 412;

/** Whether somebody else has changed it since it was read. */
export function isOvertaken(answer: Answer<unknown>): boolean {
  return answer.kind === "refused" && answer.status === CHANGED;
}

export function areSameClass(one: ClassFields, other: ClassFields): boolean {
  return one.name === other.name && one.grade === other.grade;
}

export class OpenClass implements ListTarget {
  found = $state.raw<SchoolClass>();
  people = $state.raw<ClassPerson[]>([]);
  /** When both were read, on the clock of `performance`. */
  readAt = $state(0);
  failed = $state.raw<Answer<unknown>>();
  #version: number | undefined;
  #reads = 0;

  constructor(readonly id: string) {}

  get version(): number | undefined {
    return this.#version;
  }

  async read(): Promise<void> {
    const turn = (this.#reads += 1);
    const answer = await get(CLASS, { id: this.id });
    // An answer that was overtaken by a later one says nothing new.
    if (turn !== this.#reads) return;
    if (answer.kind !== "done") return void (this.failed = answer);
    const { class: found, people } = answer.value;
    [this.found, this.people, this.readAt, this.failed] = [found, people, performance.now(), undefined];
    this.#version = answer.version;
  }

  putList(list: Blob | string, contentType: string, { version, isDryRun, class_ }: ListSending): Promise<Answer<RosterReport>> {
    const params = { id: this.id, dryRun: isDryRun || undefined, class: class_ };
    return upload("PUT", "/api/admin/classes/{id}/people", list, contentType, { version, params });
  }

  /**
   * Changes the class as it was seen in this version. If somebody else was faster, theirs is read, so that it is seen before
   * the change is sent again.
   */
  async change(before: ClassFields, mine: ClassFields, version: number | undefined, said: string): Promise<Answer<unknown>> {
    const answer = await this.#patchSeen(before, mine, version);
    if (answer.kind === "done") offerUndo(said, () => this.#patchSeen(mine, before, answer.version));
    return answer;
  }

  remove(version: number | undefined): Promise<Answer<unknown>> {
    return send("DELETE", CLASS, undefined, { version, params: { id: this.id } });
  }

  /** A version that differs by the people alone is in nobody's way. */
  async #patchSeen(before: ClassFields, mine: ClassFields, version: number | undefined) {
    let answer = await this.#patch(mine, version);
    if (isOvertaken(answer)) {
      await this.read();
      const { found } = this;
      if (found !== undefined && areSameClass(found, before) && this.#version !== version) answer = await this.#patch(mine, this.#version);
    }
    if (!isOvertaken(answer)) await this.read();
    return answer;
  }

  #patch({ name, grade }: ClassFields, version: number | undefined) {
    return send("PATCH", CLASS, { name, grade }, { version, params: { id: this.id } });
  }
}
