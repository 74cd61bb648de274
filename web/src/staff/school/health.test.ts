import { expect, test } from "vitest";
import { isSound, SERVICES, serviceStanding, type Health } from "./health";

const HEALTH: Health = {
  version: "0.4.0",
  readOnly: false,
  startedAt: "2026-06-01T00:00:00Z",
  database: { kind: "sqlite", ok: true, milliseconds: 1 },
  redis: { configured: false, ok: false },
  provider: { kind: "local", ok: true },
  queues: { webhooksPending: 0, webhooksFailed: 0, transfersWaiting: 0, transfersRefused: 0 },
  servers: [],
};

const standings = (changes: Partial<Health>) => SERVICES.map((service) => serviceStanding({ ...HEALTH, ...changes }, service));

test("what is not used is no fault", () => {
  expect(standings({})).toEqual(["ok", "off", "ok"]);
  expect(isSound(HEALTH)).toBe(true);
});

test("what is used and does not answer is one", () => {
  expect(standings({ redis: { configured: true, ok: false } })).toEqual(["ok", "unavailable", "ok"]);
  const away = { kind: "postgres", ok: false, milliseconds: 1_000 };
  expect(standings({ redis: { configured: true, ok: true }, database: away })).toEqual(["unavailable", "ok", "ok"]);
  expect(isSound({ ...HEALTH, provider: { kind: "api", ok: false } })).toBe(false);
});
