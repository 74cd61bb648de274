// Starts the real binary in a folder of its own, with an admin's token.

import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const BINARY = resolve(process.env.EXAMHALL ?? "../../target/debug/examhall");
const READY_MS = 30_000;
const ADMIN = "ada@school.example";

export const PROVIDER_KEY = "a-key-of-the-tests-that-is-long-enough";

export class Hall {
  /** With these options beside those of all tests. */
  async open(options = {}) {
    this.folder = mkdtempSync(join(tmpdir(), "examhall-clients-"));
    const port = await freePort();
    this.url = `http://127.0.0.1:${port}`;
    const env = { PATH: process.env.PATH, BIND: `127.0.0.1:${port}`, AUTH_URL: this.url, TEST_GATE: "none", LOG: "error", STARTS_PER_ADDRESS: "0", ADMIN_EMAIL: ADMIN, PROVIDER_API_KEY: PROVIDER_KEY, ...options };
    this.env = env;
    this.process = spawn(BINARY, ["serve"], { cwd: this.folder, env, stdio: "inherit" });
    const until = Date.now() + READY_MS;
    while (!(await fetch(`${this.url}/readyz`).catch(() => undefined))?.ok) {
      if (Date.now() > until || this.process.exitCode !== null) throw new Error(`${BINARY} does not answer at ${this.url}`);
      await new Promise((resume) => setTimeout(resume, 50));
    }
    this.token = this.tokenOf(ADMIN, "admin");
    return this;
  }

  /** A new API token of a person. */
  tokenOf(email, role) {
    return execFileSync(BINARY, ["token", "create", email, "--role", role], { cwd: this.folder, env: this.env, encoding: "utf8" }).trim();
  }

  async close() {
    const gone = new Promise((resume) => this.process.once("exit", resume));
    this.process.kill("SIGKILL");
    await gone;
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** A free port below those that the system assigns by itself. */
async function freePort() {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 10_000);
    const isFree = await new Promise((resume) => {
      const server = createServer().once("error", () => resume(false));
      server.listen(port, "127.0.0.1", () => server.close(() => resume(true)));
    });
    if (isFree) return port;
  }
}
