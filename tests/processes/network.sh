#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Several hosts on one machine: network namespaces joined by a bridge, their links shaped by tc (tbf), mpirun over them with an
# agent in the place of ssh. All-reduces of 1 kB to 16 MB, measured, beside the timing model with that link; then a run. Needs root
# and Open MPI; all that it makes goes with it. netem (delay, loss) is used where the kernel has it.
#   tests/processes/network.sh BIN-FOLDER [HOSTS] [RATE-MBIT...]
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
  timeout 300 mpirun -n $hosts --hostfile "$work/hosts" --bind-to none --mca mpi_yield_when_idle 1 "$@"
}

if ip netns exec $tag-1 tc qdisc add dev e0 root netem delay 0ms 2>/dev/null; then
  netem=yes
  ip netns exec $tag-1 tc qdisc del dev e0 root
else
  netem=no
fi
echo "netem (delay, loss) in this kernel: $netem"

for rate in "${rates[@]}"; do
  for ((h = 1; h <= hosts; h++)); do
    for dev in "ip netns exec $tag-$h tc qdisc replace dev e0" "tc qdisc replace dev ${tag}v$h"; do
      $dev root tbf rate ${rate}mbit burst 64k latency 50ms
    done
  done
  onHosts "$bin/wire_bench" 7 1024 16384 131072 1388584 4194304 16777216 >"$work/measured" 2>"$work/err" ||
    { cat "$work/err"; exit 1; }
  # The link as the model takes it: the shaped rate, less the headers of full TCP segments; half of the quickest exchange.
  latency=$(sed -n 's/.*"halfRoundTripUs":\([0-9.]*\).*/\1/p' "$work/measured")
  head -1 "$(dirname "$0")/../../resources/hardware-catalog.csv" >"$work/link.csv"
  awk -v r=$rate -v l="$latency" 'BEGIN { g = r / 8000
    printf "link,shaped,Shaped by tc,,,,,,,,,,,,,%g,M,%g,D: 1448 of 1514 bytes,%g,M: half a round trip,,ethernet\n", g, g * 1448 / 1514, l }' \
    >>"$work/link.csv"
  echo "$hosts hosts, $rate Mb/s, half a round trip $latency us: schedule, bytes, measured ms, modelled ms, model / measured"
  grep '"schedule"' "$work/measured" | while read -r line; do
    schedule=$(sed 's/.*"schedule":"\([^"]*\)".*/\1/' <<<"$line")
    bytes=$(sed 's/.*"bytes":\([0-9]*\).*/\1/' <<<"$line")
    measured=$(sed 's/.*"medianNs":\([0-9]*\).*/\1/' <<<"$line")
    if [ "$schedule" = mpi ]; then
      awk -v b=$bytes -v m=$measured 'BEGIN { printf "%-18s %9d %10.3f\n", "MPI_Allreduce", b, m / 1e6 }'
      continue
    fi
    modelled=$("$bin/strategylab-cli" collective --schedule $schedule --ranks $hosts --hosts $hosts --bytes $bytes \
      --host-link shaped --catalogue "$work/link.csv" --device-model cpu_epyc_2core --price-only --json |
      sed 's/.*"modelledSeconds":\([0-9.e-]*\).*/\1/')
    awk -v s=$schedule -v b=$bytes -v m=$measured -v t=$modelled \
      'BEGIN { printf "%-18s %9d %10.3f %10.3f %8.2f\n", s, b, m / 1e6, t * 1e3, t * 1e9 / m }'
  done
  onHosts "$bin/strategylab-cli" train --strategy multi-worker-mirrored --devices processes --dataset digits --train-examples 2000 \
    --test-examples 200 --global-batch 120 --steps 20 --threads 1 --eval-every 0 --save "$work/hosts.safetensors" 2>&1 |
    grep -E "measured|copies"
  "$bin/strategylab-cli" train --strategy multi-worker-mirrored --devices simulated --replicas $hosts --hosts $hosts --dataset digits \
    --train-examples 2000 --test-examples 200 --global-batch 120 --steps 20 --threads 1 --eval-every 0 \
    --save "$work/simulated.safetensors" >/dev/null 2>&1
  cmp "$work/hosts.safetensors" "$work/simulated.safetensors" && echo "the bits of the simulated run"
done
