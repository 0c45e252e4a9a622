#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Faults at random moments of real runs, counted: tests/processes/faults.sh BIN-FOLDER [TIMES]. Each time three workers train
# with checkpoints; one, chosen by chance, is killed or stopped (worker 0 too). The others must end within the deadline and
# 5 s with exit code 1 and a sentence that names the worker; none may be left; and the run, resumed, must end with the bits
# of one that never stopped.
set -uo pipefail
bin=$1 times=${2:-20} deadline=3
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
run() {
  "$bin/strategylab-cli" launch --workers 3 --deadline $deadline --dataset digits --train-examples 600 --test-examples 100 \
    --global-batch 60 --threads 1 --steps 200 --eval-every 0 --checkpoint-every 10 "$@"
}
run --checkpoint-dir "$work/ck" --save "$work/whole.safetensors" >"$work/out" 2>&1 || { cat "$work/out"; exit 1; }
for fault in KILL STOP; do
  good=0 slowest=0
  for ((i = 0; i < times; i++)); do
    rm -rf "$work/ck"
    run --checkpoint-dir "$work/ck" --save "$work/rest.safetensors" >"$work/out" 2>&1 &
    launch=$!
    while ! ls "$work"/ck/checkpoint-* >/dev/null 2>&1; do sleep 0.05; done
    sleep "$(awk -v s=$RANDOM 'BEGIN { print s / 32768 * 1.5 }')"
    mapfile -t pids < <(pgrep -f "strategylab-cli train .*$work/ck" | sort -n | tail -3)
    [ ${#pids[@]} -eq 3 ] || { wait $launch; echo "$fault $i: the run was over"; continue; }
    victim=$((RANDOM % 3)) began=$(date +%s%N)
    kill -$fault "${pids[$victim]}"
    wait $launch
    code=$? took=$((($(date +%s%N) - began) / 1000000))
    sleep 0.5
    left=$(pgrep -cf "strategylab-cli train .*$work/ck")
    said=$(grep -cE "worker $victim .*(signal|heard)" "$work/out")
    run --checkpoint-dir "$work/ck" --save "$work/rest.safetensors" --resume >"$work/resumed" 2>&1
    if [ $code -eq 1 ] && [ $took -lt $((deadline * 1000 + 5000)) ] && [ "$left" -eq 0 ] && [ "$said" -ge 1 ] &&
      cmp -s "$work/whole.safetensors" "$work/rest.safetensors"; then
      good=$((good + 1))
    else
      echo "$fault $i: worker $victim, code $code, $took ms, left $left, named $said"
      tail -3 "$work/out"
    fi
    [ $took -gt $slowest ] && slowest=$took
  done
  echo "$fault: $good of $times ended in time, named, nothing left, resumed to the same bits; slowest $slowest ms"
done
