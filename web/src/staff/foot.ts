// A bar that sticks to the foot of the window: messages, and what gets the focus, keep clear of it.

import type { Attachment } from "svelte/attachments";

export const atFoot: Attachment<HTMLElement> = (node) => {
  const { style } = document.documentElement;
  const observer = new ResizeObserver(() => style.setProperty("--foot", `${node.offsetHeight}px`));
  observer.observe(node);
  return () => {
    observer.disconnect();
    style.removeProperty("--foot");
  };
};
