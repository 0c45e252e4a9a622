#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Faults of real runs, counted: tests/processes/faults.sh BIN-FOLDER [TIMES] [FAULT...]. Each time three workers train
# with checkpoints, and one of them, chosen by chance (worker 0 too), at a random moment
#   KILL  is killed              STOP  is stopped
#   CUT   loses its network (network namespaces, so this needs root)
#   DISK  has a full disk, where the checkpoints are: worker 0, which alone writes files (needs root)
# or from the start
#   VERSION  is another version  DATA  has other examples        CONFIG  has a wrong TF_CONFIG.
# The others must end within the deadline and 5 s with exit code 1 and a sentence that names the worker; none may be left;
# and the run, resumed, must end with the bits of one that never stopped.
set -uo pipefail
bin=$(readlink -f "$1") times=${2:-20} deadline=3
shift $(($# < 2 ? $# : 2))
faults=("$@")
[ $# -eq 0 ] && faults=(KILL STOP CUT DISK VERSION DATA CONFIG)
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
. "$(dirname "$0")/hosts.sh"
work=$(mktemp -d)
cleanUp() {
  umount "$work/small" 2>/dev/null
  cleanHosts
  rm -rf "$work"
}
trap cleanUp EXIT
training=(--train-examples 600 --test-examples 100 --global-batch 30 --threads 1 --steps 150
  --eval-every 0 --checkpoint-every 10)
ck=$work/ck
run() { "$bin/strategylab-cli" launch --workers 3 --deadline $deadline --dataset digits "${training[@]}" --checkpoint-dir "$ck" "$@"; }
ours() { pgrep -f "strategylab-cli train .*$work"; }  # mpirun too
pidOf() {  # worker R
  local pid
  for pid in $(pgrep -f "^[^ ]*strategylab-cli train .*$work"); do
    grep -qz "^OMPI_COMM_WORLD_RANK=$1\$" /proc/$pid/environ 2>/dev/null && echo $pid
  done
}
nowMs() { echo $(($(date +%s%N) / 1000000)); }

# Another version and other data, as a worker would have them.
other=$work/other
mkdir -p "$other" "$work/mine"
version=$("$bin/strategylab-cli" --version | grep -oE '[0-9]+\.[0-9]+\.[0-9]+' | head -1)
python3 - "$bin/strategylab-cli" "$other/strategylab-cli" "$version" <<'PY'
import sys
program, copy, version = sys.argv[1:]
content = open(program, "rb").read()
changed = content.replace(version.encode() + b"\0", b"9" + version[1:].encode() + b"\0")
assert changed != content
open(copy, "wb").write(changed)
PY
chmod +x "$other/strategylab-cli"
python3 - "$work/mine" "$other" <<'PY'
import random, struct, sys
for folder, seed in zip(sys.argv[1:], (1, 2)):
    for stem, count in (("train", 600), ("t10k", 100)):
        draw = random.Random(seed)
        open(f"{folder}/{stem}-images-idx3-ubyte", "wb").write(struct.pack(">4i", 2051, count, 28, 28) + draw.randbytes(count * 784))
        open(f"{folder}/{stem}-labels-idx1-ubyte", "wb").write(struct.pack(">2i", 2049, count) + bytes(i % 10 for i in range(count)))
PY
for file in "$bin"/*.so; do ln -sf "$file" "$other/"; done

# worker: what each process of an mpirun without launch is, with its own faults ($fault, of worker $victim).
cat >"$work/worker" <<'WORKER'
#!/bin/sh
program=$BIN/strategylab-cli
export STRATEGYLAB_DATA=$MINE
config='{"cluster":{"worker":["localhost:20000","localhost:20001","localhost:20002"]},"task":{"type":"worker","index":'
task=$OMPI_COMM_WORLD_RANK
if [ "$OMPI_COMM_WORLD_RANK" = "$VICTIM" ]; then
  case $FAULT in
    VERSION) program=$OTHER/strategylab-cli ;;
    DATA) export STRATEGYLAB_DATA=$OTHER ;;
    CONFIG) task=$(((task + 1) % 3)) ;;
  esac
fi
export TF_CONFIG="$config$task}}"
exec "$program" train --devices processes --strategy multi-worker-mirrored "$@"
WORKER
chmod +x "$work/worker"
among() {  # mpirun with the workers' script
  timeout 60 mpirun -n 3 --bind-to none --oversubscribe --tag-output --mca mpi_yield_when_idle 1 \
    env BIN="$bin" MINE="$work/mine" OTHER="$other" FAULT=$fault VICTIM=$victim STRATEGYLAB_DEADLINE=$deadline "$work/worker" "$@"
}

run --save "$work/whole.safetensors" >"$work/out" 2>&1 || { cat "$work/out"; exit 1; }

# Waits for the first checkpoint, then for a random moment.
aMoment() {
  local tries=0
  while ! ls "$ck"/checkpoint-* >/dev/null 2>&1; do
    sleep 0.05
    [ $((tries += 1)) -gt 1200 ] && return 1
  done
  sleep "$(awk -v s=$RANDOM 'BEGIN { print s / 32768 * 1.2 }')"
}

# once FAULT: $launch runs in the background; does it, and leaves $code, $took and what was said in $work/out.
once() {
  local pid began
  case $fault in
    VERSION | DATA | CONFIG)
      local dataset=digits
      [ $fault = DATA ] && dataset=mnist
      began=$(nowMs)
      among "${training[@]}" --dataset $dataset --checkpoint-dir "$ck" --save "$work/rest.safetensors" >"$work/out" 2>&1
      ;;
    *)
      run "${hostOptions[@]}" --save "$work/rest.safetensors" >"$work/out" 2>&1 &
      launch=$!
      aMoment || return 1
      pid=$(pidOf $victim)
      kill -0 $launch 2>/dev/null || return 1
      [ -n "$pid" ] || return 1
      began=$(nowMs)
      case $fault in
        KILL | STOP) kill -$fault $pid ;;
        CUT) ip link set ${tag}v$((victim + 1)) down ;;
        DISK) head -c 100M /dev/zero >"$ck/full" 2>/dev/null ;;
      esac
      wait $launch
      ;;
  esac
  code=$? took=$(($(nowMs) - began))
  [ $code -ne 0 ]  # else it had ended by itself
}

for fault in "${faults[@]}"; do
  good=0 slowest=0 done=0 hostOptions=()
  said='signal|heard'
  case $fault in
    CUT)
      makeHosts 3
      hostOptions=(--hosts "$net.1,$net.2,$net.3")
      ;;
    DISK)
      mkdir -p "$work/small"
      mount -t tmpfs -o size=40M none "$work/small" || { echo "SKIP DISK: no tmpfs"; continue; }
      ck=$work/small/ck said='space|full|disk'
      ;;
    VERSION) said='version' ;;
    DATA) said='examples' ;;
    CONFIG) said='TF_CONFIG' ;;
  esac
  for ((tries = 0; done < times && tries < 2 * times; tries++)); do
    rm -rf "$ck"
    victim=$((RANDOM % 3))
    [ $fault = DISK ] && victim=0
    case $fault in VERSION | DATA) victim=$((1 + RANDOM % 2)) ;; esac  # worker 0's is what others are measured by
    once || { wait; echo "$fault: the run was over too soon, again"; continue; }
    done=$((done + 1))
    [ $fault = CUT ] && ip link set ${tag}v$((victim + 1)) up
    for ((wait = 0; wait < 20; wait++)); do  # mpirun's daemons too, on all hosts
      left=$(($(ours | wc -l) + $(for ((h = 1; h <= hostsMade; h++)); do processesOf $h; done | wc -l)))
      [ $left -eq 0 ] && break
      sleep 0.5
    done
    named=$(grep -cE "worker $victim.*($said)|($said).*worker $victim " "$work/out")
    rm -f "$ck/full"
    hold=("${hostOptions[@]}") hostOptions=()
    env -u OMPI_MCA_plm_rsh_agent -u OMPI_MCA_btl -u OMPI_MCA_btl_tcp_if_include -u OMPI_MCA_oob_tcp_if_include \
      "$bin/strategylab-cli" launch --workers 3 --dataset digits "${training[@]}" \
      --checkpoint-dir "$ck" --save "$work/rest.safetensors" \
      $(ls "$ck"/checkpoint-* >/dev/null 2>&1 && echo --resume) >"$work/resumed" 2>&1
    hostOptions=("${hold[@]}")
    if [ "$code" -eq 1 ] && [ $took -lt $((deadline * 1000 + 5000)) ] && [ "$left" -eq 0 ] && [ "$named" -ge 1 ] &&
      cmp -s "$work/whole.safetensors" "$work/rest.safetensors"; then
      good=$((good + 1))
    else
      echo "$fault: worker $victim, code $code, $took ms, left $left, named $named"
      tail -3 "$work/out"
      tail -2 "$work/resumed"
    fi
    rm -f "$work/rest.safetensors"
    [ $took -gt $slowest ] && slowest=$took
  done
  [ $fault = CUT ] && cleanHosts && hostsMade=0
  [ $fault = DISK ] && { umount "$work/small"; ck=$work/ck; }
  echo "$fault: $good of $done ended in time, named, nothing left, resumed to the same bits; slowest $slowest ms"
done
