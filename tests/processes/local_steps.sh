#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What local steps save over a slow network, and what parts of the weights cost there: the same run under MultiWorkerMirrored,
# local SGD and the stages of Sharded, in real processes on hosts whose links the kernel shapes (hosts.sh), beside the timing
# model with that link. Needs root and Open MPI.
#   tests/processes/local_steps.sh BIN-FOLDER [HOSTS] [RATE-MBIT] [LOCAL-STEPS]
# A step's time is the mean of all but the first round. What is modelled is what passes between hosts, in shares of an all-reduce;
# computing is measured in the same run, as the least of its steps. What the last host's device has sent is the kernel's count,
# headers taken off at the same ratio; it sends none of the first weights. QUIET='chrt -r 1' keeps other programs of this machine away.
set -euo pipefail
bin=$(readlink -f "$1") hosts=${2:-3} rate=${3:-100} every=${4:-4}
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
. "$(dirname "$0")/hosts.sh"
work=$(mktemp -d)
cleanUp() {
  cleanHosts
  rm -rf "$work"
}
trap cleanUp EXIT
training=(train --dataset digits --train-examples 2000 --test-examples 200 --threads 1 --eval-every 0 --global-batch 120
  --reducer ring --steps $((5 * every)))

# As network.sh has the link: its rate, less the headers of full TCP segments.
head -1 "$(dirname "$0")/../../resources/hardware-catalog.csv" | cut -d, -f1-23 >"$work/link.csv"
awk -v r=$rate 'BEGIN { g = r / 8000
  printf "link,shaped,Shaped,,,,,,,,,,,,,%g,M,%g,D: 1448 of 1514 bytes,50,M,,ethernet\n", g, g * 1448 / 1514 }' >>"$work/link.csv"
modelled=$("$bin/strategylab-cli" collective --schedule ring --ranks $hosts --hosts $hosts --bytes 1388584 --host-link shaped \
  --catalogue "$work/link.csv" --device-model cpu_epyc_2core --price-only --json |
  sed -n 's/.*"modelledSeconds":\([0-9.e-]*\).*/\1/p')

makeHosts $hosts
shapeHosts $rate $((rate * 250))
onWire() { ip netns exec $tag-$hosts cat /sys/class/net/e0/statistics/tx_bytes; }
echo "$hosts hosts, $rate Mb/s: mean step measured and modelled, ms; per step, bytes: sent by a host as told, on its device"
for strategy in "multi-worker-mirrored 1" "local-sgd 1/$every --local-steps $every" \
  "sharded 1 --shard-stage 1" "sharded 1 --shard-stage 2" "sharded 3/2 --shard-stage 3"; do
  read -r name share options <<<"$strategy"
  before=$(onWire)
  onHosts "$bin/strategylab-cli" "${training[@]}" --strategy $name $options --devices processes --json \
    --save "$work/$name.safetensors" 2>/dev/null | grep '"event":"step"' | tail -n +$((every + 1)) >"$work/steps"
  python3 - "$work/steps" "$name ${options#--}" "$share" "$modelled" $hosts $(($(onWire) - before)) $((5 * every)) <<'PY'
import json, sys
from fractions import Fraction
steps = [json.loads(line) for line in open(sys.argv[1])]
mean = lambda key: sum(step[key] for step in steps) / len(steps)
compute = min(step["computeNs"] for step in steps) / 1e6
modelled = compute + 1e3 * float(sys.argv[4]) * Fraction(sys.argv[3])
onWire = int(sys.argv[6]) / int(sys.argv[7]) * 1448 / 1514
print(f"{sys.argv[2]:24} {mean('stepNs') / 1e6:9.1f} {modelled:9.1f} {mean('bytesSent') / int(sys.argv[5]):12.0f} {onWire:12.0f}")
PY
  "$bin/strategylab-cli" "${training[@]}" --strategy $name $options --devices simulated --replicas $hosts --hosts $hosts \
    --save "$work/simulated.safetensors" >/dev/null 2>&1
  cmp "$work/$name.safetensors" "$work/simulated.safetensors" && echo "  the bits of the simulated run"
done
