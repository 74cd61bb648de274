// Small choices of a reader that outlast a page, such as whether alerts make a sound.

const PREFIX = "examhall-";

export function isOn(name: string): boolean {
  try {
    return localStorage.getItem(PREFIX + name) !== "off";
  } catch {
    return true;
  }
}

export function keepOn(name: string, isOn: boolean): void {
  try {
    localStorage.setItem(PREFIX + name, isOn ? "on" : "off");
  } catch {
    // The choice then lasts only as long as the page.
  }
}
