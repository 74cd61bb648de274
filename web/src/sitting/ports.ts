// A sitting's interfaces to the outside, besides those of every exam: a place for the sealed paper, and the browser's
// cryptography. With them a sitting can be tested without a browser.

import type { WaitingFrame } from "../exam/protocol";

/** What this device keeps of a candidate's place in a sitting until it begins. */
export interface KeptPlace {
  waiting: WaitingFrame;
  /** The highest number that a command before the beginning has had. */
  seq: number;
}

/** Stores sealed parts, and places in sittings. A store that fails costs the student another download, and no more. */
export interface PaperStore {
  findPart(sha256: string): Promise<ArrayBuffer | undefined>;
  keepPart(sha256: string, bytes: ArrayBuffer): Promise<void>;
  /** By the attempt's name on this device. */
  findPlace(attempt: string): Promise<KeptPlace | undefined>;
  keepPlace(attempt: string, place: KeptPlace): Promise<void>;
  /** Deletes a place, and the parts that it names. */
  forgetPlace(attempt: string): Promise<void>;
}

/** The browser's cryptography. Pages by plain http have none. */
export interface Cryptography {
  /** In hexadecimal digits. */
  sha256(bytes: ArrayBuffer): Promise<string>;
  /** The text of a sealed part: 12 bytes of nonce, ciphertext and tag, by AES-256-GCM. Rejects if the key does not fit. */
  unseal(bytes: ArrayBuffer, key: string): Promise<string>;
}

export interface Surroundings {
  /** Rejects, or resolves to undefined, if there is no file. `isAgain` goes past every cache. */
  download(path: string, isAgain: boolean): Promise<ArrayBuffer | undefined>;
  store: PaperStore;
  cryptography: Cryptography | undefined;
}
