// Which keys are free for a list: letters are its commands only while nobody types and nothing else has the focus.

const TYPING = "input:not([type=checkbox]):not([type=radio]), textarea, select, [contenteditable], [role=textbox]";
/** Enter and the space bar belong to these when they have the focus. */
const PRESSABLE = "a, button, summary, input, [role=button], [role=menuitem]";

/** In these a letter goes to the entry that begins with it, and is no command. */
const CHOOSING = "[role=menu], [role=listbox]";

/** Whether the key is a single character, as those commands are that can be switched off. The space bar is none: it presses. */
export function isCharacter({ key, ctrlKey, metaKey, altKey }: Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey">): boolean {
  return [...key].length === 1 && key !== " " && !ctrlKey && !metaKey && !altKey;
}

/** Whether a list of keys, such as "j k", names single characters only. */
export function areCharacters(keys: string): boolean {
  return keys.split(" ").every((key) => [...key].length === 1);
}

/** Whether the key can only be a command. */
export function isLetterCommand(event: KeyboardEvent): boolean {
  const isChoosing = event.target instanceof Element && event.target.closest(CHOOSING) !== null;
  return isCharacter(event) && !isChoosing && !isTyping(event.target);
}

/** Whether somebody types at this place. */
export function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(TYPING) !== null;
}

/** Whether a list may act on this key: it has the focus itself, or nothing has. */
export function isFreeFor(event: KeyboardEvent, list: HTMLElement | undefined): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || list === undefined) return false;
  const { target } = event;
  if (!(target instanceof Element) || isTyping(target)) return false;
  if (list.contains(target)) return target === list || (event.key !== "Enter" && event.key !== " ") || target.closest(PRESSABLE) === null;
  return target === document.body || target.matches("main, h1");
}
