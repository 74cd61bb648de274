import { expect, test } from "vitest";
import { figuresIn, readinessIn } from "./health";

const raw = (status: number, text: string) => ({ status, text, tookMs: 3 });
const READY = '{"status":"ok","database":"ok","migrations":"ok","redis":"off"}';

test("the state of the server is read with 200 and with 503, and never from anybody else", () => {
  expect(readinessIn(raw(200, READY))).toEqual({ status: "ok", database: "ok", migrations: "ok", redis: "off" });
  expect(readinessIn(raw(503, READY.replace('"database":"ok"', '"database":"unavailable"')))?.database).toBe("unavailable");
  expect([raw(200, "<html>"), raw(503, "{}"), raw(502, READY), undefined].map(readinessIn)).toEqual(Array(4).fill(undefined));
});

test("figures are read from the text of monitoring, and those that are not there are unknown", () => {
  const text = [
    "# HELP examhall_seats Seats in memory.",
    "# TYPE examhall_seats gauge",
    "examhall_seats 12",
    'examhall_failures_total{kind="request"} 2',
    'examhall_failures_total{kind="panic",note="a \\" b"} 1',
    'examhall_build_info{version="0.4.0"} 1',
    "process_start_time_seconds 1795183471.5",
    'examhall_service_up{service="redis"} 1',
    "# EOF",
  ].join("\n");
  const told = { version: "0.4.0", startedAtMs: 1_795_183_471_500, seats: 12, failures: 3 };
  expect(figuresIn(raw(200, text))).toMatchObject({ ...told, proctors: undefined, journalFailures: undefined });
  expect([raw(403, '{"error":"Forbidden"}'), raw(200, "<html>"), undefined].map(figuresIn)).toEqual(Array(3).fill(undefined));
});
