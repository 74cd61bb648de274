// The platforms as a page has them open: read again and again, and changed one at a time.

import { failure, get, send, type Answer } from "../api";
import { complain, tell } from "../undo.svelte";
import { byPlatform, PLATFORM, PLATFORMS, type NewPlatform, type Platform, type PlatformChange } from "./platform";

export class OpenPlatforms {
  all = $state.raw<Platform[]>();
  /** On the clock of `performance`. */
  readAt = $state(0);
  failed = $state.raw<Answer<unknown>>();
  #reads = 0;

  async read(): Promise<void> {
    const turn = (this.#reads += 1);
    const answer = await get(PLATFORMS);
    // An answer that was overtaken by a later one says nothing new.
    if (turn !== this.#reads) return;
    if (answer.kind !== "done") return void (this.failed = answer);
    [this.all, this.readAt, this.failed] = [[...answer.value.platforms].sort(byPlatform), performance.now(), undefined];
  }
}

export class OpenPlatform {
  platform = $state.raw<Platform>();
  failed = $state.raw<Answer<unknown>>();
  isBusy = $state(false);
  #reads = 0;

  constructor(readonly id: string) {}

  async read(): Promise<void> {
    const turn = (this.#reads += 1);
    const answer = await get(PLATFORM, { id: this.id });
    if (turn !== this.#reads || this.isBusy) return;
    if (answer.kind !== "done") return void (this.failed = answer);
    [this.platform, this.failed] = [answer.value.platform, undefined];
  }

  /** Changes it, and says what was done or what went wrong. */
  async change(changes: PlatformChange, said: string): Promise<Answer<unknown>> {
    if (this.isBusy) return { kind: "unreachable" };
    this.isBusy = true;
    this.#reads += 1;
    const answer = await changePlatform(this.id, changes);
    this.isBusy = false;
    if (answer.kind !== "done") {
      complain(failure(answer));
      await this.read();
      return answer;
    }
    [this.platform, this.failed] = [answer.value.platform, undefined];
    tell(said);
    return answer;
  }
}

export function addPlatform(fields: NewPlatform): Promise<Answer<{ platform: Platform }>> {
  return send("POST", PLATFORMS, fields);
}

export function changePlatform(id: string, changes: PlatformChange): Promise<Answer<{ platform: Platform }>> {
  return send("PATCH", PLATFORM, changes, { params: { id } });
}

export function removePlatform(id: string): Promise<Answer<unknown>> {
  return send("DELETE", PLATFORM, undefined, { params: { id } });
}
