// Changes of people as single steps: each is one request, and each can be taken back by another one.

import { send, type Answer } from "../api";
import { areSame, DUTIES, personName, type Duty, type Person, type Role } from "./person";

/** Somebody who is given a role before they first sign in. */
interface Invitation {
  email: string;
  name: string;
  to: Role;
  /** Those that they had before: they go with the user when the invitation is taken back. */
  grades: Record<Duty, number[]>;
}

export type PeopleStep =
  | ({ kind: "invite" } & Invitation)
  | ({ kind: "disinvite" } & Invitation)
  | { kind: "role"; email: string; from: Role; to: Role }
  | { kind: "grades"; duty: Duty; email: string; name: string; from: number[]; to: number[] };

/** How a person shall be. What is left out stays. */
export interface Wanted {
  role?: Role;
  name?: string;
  grades?: Partial<Record<Duty, number[]>>;
}

export interface Taken {
  /** In the order in which they were taken. */
  done: PeopleStep[];
  /** Why the plan at this place was broken off. Those after an unreachable server were not begun. */
  failures: Map<number, Answer<unknown>>;
}

export const USERS = "/api/admin/users";
export const USER = "/api/admin/users/{email}";
export const ASSIGNMENTS = { reviewer: "/api/admin/review/assignments", manager: "/api/admin/review/managers" } as const satisfies Record<Duty, string>;
/** The server wants a name of 1 to this many characters with grades. */
export const PERSON_NAME_MAX = 200;

/** The steps from a person as they are to the one who is wanted. Who has never signed in is made a user with the role first. */
export function stepsTo(person: Person, { role, name = personName(person), grades = {} }: Wanted): PeopleStep[] {
  const { email } = person;
  const steps: PeopleStep[] = [];
  if (role !== undefined && person.role === undefined) steps.push({ kind: "invite", email, name, to: role, grades: person.grades });
  for (const duty of DUTIES) {
    const [from, to] = [person.grades[duty], grades[duty]];
    if (to !== undefined && !areSame(from, to)) steps.push({ kind: "grades", duty, email, name, from, to: [...to].sort((one, other) => one - other) });
  }
  if (role !== undefined && person.role !== undefined && person.role !== role) steps.push({ kind: "role", email, from: person.role, to: role });
  return steps;
}

/** The steps that take these back, the last one first. */
export function reversed(steps: PeopleStep[]): PeopleStep[] {
  return [...steps].reverse().map((step): PeopleStep => {
    if (step.kind === "invite") return { ...step, kind: "disinvite" };
    if (step.kind === "disinvite") return { ...step, kind: "invite" };
    const { from, to } = step;
    return { ...step, from: to, to: from } as PeopleStep;
  });
}

export function take(step: PeopleStep): Promise<Answer<unknown>> {
  const { email } = step;
  if (step.kind === "role") return send("PATCH", USER, { role: step.to }, { params: { email } });
  if (step.kind === "invite") return send("PUT", USER, { role: step.to, ...invitedName(step) }, { params: { email } });
  if (step.kind === "disinvite") return disinvite(step);
  if (step.to.length === 0) return send("DELETE", `${ASSIGNMENTS[step.duty]}/{email}`, undefined, { params: { email } });
  return send("POST", ASSIGNMENTS[step.duty], { email, name: step.name.slice(0, PERSON_NAME_MAX), grades: step.to });
}

/** The server takes a name from the first sign-in too, so an address is not sent as one. */
function invitedName({ name, email }: Invitation): { name?: string } {
  return name === "" || name === email ? {} : { name: name.slice(0, PERSON_NAME_MAX) };
}

/** The grades are deleted with a user, and those of before are given again. */
async function disinvite({ email, name, grades }: Invitation): Promise<Answer<unknown>> {
  let answer: Answer<unknown> = await send("DELETE", USER, undefined, { params: { email } });
  for (const duty of DUTIES) {
    if (answer.kind !== "done" || grades[duty].length === 0) continue;
    answer = await take({ kind: "grades", duty, email, name: name === "" ? email : name, from: [], to: grades[duty] });
  }
  return answer;
}

/**
 * Takes the steps of each plan, one after the other, and goes on with the next plan when a step is refused. `watch` hears how
 * each plan has ended, and stops the rest by returning false. A server that can't be reached stops it too.
 */
export async function takeAll(plans: PeopleStep[][], watch: (index: number, answer: Answer<unknown>) => boolean = () => true): Promise<Taken> {
  const taken: Taken = { done: [], failures: new Map() };
  for (const [index, plan] of plans.entries()) {
    let answer: Answer<unknown> = { kind: "done", value: undefined };
    for (const step of plan) {
      answer = await take(step);
      if (answer.kind !== "done") break;
      taken.done.push(step);
    }
    if (answer.kind !== "done") taken.failures.set(index, answer);
    if (!watch(index, answer) || answer.kind === "unreachable") break;
  }
  return taken;
}

/** Takes back what was done. Returns the first failure, and goes on after a refusal. */
export async function takeBackSteps(done: PeopleStep[]): Promise<Answer<unknown>> {
  const { failures } = await takeAll(reversed(done).map((step) => [step]));
  return failures.values().next().value ?? { kind: "done", value: undefined };
}
