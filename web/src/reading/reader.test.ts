import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Reader, voiceOf } from "./reader.svelte";
import type { SpokenPiece } from "./script";

class Utterance {
  onend = () => {};
  onerror = (_: { error: string }) => {};
  lang = "";
  constructor(public text: string) {}
}

/** A browser's voices: what is spoken ends when the test says so. */
class Speech extends EventTarget {
  voices = [{ lang: "en-GB", localService: true }];
  spoken: Utterance[] = [];
  cancelled = 0;
  getVoices = () => this.voices;
  speak = (utterance: Utterance) => void this.spoken.push(utterance);
  cancel = () => void (this.cancelled += 1);
  get texts(): string[] {
    return this.spoken.map(({ text }) => text);
  }
}

const PIECES: SpokenPiece[] = [
  { part: "question", text: "What is 1 plus 1?" },
  { part: "A", text: "A: 2" },
];
const settled = () => new Promise((resolve) => setTimeout(resolve));

let speech: Speech;
let reader: Reader;
beforeEach(() => {
  vi.stubGlobal("SpeechSynthesisUtterance", Utterance);
  speech = new Speech();
  reader = new Reader(speech as unknown as SpeechSynthesis);
});
afterEach(() => vi.unstubAllGlobals());

test("nothing is said before it is asked for", () => {
  expect([reader.state, speech.texts]).toEqual(["idle", []]);
});

test("pieces are read one after the other, and then it is over", async () => {
  reader.read(PIECES, "en");
  await settled();
  expect([reader.state, reader.part, speech.texts, speech.spoken[0]?.lang]).toEqual(["reading", "question", ["What is 1 plus 1?"], "en-GB"]);
  speech.spoken[0]?.onend();
  await settled();
  expect([reader.part, speech.texts.at(-1)]).toEqual(["A", "A: 2"]);
  speech.spoken[1]?.onend();
  await settled();
  expect([reader.state, reader.part, speech.texts.length]).toEqual(["idle", undefined, 2]);
});

test("after a pause the same piece is read again", async () => {
  reader.read(PIECES, "en");
  await settled();
  reader.pause();
  expect([reader.state, speech.cancelled, reader.part]).toEqual(["paused", 1, "question"]);
  // The browser says that it has ended what the pause has stopped.
  speech.spoken[0]?.onend();
  speech.spoken[0]?.onerror({ error: "canceled" });
  await settled();
  expect(speech.texts).toHaveLength(1);
  reader.goOn();
  await settled();
  expect(speech.texts).toEqual(["What is 1 plus 1?", "What is 1 plus 1?"]);
});

test("a stop ends it, and what was said before changes nothing any more", async () => {
  reader.read(PIECES, "en");
  await settled();
  reader.stop();
  speech.spoken[0]?.onend();
  await settled();
  expect([reader.state, reader.part, speech.texts.length]).toEqual(["idle", undefined, 1]);
});

test("a stop while the voices are loaded says nothing", async () => {
  speech.voices = [];
  reader.read(PIECES, "en");
  reader.stop();
  speech.voices = [{ lang: "en-GB", localService: true }];
  speech.dispatchEvent(new Event("voiceschanged"));
  await settled();
  expect(speech.texts).toEqual([]);
});

test("voices that come late are waited for", async () => {
  speech.voices = [];
  reader.read(PIECES, "en");
  await settled();
  expect(speech.texts).toEqual([]);
  speech.voices = [{ lang: "en-US", localService: true }];
  speech.dispatchEvent(new Event("voiceschanged"));
  await settled();
  expect(speech.spoken[0]?.lang).toBe("en-US");
});

test("a device without a voice for the language says so", async () => {
  reader.read(PIECES, "vi");
  await settled();
  expect([reader.state, reader.problem, speech.texts]).toEqual(["idle", "readNoVoice", []]);
  reader.read(PIECES, "en");
  expect(reader.problem).toBeUndefined();
});

test("a voice that fails is said to have failed", async () => {
  reader.read(PIECES, "en");
  await settled();
  speech.spoken[0]?.onerror({ error: "synthesis-failed" });
  expect([reader.state, reader.problem]).toEqual(["idle", "readFailed"]);
});

test("a voice of the device comes before one of the network", () => {
  const [far, near, other] = [{ lang: "vi_VN", localService: false }, { lang: "vi-VN", localService: true }, { lang: "vie", localService: true }];
  expect(voiceOf([other, far, near], "vi")).toBe(near);
  expect(voiceOf([other, far], "vi")).toBe(far);
  expect(voiceOf([other], "vi")).toBeUndefined();
});
