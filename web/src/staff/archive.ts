// How many files of an archive have come, while it comes: what begins a file in it is searched in the bytes, whose pieces may end
// anywhere. Names and contents hardly ever have these bytes, and then only the progress is wrong for a moment.

const FILE = [0x50, 0x4b, 0x03, 0x04];
/** The file that names what could not be put into the archive. */
const LEFT_OUT = [..."not-included.txt"].map((letter) => letter.charCodeAt(0));

export class ArchiveCount {
  /** The files that have begun, without the one that names what is missing. */
  count = 0;
  /** Whether something could not be put in. */
  isPartial = false;
  #file = 0;
  #leftOut = 0;

  add(piece: Uint8Array): void {
    for (const byte of piece) {
      this.#file = byte === FILE[this.#file] ? this.#file + 1 : byte === FILE[0] ? 1 : 0;
      this.#leftOut = byte === LEFT_OUT[this.#leftOut] ? this.#leftOut + 1 : byte === LEFT_OUT[0] ? 1 : 0;
      if (this.#file === FILE.length) [this.#file, this.count] = [0, this.count + 1];
      if (this.#leftOut === LEFT_OUT.length) this.#namesMissing();
    }
  }

  /** The name stands before its file and once more in the index at the end. */
  #namesMissing(): void {
    this.#leftOut = 0;
    if (this.isPartial) return;
    [this.isPartial, this.count] = [true, this.count - 1];
  }
}
