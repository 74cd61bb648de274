// How a receiver of messages checks that one comes from this server, as a program to copy.

export const VERIFYING = `import { createHmac, timingSafeEqual } from "node:crypto";

// headers: of the request, in small letters; body: as it came, byte for byte; key: "whsec_…".
export function isGenuine(headers, body, key) {
  const sentAt = Number(headers["webhook-timestamp"]);
  if (!(Math.abs(Date.now() / 1000 - sentAt) < 300)) return false;
  const secret = Buffer.from(key.replace("whsec_", ""), "base64");
  const content = headers["webhook-id"] + "." + headers["webhook-timestamp"] + "." + body;
  const made = "v1," + createHmac("sha256", secret).update(content).digest("base64");
  const [given, expected] = [Buffer.from(headers["webhook-signature"] ?? ""), Buffer.from(made)];
  return given.length === expected.length && timingSafeEqual(given, expected);
}
`;
