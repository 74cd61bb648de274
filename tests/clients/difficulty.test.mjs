// Measured difficulties beside those of girth, a library for item response theory, on the answers that a test of the
// domain has too.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";

const PYTHON = resolve("generated/python/bin/python3");
const SCRIPT = resolve("../oracle/difficulty_girth.py");

test("girth finds the difficulties that are in tests/golden/difficulty.json", async () => {
  const { stdout } = await promisify(execFile)(PYTHON, [SCRIPT]);
  assert.deepEqual(JSON.parse(stdout), { questions: 20, differing: [] });
});
