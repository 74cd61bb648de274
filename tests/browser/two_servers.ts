// Two servers on one PostgreSQL and one Redis behind HAProxy, as docs/operations.md describes them. They need the environment
// that `scripts/services start` prints.

import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { answering, freePort, Hall } from "./hall";

const ROOT = resolve("../..");

const { TEST_DATABASE_URL: DATABASE, TEST_REDIS_URL: REDIS, TEST_REQUIRE_SERVICES: REQUIRED } = process.env;

/** Whether there is a PostgreSQL and a Redis. Where they must be there, as in `scripts/test`, a test without them has failed. */
export function hasServices(): boolean {
  const missing = [...(DATABASE ? [] : ["TEST_DATABASE_URL"]), ...(REDIS ? [] : ["TEST_REDIS_URL"])];
  if (missing.length > 0 && REQUIRED !== undefined) throw new Error(`the services are required, but missing: ${missing.join(", ")}`);
  return missing.length === 0;
}

export class TwoServers {
  url = "";
  readonly servers = [new Hall(), new Hall()] as const;
  #balancer: ChildProcess | undefined;
  #folder = "";

  async open(options: Record<string, string> = {}): Promise<void> {
    const port = await freePort();
    this.url = `http://127.0.0.1:${port}`;
    const database = freshDatabase();
    const shared = { DATABASE_URL: database, REDIS_URL: REDIS!, AUTH_URL: this.url, AUTH_SECRET: randomBytes(32).toString("base64"), TRUSTED_PROXIES: "127.0.0.1/32", ...options };
    // One after the other, since the first one makes the tables.
    for (const server of this.servers) await server.open(shared);
    this.#folder = await mkdtemp(join(tmpdir(), "examhall-balancer-"));
    const file = join(this.#folder, "haproxy.cfg");
    await writeFile(file, await configuration(port, this.servers.map(({ url }) => new URL(url).host)));
    this.#balancer = spawn("haproxy", ["-db", "-f", file], { stdio: "ignore" });
    await answering(`${this.url}/readyz`, "HAProxy");
  }

  async close(): Promise<void> {
    this.#balancer?.kill("SIGKILL");
    for (const server of this.servers) await server.close();
    await rm(this.#folder, { recursive: true, force: true });
  }
}

function freshDatabase(): string {
  const sql = ["set client_min_messages = warning", "drop database if exists browser with (force)", "create database browser"];
  const psql = 'source scripts/needs; exec "$(postgres_bin)/psql" --no-psqlrc --quiet --set=ON_ERROR_STOP=1 "$@"';
  execFileSync("bash", ["-c", psql, "psql", `--dbname=${DATABASE}`, ...sql.map((line) => `--command=${line}`)], { cwd: ROOT, stdio: "inherit" });
  return `${DATABASE!.slice(0, DATABASE!.lastIndexOf("/"))}/browser`;
}

/** The file of `deploy/`, without TLS, with these servers and quicker health checks. */
async function configuration(port: number, servers: string[]): Promise<string> {
  let text = await readFile(join(ROOT, "deploy/haproxy.cfg"), "utf8");
  for (const [deployed, here] of [
    ["bind :443 ssl crt /etc/haproxy/exam.pem", `bind 127.0.0.1:${port}`],
    ["check inter 1s", "check inter 500ms"],
    ["maxconn 50000", "maxconn 4000"],
  ] as const) {
    if (!text.includes(deployed)) throw new Error(`deploy/haproxy.cfg has no line ${deployed}`);
    text = text.replace(deployed, here);
  }
  const lines = text.split("\n").filter((line) => !line.trimStart().startsWith("server hall"));
  return [...lines, ...servers.map((server, index) => `    server hall${index} ${server}`), ""].join("\n");
}
