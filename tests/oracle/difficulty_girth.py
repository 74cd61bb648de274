#!/usr/bin/env python3
"""Compares the difficulties of tests/golden/difficulty.json with those of girth, a library for item response theory.

girth fixes no guessing in its marginal estimates, so the answers are taken as those of the Rasch model without any. Its
`rasch_mml` estimates each question by its share of right answers, and not all of them together. Prints what differs,
and ends with 1 if anything does. `--write` puts its values into the file.
"""

import json
import pathlib
import sys

import numpy
from girth import rasch_mml
from girth.utilities import INVALID_RESPONSE

GOLDEN = pathlib.Path(__file__).parent.parent / "golden" / "difficulty.json"
OUTCOMES = {"0": 0, "1": 1, "-": INVALID_RESPONSE}
# The file has three decimals, and girth looks for each value to four.
WITHIN = 0.002


def main():
    golden = json.loads(GOLDEN.read_text())
    answers = numpy.array([[OUTCOMES[outcome] for outcome in test] for test in golden["tests"]]).T
    found = [round(float(value), 3) for value in rasch_mml(answers, options={"quadrature_n": 61})["Difficulty"]]
    if "--write" in sys.argv:
        golden["girth"] = found
        GOLDEN.write_text(json.dumps(golden, indent=1) + "\n")
    differing = [pair for pair in zip(golden["girth"], found) if abs(pair[0] - pair[1]) > WITHIN]
    print(json.dumps({"questions": len(found), "differing": differing}))
    return 1 if differing or len(found) != len(golden["girth"]) else 0


if __name__ == "__main__":
    sys.exit(main())
