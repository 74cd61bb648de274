// Writes a result with twelve digits at most, since the last ones of a computer's numbers are not those of the decimals
// that were typed. So 0.1 + 0.2 is 0.3.

const DIGITS = 12;
/** Numbers from here on, and below the other, are written with a power of ten. */
const LARGE = 1e12;
const SMALL = 1e-9;
const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";

export function written(value: number, decimal: string): string {
  if (value === 0) return "0";
  const size = Math.abs(value);
  const text = size >= LARGE || size < SMALL ? scientific(value) : plain(value, size);
  return text.replace("-", "−").replace(".", decimal);
}

function plain(value: number, size: number): string {
  const decimals = Math.max(0, DIGITS - 1 - Math.floor(Math.log10(size)));
  const text = value.toFixed(decimals);
  return decimals === 0 ? text : text.replace(/\.?0+$/, "");
}

function scientific(value: number): string {
  const [digits = "", power = "0"] = value.toExponential(DIGITS - 3).split("e");
  const raised = [...power.replace("+", "")].map((character) => (character === "-" ? "⁻" : RAISED.charAt(Number(character)))).join("");
  return `${digits.replace(/\.?0+$/, "")} × 10${raised}`;
}
