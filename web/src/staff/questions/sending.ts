// Sends a file as a form, and says how much of it has gone out: `fetch` can't tell.

import { whenSignedIn, type Answer } from "../api";

/** Twenty megabytes on a slow line, and the turn of those who came before. */
const PATIENCE_MS = 600_000;

/** `fields` go before the file, and `progress` gets the share that has been sent, from 0 to 1. */
export function sendFile<T>(path: string, file: File, fields: Record<string, string>, progress: (share: number) => void): Promise<Answer<T>> {
  return whenSignedIn<T, Answer<T>>(() => sendOnce(path, file, fields, progress));
}

function sendOnce<T>(path: string, file: File, fields: Record<string, string>, progress: (share: number) => void): Promise<Answer<T>> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) if (value !== "") form.append(name, value);
  form.append("file", file, file.name);
  const request = new XMLHttpRequest();
  request.open("POST", path);
  request.timeout = PATIENCE_MS;
  request.setRequestHeader("Accept", "application/json");
  return new Promise((resolve) => {
    request.upload.onprogress = ({ loaded, total }) => progress(total === 0 ? 1 : loaded / total);
    request.onload = () => resolve(answerOf<T>(request));
    request.onerror = request.ontimeout = request.onabort = () => resolve({ kind: "unreachable" });
    request.send(form);
  });
}

function answerOf<T>({ status, responseText }: XMLHttpRequest): Answer<T> {
  const body = parsed(responseText);
  if (status >= 200 && status < 300) return body === undefined ? { kind: "unreachable" } : { kind: "done", value: body as T };
  const said = (body as { error?: unknown } | undefined)?.error;
  if (typeof said !== "string" && status >= 500) return { kind: "unreachable" };
  return { kind: "refused", status, error: typeof said === "string" ? said : "", body };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
