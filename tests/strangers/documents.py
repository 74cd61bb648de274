"""Holds a running server to its OpenAPI documents with schemathesis, which makes requests up from them.

First it fills the server with a little of everything, so that the requests find something. HALL, TOKEN of an admin and
PROVIDER_KEY come from the environment; what is written goes into the folder of the first argument.
"""

import datetime
import json
import os
import re
import subprocess
import sys
import uuid
from pathlib import Path

import requests

HALL, TOKEN, PROVIDER_KEY = os.environ["HALL"], os.environ["TOKEN"], os.environ["PROVIDER_KEY"]
EXAMPLES, SEED = int(os.environ.get("EXAMPLES", "10")), 7
CHECKS = ["not_a_server_error", "status_code_conformance", "content_type_conformance", "response_schema_conformance"]
PHASES = "examples,coverage,fuzzing"
GRADE = 5
# How often a request names something that is there. The others name what schemathesis makes up.
KNOWN = 0.7
BEARER = {"Authorization": f"Bearer {TOKEN}"}
# The documents, and how their callers are known.
DOCUMENTS = {
    "/api/openapi.json": BEARER,
    "/v1/openapi.json": {"X-API-Key": PROVIDER_KEY},
    "/wp-json/tribe/events/v1/doc": BEARER,
}
# What is as it should be all the same: the document, the operation, the check that it may fail, and why.
ACCEPTED = [
    (
        "/api/openapi.json", "POST /api/sessions", "not_a_server_error",
        "a body that is not JSON is answered with 500, which the contract prescribes",
    ),
    (
        "/api/openapi.json", "GET /api/sessions/{id}/receipt", "response_schema_conformance",
        "the answer is a JWT, as documented, which schemathesis reads as JSON",
    ),
    *(
        (
            "/wp-json/tribe/events/v1/doc", operation, "content_type_conformance",
            "with `ical=1` the answer is text/calendar, which is told in words: of two media types, generated clients "
            "would take every list for a list or a text",
        )
        for operation in ("GET /events", "GET /events/{id}", "GET /events/by-slug/{slug}")
    ),
]


def asked(method, path, body=None, status=200, token=TOKEN):
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    answer = requests.request(method, HALL + path, json=body, headers=headers, timeout=30)
    assert answer.status_code == status, f"{method} {path}: {answer.status_code} {answer.text[:300]}"
    return answer.json() if answer.content else None


def live_test(number, submits):
    """A test of a grade, which goes on or has ended."""
    start = {"grade": GRADE, "durationMinutes": 60, "questionCount": 10, "key": f"a-key-of-strangers-{number}"}
    begun = asked("POST", "/api/live", start, token=None)
    commands = [{"type": "answer", "seq": 1, "questionId": begun["questionIds"][0], "selected": "A", "timeTaken": 3}]
    commands += [{"type": "submit", "seq": 2}] if submits else []
    asked("POST", f"/api/live/{begun['sessionId']}/commands", {"commands": commands}, token=begun["token"])
    return begun


def sitting(template_id, hours):
    starts_at = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(hours=hours)
    body = {"name": f"Finals in {hours} h", "templateId": template_id, "startsAt": starts_at.isoformat()}
    body["rooms"] = [{"name": "B12", "proctors": ["proctor@school.example"]}]
    made = asked("POST", "/api/admin/sittings", body)["sitting"]["id"]
    people = [{"name": f"Student {n}", "email": f"s{n}@school.example", "room": "B12"} for n in range(3)]
    asked("PUT", f"/api/admin/sittings/{made}/candidates", {"candidates": people})
    return made


