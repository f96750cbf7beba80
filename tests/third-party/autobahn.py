"""Says how many cases of the suite's report are strict, and names all others; fails when one failed."""
import json
import sys

with open(sys.argv[1]) as report:
    cases = json.load(report)["escaque"]
kinds = {}
for number, case in cases.items():
    # How it behaved, and how it closed: the worse of the two counts.
    kind = case["behavior"] if case["behaviorClose"] == "OK" else case["behaviorClose"]
    kinds.setdefault(kind, []).append(number)
order = lambda number: [int(part) for part in number.split(".")]
print("%d cases: %s" % (len(cases), ", ".join("%d %s" % (len(kinds[kind]), kind) for kind in sorted(kinds))))
for kind in sorted(kinds):
    if kind != "OK":
        print("%s: %s" % (kind, ", ".join(sorted(kinds[kind], key=order))))
bad = [kind for kind in kinds if kind not in ("OK", "NON-STRICT", "INFORMATIONAL")]
sys.exit(1 if bad or not cases else 0)
