// Loads the dialog of the view when it is asked for: the first page does not need it, since the view itself is applied without it.

export type ViewDialog = (typeof import("./ViewDialog.svelte"))["default"];

/** Undefined if it can't be loaded. Some browsers never load a script again that failed once, so nothing is tried without a network. */
export async function loadViewDialog(): Promise<ViewDialog | undefined> {
  if (!navigator.onLine && navigator.serviceWorker?.controller == null) return undefined;
  // The line is here when it is turned on there.
  return Promise.all([import("./ViewDialog.svelte"), import("./LineReader.svelte")]).then(
    ([{ default: dialog }]) => dialog,
    () => undefined,
  );
}
