#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Several hosts on one machine: network namespaces with links of a known rate and delay, mpirun over them with an agent in the
# place of ssh. All-reduces of 1 kB to 16 MB and whole steps, measured, beside the timing model with that link. Needs root and
# Open MPI; all that it makes goes with it.
#   tests/processes/network.sh BIN-FOLDER [HOSTS] [RATE-MBIT...]
# Messages of 64 kB (256 kB up to 200 Mb/s) and more pass links that the kernel shapes (tc, tbf), whose buckets hold what passes in 2 ms, for this
# kernel's timers are late by as much; wire_bench empties them before each all-reduce. To smaller messages such a bucket is no
# link: it lets them pass at once. They, and all where a delay or losses are wanted (this kernel may have no netem), pass
# shaped_links, a switch of our own with the rate of a link and not more, and a delay (DELAY, 50 us: Ethernet has as much).
# The model gets the link's rate, and its latency as measured on that very link: half of a round trip, but for a ring with more
# hosts than this machine has processors, where all send at once: that hop's, with the processors' time in it. Compared is the
# least of several, for the model knows nothing of other programs on this machine; the median is printed too.
# QUIET='chrt -r 1' keeps other programs of this machine away, LARGE names other large sizes.
set -euo pipefail
bin=$(readlink -f "$1") hosts=${2:-3}
shift $(($# < 2 ? $# : 2))
rates=("${@:-1000}")
[ $# -eq 0 ] && rates=(1000 100)
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
. "$(dirname "$0")/hosts.sh"
work=$(mktemp -d)
cleanUp() {
  cleanHosts
  rm -rf "$work"
}
trap cleanUp EXIT

# point NAME BYTES MEDIAN-NS LEAST-NS MODELLED-SECONDS
point() {
  awk -v s="$1" -v b="$2" -v m="$3" -v l="$4" -v t="$5" -v h=$hosts 'BEGIN { r = t * 1e9 / l
    why = r > 1.25 && s == "tree" && h == 3 ? ": both leaves send at once; the model lets the second wait for the first"\
      : r < 0.75 ? ": more than the model has, whose hosts share no processors" : r > 1.25 ? ": less than the model has: a bucket passes some at once" : ""
    printf "%-18s %9d %10.3f %10.3f %10.3f %8.2f%s\n", s, b, m / 1e6, l / 1e6, t * 1e3, r, (why == "" ? "" : "  MISS" why) }' |
    tee -a "$work/points"
}
field() { sed -n 's/.*"'$1'":\([0-9.e-]*\).*/\1/p'; }
modelled() {  # SCHEDULE BYTES: seconds
  local link=shaped
  [ $1 = ring ] && [ $hosts -gt "$(nproc)" ] && link=crowded
  "$bin/strategylab-cli" collective --schedule $1 --ranks $hosts --hosts $hosts --bytes $2 --host-link $link \
    --catalogue "$work/link.csv" --device-model cpu_epyc_2core --price-only --json | field modelledSeconds
}
# The link as the model takes it: the rate, less the headers of full TCP segments; the latencies as measured.
linkOf() {  # RATE MEASURED
  local half all
  half=$(sed -n 's/.*"halfRoundTripUs":\([0-9.]*\).*/\1/p' "$2" | sort -g | head -1)
  all=$(sed -n 's/.*"allAtOnceUs":\([0-9.]*\).*/\1/p' "$2" | sort -g | head -1)
  head -1 "$(dirname "$0")/../../resources/hardware-catalog.csv" | cut -d, -f1-23 >"$work/link.csv"
  awk -v r=$1 -v l="$half" -v a="$all" 'BEGIN { g = r / 8000; if (a < l) a = l; form = "link,%s,Shaped,,,,,,,,,,,,,%g,M,%g,D: 1448 of 1514 bytes,%g,M,,ethernet\n"
    printf form form, "shaped", g, g * 1448 / 1514, l, "crowded", g, g * 1448 / 1514, a }' >>"$work/link.csv"
  echo "$hosts hosts, $1 Mb/s, $3; half a round trip $half us, a hop of all at once $all us"
  echo "schedule, bytes, median ms, least ms, modelled ms, model / least"
}
report() {  # MEASURED
  local line schedule bytes median least
  while read -r line; do
    schedule=$(sed 's/.*"schedule":"\([^"]*\)".*/\1/' <<<"$line")
    bytes=$(field bytes <<<"$line") median=$(field medianNs <<<"$line") least=$(field leastNs <<<"$line")
    if [ "$schedule" = mpi ]; then
      awk -v b=$bytes -v m=$median -v l=$least 'BEGIN { printf "%-18s %9d %10.3f %10.3f\n", "MPI_Allreduce", b, m / 1e6, l / 1e6 }'
    else
      point $schedule $bytes $median $least "$(modelled $schedule $bytes)"
    fi
  done < <(grep '"schedule"' "$1")
}
measure() {  # REPETITIONS SIZES..., into $work/measured
  onHosts -x STRATEGYLAB_FILL "$bin/wire_bench" "$@" >>"$work/measured" 2>"$work/err" || { cat "$work/err"; exit 1; }
}
training=(train --strategy multi-worker-mirrored --dataset digits --train-examples 2000 --test-examples 200 --threads 1 --eval-every 0)
sameBits() {  # 20 steps on the hosts
  onHosts "$bin/strategylab-cli" "${training[@]}" --devices processes --global-batch 120 --steps 20 \
    --save "$work/hosts.safetensors" 2>&1 | grep -E "measured|copies"
  cmp "$work/hosts.safetensors" "$work/simulated.safetensors" && echo "the bits of the simulated run"
}
atLeast() { echo $(($1 > $2 ? $1 : $2)); }

"$bin/strategylab-cli" "${training[@]}" --devices simulated --replicas $hosts --hosts $hosts --global-batch 120 --steps 20 \
  --save "$work/simulated.safetensors" >/dev/null 2>&1
for rate in "${rates[@]}"; do
  makeHosts $hosts "$bin/shaped_links" $rate ${DELAY:-50} 0
  : >"$work/measured"
  STRATEGYLAB_FILL= measure 9 1024 4096 16384 $([ $rate -le 200 ] && echo 65536)
  linkOf $rate "$work/measured" "delay ${DELAY:-50} us (shaped_links)"
  report "$work/measured"
  cleanHosts

  makeHosts $hosts
  : >"$work/measured"
  for group in $([ $rate -gt 200 ] && echo "16384:65536") "$(atLeast 16384 $((rate * 64))) 262144" \
    "$(atLeast 16384 $((rate * 250))) ${LARGE:-1048576 1388584 4194304 16777216}"; do
    read -r bucket sizes <<<"${group/:/ }"
    shapeHosts $rate $bucket
    STRATEGYLAB_FILL=$((2 * bucket)) measure 9 $sizes
  done
  linkOf $rate "$work/measured" "no delay (tbf)"
  report "$work/measured"
  # Whole steps: what is computed is measured in the same run, what passes between hosts is the model's.
  for batch in 120 960; do
    onHosts "$bin/strategylab-cli" "${training[@]}" --devices processes --global-batch $batch --steps 16 --json 2>/dev/null |
      grep '"event":"step"' | tail -15 >"$work/steps"
    step=$(field stepNs <"$work/steps" | sort -n) compute=$(field computeNs <"$work/steps" | sort -n)
    point "step of $batch" 1388584 "$(sed -n 8p <<<"$step")" "$(sed -n 1p <<<"$step")" \
      "$(awk -v c="$(sed -n 1p <<<"$compute")" -v t="$(modelled ring 1388584)" 'BEGIN { print c / 1e9 + t }')"
  done
  sameBits
  cleanHosts
done

# A long way: the same link model, and then losses, of which the model knows nothing.
makeHosts $hosts "$bin/shaped_links" 100 1000 0
: >"$work/measured"
STRATEGYLAB_FILL= measure 9 1024 16384 262144
linkOf 100 "$work/measured" "delay 1,000 us (shaped_links)"
report "$work/measured"
cleanHosts
makeHosts $hosts "$bin/shaped_links" 100 50 0.01
: >"$work/measured"
STRATEGYLAB_FILL= measure 9 16384 262144
echo "$hosts hosts, 100 Mb/s, delay 50 us, one packet in 100 is lost (no points: the model has no losses; a lost last packet is"
echo "sent again after 200 ms): schedule, bytes, median ms, least ms"
sed -n 's/.*"schedule":"\([^"]*\)".*"bytes":\([0-9]*\),"medianNs":\([0-9]*\),"leastNs":\([0-9]*\).*/\1 \2 \3 \4/p' "$work/measured" |
  awk '{ printf "%-18s %9d %10.3f %10.3f\n", $1, $2, $3 / 1e6, $4 / 1e6 }'
sameBits
awk '/MISS/ { missed++ } END { printf "within 25 %%: %d of %d points\n", NR - missed, NR }' "$work/points"
