// Changes the server's frames on their way to the page, so that tests of alerts need not wait for minutes.

import type { Page, WebSocketRoute } from "@playwright/test";

/** A test that is long enough for both alerts, at ten and at five minutes. */
export const LONG = "/test/5?questions=10&minutes=40";

/** From now on the page gets the remaining time from here, by socket and by HTTPS. */
export async function shortened(page: Page): Promise<{ set(remainingMs: number): void; tell(frame: object): void; cut(): void }> {
  let [left, since, isCut] = [2_400_000, Date.now(), false];
  let socket: WebSocketRoute | undefined;
  const now = () => Math.max(0, left - (Date.now() - since));
  // The server would say that nothing has changed, so its own counting of changes is left out.
  const changed = (text: string) => text.replace(/"remainingMs":\d+/, `"remainingMs":${now()}`).replace(/,"timeVersion":\d+,"pausedMs":\d+(,"state":"\w+")?/, "");
  await page.routeWebSocket(/\/api\/live$/, (route) => {
    if (isCut) return void route.close({ code: 3000 });
    socket = route;
    const server = route.connectToServer();
    route.onMessage((message) => server.send(message));
    server.onMessage((message) => route.send(changed(String(message))));
  });
  await page.route(/\/api\/live(\/[^/?]+)?(\?.*)?$/, async (route) => {
    if (isCut) return route.abort();
    const response = await route.fetch().catch(() => undefined);
    if (response === undefined) return route.abort();
    await route.fulfill({ response, body: changed(await response.text()) });
  });
  const tell = (frame: object) => socket?.send(JSON.stringify(frame));
  return {
    set(remainingMs) {
      [left, since] = [remainingMs, Date.now()];
      tell({ type: "time", serverTime: "", remainingMs, deadline: "" });
    },
    tell,
    cut() {
      isCut = true;
      void socket?.close({ code: 3000 });
    },
  };
}
