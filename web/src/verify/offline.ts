// Registers the service worker of this page, so that it opens again without a network. It has its own address below which
// nothing else lies, and leaves the pages of students and staff alone.

const WORKER = "/verify-worker.js";
const SCOPE = "/verify";

/** Resolves to whether the page is kept. */
export async function keepPage(): Promise<boolean> {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return false;
  const registration = await navigator.serviceWorker.register(WORKER, { scope: SCOPE, updateViaCache: "none" }).catch(() => undefined);
  if (registration === undefined) return false;
  if (registration.active !== null) return true;
  const worker = registration.installing ?? registration.waiting;
  return new Promise((resolve) => {
    const look = () => (worker?.state === "activated" ? resolve(true) : worker?.state === "redundant" && resolve(false));
    worker?.addEventListener("statechange", look);
    look();
  });
}
