// The calculation of the test that is running. It stays while the calculator is closed, or moves to another place of the page.

import { EMPTY, pressed, type Entry, type CalculatorKey } from "./entry";
import { evaluated, type Angle } from "./evaluate";

class Calculation {
  entry = $state.raw<Entry>(EMPTY);
  angle = $state<Angle>("degrees");

  press(key: CalculatorKey): void {
    if (key === "angle") this.angle = this.angle === "degrees" ? "radians" : "degrees";
    else this.entry = pressed(this.entry, key, (expression, answer) => evaluated(expression, answer, this.angle));
  }
}

export const calculation = new Calculation();
