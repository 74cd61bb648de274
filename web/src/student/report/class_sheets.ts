// The tests of a class whose parents get sheets: who they are, and their results, a few at a time. The server is asked again
// where it is busy or away, since a sheet that is missing is found out in front of the parents.

import type { LoadResult, StoredSession } from "../api";
import { isolated } from "../../texts/isolated";

export interface ClassTest {
  sessionId: string;
  name: string;
}

/** `goesOn`: it was reopened, so that what was handed in before is not the result. */
export interface MissingTest extends ClassTest {
  why: "goesOn" | "away";
}

export interface ClassOfTests {
  name: string;
  /** By name. */
  tests: ClassTest[];
}

export type FoundClass = { kind: "found"; found: ClassOfTests } | { kind: "notYours" | "missing" | "unreachable" };

/** Requests at once: the rest of the school uses the server too. */
const AT_ONCE = 3;
const TRIES = 4;
const PAUSE_SECONDS = 2;
const NOT_YOURS = [401, 403];

interface ResultLine {
  candidate: { name: string; room: string | null };
  sessionId: string | null;
  score: number | null;
}

/** Those who have handed in, of one room if it is named, for whoever manages the exam. */
export async function findClass(sittingId: string, room = ""): Promise<FoundClass> {
  const path = `/api/admin/sittings/${encodeURIComponent(sittingId)}`;
  const [sitting, results] = await Promise.all([ask(path), ask(`${path}/results`)]);
  if (sitting === undefined || results === undefined) return { kind: "unreachable" };
  if (NOT_YOURS.includes(sitting.status) || NOT_YOURS.includes(results.status)) return { kind: "notYours" };
  if (sitting.status === 404) return { kind: "missing" };
  if (!sitting.ok || !results.ok) return { kind: "unreachable" };
  const { sitting: { name } } = (await sitting.json()) as { sitting: { name: string } };
  const { rows } = (await results.json()) as { rows: ResultLine[] };
  const here = rows.filter(({ candidate }) => room === "" || candidate.room === room);
  const tests = here.flatMap(({ candidate, sessionId, score }) => (sessionId === null || score === null ? [] : [{ sessionId, name: candidate.name }]));
  return { kind: "found", found: { name: room === "" ? name : `${isolated(name)}, ${isolated(room)}`, tests } };
}

function ask(path: string): Promise<Response | undefined> {
  return fetch(path, { headers: { Accept: "application/json" } }).catch(() => undefined);
}

type Loaded = LoadResult<StoredSession> | { kind: "held" | "goesOn" };
type Load = (sessionId: string) => Promise<Loaded>;
type Wait = (seconds: number) => Promise<void>;

const wait: Wait = (seconds) => new Promise((done) => setTimeout(done, seconds * 1_000));

/** Loads the results, each of which `came` is told; returns those that could not be loaded, in their order. */
export async function loadTests(tests: ClassTest[], load: Load, came: (test: ClassTest, session: StoredSession) => void, pause = wait): Promise<MissingTest[]> {
  const left = [...tests];
  const missing = new Map<ClassTest, MissingTest>();
  const work = async () => {
    for (let test = left.shift(); test !== undefined; test = left.shift()) {
      const session = await patiently(test.sessionId, load, pause);
      if (typeof session === "string") missing.set(test, { ...test, why: session });
      else came(test, session);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return tests.flatMap((test) => missing.get(test) ?? []);
}

async function patiently(sessionId: string, load: Load, pause: Wait): Promise<StoredSession | MissingTest["why"]> {
  for (let tries = 1; ; tries += 1) {
    const loaded = await load(sessionId);
    // Staff get the old result of a test that goes on. Parents must not.
    if (loaded.kind === "goesOn" || (loaded.kind === "loaded" && loaded.value.goesOn === true)) return "goesOn";
    if (loaded.kind === "loaded") return loaded.value;
    if ((loaded.kind !== "tooMany" && loaded.kind !== "unreachable") || tries === TRIES) return "away";
    await pause(loaded.kind === "tooMany" ? loaded.seconds : PAUSE_SECONDS);
  }
}
