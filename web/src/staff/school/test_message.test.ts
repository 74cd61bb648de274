import { expect, test } from "vitest";
import { headerLines, obstacleOf, outcomeOf, receiverIn, type TestReply } from "./test_message";

const REPLY: TestReply = { delivered: true, status: 204, error: "", milliseconds: 12, request: { headers: {}, body: "{}" }, response: "" };

test("a message has arrived, was refused, or nobody answered", () => {
  expect(outcomeOf(REPLY)).toBe("arrived");
  expect(outcomeOf({ ...REPLY, delivered: false, status: 500 })).toBe("refused");
  expect(outcomeOf({ ...REPLY, delivered: false, status: null, error: "no answer in time" })).toBe("silent");
});

test("the server's words say what is in the way", () => {
  const words = ["no answer in time", "Connection refused (os error 111)", "dns error: no record found", "invalid peer certificate: Expired", "strange"];
  expect(words.map(obstacleOf)).toEqual(["late", "closed", "nameless", "certificate", "other"]);
});

test("headers are lines without secrets", () => {
  const headers = { "webhook-id": "msg_1", "X-Webhook-Secret": "s3cret", "content-type": "application/json" };
  expect(headerLines(headers)).toBe("content-type: application/json\nwebhook-id: msg_1\nX-Webhook-Secret: ••••••••");
});

test("only addresses of the web are receivers", () => {
  expect(receiverIn(" https://lms.example/hook?a=1 ")).toBe("https://lms.example/hook?a=1");
  expect(receiverIn("HTTP://127.0.0.1:8080")).toBe("HTTP://127.0.0.1:8080");
  expect(["", "lms.example", "ftp://lms.example", "https://", "https:///hook", "https://a b"].map(receiverIn)).toEqual(Array(6).fill(undefined));
});
