// The incidents of what a desk watches, read again with each plan.

import { othersNew, type Incident } from "./incident";

type Found = { incidents: Incident[]; kinds: string[] };

export class Notes {
  list = $state.raw<Incident[]>([]);
  /** Kinds of incidents of the school's own. */
  ownKinds = $state.raw<string[]>([]);
  /** Called with what somebody else has noted. Without it, as at the projector, which students read, nothing is read. */
  onNews: ((incident: Incident) => void) | undefined;
  #read: () => Promise<Found | undefined>;
  #own: () => string | undefined;
  /** Counts the questions, and says which of them is the last whose answer stands. */
  #asked = 0;
  #answered = 0;
  #isRead = false;

  constructor(read: () => Promise<Found | undefined>, own: () => string | undefined) {
    [this.#read, this.#own] = [read, own];
  }

  async read(): Promise<void> {
    if (this.onNews === undefined) return;
    const mine = (this.#asked += 1);
    const found = await this.#read();
    // An answer that comes after that to a later question would take away what was noted between them.
    if (found === undefined || mine < this.#answered) return;
    this.#answered = mine;
    // What was there when the desk was opened is no news.
    if (this.#isRead) for (const one of othersNew(this.list, found.incidents, this.#own())) this.onNews(one);
    [this.list, this.ownKinds, this.#isRead] = [found.incidents, found.kinds, true];
  }

  /** Until it is read with those of the others. */
  add(incident: Incident): void {
    this.list = [...this.list, incident];
    this.#answered = this.#asked + 1;
    void this.read();
  }
}
