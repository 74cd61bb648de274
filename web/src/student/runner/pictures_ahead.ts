// Loads the pictures of a test ahead, so that they are here when the network is gone: the browser's own cache has them from
// then on, since a picture at /media never changes. One after the other, and spread over a while, since everybody begins at once.

import { isPicture } from "../../ui/picture";

/** Within so long, each page begins at a moment of its own. */
const SPREAD_MS = 20_000;
/** A picture that does not exist is not asked for again and again. */
const TRIES_MAX = 8;

/** Returns what loads those of the pictures that are missing, and resolves to whether none is left. There may be more later. */
export function picturesAhead(addresses: () => Iterable<string>, maySucceed: () => boolean): () => Promise<boolean> {
  const known = new Set<string>();
  const tries = new Map<string, number>();
  let begun: Promise<void> | undefined;
  return async () => {
    await (begun ??= new Promise((resolve) => setTimeout(resolve, Math.random() * SPREAD_MS)));
    for (const address of addresses()) {
      if (!known.has(address) && isPicture(address) && !address.startsWith("data:")) tries.set(address, 0);
      known.add(address);
    }
    for (const [address, before] of tries) {
      if (!maySucceed()) return false;
      if ((await isLoaded(address)) || before + 1 === TRIES_MAX) tries.delete(address);
      else tries.set(address, before + 1);
    }
    return tries.size === 0;
  };
}

function isLoaded(address: string): Promise<boolean> {
  const picture = new Image();
  picture.referrerPolicy = "no-referrer";
  return new Promise((resolve) => {
    picture.onload = () => resolve(true);
    picture.onerror = () => resolve(false);
    picture.src = address;
  });
}
