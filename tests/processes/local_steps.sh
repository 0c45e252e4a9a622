#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What local steps save over a slow network: the same run under MultiWorkerMirrored and under local SGD, in real processes on
# hosts whose links the kernel shapes (hosts.sh), beside the timing model with that link. Needs root and Open MPI.
#   tests/processes/local_steps.sh BIN-FOLDER [HOSTS] [RATE-MBIT] [LOCAL-STEPS]
# A step's time is the mean of all but the first round. What is modelled is what passes between hosts; computing is measured in
# the same run, as the least of its steps. QUIET='chrt -r 1' keeps other programs of this machine away.
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
echo "$hosts hosts, $rate Mb/s: mean step measured and modelled, ms; sent per step, bytes"
for strategy in "multi-worker-mirrored 1" "local-sgd $every --local-steps $every"; do
  read -r name rounds options <<<"$strategy"
  onHosts "$bin/strategylab-cli" "${training[@]}" --strategy $name $options --devices processes --json \
    --save "$work/$name.safetensors" 2>/dev/null | grep '"event":"step"' | tail -n +$((every + 1)) >"$work/steps"
  python3 - "$work/steps" "$name" "$rounds" "$modelled" <<'PY'
import json, sys
steps = [json.loads(line) for line in open(sys.argv[1])]
mean = lambda key: sum(step[key] for step in steps) / len(steps)
compute = min(step["computeNs"] for step in steps) / 1e6
print(f"{sys.argv[2]:24} {mean('stepNs') / 1e6:9.1f} {compute + 1e3 * float(sys.argv[4]) / int(sys.argv[3]):9.1f} {mean('bytesSent'):12.0f}")
PY
  "$bin/strategylab-cli" "${training[@]}" --strategy $name $options --devices simulated --replicas $hosts --hosts $hosts \
    --save "$work/simulated.safetensors" >/dev/null 2>&1
  cmp "$work/$name.safetensors" "$work/simulated.safetensors" && echo "  the bits of the simulated run"
done
