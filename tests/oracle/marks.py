#!/usr/bin/env python3
"""A second implementation of marks, written from the decision record alone.

It reads scales with the facts of a result as JSON from its standard input, and writes the mark of each, so that the
server's own implementation (domain/src/mark.rs) can be compared with it. It computes with fractions of any size, and
finds a number by trying all marks of the scale.
"""

import json
import sys
from fractions import Fraction


def share(basis, facts):
    part, whole = {
        "percent": lambda: (facts["correct"], facts["questions"]),
        "points": lambda: facts["points"] or (0, 0),
        "score": lambda: (facts["score"] - 200, 600),
    }[basis]()
    return Fraction(part, whole) if whole else None


def decimal(number):
    """A number of JSON by its digits."""
    return Fraction(str(number))


def marks_of(scale):
    """All marks of a scale of numbers, the worst first."""
    worst, best, step = (decimal(scale[name]) for name in ("worst", "best", "step"))
    count = abs(best - worst) / step
    assert count.denominator == 1
    towards = 1 if best > worst else -1
    return [worst + towards * step * number for number in range(int(count) + 1)]


def number_mark(scale, part):
    marks = marks_of(scale)
    exact = marks[0] + part * (marks[-1] - marks[0])
    towards = 1 if marks[-1] > marks[0] else -1
    goodness = lambda mark: towards * mark
    if scale["rounding"] == "up":
        mark = min((one for one in marks if goodness(one) >= goodness(exact)), key=goodness)
    elif scale["rounding"] == "down":
        mark = max((one for one in marks if goodness(one) <= goodness(exact)), key=goodness)
    else:
        mark = min(marks, key=lambda one: (abs(one - exact), -goodness(one)))
    decimals = len(str(scale["step"]).partition(".")[2].rstrip("0"))
    hundredths = mark * 10**decimals
    assert hundredths.denominator == 1
    digits = str(abs(int(hundredths))).rjust(decimals + 1, "0")
    text = ("-" if mark < 0 else "") + (digits[:-decimals] + "." + digits[-decimals:] if decimals else digits)
    told = {"text": text}
    if scale.get("pass") is not None:
        told["passed"] = goodness(mark) >= goodness(decimal(scale["pass"]))
    return told


def label_mark(scale, facts, part):
    reached = Fraction(facts["score"]) if scale["basis"] == "score" else part * 100
    names = [one["label"] for one in scale["labels"]]
    name = next(one["label"] for one in scale["labels"] if reached >= decimal(one["from"]))
    told = {"text": name}
    if scale.get("pass") is not None:
        told["passed"] = names.index(name) <= names.index(scale["pass"])
    return told


def mark(scale, facts):
    part = share(scale["basis"], facts)
    if part is None:
        return None
    return number_mark(scale, part) if scale["type"] == "numbers" else label_mark(scale, facts, part)


def main():
    asked = json.load(sys.stdin)
    json.dump([mark(one["scale"], one["facts"]) for one in asked], sys.stdout)


if __name__ == "__main__":
    main()
