#!/usr/bin/env python3
"""A second implementation of forms, and of options in an order of one's own, written from the rules alone.

It reads exams as JSON from its standard input: the bank, how many forms there are, and of each student the seat, the
paper as it was opened, the orders of options that the student was told, and what was pressed, by its place on the page.
It writes what the server must say of each student and of each question. It builds the page that the student saw, a line
for each option, and looks everything up there; the server computes with permutations.
"""

import json
import re
import sys
from fractions import Fraction

LETTERS = "ABCD"
ROWS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
SEATS = (
    re.compile(r"(?P<row>[A-Z])(?P<column>\d+)"),
    re.compile(r"R(?P<row>\d+)S(?P<column>\d+)"),
    re.compile(r"Row (?P<row>\d+) Seat (?P<column>\d+)"),
    re.compile(r"(?P<row>\d+)[-/.](?P<column>\d+)"),
    re.compile(r"(?P<row>\d+)(?P<column>[A-Z])"),
    re.compile(r"(?P<column>\d+)"),
)


def number_of(mark):
    """A row or a column that is called by a letter is counted from A, which is 0."""
    return int(mark) if mark.isdigit() else ROWS.index(mark)


def form_of_seat(seat, forms):
    if forms == 1:
        return None
    for written in SEATS:
        found = written.fullmatch(seat)
        if found:
            marks = {name: number_of(mark) for name, mark in found.groupdict().items()}
            weight = 2 if forms >= 4 else 1
            return "ABCDEFGH"[(marks["column"] + weight * marks.get("row", 0)) % forms]
    raise ValueError(f"a seat that this program cannot read: {seat}")


def page(question, orders):
    """The options as the student saw them, from top to bottom."""
    count = len(question["options"])
    order = orders.get(question["id"], LETTERS[:count])
    assert sorted(order) == list(LETTERS[:count]), f"{question['id']}: {order} is no order of {count} options"
    texts = dict(zip(LETTERS, question["options"]))
    return [(shown, letter, texts[letter]) for shown, letter in zip(LETTERS, order)]


def value(text):
    try:
        return Fraction(text)
    except ValueError:
        return None


def is_right(question, selected, key):
    if selected == "":
        return False
    if question["type"] == "number":
        typed = value(selected)
        return typed is not None and typed == Fraction(key)
    return selected == key


def answer_of(asked, known, orders, pressed, crossed):
    """One line of a test. What was asked came from the student's paper, what is known from the bank."""
    line = {"questionId": asked["id"], "selected": "", "shown": None, "text": None, "correctShown": None}
    line["correct"] = known["answer"]
    line["eliminated"] = []
    if asked["type"] == "number":
        assert asked["options"] == [] and asked["id"] not in orders, asked["id"]
        line["selected"] = pressed.get("typed", "") if pressed else ""
        return line
    assert asked["options"] == known["options"], asked["id"]
    if known.get("fixedOptions"):
        assert asked["id"] not in orders, asked["id"]
    lines = page(asked, orders)
    if pressed:
        line["shown"], line["selected"], line["text"] = lines[pressed["place"]]
    line["correctShown"] = next(shown for shown, letter, _ in lines if letter == known["answer"])
    line["eliminated"] = sorted(lines[place][1] for place in crossed)
    return line


def graded(lines, bank, keys):
    """The score, and what is right, by these keys."""
    right = [is_right(bank[one["questionId"]], one["selected"], keys[one["questionId"]]) for one in lines]
    points = [bank[one["questionId"]]["difficulty"] for one in lines]
    earned = sum(point for point, is_earned in zip(points, right) if is_earned)
    return {"isRight": right, "right": sum(right), "score": 200 + int(Fraction(600 * earned, sum(points)) + Fraction(1, 2))}


def student_of(student, exam, bank):
    orders, pressed, crossed = student["optionOrder"], student["pressed"], student["crossed"]
    lines = []
    for asked in student["questions"]:
        name = asked["id"]
        lines.append(answer_of(asked, bank[name], orders, pressed.get(name), crossed.get(name, [])))
    keys = {name: question["answer"] for name, question in bank.items()}
    corrected = dict(keys, **exam["corrected"])
    return {
        "form": form_of_seat(student["seat"], exam["forms"]),
        "lines": lines,
        "before": graded(lines, bank, keys),
        "after": graded(lines, bank, corrected),
    }


def items_of(students):
    """The counts of each question, in whatever form and under whatever letter it was shown."""
    items = {}
    for student in students:
        for line, right in zip(student["lines"], student["before"]["isRight"]):
            item = items.setdefault(
                line["questionId"], {"asked": 0, "answered": 0, "right": 0, "chosen": dict.fromkeys(LETTERS, 0)}
            )
            item["asked"] += 1
            item["right"] += right
            item["answered"] += line["selected"] != ""
            if line["shown"]:
                item["chosen"][line["selected"]] += 1
    return items


def answer(exam):
    bank = {question["id"]: question for question in exam["bank"]}
    students = [student_of(student, exam, bank) for student in exam["students"]]
    return {"students": students, "items": items_of(students)}


def main():
    asked = json.load(sys.stdin)
    json.dump([[form_of_seat(*one) for one in exam["seats"]] if "seats" in exam else answer(exam) for exam in asked], sys.stdout)


if __name__ == "__main__":
    main()
