#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Writes classroom.csv, the example that the window shows before there is a sweep: the window's classroom's sweep
# (classroomSweep() in ui/sweep), trained to its end by the command line. Usage: make_classroom.sh strategylab-cli
set -euo pipefail
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
"$1" sweep --strategy mirrored --devices simulated --dataset digits --train-examples 2000 --test-examples 200 \
  --optimizer sgd --learning-rate 0.2 --replicas 1,2,4,8 --batch-per-replica 1,4,16,32,64 \
  --lr-scaling none,sqrt,linear --seeds 3 --target-accuracy 0.9 --json |
  python3 "$here/make_classroom.py" >"$here/classroom.csv"
