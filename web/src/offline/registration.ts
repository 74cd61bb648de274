// Registers the service worker, so that a running test can be reloaded without a network.

const WORKER = "/service-worker.js";

let known: ServiceWorkerRegistration | undefined;

/**
 * Resolves to whether the pages are kept, as far as that is possible: a browser that has no service workers simply needs
 * the network. Rejects, or resolves to false, if the worker or one of its files could not be loaded.
 */
export async function registerServiceWorker(): Promise<boolean> {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return true;
  const registration = await navigator.serviceWorker.register(WORKER, { updateViaCache: "none" });
  const build = document.querySelector<HTMLMetaElement>("meta[name=build]")?.content;
  const offer = (worker: ServiceWorker | null) => {
    const tell = () => worker?.state === "installed" && worker.postMessage(build);
    worker?.addEventListener("statechange", tell);
    tell();
  };
  if (registration !== known) {
    known = registration;
    registration.addEventListener("updatefound", () => offer(registration.installing));
    offer(registration.waiting);
  }
  offer(registration.installing);
  return registration.installing === null ? registration.active !== null || registration.waiting !== null : isInstalled(registration.installing);
}

/** A worker that could not load one of its files is thrown away. */
function isInstalled(worker: ServiceWorker): Promise<boolean> {
  return new Promise((resolve) => {
    const look = () => worker.state !== "installing" && resolve(worker.state !== "redundant");
    worker.addEventListener("statechange", look);
    look();
  });
}
