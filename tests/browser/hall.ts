// Starts the real binary with a database of its own for each test, and kills and restarts it.

import { test as base, type Browser } from "@playwright/test";
import { spawn, type ChildProcess } from "node:child_process";
import { copyFile, mkdir, mkdtemp, rm, statfs } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/** An absolute path, since each server runs in a folder of its own. */
const BINARY = resolve(process.env["EXAMHALL"] ?? "../../target/debug/examhall");
const READY_MS = 30_000;
/** The pause before a server that does not answer yet is asked again. */
const AGAIN_MS = 25;

/** Linux has its memory there, as a folder. */
const MEMORY = "/dev/shm";
/** More than the databases of all servers that run at once take. */
const FREE_BYTES = 1_000_000_000;

/** The variable that names the database that tests begin with. `ready.ts` makes it. */
export const READY_DATABASE = "EXAMHALL_READY_DATABASE";
const DATABASE = "data/examhall.db";
/** Options with which a server's data is elsewhere or other data: it begins with an empty folder. */
const OTHER_DATA = ["CONFIG", "DATABASE_URL", "DATA_PROVIDER", "SAMPLE_BANK"];

export class Hall {
  url = "";
  #process: ChildProcess | undefined;
  #folder = "";
  #port = 0;

  async open(options: Record<string, string>, isInMemory = true): Promise<void> {
    this.#folder = await mkdtemp(join(isInMemory ? await quickFolder() : tmpdir(), "examhall-browser-"));
    await this.#fill(options);
    this.#port = await freePort();
    this.url = `http://127.0.0.1:${this.#port}`;
    this.options = options;
    await this.start();
  }

  options: Record<string, string> = {};

  /** Copies the ready database. Nothing in it belongs to the server that made it, and the secrets are made anew. */
  async #fill(options: Record<string, string>): Promise<void> {
    const ready = process.env[READY_DATABASE];
    if (ready === undefined || OTHER_DATA.some((name) => name in options)) return;
    await mkdir(join(this.#folder, "data"), { mode: 0o700 });
    await copyFile(ready, this.database);
  }

  /** The file of the server's SQLite. */
  get database(): string {
    return join(this.#folder, DATABASE);
  }

  /** `minutesLater` sets the server's clock ahead, as if it had been down for that long. */
  async start(minutesLater = 0): Promise<void> {
    const { PATH = "" } = process.env;
    const environment = { PATH, BIND: `127.0.0.1:${this.#port}`, AUTH_URL: this.url, TEST_GATE: "none", LOG: "error", STARTS_PER_ADDRESS: "0", ...this.options };
    const [program, before] = minutesLater === 0 ? [BINARY, []] : ["faketime", ["-f", `+${minutesLater}m`, BINARY]];
    this.#process = spawn(program, [...before, "serve"], { cwd: this.#folder, env: environment, stdio: "inherit", detached: true });
    await answering(`${this.url}/healthz`, BINARY);
  }

  /** Kills the server as a power cut would: it can neither say nor save anything more. */
  kill(): Promise<void> {
    return this.#end("SIGKILL");
  }

  /** Stops the server as its operator does: it writes everything to its database first. */
  stop(): Promise<void> {
    return this.#end("SIGTERM");
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const process_ = this.#process;
    if (process_?.pid === undefined) return;
    const gone = new Promise((resolve) => process_.once("exit", resolve));
    process.kill(-process_.pid, signal);
    await gone;
    this.#process = undefined;
    // What faketime has started may end a little later than faketime itself.
    while (!(await isFree(this.#port))) await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  }

  /** Stops the server so that it accepts connections but answers nothing. */
  freeze(): void {
    if (this.#process?.pid !== undefined) process.kill(-this.#process.pid, "SIGSTOP");
  }

  async close(): Promise<void> {
    await this.kill();
    await rm(this.#folder, { recursive: true, force: true });
  }
}

/**
 * The folder for those of the servers: in memory, where there is room. A server waits until the disk has each answer, and a
 * kill takes no more from memory than from a disk.
 */
async function quickFolder(): Promise<string> {
  const memory = await statfs(MEMORY).catch(() => undefined);
  return memory !== undefined && memory.bavail * memory.bsize > FREE_BYTES ? MEMORY : tmpdir();
}

/** Waits until what was started answers there. */
export async function answering(url: string, program: string): Promise<void> {
  const until = Date.now() + READY_MS;
  while (Date.now() < until) {
    const answer = await fetch(url).catch(() => undefined);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  }
  throw new Error(`${program} does not answer at ${url}`);
}

/** A free port below those that the system assigns by itself. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 10_000);
    if (await isFree(port)) return port;
  }
}

/** Whether a server can listen on the port. */
async function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer().once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}

/** How much of the chance is left, where a test does not ask for all of it. */
const LITTLE_CHANCE = 1 / 16;

/**
 * Makes the chance small in each page of this browser, so that no test waits for it: pages of a room fetch their paper
 * within three seconds, enter after the doors within fifteen, and save receipts within eight. What is drawn may be drawn
 * without this too. Returns how to undo it.
 */
function withChance(browser: Browser, chance: number): () => void {
  const open = browser.newContext;
  browser.newContext = async (...asked) => {
    const context = await open.apply(browser, asked);
    await context.addInitScript((chance) => {
      const { random } = Math;
      Math.random = () => random() * chance;
      // A single number is drawn for a pause or one letter of a key, and several for an identity, which stays as it is.
      const fill = crypto.getRandomValues.bind(crypto);
      crypto.getRandomValues = (numbers) => {
        fill(numbers);
        if (numbers instanceof Uint32Array && numbers.length === 1) numbers[0] = Math.floor(numbers[0]! * chance);
        return numbers;
      };
    }, chance);
    return context;
  };
  return () => void (browser.newContext = open);
}

/** The annotation of a test during or before which the browser's own process ended (`crashes.ts`). */
export const BROWSER_CRASHED = "the browser crashed";

export interface Surroundings {
  /**
   * How much of the chance is left by which pages spread what they ask for, and their pauses. With 1, a test sees them as they
   * are.
   */
  chance: number;
  /** Whether the server's data is in memory. */
  isInMemory: boolean;
}

export const test = base.extend<Surroundings & { hall: Hall; options: Record<string, string>; crash: void; dice: void }>({
  options: [{}, { option: true }],
  chance: [LITTLE_CHANCE, { option: true }],
  isInMemory: [true, { option: true }],
  dice: [
    async ({ browser, chance }, use) => {
      const restore = chance === 1 ? undefined : withChance(browser, chance);
      await use();
      restore?.();
    },
    { auto: true },
  ],
  crash: [
    async ({ browser }, use, info) => {
      const note = (): void => void info.annotations.push({ type: BROWSER_CRASHED });
      if (!browser.isConnected()) note();
      browser.on("disconnected", note);
      await use();
      browser.off("disconnected", note);
    },
    { auto: true },
  ],
  hall: async ({ options, isInMemory, browser }, use) => {
    const hall = new Hall();
    await hall.open(options, isInMemory);
    await use(hall);
    // Pages that a test has left open would look for their server for ever, beside the tests that follow.
    await Promise.all(browser.contexts().map((context) => context.close()));
    await hall.close();
  },
  baseURL: async ({ hall }, use) => use(hall.url),
});

export { expect } from "@playwright/test";