def fill():
    """A little of everything. Returns what requests may name, by the start of the path and the parameter."""
    test = {"name": "Finals", "grades": [GRADE], "mode": "standard", "durationMinutes": 30, "standardTargets": {"1": 2, "2": 2}}
    templates = [asked("POST", "/api/admin/test-templates", test)["template"]["id"] for _ in range(3)]
    sittings = [sitting(templates[0], hours) for hours in (1, 2, 48)]
    candidates = asked("GET", f"/api/admin/sittings/{sittings[0]}/candidates")["candidates"]
    running, ended = live_test(1, False), [live_test(n, True) for n in (2, 3, 4)]
    ended = [begun["sessionId"] for begun in ended]
    questions = [question["id"] for question in requests.get(f"{HALL}/api/questions?grade={GRADE}", timeout=30).json()][:5]
    classes = [asked("POST", "/api/admin/classes", {"name": name, "grade": GRADE})["class"]["id"] for name in ("5A", "5B")]
    tokens = [asked("POST", "/api/admin/tokens", {"name": f"LMS {n}", "role": "reviewer"})["id"] for n in range(3)]
    emails = [f"teacher{n}@school.example" for n in range(3)]
    for email in emails:
        asked("PUT", f"/api/admin/users/{email}", {"role": "reviewer"})
        asked("PUT", f"/api/admin/accommodations/{email}", {"extraMinutes": 10})
    event = {"title": "Finals", "start_date": "2030-06-01 09:00:00", "end_date": "2030-06-01 10:00:00"}
    calendar = "/wp-json/tribe/events/v1"
    events = [asked("POST", f"{calendar}/events", {**event, "title": f"Finals {n}"}, 201) for n in range(3)]
    made = lambda kind, field: [asked("POST", f"{calendar}/{kind}", {field: f"The {kind} {n}"}, 201)["id"] for n in range(3)]
    known = {
        "/api/admin/sittings/{id}/candidates/{candidateId}": {"id": sittings[:1], "candidateId": [str(one["id"]) for one in candidates]},
        "/api/sittings/{id}/candidates/{candidateId}": {"id": sittings[:1], "candidateId": [str(one["id"]) for one in candidates]},
        "/api/live/candidates/{candidateId}": {"candidateId": [str(one["id"]) for one in candidates]},
        "/api/admin/sittings/{id}": {"id": sittings},
        "/api/sittings/{id}": {"id": sittings},
        "/api/admin/test-templates/{id}": {"id": templates},
        "/api/manager/test-templates/{id}": {"id": templates},
        "/api/test-templates/{id}": {"id": templates},
        "/api/live/sessions/{id}": {"id": [running["sessionId"], ended[0]]},
        "/api/live/{sessionId}": {"sessionId": [running["sessionId"]]},
        "/api/sessions/{id}": {"id": ended},
        "/api/report/{id}": {"id": ended},
        "/api/admin/questions/{id}": {"id": questions},
        "/api/admin/classes/{id}": {"id": classes},
        "/api/admin/tokens/{id}": {"id": tokens},
        "/api/admin/users/{email}": {"email": emails},
        "/api/admin/accommodations/{email}": {"email": emails},
        "/events/{id}": {"id": [one["id"] for one in events]},
        "/events/by-slug/{slug}": {"slug": [one["slug"] for one in events]},
        "/venues/{id}": {"id": made("venues", "venue")},
        "/organizers/{id}": {"id": made("organizers", "organizer")},
        "/categories/{id}": {"id": made("categories", "name")},
        "/tags/{id}": {"id": made("tags", "name")},
        "/users/{email}": {"email": emails},
        "/questions/{id}": {"id": questions},
    }
    return known, running["token"]


def settings(address, known, session_token):
    """The text of a schemathesis.toml: what requests may name, and checks that an operation may fail."""
    dictionaries, operations = {}, []
    paths = requests.get(HALL + address, timeout=30).json()["paths"]
    for path in paths:
        found = next((start for start in known if path.startswith(start)), None)
        if found is None:
            continue
        named = {}
        for name, values in known[found].items():
            key = re.sub(r"\W+", "-", f"{found} {name}").strip("-")
            dictionaries[key] = values
            named[f"path.{name}"] = key
        operations.append((path, named))
    # Callers have a token. With a cookie beside it, as of a page of another site, no change would be looked at.
    text = ["[generation]", "with-security-parameters = false", "", "[checks]", "enabled = false"]
    text += [*(f"{check}.enabled = true" for check in CHECKS), ""]
    for key, values in dictionaries.items():
        text += [f"[dictionaries.{key}]", f"values = {json.dumps(values)}", ""]
    for path, named in operations:
        bound = ", ".join(f'"{name}" = {{ dictionary = "{key}", probability = {KNOWN} }}' for name, key in named.items())
        text += ["[[operations]]", f'include-path = "{path}"', f"parameters = {{ {bound} }}"]
        if path.startswith("/api/live/{sessionId}"):
            text += [f'headers = {{ Authorization = "Bearer {session_token}" }}']
        text += [""]
    for document, operation, check, reason in ACCEPTED:
        if document == address:
            text += [f"# {reason}", "[[operations]]", f'include-name = "{operation}"', "[operations.checks]", f"{check}.enabled = false", ""]
    return "\n".join(text)


def main():
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    program = Path(sys.executable).parent / "schemathesis"
    known, session_token = fill()
    failed = []
    for number, (address, headers) in enumerate(DOCUMENTS.items()):
        config = folder / f"{number}.toml"
        config.write_text(settings(address, known, session_token))
        command = [
            program, "--config-file", config, "run", HALL + address, "--origin", HALL, "--phases", PHASES, "--max-examples", EXAMPLES, "--seed", SEED, "--workers", 1, "--continue-on-failure",
            "--request-timeout", 40, "--generation-database", "none", "--no-color", "--warnings", "off",
        ]
        for name, value in headers.items():
            command += ["--header", f"{name}: {value}"]
        print(f"\n== {address}", flush=True)
        if subprocess.run([str(part) for part in command], cwd=folder).returncode != 0:
            failed.append(address)
    for document, operation, check, reason in ACCEPTED:
        print(f"accepted: {document}: {operation} may fail {check}: {reason}")
    if failed:
        sys.exit(f"not as documented: {', '.join(failed)}")
    print("all answers are as documented")


main()
