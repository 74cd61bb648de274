// Reads pieces one after the other with the browser's voices. A pause stops the voice, and begins the same piece again
// afterwards: many devices do not go on where they were.

import type { Language } from "../texts/choice.svelte";
import type { SpokenPart, SpokenPiece } from "./script";

/** Browsers load their voices late, or never say that they have. */
const VOICES_MS = 1_000;
/** What the browser says of a reading that the page itself has stopped. */
const STOPPED = ["canceled", "interrupted"];

export class Reader {
  state = $state<"idle" | "reading" | "paused">("idle");
  /** What is being read. */
  part = $state<SpokenPart>();
  problem = $state<"readNoVoice" | "readFailed">();
  #pieces: SpokenPiece[] = [];
  #language: Language = "en";
  #next = 0;
  /** Rises whenever what is being read changes, so that the end of what was read before changes nothing. */
  #turn = 0;

  constructor(private speech: SpeechSynthesis) {}

  read(pieces: SpokenPiece[], language: Language): void {
    this.stop();
    [this.#pieces, this.#language, this.#next] = [pieces, language, 0];
    this.goOn();
  }

  pause(): void {
    this.#quiet();
    this.state = "paused";
  }

  goOn(): void {
    this.problem = undefined;
    this.state = "reading";
    void this.#readNext();
  }

  stop(): void {
    if (this.state === "idle") return;
    this.#quiet();
    this.state = "idle";
    this.part = undefined;
  }

  #quiet(): void {
    this.#turn += 1;
    this.speech.cancel();
  }

  async #readNext(): Promise<void> {
    const turn = (this.#turn += 1);
    const piece = this.#pieces[this.#next];
    if (piece === undefined) return this.stop();
    this.part = piece.part;
    const voices = await this.#voices();
    if (turn !== this.#turn) return;
    const voice = voiceOf(voices, this.#language);
    if (voice === undefined && voices.length > 0) return this.#fail("readNoVoice");
    const utterance = Object.assign(new SpeechSynthesisUtterance(piece.text), { lang: voice?.lang ?? this.#language, ...(voice === undefined ? {} : { voice }) });
    utterance.onend = () => {
      if (turn !== this.#turn) return;
      this.#next += 1;
      void this.#readNext();
    };
    utterance.onerror = ({ error }) => {
      if (turn === this.#turn && !STOPPED.includes(error)) this.#fail("readFailed");
    };
    this.speech.speak(utterance);
  }

  #fail(problem: NonNullable<Reader["problem"]>): void {
    this.stop();
    this.problem = problem;
  }

  async #voices(): Promise<SpeechSynthesisVoice[]> {
    const here = this.speech.getVoices();
    if (here.length > 0) return here;
    await new Promise<void>((resolve) => {
      const done = () => (clearTimeout(timer), this.speech.removeEventListener("voiceschanged", done), resolve());
      const timer = setTimeout(done, VOICES_MS);
      this.speech.addEventListener("voiceschanged", done);
    });
    return this.speech.getVoices();
  }
}

/** A voice of the device is there without a network. */
export function voiceOf<T extends { lang: string; localService: boolean }>(voices: T[], language: Language): T | undefined {
  const own = voices.filter(({ lang }) => lang.toLowerCase().split(/[-_]/)[0] === language);
  return own.find(({ localService }) => localService) ?? own[0];
}
