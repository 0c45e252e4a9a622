#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What the built program keeps after a class has played with it: presses thousands of real keys (strategies, replicas,
# arrows, Space) on a display of its own and watches the program's resident memory. Fails where more than 50 MB above the
# start is left, some seconds after the last key.
#
#   tests/ui/memory.sh [PROGRAM [KEYS [KEYS_PER_MINUTE [TABLE]]]]
#
# PROGRAM: build/bin/strategylab. KEYS: 3000; 180000 at 3000 a minute are an hour. TABLE: a file that gets the figures, one
# row every 500 keys. The sequence is the same each time; STRATEGYLAB_SEED chooses another. STRATEGYLAB_ARGUMENTS is given
# to the program. It takes minutes and is paced by a clock, so it is not one of ctest's tests; those ask of the owners
# what they keep (tst_workbench, tst_runs, tst_recompute).
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.." && pwd)
program=$(readlink -f "${1:-$root/build/bin/strategylab}")
keys=${2:-3000}
perMinute=${3:-3000}
table=${4:-/dev/null}
kMostKb=$((50 * 1000))  # above the start
kChunk=100              # keys given to xdotool at once
kRestS=8                # after the last key: runs end at their step's end, sessions are written

display_name=memory
display_tools=(Xvfb:xvfb xdotool:xdotool)
. "$root/tests/ui/display.sh"
[ -x "$program" ] || die "$program is missing: build it first"
open_display 1280x720
read -ra arguments <<<"${STRATEGYLAB_ARGUMENTS:-}"
"$program" --size 1280x720 "${arguments[@]}" >"$scratch/said" 2>&1 &
app=$!
window=$(timeout 60 xdotool search --sync --onlyvisible --pid "$app" --name '^StrategyLab$' | tail -1)
[ -n "$window" ] || die "the window does not come"
sleep 5
xdotool windowfocus --sync "$window"

resident() { sed -n 's/^VmRSS:[^0-9]*\([0-9]*\) kB/\1/p' "/proc/$app/status" 2>/dev/null; }
start=$(resident)
say "at the start: $((start / 1000)) MB"
printf 'keys\tseconds\tresidentKb\n0\t0\t%s\n' "$start" >"$table"

# As fingers would: changes of strategy and replicas, and ways through the step, by a generator of the script's own.
kNames=(1 2 3 4 5 6 7 plus plus minus minus Left Right Right Up Down space space)
state=${STRATEGYLAB_SEED:-1}
began=$SECONDS
for ((sent = 0; sent < keys; sent += kChunk)); do
  chunk=()
  for ((i = 0; i < kChunk; ++i)); do
    state=$(((state * 1103515245 + 12345) % 2147483648))
    chunk+=("${kNames[$(((state / 65536) % ${#kNames[@]}))]}")
  done
  xdotool key --delay $((60000 / perMinute)) "${chunk[@]}"
  kill -0 "$app" 2>/dev/null || die "the program has ended: $(cat "$scratch/said")"
  if [ $(((sent + kChunk) % 500)) -eq 0 ]; then
    printf '%s\t%s\t%s\n' $((sent + kChunk)) $((SECONDS - began)) "$(resident)" >>"$table"
  fi
done
say "after $keys keys in $((SECONDS - began)) s: $(($(resident) / 1000)) MB"
xdotool key ctrl+n # the settings of the start: what is compared is what is left, not what more replicas need
sleep $kRestS
end=$(resident)
printf '%s\t%s\t%s\n' "$keys" $((SECONDS - began)) "$end" >>"$table"
say "$kRestS s later: $((end / 1000)) MB, most ever $(sed -n 's/^VmHWM:[^0-9]*\([0-9]*\) kB/\1/p' "/proc/$app/status" | sed 's/...$//') MB"
[ $((end - start)) -le $kMostKb ] || die "$(((end - start) / 1000)) MB more than at the start are left; at most $((kMostKb / 1000)) may be"
say "passed: $(((end - start) / 1000)) MB above the start"
