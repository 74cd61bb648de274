// Loads the people of the school, and does with them what administrators decide, with a way back where there is one.

import { failure, get, send, type Answer } from "../api";
import { complain, offerUndo, tell } from "../undo.svelte";
import { mergedPeople, type Person } from "./person";
import { ASSIGNMENTS, takeAll, takeBackSteps, USER, USERS, type PeopleStep, type Taken } from "./steps";
import { peopleTexts } from "./texts/texts.svelte";

/** What an administrator reads when something did not work: some refusals have a reason that the page knows. */
export function reasonOf(answer: Answer<unknown>): string {
  if (answer.kind !== "refused") return failure(answer);
  const texts = peopleTexts();
  if (answer.status === 409) return answer.error === "User exists" ? texts.knownMeanwhile : texts.lastAdmin;
  if (answer.status === 404) return texts.notThere;
  return answer.status === 400 && answer.error === "Invalid email" ? texts.deceptive : failure(answer);
}

export class People {
  all = $state.raw<Person[]>();
  /** When the list was true, on the clock of `performance`. */
  readAt = $state(0);
  failed = $state.raw<Answer<unknown>>();
  /** Whether users are kept elsewhere, so that only those who have signed in here are listed. */
  isPartial = $state(false);
  #reads = 0;

  find(email: string): Person | undefined {
    return this.all?.find((person) => person.email === email);
  }

  async read(): Promise<void> {
    const turn = (this.#reads += 1);
    const [users, reviewers, managers] = await Promise.all([get(USERS), get(ASSIGNMENTS.reviewer), get(ASSIGNMENTS.manager)]);
    // An answer that was overtaken by a later one says nothing new.
    if (turn !== this.#reads) return;
    const isPartial = users.kind === "refused" && users.status === 501;
    const failed = [...(isPartial ? [] : [users]), reviewers, managers].find(({ kind }) => kind !== "done");
    if (failed !== undefined || reviewers.kind !== "done" || managers.kind !== "done") return void (this.failed = failed);
    const known = users.kind === "done" ? users.value : reviewers.value.users;
    this.all = mergedPeople(known, { reviewer: reviewers.value.assignments, manager: managers.value.assignments });
    [this.readAt, this.failed, this.isPartial] = [performance.now(), undefined, isPartial];
  }

  /** Takes the steps of several people, says what became of them, and offers to take all of it back. */
  async change(plans: PeopleStep[][], said: (count: number) => string): Promise<Taken> {
    const taken = await takeAll(plans);
    await this.read();
    this.offer(taken.done, said);
    complainOf([...taken.failures].map(([index, answer]) => [plans[index]?.[0]?.email ?? "", answer]));
    return taken;
  }

  /** Offers to take back what was done. */
  offer(done: PeopleStep[], said: (count: number) => string): void {
    if (done.length === 0) return;
    offerUndo(said(new Set(done.map(({ email }) => email)).size), async () => {
      const answer = await takeBackSteps(done);
      await this.read();
      return answer;
    });
  }

  endSignIns(people: Person[]): Promise<Answer<unknown>> {
    return this.#each(people, (email) => send("DELETE", "/api/admin/users/{email}/sign-ins", undefined, { params: { email } }), peopleTexts().signInsEnded);
  }

  remove(people: Person[]): Promise<Answer<unknown>> {
    return this.#each(people, (email) => send("DELETE", USER, undefined, { params: { email } }), peopleTexts().deleted);
  }

  /** Does it for one after the other. A server that can't be reached from the start is the answer; refusals are said here. */
  async #each(people: Person[], act: (email: string) => Promise<Answer<unknown>>, said: (count: number) => string): Promise<Answer<unknown>> {
    let count = 0;
    const left: [string, Answer<unknown>][] = [];
    for (const { email } of people) {
      const last = left.at(-1)?.[1];
      const answer = last?.kind === "unreachable" ? last : await act(email);
      if (answer.kind === "done") count += 1;
      else left.push([email, answer]);
    }
    const [first] = left;
    if (count === 0 && first?.[1].kind === "unreachable") return first[1];
    await this.read();
    if (count > 0) tell(said(count));
    complainOf(left);
    return { kind: "done", value: undefined };
  }
}

/** One complaint for each reason, with those whom it concerns. */
function complainOf(left: [string, Answer<unknown>][]): void {
  const reasons = left.map(([email, answer]): [string, string] => [email, reasonOf(answer)]);
  for (const reason of new Set(reasons.map(([, reason]) => reason))) {
    complain(peopleTexts().leftOut(reasons.filter(([, other]) => other === reason).map(([email]) => email), reason));
  }
}
