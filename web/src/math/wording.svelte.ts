// The choice whether screen readers get formulas in words instead of as mathematics, which not all of them can read.
// Apart from the view, of which it is a part, since staff pages have formulas and no view.

let isOn = $state(false);

export function areFormulasWords(): boolean {
  return isOn;
}

export function putFormulasInWords(isWanted: boolean): void {
  isOn = isWanted;
}
