#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A class on one machine whose workers have links of their own: each in a network namespace behind a cable of its rate,
# the server behind one of 1,000 Mb/s (tc, tbf, both directions). Images a second and mean staleness by class of link,
# measured, beside the simulated parameter-server strategy with the same links and with the computing of one worker that
# was measured alone, without cables. Needs root; all that it makes goes with it.
#   tests/class/mixed_links.sh BIN-FOLDER [RATES-MBIT [UPDATES [RUNS]]]        (10,10,100,100,1000,1000 1500 3)
# The busy share of the machine's processors stands beside each run: above 70 % workers also wait for them.
set -euo pipefail
bin=$(readlink -f "$1") rates=${2:-10,10,100,100,1000,1000} updates=${3:-1500} runs=${4:-3}
here=$(dirname "$(readlink -f "$0")")
. "$here/namespaces.sh"
IFS=, read -ra rate <<<"$rates"
workers=${#rate[@]} names=(server hub)
for w in "${!rate[@]}"; do names+=("w$w"); done
makeNamespaces "${names[@]}"
shape() { inside "$1" tc qdisc add dev "$2" root tbf rate "${3}mbit" burst 64kb latency 400ms; }
link() {  # NAMESPACE SUBNET RATE: a cable to the hub
  cable "$1" to-hub "10.8.$2.2" hub "to-$1" "10.8.$2.1"
  shape "$1" to-hub "$3"
  shape hub "to-$1" "$3"
  inside "$1" ip route add default via "10.8.$2.1"
}
inside hub sysctl -qw net.ipv4.ip_forward=1
link server 250 1000
for w in "${!rate[@]}"; do link "w$w" "$w" "${rate[w]}"; done

busy() { awk '/^cpu / { idle = $5 + $6; for (i = 2; i <= 9; ++i) all += $i; print all - idle, all }' /proc/stat; }
common=(--dataset digits --batch-per-replica 64 --eval-every 0)
"$bin/strategylab-cli" launch --strategy parameter-server --workers 1 --threads 1 "${common[@]}" --steps 300 \
  --metrics "$work/alone.jsonl" >/dev/null 2>&1
{
  head -1 "$here/../../resources/hardware-catalog.csv" | cut -d, -f1-23
  echo "link,lan,LAN,,,,,,,,,,,,,0.125,M,$(awk 'BEGIN { print 0.125 * 1448 / 1514 }'),D: 1448 of 1514 bytes,50,M,,ethernet"
} >"$work/lan.csv"
simulate() {  # FILE OPTIONS…
  "$bin/strategylab-cli" train --strategy parameter-server --devices simulated --device-model cpu_laptop_core \
    --catalogue "$work/lan.csv" "${common[@]}" "${@:2}" --metrics "$1" >/dev/null 2>&1
}
simulate "$work/one.jsonl" --replicas 1 --steps 20 --host-link ib_ndr
factor=$(python3 "$here/mixed_figures.py" calibrate "$work/alone.jsonl" "$work/one.jsonl")
slow=()
for w in "${!rate[@]}"; do
  slow+=(--slow "$w:$factor" --slow-link "$w:$(awk -v r="${rate[w]}" 'BEGIN { print 1000 / r }')")
done
simulate "$work/modelled.jsonl" --replicas "$workers" --steps "$updates" --host-link lan "${slow[@]}"
echo "$workers workers behind $rates Mb/s; $updates updates, counted once all have pushed twice"
python3 "$here/mixed_figures.py" modelled "$work/modelled.jsonl" "$rates"
for ((run = 1; run <= runs; run++)); do
  : >"$work/said" && : >"$work/server.err"
  inside server "$bin/strategylab-cli" serve --listen 10.8.250.2:8080 "${common[@]}" --replicas "$workers" --steps "$updates" \
    --metrics "$work/metrics.jsonl" >"$work/said" 2>"$work/server.err" &
  server=$!
  until [ -s "$work/said" ] || ! kill -0 $server 2>/dev/null; do read -rt 0.1 <> <(:) || true; done
  url=$(head -1 "$work/said")
  for w in "${!rate[@]}"; do
    inside "w$w" "$bin/strategylab-cli" join "$url" --threads 1 >/dev/null 2>>"$work/join.err" &
    # In this order: the number says which link it is.
    until [ "$(cat "$work/said" "$work/server.err" | grep -c 'has joined')" -gt "$w" ] || ! kill -0 $server 2>/dev/null; do
      read -rt 0.1 <> <(:) || true
    done
  done
  before=$(busy)
  wait $server || { cat "$work/server.err" >&2; exit 1; }
  load=$(echo "$before" "$(busy)" | awk '{ printf "%.0f", 100 * ($3 - $1) / ($4 - $2) }')
  python3 "$here/mixed_figures.py" measured "$work/metrics.jsonl" "$rates" "$work/modelled.jsonl"
  echo "  run $run: the processors were busy for $load %$([ "$load" -lt 70 ] || echo ', above 70: not what links alone make')"
done
