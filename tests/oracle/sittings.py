#!/usr/bin/env python3
"""A second implementation of a candidate's terms and deadline, written from the rules alone.

It reads rosters as JSON from its standard input and writes what holds for each candidate, so that the server's own
implementation (domain/src/sitting/terms.rs) can be compared with it. It computes in fractions of a minute, and walks
the layers from the first to the last, both unlike the server.
"""

import json
import sys
from fractions import Fraction

MINUTE = 60_000


def minutes(milliseconds):
    return None if milliseconds is None else Fraction(milliseconds, MINUTE)


def milliseconds(moment):
    if moment is None:
        return None
    whole = moment * MINUTE
    assert whole.denominator == 1, "a moment between two milliseconds"
    return int(whole)


def values_of(sitting, room, candidate):
    """Each value with its source: the sitting's, overridden by the room's, the accommodation's, the candidate's."""
    found = {
        "startsAt": (minutes(sitting["startsAt"]), "sitting"),
        "endsAt": (None, None),
        "factor": (100, "sitting"),
        "extraMinutes": (0, "sitting"),
    }
    if sitting["endsAt"] is not None:
        found["endsAt"] = (minutes(sitting["endsAt"]), "sitting")
    for source, layer in (("room", room), ("accommodation", candidate["accommodation"]), ("candidate", candidate["own"])):
        for name in found:
            value = layer.get(name)
            if value is not None:
                found[name] = (minutes(value) if name.endswith("At") else value, source)
    return found


def beginning(sitting, room, candidate):
    """From when time counts, and who says so."""
    own = candidate["own"].get("startsAt")
    if own is not None:
        return minutes(own), "candidate"
    if room.get("begunAt") is not None:
        return minutes(room["begunAt"]), "room"
    if sitting["start"] == "proctor":
        if sitting["begunAt"] is not None:
            return minutes(sitting["begunAt"]), "sitting"
        return None, None
    if room.get("startsAt") is not None:
        return minutes(room["startsAt"]), "room"
    if sitting["begunAt"] is not None:
        return minutes(sitting["begunAt"]), "sitting"
    return minutes(sitting["startsAt"]), "sitting"


def stood_still(pauses, base, now):
    """How long any of these pauses lasted from the base until now, by walking from one of their ends to the next."""
    if base is None:
        return Fraction(0)
    spans = [(minutes(begins), now if ends is None else minutes(ends)) for begins, ends in pauses]
    moments = sorted({base, now, *(moment for span in spans for moment in span)})
    still, present = Fraction(0), Fraction(0)
    for earlier, later in zip(moments, moments[1:]):
        if earlier >= base and later <= now:
            if any(begins <= earlier < ends for begins, ends in spans):
                still += later - earlier
                present += later - earlier
            else:
                present = Fraction(0)
    # One that lasts gives twelve hours at most.
    lasts = any(ends is None for _, ends in pauses)
    return still - max(present - 12 * 60, 0) if lasts else still


def terms(sitting, room, candidate):
    found = values_of(sitting, room, candidate)
    begins_at, begun_by = beginning(sitting, room, candidate)
    entered_at = minutes(candidate["enteredAt"])
    each_has_their_own = sitting["start"] == "own" or sitting["late"] == "full"
    if begins_at is None:
        base = None
    elif not each_has_their_own:
        base = begins_at
    elif entered_at is None:
        base = None
    elif entered_at < begins_at:
        base = begins_at
    else:
        base = entered_at

    usual = Fraction(sitting["minutes"])
    with_factor = usual * found["factor"][0] / 100
    granted = candidate["extendedMinutes"] + minutes(candidate["pausedMilliseconds"])
    extra = found["extraMinutes"][0]

    hard_end, ended_by = found["endsAt"]
    if hard_end is not None and ended_by != "candidate":
        hard_end = hard_end + (with_factor - usual) + extra + granted
    deadline = None
    if base is not None:
        deadline = base + with_factor + extra + granted
        if hard_end is not None and hard_end < deadline:
            deadline = hard_end
    return {
        "startsAt": [milliseconds(found["startsAt"][0]), found["startsAt"][1]],
        "beginsAt": [milliseconds(begins_at), begun_by],
        "factor": list(found["factor"]),
        "extraMinutes": list(found["extraMinutes"]),
        "endsAt": [milliseconds(found["endsAt"][0]), found["endsAt"][1]],
        "base": milliseconds(base),
        "hardEnd": milliseconds(hard_end),
        "deadline": milliseconds(deadline),
        "standing": [
            sitting["standing"]["minutes"] + room.get("standing", {"minutes": 0})["minutes"],
            milliseconds(
                stood_still(
                    sitting["standing"]["pauses"] + room.get("standing", {"pauses": []})["pauses"],
                    base,
                    minutes(candidate["now"]),
                )
            ),
        ],
    }


def main():
    rosters = json.load(sys.stdin)
    answers = []
    for roster in rosters:
        rooms = roster["rooms"]
        room_of = lambda candidate: {} if candidate["room"] is None else rooms[candidate["room"]]
        answers.append([terms(roster["sitting"], room_of(one), one) for one in roster["candidates"]])
    json.dump(answers, sys.stdout)


if __name__ == "__main__":
    main()
