# SPDX-License-Identifier: GPL-3.0-or-later
"""Rows of classroom.csv from what `strategylab-cli sweep --json` prints: see make_classroom.sh."""
import json
import math
import sys

EXAMPLES = 2000  # of an epoch

print("replicas,batch-per-replica,lr-scaling,seed,steps,examples,seconds,testAccuracy,state")
rows = []
for line in sys.stdin:
    cell = json.loads(line)
    if cell.get("event") != "cell":
        continue
    reached = cell.get("stepsToTarget") is not None
    assert not reached or cell["stepsToTarget"] == cell["steps"]
    # The last batch of an epoch is what is left of it.
    epochs, rest = divmod(cell["steps"], math.ceil(EXAMPLES / cell["globalBatch"]))
    examples = epochs * EXAMPLES + rest * cell["globalBatch"]
    assert not reached or cell["examplesToTarget"] == examples
    state = "reached" if reached else "diverged" if cell["diverged"] else "not-reached"
    seconds = cell["modelledSecondsToTarget"] if reached else examples / cell["modelledMeanImagesPerSecond"]
    rows.append((cell["replicas"], cell["batchPerReplica"], cell["lrScaling"], cell["seed"], cell["steps"], examples,
                 f"{seconds:.9g}", f'{cell["testAccuracy"]:.9g}', state))
for row in sorted(rows):
    print(",".join(map(str, row)))
