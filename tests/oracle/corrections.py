#!/usr/bin/env python3
"""A second implementation of what corrected keys make of a test, written from the rules alone.

It reads tests with their corrections as JSON from its standard input and writes the result of each, so that the
server's own implementation (domain/src/correction.rs) can be compared with it. It keeps the right answers of each
question as a set of letters or of numbers and computes in fractions, both unlike the server.
"""

import json
import sys
from fractions import Fraction


def half_up(fraction):
    return int(fraction + Fraction(1, 2))


def is_number(answer):
    return any(letter.isdigit() for letter in answer)


def value(answer):
    """Letters are themselves; of numbers, the tests have decimals and fractions without signs between groups."""
    return Fraction(answer) if answer is not None and is_number(answer) else answer


class Question:
    """One question of a test, and what counts for it."""

    def __init__(self, asked):
        self.id = asked["id"]
        self.points = asked["difficulty"]
        self.options = asked["options"]
        self.selected = asked["selected"]
        self.key = asked["answer"]
        self.right = [asked["answer"]]
        self.tolerance = Fraction(asked["tolerance"])
        self.kind = None

    def copy(self):
        other = object.__new__(Question)
        other.__dict__ = dict(self.__dict__)
        return other

    def concerns(self, correction):
        if correction["questionId"] != self.id:
            return False
        if correction["kind"] not in ("key", "also"):
            return True
        of_kind = all(is_number(one) == is_number(self.key) for one in correction["options"])
        return of_kind and self.options == correction["ofOptions"]

    def corrected(self, correction):
        other = self.copy()
        other.kind = correction["kind"]
        if other.kind == "key":
            (other.key,) = correction["options"]
            other.right = [other.key]
        elif other.kind == "also":
            known = {value(one) for one in self.right}
            other.right = self.right + [one for one in correction["options"] if value(one) not in known]
        return other

    def counts(self):
        return self.kind != "drop"

    def is_right(self):
        if self.kind == "all":
            return True
        return self.counts() and any(self.accepts(one) for one in self.right)

    def accepts(self, right):
        selected, right = value(self.selected), value(right)
        if isinstance(selected, Fraction) and isinstance(right, Fraction):
            return abs(selected - right) <= self.tolerance
        return selected == right

    def line(self):
        names_options = self.kind in ("key", "also")
        return {
            "questionId": self.id,
            "correct": self.key,
            "isCorrect": self.is_right(),
            "correction": self.kind,
            "alsoCorrect": self.also() if names_options else [],
        }

    def also(self):
        """Letters in their order, numbers in that in which they were named."""
        others = [one for one in self.right if one != self.key]
        return others if is_number(self.key) else sorted(others)


def score(questions):
    most = sum(one.points for one in questions if one.counts())
    earned = sum(one.points for one in questions if one.counts() and one.is_right())
    return 200 if most == 0 else 200 + half_up(Fraction(600 * earned, most))


def in_scope(test, scope):
    if "sitting" in scope:
        return test["sitting"] == scope["sitting"]
    if "template" in scope:
        return test["template"] == scope["template"]
    own = test["template"] is None or scope["templates"] is None or test["template"] in scope["templates"]
    return own and test["grade"] == scope["grade"] and scope["from"] <= test["startedAt"] < scope["until"]


def result(test):
    questions = [Question(asked) for asked in test["questions"]]
    holding = [one for one in test["corrections"] if not one["reverted"] and in_scope(test, one["scope"])]
    for correction in sorted(holding, key=lambda one: one["number"]):
        tried = [one.corrected(correction) if one.concerns(correction) else one for one in questions]
        if correction["nobodyLoses"] and score(tried) < score(questions):
            continue
        questions = tried
    counted = [one for one in questions if one.counts()]
    return {
        "score": score(questions),
        "correctAnswers": sum(one.is_right() for one in counted),
        "totalQuestions": len(counted),
        "answers": [one.line() for one in questions],
    }


if __name__ == "__main__":
    json.dump([result(test) for test in json.load(sys.stdin)], sys.stdout)
