#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Mean staleness of equal workers, native processes of one thread each on this machine without any throttling, beside
W - 1: over all updates behind the first W, and behind a start of which everybody has pushed once.
  tests/class/staleness.py BIN-FOLDER [UPDATES-A-WORKER [W,W,...]]                            (60 1,2,4,8,16)"""
import json, os, subprocess, sys, tempfile

program = os.path.join(sys.argv[1], "strategylab-cli")
each = int(sys.argv[2]) if len(sys.argv) > 2 else 60
print("workers  updates  mean staleness: behind W pushes  once all are there  W - 1  load  pushes of one, least and most")
for workers in map(int, (sys.argv[3] if len(sys.argv) > 3 else "1,2,4,8,16").split(",")):
    with tempfile.TemporaryDirectory() as folder:
        metrics = os.path.join(folder, "metrics.jsonl")
        subprocess.run([program, "launch", "--strategy", "parameter-server", "--workers", str(workers), "--replicas", str(workers),
                        "--threads", "1", "--dataset", "digits", "--network", "mlp", "--batch-per-replica", "64",
                        "--eval-every", "0", "--steps", str(each * workers + workers), "--metrics", metrics],
                       check=True, stdout=subprocess.DEVNULL)
        steps = [s for s in map(json.loads, open(metrics)) if s.get("event") == "step"]
    first = {}
    for at, step in enumerate(steps):
        first.setdefault(step["worker"], at)
    mean = lambda some: sum(s["staleness"] for s in some) / max(1, len(some))
    pushes = [sum(s["worker"] == w for s in steps) for w in first]
    print(f"{workers:7}  {len(steps):7}  {mean(steps[workers:]):32.3f}  {mean(steps[max(first.values()) + workers:]):18.3f}  {workers - 1:5}"
          f"  {os.getloadavg()[0]:4.1f}  {min(pushes)} {max(pushes)}", flush=True)
