// Starts the real binary with a database of its own for each test, and kills and restarts it.

import { test as base } from "@playwright/test";
import { spawn, type ChildProcess } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/** An absolute path, since each server runs in a folder of its own. */
const BINARY = resolve(process.env["EXAMHALL"] ?? "../../target/debug/examhall");
const READY_MS = 30_000;

export class Hall {
  url = "";
  #process: ChildProcess | undefined;
  #folder = "";
  #port = 0;

  async open(options: Record<string, string>): Promise<void> {
    this.#folder = await mkdtemp(join(tmpdir(), "examhall-browser-"));
    this.#port = await freePort();
    this.url = `http://127.0.0.1:${this.#port}`;
    this.options = options;
    await this.start();
  }

  options: Record<string, string> = {};

  /** `minutesLater` sets the server's clock ahead, as if it had been down for that long. */
  async start(minutesLater = 0): Promise<void> {
    const { PATH = "" } = process.env;
    const environment = { PATH, BIND: `127.0.0.1:${this.#port}`, AUTH_URL: this.url, TEST_GATE: "none", LOG: "error", STARTS_PER_ADDRESS: "0", ...this.options };
    const [program, before] = minutesLater === 0 ? [BINARY, []] : ["faketime", ["-f", `+${minutesLater}m`, BINARY]];
    this.#process = spawn(program, [...before, "serve"], { cwd: this.#folder, env: environment, stdio: "inherit", detached: true });
    await answering(`${this.url}/healthz`, BINARY);
  }

  /** Kills the server as a power cut would: it can neither say nor save anything more. */
  async kill(): Promise<void> {
    const process_ = this.#process;
    if (process_?.pid === undefined) return;
    const gone = new Promise((resolve) => process_.once("exit", resolve));
    process.kill(-process_.pid, "SIGKILL");
    await gone;
    this.#process = undefined;
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

/** Waits until what was started answers there. */
export async function answering(url: string, program: string): Promise<void> {
  const until = Date.now() + READY_MS;
  while (Date.now() < until) {
    const answer = await fetch(url).catch(() => undefined);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${program} does not answer at ${url}`);
}

/** A free port below those that the system assigns by itself. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 10_000);
    const isFree = await new Promise<boolean>((resolve) => {
      const server = createServer().once("error", () => resolve(false));
      server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
    });
    if (isFree) return port;
  }
}

export const test = base.extend<{ hall: Hall; options: Record<string, string> }>({
  options: [{}, { option: true }],
  hall: async ({ options, browser }, use) => {
    const hall = new Hall();
    await hall.open(options);
    await use(hall);
    // Pages that a test has left open would look for their server for ever, beside the tests that follow.
    for (const context of browser.contexts()) await context.close();
    await hall.close();
  },
  baseURL: async ({ hall }, use) => use(hall.url),
});

export { expect } from "@playwright/test";
