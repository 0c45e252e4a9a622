# SPDX-License-Identifier: GPL-3.0-or-later
"""Figures of mixed_links.sh, of metrics in JSON lines."""
import json, sys
from collections import defaultdict


def stepsOf(file):
    return [s for s in map(json.loads, open(file)) if s.get("event") == "step"]


def calibrate(measured, modelled):
    """The factor on the modelled computation that gives one worker the cycle that it was measured to have."""
    steps = sorted(s["wallNs"] for s in stepsOf(measured)[50:])
    model = stepsOf(modelled)[-1]
    rest = model["modelledStepNs"] - model["modelledComputeNs"]
    return f'{max(0.01, (steps[len(steps) // 2] - rest) / model["modelledComputeNs"]):.4f}'


def figures(file, rates, isMeasured):
    """(images/s, mean staleness) of all and of each rate, since each worker has pushed twice."""
    steps, pushes = stepsOf(file), defaultdict(int)
    # The modelled clock has no time of an update: workers' cycles overlap, and each goes on where its last one ended.
    ends, clock = [], defaultdict(int)
    for step in steps:
        clock[step["worker"]] += 0 if isMeasured else step["modelledStepNs"]
        ends.append((ends[-1] if ends else 0) + step["wallNs"] if isMeasured else clock[step["worker"]])
    first = 0
    while len(pushes) < len(rates) or min(pushes.values()) < 2:
        pushes[steps[first]["worker"]] += 1
        first += 1
    seconds = (ends[-1] - ends[first - 1]) / 1e9
    found = {}
    for rate in ["all"] + sorted(set(rates), key=float):
        own = [s for s in steps[first:] if rate in ("all", rates[s["worker"]])]
        found[rate] = (sum(s["examples"] for s in own) / seconds, sum(s["staleness"] for s in own) / max(1, len(own)), len(own))
    return found


if sys.argv[1] == "calibrate":
    print(calibrate(*sys.argv[2:4]))
else:
    rates = sys.argv[3].split(",")
    mine = figures(sys.argv[2], rates, sys.argv[1] == "measured")
    base = figures(sys.argv[4], rates, False) if len(sys.argv) > 4 else None
    for rate, (images, stale, count) in mine.items():
        beside = "" if base is None else f"  ({100 * (images / base[rate][0] - 1):+.0f} %, {100 * (stale / base[rate][1] - 1):+.0f} %)"
        print(f"  {sys.argv[1]}, {rate:>4} Mb/s: {images:6.0f} images/s, mean staleness {stale:6.2f} of {count} updates{beside}")
