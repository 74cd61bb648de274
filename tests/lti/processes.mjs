// The programs in Python as processes of their own, each with what a test may ask of it.

import { spawn } from "node:child_process";
import { resolve } from "node:path";
import { createInterface } from "node:readline";

const PYTHON = resolve("generated/python/bin/python3");

class Program {
  /** What it has printed when it was ready. */
  facts;
  #process;

  async start(script, environment = {}) {
    this.#process = spawn(PYTHON, [script], { env: { PATH: process.env.PATH, LANG: "C.UTF-8", ...environment }, stdio: ["pipe", "pipe", "inherit"] });
    const ended = new Promise((_, reject) => this.#process.once("exit", (code) => reject(new Error(`${script} has ended with ${code}`))));
    // An end later on is no fault.
    ended.catch(() => {});
    const lines = createInterface({ input: this.#process.stdout });
    this.facts = JSON.parse(await Promise.race([new Promise((resume) => lines.once("line", resume)), ended]));
    return this;
  }

  /** Gives it a command, and returns what it answers. */
  async ask(command, body = {}) {
    const answer = await fetch(`${this.url}/_control/${command}`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(`${command}: ${answer.status} ${text}`);
    return JSON.parse(text);
  }

  async close() {
    const gone = new Promise((resume) => this.#process.once("exit", resume));
    this.#process.stdin.end();
    await gone;
  }
}

/** Open edX, as `edx.py` has it. */
export class Platform extends Program {
  static open = (tool) => new Platform().start("edx.py", { TOOL: tool });

  get url() {
    return this.facts.issuer;
  }

  /** The requests that its services had for a path. */
  async requests(path) {
    return (await this.ask("requests")).requests.filter((request) => path.test(request.path));
  }
}

/** The tool of others, as `tool.py` has it. */
export class Tool extends Program {
  static open = () => new Tool().start("tool.py");

  get url() {
    return this.facts.url;
  }
}
