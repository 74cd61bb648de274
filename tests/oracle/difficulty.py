#!/usr/bin/env python3
"""A second implementation of measured difficulties, written from the decision record alone.

It reads groups of tests as JSON from its standard input and writes what is measured of each question, so that the
server's own implementation (domain/src/measured_difficulty.rs) can be compared with it. It knows no EM: it climbs the
marginal likelihood itself, at other abilities than the server, and takes each error from second differences of it.
"""

import json
import math
import sys

ANSWERS_MIN = 30
SPREAD = 3.0
SUPPOSED_QUESTIONS = 10
ABILITIES = [-6 + 0.24 * step for step in range(51)]
WEIGHTS = [math.exp(-ability * ability / 2) for ability in ABILITIES]
DIFFERENCE = 1e-3


def counted(test, keys):
    """The answers of a test that count, by question."""
    lines = list(test["lines"])
    while lines and lines[-1]["selected"] is None:
        lines.pop()
    answers = {}
    for line in lines:
        question = line["questionId"]
        is_void = line["correction"] in ("all", "drop")
        was_other_key = question in keys and line["key"] is not None and keys[question] != line["key"]
        if not is_void and not was_other_key:
            answers.setdefault(question, line["isCorrect"])
    return answers


def chances(difficulty, guess):
    return [guess + (1 - guess) / (1 + math.exp(difficulty - ability)) for ability in ABILITIES]


def likelihood(outcome, chance):
    return chance if outcome else [1 - one for one in chance]


class Marginal:
    """The marginal likelihood of a group of tests."""

    def __init__(self, tests, guess, numbers):
        self.tests = tests
        self.questions = sorted({question for test in tests for question in test})
        self.difficulties = {question: 0.0 for question in self.questions}
        # Nobody guesses a number.
        self.guesses = {question: 0.0 if question in numbers else guess for question in self.questions}

    def others(self, question):
        """For each test with the question, its answer and the likelihood of its other answers at each ability."""
        curves = {one: chances(self.difficulties[one], self.guesses[one]) for one in self.questions}
        found = []
        for test in self.tests:
            if question in test:
                product = WEIGHTS
                for other, outcome in test.items():
                    if other != question:
                        curve = likelihood(outcome, curves[other])
                        product = [one * another for one, another in zip(product, curve)]
                found.append((test[question], product))
        return found

    def logarithm(self, others, difficulty, guess):
        """The logarithm of the likelihood as a function of one difficulty, with what is expected of it."""
        chance = chances(difficulty, guess)
        total = -difficulty * difficulty / (2 * SPREAD * SPREAD)
        for outcome, product in others:
            curve = likelihood(outcome, chance)
            total += math.log(sum(one * another for one, another in zip(product, curve)))
        return total

    def slope_and_bend(self, question):
        others = self.others(question)
        at = self.difficulties[question]
        guess = self.guesses[question]
        below, here, above = (self.logarithm(others, at + step * DIFFERENCE, guess) for step in (-1, 0, 1))
        slope = (above - below) / (2 * DIFFERENCE)
        bend = (2 * here - below - above) / (DIFFERENCE * DIFFERENCE)
        return slope, bend

    def climb(self):
        """Each difficulty in turn, until none moves."""
        farthest = 1.0
        while farthest > 2e-4:
            farthest = 0.0
            for question in self.questions:
                slope, bend = self.slope_and_bend(question)
                step = slope / max(bend, 1 / (SPREAD * SPREAD))
                step = max(-1.0, min(1.0, step))
                self.difficulties[question] += step
                farthest = max(farthest, abs(step))

    def error(self, question):
        _, bend = self.slope_and_bend(question)
        return 1 / math.sqrt(max(bend, 1 / (SPREAD * SPREAD)))


def on_labels(fitted, labels):
    """The measured questions in labels, by the level and the spread of their labels."""
    measured = [(labels[one["questionId"]], one) for one in fitted
                if one["questionId"] in labels and one["answers"] >= ANSWERS_MIN]
    if not measured:
        return []
    mean_label = sum(label for label, _ in measured) / len(measured)
    mean_logits = sum(one["logits"] for _, one in measured) / len(measured)
    of_labels = sum((label - mean_label) ** 2 for label, _ in measured)
    of_logits = sum((one["logits"] - mean_logits) ** 2 - one["error"] ** 2 for _, one in measured)
    step = math.sqrt((of_labels + SUPPOSED_QUESTIONS) / (max(0, of_logits) + SUPPOSED_QUESTIONS))

    def value(one):
        label = mean_label + step * (one["logits"] - mean_logits)
        return {"questionId": one["questionId"], "difficulty": max(1, min(5, label)), "error": step * one["error"]}

    return [value(one) for _, one in measured]


def measure(group):
    tests = {}
    for test in group["tests"]:
        tests.setdefault(test["id"], counted(test, group["keys"]))
    marginal = Marginal([test for test in tests.values() if test], group["guess"], group["numbers"])
    marginal.climb()
    fitted = [{
        "questionId": question,
        "logits": marginal.difficulties[question],
        "error": marginal.error(question),
        "answers": sum(question in test for test in marginal.tests),
    } for question in marginal.questions]
    return {"fitted": fitted, "measured": on_labels(fitted, group["labels"])}


if __name__ == "__main__":
    json.dump([measure(group) for group in json.load(sys.stdin)], sys.stdout)
