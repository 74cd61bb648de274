#!/usr/bin/env python3
"""A second implementation of the fairness check of templates, written from its rules alone.

It reads papers as JSON from its standard input and writes what students of every ability would score on them, so that
the pages' own implementation (web/src/staff/templates/fairness.ts) can be compared with it. It enumerates how many
questions of each difficulty a student solves, and works with scores as fractions of all points, both unlike the pages,
which add question after question in integers.

The rules. A student of ability t solves a question of difficulty d with probability 0.25 + 0.75 / (1 + e^-(t - (d - 3))),
independently of all others, and gets d points. In an adaptive paper the share of points in stage 1 decides between five
lists: from 90, 80, 70 and 60 per cent on, and below. The score is 200 and 600 times the share of all points, rounded
half up. An edge is a pair of consecutive totals of stage 1 that lead to two lists. It is a trap if the upper total has
an expected score that is lower by half a point or more, for an ability of which at least one in a hundred has one of
the two totals. The worst trap is that with the largest drop.
"""

import functools
import itertools
import json
import math
import sys
from collections import defaultdict
from fractions import Fraction

ABILITIES = [Fraction(quarter, 4) for quarter in range(-16, 17)]
BOUNDS = [Fraction(9, 10), Fraction(8, 10), Fraction(7, 10), Fraction(6, 10)]


def solves(ability, difficulty):
    ease = float(ability) - (difficulty - 3)
    return 1 / 4 + 3 / 4 * math.exp(ease) / (1 + math.exp(ease))


def binomial(count, chance):
    return [math.comb(count, right) * chance**right * (1 - chance) ** (count - right) for right in range(count + 1)]


def totals(counts, ability):
    """The probability of each total of points, over all numbers of solved questions of the five difficulties."""
    by_difficulty = [binomial(count, solves(ability, level)) for level, count in enumerate(counts, 1)]
    found = defaultdict(list)
    for solved in itertools.product(*(range(count + 1) for count in counts)):
        points = sum(level * right for level, right in enumerate(solved, 1))
        found[points].append(math.prod(chances[right] for chances, right in zip(by_difficulty, solved)))
    return {points: math.fsum(chances) for points, chances in sorted(found.items())}


def all_points(counts):
    return sum(level * count for level, count in enumerate(counts, 1))


@functools.cache
def band(earned, out_of):
    share = Fraction(earned, out_of) if out_of else Fraction(0)
    return sum(share < bound for bound in BOUNDS)


@functools.cache
def score(earned, out_of):
    if out_of == 0:
        return 200
    return math.floor(200 + 600 * Fraction(earned, out_of) + Fraction(1, 2))


def scores(paper, ability):
    """The probability of each score, the share of each band, and the expected score after each total of stage 1."""
    first, second = paper["first"], paper["second"]
    later = [totals(counts, ability) for counts in second]
    found, shares, expected = defaultdict(list), [[] for _ in second], {}
    stage1 = totals(first, ability)
    for earned, chance in stage1.items():
        place = band(earned, all_points(first))
        more = later[place] if second else {0: 1.0}
        out_of = all_points(first) + (all_points(second[place]) if second else 0)
        if second:
            shares[place].append(chance)
        reached = [(score(earned + points, out_of), then) for points, then in more.items()]
        expected[earned] = math.fsum(value * then for value, then in reached)
        for value, then in reached:
            found[value].append(chance * then)
    chances = {value: math.fsum(parts) for value, parts in sorted(found.items())}
    return stage1, chances, [math.fsum(parts) for parts in shares], expected


def quantile(chances, share):
    values = list(chances)
    sums = list(itertools.accumulate(chances.values()))
    return next((value for value, so_far in zip(values, sums) if so_far >= share - 1e-12), values[-1])


def check(paper):
    told = [scores(paper, ability) for ability in ABILITIES]
    lines = []
    for ability, (_, chances, shares, _) in zip(ABILITIES, told):
        mean = math.fsum(value * chance for value, chance in chances.items())
        spread = math.fsum((value - mean) ** 2 * chance for value, chance in chances.items())
        lines.append({
            "ability": float(ability), "mean": mean, "low": quantile(chances, 0.1), "high": quantile(chances, 0.9),
            "bands": shares, "spread": spread,
        })
    edges, worst = [], None
    stage1, out_of = sorted(told[0][0]), all_points(paper["first"])
    for below, above in itertools.pairwise(stage1 if paper["second"] else []):
        if band(below, out_of) == band(above, out_of):
            continue
        percent = int(BOUNDS[band(above, out_of)] * 100)
        rows = [
            {"ability": float(ability), "chance": first[below] + first[above], "below": expected[below], "above": expected[above]}
            for ability, (first, _, _, expected) in zip(ABILITIES, told)
        ]
        edges.append({"below": below, "above": above, "max": out_of, "percent": percent, "lines": rows})
        caught = [row for row in rows if row["chance"] >= 0.01 and row["below"] - row["above"] >= 0.5]
        for row in caught:
            drop = row["below"] - row["above"]
            if worst is None or drop > worst["drop"]:
                worst = {
                    "percent": percent, "ability": row["ability"], "drop": drop,
                    "from": caught[0]["ability"], "to": caught[-1]["ability"],
                }
    precisions = [
        ((after["mean"] - before["mean"]) ** 2 / line["spread"] if line["spread"] else 0, line["ability"])
        for before, line, after in zip(lines, lines[1:], lines[2:])
    ]
    most = max(precision for precision, _ in precisions)
    best = next((ability for precision, ability in precisions if most and precision >= most - 1e-12), None)
    for line in lines:
        del line["spread"]
    return {"lines": lines, "edges": edges, "trap": worst, "best": best}


json.dump([check(paper) for paper in json.load(sys.stdin)], sys.stdout)
