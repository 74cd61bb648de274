// Registers the service worker, so that a running test can be reloaded without a network.

const WORKER = "/service-worker.js";

/** In a browser that has no service workers, or does not allow this one, the pages simply need the network. */
export async function registerServiceWorker(): Promise<void> {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  const registration = await navigator.serviceWorker.register(WORKER, { updateViaCache: "none" });
  const build = document.querySelector<HTMLMetaElement>("meta[name=build]")?.content;
  const offer = (worker: ServiceWorker | null) => {
    const tell = () => worker?.state === "installed" && worker.postMessage(build);
    worker?.addEventListener("statechange", tell);
    tell();
  };
  registration.addEventListener("updatefound", () => offer(registration.installing));
  offer(registration.installing);
  offer(registration.waiting);
}
