// The ledger of messages to other systems, as the server keeps it, and how its pages are counted.

import type { DeliveryPage, DeliveryStatus } from "../../api/schema";

export const WEBHOOKS = "/api/admin/webhooks";

export type { DeliveryStatus as DeliveryState, DeliveryView as Delivery, DeliveryPage } from "../../api/schema";
export const DELIVERY_STATES: DeliveryStatus[] = ["failed", "pending", "delivered"];

/** The number of a page in the address; the first for anything else. */
export function pageIn(text: string): number {
  return /^[1-9]\d{0,5}$/.test(text) ? Number(text) : 1;
}

export function pagesOf({ total, perPage }: Pick<DeliveryPage, "total" | "perPage">): number {
  return Math.max(1, Math.ceil(total / perPage));
}

/** Where a message goes, without the path, which may hold secrets of the receiver. */
export function hostOf(url: string): string {
  return /^https?:\/\/([^/?#]+)/i.exec(url)?.[1] ?? url;
}
