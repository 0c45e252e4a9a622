#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A class on one machine behind an access point: the server in a network namespace, all workers in another, and between
# them one medium of a known rate that both directions share (tc, tbf). Images a second and mean staleness,
# measured, beside the simulated parameter-server strategy with that link. Needs root; all that it makes goes with it.
#   tests/class/access_point.sh BIN-FOLDER [NATIVE [TABS [RATE-MBIT [UPDATES [RUNS [WIRE]]]]]]        (30 10 200 400 3 float32)
# TABS are pages in one headless Chromium, opened by node: both must be installed where TABS is not 0.
# The simulation gets the rate, less the headers of full TCP segments. It knows nothing of this machine's processors: the
# figures can be compared where the medium is what all wait for, which the last column says.
set -euo pipefail
bin=$(readlink -f "$1") native=${2:-30} tabs=${3:-10} rate=${4:-200} updates=${5:-400} runs=${6:-3} wire=${7:-float32}
here=$(dirname "$(readlink -f "$0")")
workers=$((native + tabs))
. "$here/namespaces.sh"
makeNamespaces server up down class
# Whatever is sent goes up, through the one shaped cable, and comes down, in both directions: half duplex.
cable server from-air 10.7.1.2 down to-server 10.7.1.1
cable class from-air 10.7.2.2 down to-class 10.7.2.1
cable server to-air 10.7.3.2 up from-server 10.7.3.1
cable class to-air 10.7.4.2 up from-class 10.7.4.1
cable up air 10.7.5.1 down air 10.7.5.2
for each in server up down class; do
  inside $each sysctl -qw net.ipv4.ip_forward=1 net.ipv4.conf.all.rp_filter=0
  for device in $(inside $each ls /proc/sys/net/ipv4/conf); do
    inside $each sysctl -qw "net.ipv4.conf.$device.rp_filter=0"
  done
done
inside server ip route add default via 10.7.3.1 src 10.7.1.2
inside class ip route add default via 10.7.4.1 src 10.7.2.2
inside up ip route add default via 10.7.5.2
inside up tc qdisc add dev air root tbf rate "${rate}mbit" burst 64kb latency 400ms

{
  head -1 "$here/../../resources/hardware-catalog.csv" | cut -d, -f1-23
  awk -v r="$rate" 'BEGIN { printf "link,air,Air,,,,,,,,,,,,,%g,M,%g,D: 1448 of 1514 bytes,500,M,,wifi\n", r / 8000, r / 8000 * 1448 / 1514 }'
} >"$work/air.csv"
common=(--dataset digits --batch-per-replica 64 --eval-every 0 --steps "$updates" --wire "$wire")
figures() {  # FILE CLOCK: images a second, mean staleness, Mb/s, since every worker has pushed twice or so
  python3 - "$1" "$2" "$workers" <<'PY'
import json, sys
steps = [s for s in map(json.loads, open(sys.argv[1])) if s.get("event") == "step"]
workers, seen = int(sys.argv[3]), set()
for first, step in enumerate(steps):
    seen.add(step["worker"])
    if len(seen) == workers:
        break
else:
    sys.exit(f"only {len(seen)} of {workers} workers have pushed")
steps = steps[first + 2 * workers:]
if len(steps) < workers:
    sys.exit("too few updates behind the first of the last worker: name more UPDATES")
measured = sys.argv[2] == "measured"
seconds = (sum(s["wallNs"] for s in steps) / 1e9 if measured else
           len(steps) * steps[-1]["modelledStepNs"] / 1e9 / float(sys.argv[2]))
print(f'{sum(s["examples"] for s in steps) / seconds:.0f} {sum(s["staleness"] for s in steps) / len(steps):.2f} '
      f'{sum(s["bytesSent"] for s in steps) * 8e-6 / seconds:.0f}')
PY
}
"$bin/strategylab-cli" train --strategy parameter-server --devices simulated --replicas "$workers" \
  --device-model cpu_laptop_core --catalogue "$work/air.csv" --host-link air "${common[@]}" --json >"$work/simulated"
read -r modelled stale _ <<<"$(figures "$work/simulated" "$workers")"
echo "$native native workers and $tabs tabs, $rate Mb/s for all, $wire; $updates updates, counted once all have joined"
echo "simulated (modelled): $modelled images/s, mean staleness $stale"
for ((run = 1; run <= runs; run++)); do
  rm -f "$work/said"  # else the next run's workers may read the last one's link
  inside server "$bin/strategylab-cli" serve --listen 10.7.1.2:8080 "${common[@]}" --metrics "$work/metrics.jsonl" --run "$work/class.run" \
    >"$work/said" 2>"$work/server.err" &
  server=$!
  until [ -s "$work/said" ] || ! kill -0 $server 2>/dev/null; do read -rt 0.1 <> <(:) || true; done
  link=$(head -1 "$work/said")
  for ((w = 0; w < native; w++)); do
    inside class "$bin/strategylab-cli" join "$link" --threads 1 >/dev/null 2>>"$work/join.err" &
  done
  if [ "$tabs" -gt 0 ]; then
    inside class chromium --headless=new --no-sandbox --disable-gpu --user-data-dir="$work/chromium-$run" \
      --remote-debugging-port=9222 about:blank >"$work/chromium.log" 2>&1 &
    browser=$!
    inside class node --experimental-websocket "$here/windows.mjs" "$link" "$tabs" 2>>"$work/join.err"
  fi
  wait $server || { cat "$work/server.err" >&2; exit 1; }
  [ "$tabs" -eq 0 ] || kill $browser 2>/dev/null || true
  read -r measured mean used <<<"$(figures "$work/metrics.jsonl" measured)"
  echo "run $run (measured): $measured images/s, mean staleness $mean; $used of $rate Mb/s used"
  awk -v a="$measured" -v b="$modelled" -v c="$mean" -v d="$stale" 'BEGIN { printf "  %+.0f %% images/s, %+.0f %% staleness\n", 100 * (a / b - 1), 100 * (c / d - 1) }'
done
