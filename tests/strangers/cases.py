"""The verdict on a run of Autobahn: every case that an echo has failed, and whether there were as many as there are."""

import json
import sys
from pathlib import Path

# NON-STRICT is a text that is found not to be UTF-8 at its end and not at its first wrong byte; INFORMATIONAL is no verdict.
PASSED = {"OK", "NON-STRICT", "INFORMATIONAL"}
CLOSED = {"OK", "INFORMATIONAL"}

folder, cases_min = Path(sys.argv[1]), int(sys.argv[2])
agents = json.loads((folder / "index.json").read_text())
failed, played, loose = [], 0, 0
for agent, cases in agents.items():
    for case, verdict in cases.items():
        played += 1
        loose += verdict["behavior"] == "NON-STRICT"
        if verdict["behavior"] not in PASSED or verdict["behaviorClose"] not in CLOSED:
            told = json.loads((folder / verdict["reportfile"]).read_text())
            failed.append(f"{agent} {case}: {verdict['behavior']}, {told['result']}; at the close {verdict['behaviorClose']}, {told['resultClose']}")
print("\n".join(failed))
print(f"{played} cases without compression: {len(failed)} failed, {loose} passed late")
if played < cases_min:
    sys.exit(f"only {played} of {cases_min} cases were played")
sys.exit(1 if failed else 0)
