// Orca, the screen reader of Linux desktops: pressed keys reach it as those of a keyboard do, and what it says is read from its log.
// It has no voice here, so that it never waits for one.

import { execFile, spawn, type ChildProcess } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "../hall";

/** Nothing tells when Orca has finished: it has when it has written nothing into its log for this time. */
const QUIET_MS = 2_000;
const BUSY_MS_MAX = 60_000;
const LOOK_MS = 100;
/** On a busy machine Orca may be late. */
const KEY_MS_MAX = 20_000;

/** Orca runs this as it starts: each line of its log is written at once. */
const CUSTOMIZATIONS = "import orca.debug\norca.debug.debugFile.reconfigure(line_buffering=True)\n";

/** What is said, in the log. A space follows if it is the name of the key that was pressed. */
const SAID = /SPEECH OUTPUT: '([\s\S]*?)'(?: voice=\w+)?( ?)(?:\{[^\n]*\})?\n/g;

/** Orca is done with a key when it has seen it released. */
const DONE = /\^ PROCESS ATSPI_KEY_RELEASED_EVENT/g;

export class Orca {
  #folder = "";
  #process: ChildProcess | undefined;
  #heard = 0;

  async start(): Promise<void> {
    this.#folder = await mkdtemp(join(tmpdir(), "examhall-orca-"));
    await mkdir(join(this.#folder, "orca"));
    await writeFile(join(this.#folder, "orca", "orca-customizations.py"), CUSTOMIZATIONS);
    const own = { HOME: this.#folder, XDG_DATA_HOME: this.#folder, XDG_CONFIG_HOME: this.#folder, XDG_CACHE_HOME: this.#folder };
    // An address where no voice is.
    const env = { ...process.env, ...own, LANG: "C.UTF-8", SPEECHD_ADDRESS: `unix_socket:${join(this.#folder, "none")}` };
    this.#process = spawn("orca", ["--replace", `--debug-file=${this.#log}`], { env, stdio: "ignore" });
    await expect.poll(() => this.heard(), { timeout: 30_000 }).toContain("Screen reader on.");
  }

  async stop(): Promise<void> {
    this.#process?.kill("SIGKILL");
    await rm(this.#folder, { recursive: true, force: true });
  }

  /** Presses a key, by its name in X, and returns what is said then. */
  async press(key: string): Promise<string[]> {
    return this.#after("key", [key], key.split("+").length);
  }

  async type(text: string): Promise<string[]> {
    return this.#after("type", ["--delay", "150", text], text.length);
  }

  async #after(command: string, values: string[], keys: number): Promise<string[]> {
    const before = count(DONE, await this.#logged());
    await promisify(execFile)("xdotool", [command, ...values]);
    await expect.poll(async () => count(DONE, await this.#logged()), { timeout: KEY_MS_MAX }).toBeGreaterThanOrEqual(before + keys);
    return this.heard();
  }

  /** What was said since the last time, once it is quiet. */
  async heard(quietMs = QUIET_MS): Promise<string[]> {
    const until = Date.now() + BUSY_MS_MAX;
    let [text, since] = [await this.#logged(), Date.now()];
    while (Date.now() - since < quietMs && Date.now() < until) {
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
      const now = await this.#logged();
      if (now.length > text.length) since = Date.now();
      text = now;
    }
    const fresh = text.slice(this.#heard);
    this.#heard = text.length;
    return [...fresh.matchAll(SAID)].map(([, said = "", isKey]) => (isKey === " " ? "" : said.trim())).filter((said) => said !== "");
  }

  get #log(): string {
    return join(this.#folder, "log");
  }

  async #logged(): Promise<string> {
    return readFile(this.#log, "utf8").catch(() => "");
  }
}

const count = (pattern: RegExp, text: string) => text.match(pattern)?.length ?? 0;
