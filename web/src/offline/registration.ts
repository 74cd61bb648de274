// Has the browser keep the pages, so that a running test can be loaded anew without a network.

const WORKER = "/service-worker.js";

/** Where a browser has no service workers, or does not allow this one, the pages need the network as before. */
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
