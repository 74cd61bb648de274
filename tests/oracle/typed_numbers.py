#!/usr/bin/env python3
"""A second implementation of numbers as answers, written from the decision record alone.

It reads pairs of a key and a typed text as JSON from its standard input, and writes for each how the text is read and
whether it is right, so that the server's own implementation (domain/src/number.rs) can be compared with it. It reads
by regular expressions and computes with fractions of any size.
"""

import json
import re
import sys
import unicodedata
from fractions import Fraction

DIGITS_MAX = 32
BLANK = "\t\n\v\f\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
INVISIBLE = re.compile(
    "[\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
WIDE = re.compile("[\uff00-\uffef\ufe58\ufe63]")
HYPHENS = re.compile("[\u2010-\u2013\u2043\u2212]")
DASHES = re.compile("[\u2014\u207b\u2796]")
STROKES = re.compile("[\u2044\u2215]")
FRACTIONS = dict(zip("½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅐⅛⅜⅝⅞⅑⅒", (
    "1/2 1/3 2/3 1/4 3/4 1/5 2/5 3/5 4/5 1/6 5/6 1/7 1/8 3/8 5/8 7/8 1/9 1/10").split()))

GROUPED = r"[1-9][0-9]{0,2}(?:%s[0-9]{3})+"
WHOLE = "(?:[0-9]+|%s)" % (GROUPED % " ")
MIXED = re.compile(r"(?:([0-9]+) )?([0-9]+) ?/ ?([0-9]+)")
# Whatever the language, these can be read in one way.
CLEAR = [re.compile(one) for one in (
    WHOLE,
    "%s(?:,[0-9]*)?" % (GROUPED % r"\."),
    r"%s(?:\.[0-9]*)?" % (GROUPED % ","),
)]
DECIMAL = re.compile("(?:%s[.,][0-9]*|[.,][0-9]+)" % WHOLE)
GROUP_SIGN = {"en": ",", "vi": "."}


def plain(text):
    text = INVISIBLE.sub("", text)
    text = WIDE.sub(lambda found: unicodedata.normalize("NFKC", found[0]), text)
    text = DASHES.sub("-", HYPHENS.sub("-", unicodedata.normalize("NFC", text)))
    text = STROKES.sub("/", "".join(f" {FRACTIONS[one]} " if one in FRACTIONS else one for one in text))
    return re.sub(f"[{BLANK}]+", " ", text).strip(" ")


def decimal_of(text, language):
    """Digits and decimals, or nothing."""
    group = GROUP_SIGN[language]
    signs = re.findall("[.,]", text)
    # One sign alone that could stand between groups is what it is in the language.
    is_ambiguous = len(signs) == 1 and re.fullmatch(GROUPED % re.escape(signs[0]), text)
    if is_ambiguous and signs[0] != group:
        whole, decimals = text.split(signs[0])
    elif any(one.fullmatch(text) for one in CLEAR):
        other = {",": ".", ".": ","}
        is_decimal = signs and (len(set(signs)) == 2)
        whole, decimals = text.rsplit(signs[-1], 1) if is_decimal else (text, "")
        assert not is_decimal or other[signs[-1]] in whole
    elif DECIMAL.fullmatch(text):
        whole, decimals = re.split("[.,]", text)
    else:
        return None
    return re.sub("[ .,]", "", whole).lstrip("0") or "0", decimals


def read(typed, unit, language):
    """The number, its form, whether it is whole, whether it has its unit, and how it is told; or nothing."""
    text, unit = plain(typed), plain(unit)
    has_unit = unit != "" and text.endswith(unit)
    if has_unit:
        text = text[: -len(unit)].rstrip(" ")
    if len(re.findall("[0-9]", text)) > DIGITS_MAX:
        return None
    sign, text = re.fullmatch("([-+]?) ?(.*)", text, re.DOTALL).groups()
    minus = "-" if sign == "-" else ""
    found = MIXED.fullmatch(text)
    if found:
        whole, above, below = (None if part is None else int(part) for part in found.groups())
        if below == 0 or (whole is not None and above >= below):
            return None
        value = (whole or 0) + Fraction(above, below)
        told = f"{above}/{below}" if whole is None else f"{whole} {above}/{below}"
        form = "fraction" if whole is None else "mixed"
        is_whole = False
    else:
        parts = decimal_of(text, language)
        if parts is None:
            return None
        whole, decimals = parts
        value = Fraction(int(whole + decimals), 10 ** len(decimals))
        told = whole + ("," if language == "vi" else ".") * (decimals != "") + decimals
        form, is_whole = "decimal", decimals == ""
    return (-value if minus else value), form, is_whole, has_unit, minus + told


def is_right(key, reading):
    value, form, is_whole, has_unit, _ = reading
    answer, tolerance = Fraction(key["answer"]), Fraction(key["tolerance"])
    values = [value]
    if has_unit and plain(key["unit"]) == "%" and abs(answer) <= 1:
        values.append(value / 100)
    return (is_whole or form in key["forms"]) and any(abs(one - answer) <= tolerance for one in values)


def answer(pair):
    key = pair["key"]
    reading = read(pair["typed"], key["unit"], key["language"])
    if reading is None:
        return {"reads": None, "isRight": False}
    return {"reads": reading[-1], "isRight": is_right(key, reading)}


if __name__ == "__main__":
    json.dump([answer(pair) for pair in json.load(sys.stdin)], sys.stdout)
