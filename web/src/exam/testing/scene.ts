// The scene of most tests of the exam: a server, a browser's storage and a clock, with the steps that they all take.

import { startTest, type StartOutcome } from "../start";
import { Exam } from "../exam";
import type { Platform, StoredAttempt } from "../ports";
import type { HttpReply } from "../reply";
import { TestHall } from "./hall";
import { Memory } from "./memory";
import { MovedTime } from "./time";

const TEST = "grade-5";

export class Scene {
  hall = new TestHall();
  memory = new Memory();
  time = new MovedTime();

  /** The platform of one more tab of the same browser. */
  platform(): Platform {
    return { network: this.hall, timing: this.time, attempts: this.memory.tab() };
  }

  async started(): Promise<Exam> {
    const exam = examOfScene(await startTest(TEST, { grade: 5 }, this.platform()));
    await this.time.pass(1_000);
    return exam;
  }

  /** The test in a new page, after a reload or a crash or in another tab: only the browser's storage is left. */
  async reloaded(test = TEST): Promise<Exam> {
    const here = this.platform();
    const kept = await findUnderWay(test, here);
    if (kept === undefined) throw new Error("nothing is kept");
    const exam = new Exam(kept, here);
    await this.time.pass(1_000);
    return exam;
  }

  /** Lets seconds pass, with their ticks. */
  async live(exam: Exam, seconds: number): Promise<void> {
    for (let second = 0; second < seconds; second += 1) {
      await this.time.pass(1_000);
      exam.tick();
    }
  }

  /** Puts `answer` between the page and the server; `pass` gives what the server would answer. */
  between(answer: (method: string, path: string, body: unknown, pass: () => Promise<HttpReply>) => Promise<HttpReply>): void {
    const request = this.hall.request.bind(this.hall);
    this.hall.request = (method, path, token, body) => answer(method, path, body, () => request(method, path, token, body));
  }
}

export function examOfScene(begun: StartOutcome | { kind: "sitting" }): Exam {
  if (begun.kind !== "exam") throw new Error(begun.kind);
  return begun.exam;
}

/**
 * Takes a started attempt over from any other tab, and returns what is stored of it. Rejects when the browser can't be
 * read, since that does not mean that nothing is stored.
 */
export async function findUnderWay(test: string, platform: Platform): Promise<StoredAttempt | undefined> {
  const kept = await platform.attempts.claim(test);
  return kept?.record.sessionId === undefined ? undefined : kept;
}
