import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Command } from "../exam/protocol";
import { base64 } from "../receipts/bytes";
import { deviceName, drawingsLeftOut, fitting, macKey, sealed, tokenHash } from "./file";

const golden = JSON.parse(readFileSync("../tests/golden/late_file.json", "utf8")) as Record<"token" | "sessionId" | "device" | "text" | "mac", string>;

function answer(seq: number): Command {
  return { type: "answer", seq, line: 1, questionId: `q${seq}`, selected: "B", timeTaken: 9 };
}

test("both sides derive the same", async () => {
  const hash = await tokenHash(golden.token);
  expect(await deviceName(hash)).toBe(golden.device);
  const mac = await crypto.subtle.sign("HMAC", await macKey(hash, golden.sessionId), new TextEncoder().encode(golden.text));
  expect(base64(new Uint8Array(mac))).toBe(golden.mac);
});

test("a file opens with the key of the server, and says what was done", async () => {
  const pair = await crypto.subtle.generateKey({ name: "RSA-OAEP", modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]), hash: "SHA-256" }, true, ["encrypt", "decrypt"]);
  const lateKey = base64(new Uint8Array(await crypto.subtle.exportKey("spki", pair.publicKey)));
  const unsent = { sessionId: golden.sessionId, token: golden.token, lateKey, commands: [answer(1), answer(2)] };
  const file = JSON.parse(await sealed(unsent)) as Record<string, string>;
  const bytes = (name: string) => Uint8Array.from(atob(file[name] ?? ""), (character) => character.charCodeAt(0));
  expect(file["format"]).toBe("examhall.late.v1");
  expect(JSON.stringify(file)).not.toContain(golden.token);
  const raw = await crypto.subtle.decrypt({ name: "RSA-OAEP" }, pair.privateKey, bytes("wrapped"));
  const key = await crypto.subtle.importKey("raw", raw, "AES-GCM", false, ["decrypt"]);
  const additionalData = new TextEncoder().encode("examhall.late.v1");
  const text = await crypto.subtle.decrypt({ name: "AES-GCM", iv: bytes("iv"), additionalData }, key, bytes("data"));
  expect(JSON.parse(new TextDecoder().decode(text))).toEqual({ commands: unsent.commands });
  const signed = ["format", "key", "sessionId", "device", "wrapped", "iv", "data"].map((name) => file[name]).join("\n");
  const mac = await crypto.subtle.sign("HMAC", await macKey(await tokenHash(golden.token), golden.sessionId), new TextEncoder().encode(signed));
  expect(file["mac"]).toBe(base64(new Uint8Array(mac)));
});

test("answers fit before drawings", () => {
  const drawing = (seq: number): Command => ({ type: "drawing", seq, questionId: `q${seq}`, drawing: { strokes: "x".repeat(150_000) } });
  const commands = [drawing(1), drawing(2), answer(3)];
  expect(fitting(commands).map(({ seq }) => seq)).toEqual([3, 1]);
  expect(drawingsLeftOut(commands)).toEqual({ leftOut: 1, all: 2 });
  expect(drawingsLeftOut(commands.slice(1))).toEqual({ leftOut: 0, all: 1 });
});
