#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Several hosts on one machine: network namespaces joined by a bridge, their links shaped by tc (tbf), mpirun over them with an
# agent in the place of ssh. All-reduces of 1 kB to 16 MB and whole steps, measured, beside the timing model with that link. Needs
# root and Open MPI; all that it makes goes with it.
#   tests/processes/network.sh BIN-FOLDER [HOSTS] [RATE-MBIT...]
# Compared is the least of several, for the model knows nothing of other programs on this machine; the median is printed too.
# For large messages a bucket holds what passes in 2 ms, for this kernel's timers are late by as much when all links are busy; for
# small ones less, for what it holds passes at once. wire_bench empties it before each all-reduce. QUIET='chrt -r 1' keeps other programs of this machine away, LARGE
# names other large sizes.
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
makeHosts $hosts
for ((h = 1; h <= hosts; h++)); do echo "$net.$h slots=1"; done >"$work/hosts"
onHosts() {
  timeout 300 ${QUIET:-} mpirun -n $hosts --hostfile "$work/hosts" --bind-to none --mca mpi_yield_when_idle 1 "$@"
}

ip netns exec $tag-1 tc qdisc add dev e0 root netem delay 0ms 2>/dev/null && netem=yes || netem=no
ip netns exec $tag-1 tc qdisc del dev e0 root 2>/dev/null || true
echo "netem (delay, loss) in this kernel: $netem"

# point NAME BYTES MEDIAN-NS LEAST-NS MODELLED-SECONDS
point() {
  awk -v s="$1" -v b="$2" -v m="$3" -v l="$4" -v t="$5" 'BEGIN { r = t * 1e9 / l
    printf "%-18s %9d %10.3f %10.3f %10.3f %8.2f%s\n", s, b, m / 1e6, l / 1e6, t * 1e3, r, (r < 0.75 || r > 1.25 ? "  MISS" : "") }' |
    tee -a "$work/points"
}
field() { sed -n 's/.*"'$1'":\([0-9.e-]*\).*/\1/p'; }
modelled() {  # SCHEDULE BYTES: seconds
  "$bin/strategylab-cli" collective --schedule $1 --ranks $hosts --hosts $hosts --bytes $2 --host-link shaped \
    --catalogue "$work/link.csv" --device-model cpu_epyc_2core --price-only --json | field modelledSeconds
}

shape() {  # RATE BUCKET
  local h dev
  for ((h = 1; h <= hosts; h++)); do
    for dev in "ip netns exec $tag-$h tc qdisc replace dev e0" "tc qdisc replace dev ${tag}v$h"; do
      $dev root tbf rate ${1}mbit burst ${2}b latency 50ms
    done
  done
}

for rate in "${rates[@]}"; do
  : >"$work/measured"
  atLeast() { echo $(($1 > $2 ? $1 : $2)); }
  for group in "$(atLeast 1700 $((rate * 3))) 1024 4096" "6000 16384" "16384 65536" "$(atLeast 16384 $((rate * 64))) 262144" \
    "$(atLeast 16384 $((rate * 250))) ${LARGE:-1048576 1388584 4194304 16777216}"; do
    read -r bucket sizes <<<"$group"
    shape $rate $bucket
    onHosts -x STRATEGYLAB_FILL=$((2 * bucket)) "$bin/wire_bench" 9 $sizes >>"$work/measured" 2>"$work/err" ||
      { cat "$work/err"; exit 1; }
  done
  # The link as the model takes it: the shaped rate, less the headers of full TCP segments; half of the quickest exchange.
  latency=$(sed -n 's/.*"halfRoundTripUs":\([0-9.]*\).*/\1/p' "$work/measured" | sort -g | head -1)
  head -1 "$(dirname "$0")/../../resources/hardware-catalog.csv" >"$work/link.csv"
  awk -v r=$rate -v l="$latency" 'BEGIN { g = r / 8000
    printf "link,shaped,Shaped by tc,,,,,,,,,,,,,%g,M,%g,D: 1448 of 1514 bytes,%g,M: half a round trip,,ethernet\n", g, g * 1448 / 1514, l }' \
    >>"$work/link.csv"
  echo "$hosts hosts, $rate Mb/s, half a round trip $latency us: schedule, bytes, median ms, least ms, modelled ms, model / least"
  while read -r line; do
    schedule=$(sed 's/.*"schedule":"\([^"]*\)".*/\1/' <<<"$line")
    bytes=$(field bytes <<<"$line") median=$(field medianNs <<<"$line") least=$(field leastNs <<<"$line")
    if [ "$schedule" = mpi ]; then
      awk -v b=$bytes -v m=$median -v l=$least 'BEGIN { printf "%-18s %9d %10.3f %10.3f\n", "MPI_Allreduce", b, m / 1e6, l / 1e6 }'
    else
      point $schedule $bytes $median $least "$(modelled $schedule $bytes)"
    fi
  done < <(grep '"schedule"' "$work/measured")
  # Whole steps: what is computed is measured in the same run, what passes between hosts is the model's.
  for batch in 120 960; do
    onHosts "$bin/strategylab-cli" train --strategy multi-worker-mirrored --devices processes --dataset digits --train-examples 2000 \
      --test-examples 200 --global-batch $batch --steps 16 --threads 1 --eval-every 0 --json 2>/dev/null |
      grep '"event":"step"' | tail -15 >"$work/steps"
    step=$(field stepNs <"$work/steps" | sort -n) compute=$(field computeNs <"$work/steps" | sort -n)
    point "step of $batch" 1388584 "$(sed -n 8p <<<"$step")" "$(sed -n 1p <<<"$step")" \
      "$(awk -v c="$(sed -n 1p <<<"$compute")" -v t="$(modelled ring 1388584)" 'BEGIN { print c / 1e9 + t }')"
  done
  onHosts "$bin/strategylab-cli" train --strategy multi-worker-mirrored --devices processes --dataset digits --train-examples 2000 \
    --test-examples 200 --global-batch 120 --steps 20 --threads 1 --eval-every 0 --save "$work/hosts.safetensors" 2>&1 |
    grep -E "measured|copies"
  "$bin/strategylab-cli" train --strategy multi-worker-mirrored --devices simulated --replicas $hosts --hosts $hosts --dataset digits \
    --train-examples 2000 --test-examples 200 --global-batch 120 --steps 20 --threads 1 --eval-every 0 \
    --save "$work/simulated.safetensors" >/dev/null 2>&1
  cmp "$work/hosts.safetensors" "$work/simulated.safetensors" && echo "the bits of the simulated run"
done
awk '/MISS/ { missed++ } END { printf "within 25 %%: %d of %d points\n", NR - missed, NR }' "$work/points"
