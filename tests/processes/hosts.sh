# SPDX-License-Identifier: GPL-3.0-or-later
# Several hosts on one machine, for the scripts beside this one: network namespaces joined by a bridge, each with a name of
# its own, and an agent in the place of ssh. Needs root. Sourced; makeHosts N [PROGRAM RATE-MBIT DELAY-US LOSS], then
# cleanHosts at the end. With PROGRAM, which is shaped_links, that stands in the place of the bridge. Afterwards
# $net.1 … $net.N are the hosts' addresses, ${tag}v1 … the bridge's ends of their links, $tag-1 … the namespaces, and
# mpirun started from here reaches them by the environment; onHosts starts a process on each, shapeHosts sets their links' rate.
tag=sl$$
net=10.$((RANDOM % 200 + 20)).$((RANDOM % 250))
hostsMade=0 agentFile= hostFile= linksPid=

makeHosts() {
  [ "$(id -u)" = 0 ] || { echo "SKIP: this needs root (network namespaces)"; exit 77; }
  local tool h
  for tool in ip tc mpirun; do command -v $tool >/dev/null || { echo "SKIP: $tool was not found"; exit 77; }; done
  hostsMade=$1
  if [ $# -gt 1 ]; then startLinks "${@:2}"; else ip link add ${tag}br type bridge; fi
  ip addr add $net.254/24 dev ${tag}br
  ip link set ${tag}br up
  for ((h = 1; h <= hostsMade; h++)); do
    ip netns add $tag-$h
    if [ $# -gt 1 ]; then
      ip link set ${tag}t$h netns $tag-$h name e0
    else
      ip link add ${tag}v$h type veth peer name e0 netns $tag-$h
      ip link set ${tag}v$h master ${tag}br up
    fi
    ip -n $tag-$h addr add $net.$h/24 dev e0
    ip -n $tag-$h link set e0 up
    ip -n $tag-$h link set lo up
  done
  hostFile=$(mktemp)
  for ((h = 1; h <= hostsMade; h++)); do echo "$net.$h slots=1"; done >"$hostFile"
  # agent HOST COMMAND...: in that host's namespace, with a name of its own, else hosts look alike.
  agentFile=$(mktemp)
  cat >"$agentFile" <<AGENT
#!/bin/sh
h=\${1##*.}; shift
exec ip netns exec $tag-\$h unshare -u sh -c "hostname host\$h; \$*"
AGENT
  chmod +x "$agentFile"
  export OMPI_MCA_plm_rsh_agent=$agentFile OMPI_MCA_btl=self,tcp OMPI_MCA_btl_tcp_if_include=$net.0/24 \
    OMPI_MCA_oob_tcp_if_include=$net.0/24
}

startLinks() {
  local h said
  said=$(mktemp)
  ${QUIET:-} "$1" "$2" "$3" "$4" ${tag}br $(for ((h = 1; h <= hostsMade; h++)); do echo ${tag}t$h; done) >"$said" &
  linksPid=$!
  until grep -q ready "$said"; do
    kill -0 $linksPid 2>/dev/null || { echo "SKIP: no TAP devices here"; exit 77; }
    sleep 0.1
  done
  rm -f "$said"
}

onHosts() {
  timeout 300 ${QUIET:-} mpirun -n $hostsMade --hostfile "$hostFile" --bind-to none --mca mpi_yield_when_idle 1 "$@"
}

shapeHosts() {  # RATE-MBIT BUCKET-BYTES, both ways; not of links that a PROGRAM shapes
  local h dev
  for ((h = 1; h <= hostsMade; h++)); do
    for dev in "ip netns exec $tag-$h tc qdisc replace dev e0" "tc qdisc replace dev ${tag}v$h"; do
      $dev root tbf rate ${1}mbit burst ${2}b latency 50ms
    done
  done
}

processesOf() { ip netns pids $tag-$1 2>/dev/null || true; }  # of host $1

cleanHosts() {
  local h pids
  for ((h = 1; h <= hostsMade; h++)); do
    pids=$(processesOf $h)
    [ -n "$pids" ] && kill -9 $pids 2>/dev/null
    ip link del ${tag}v$h 2>/dev/null || true  # with its namespace it would go later
    ip netns del $tag-$h 2>/dev/null || true
  done
  ip link del ${tag}br 2>/dev/null || true
  if [ -n "$linksPid" ]; then
    kill $linksPid 2>/dev/null || true
    wait $linksPid 2>/dev/null || true
  fi
  linksPid= hostsMade=0
  rm -f "$agentFile" "$hostFile"
  unset OMPI_MCA_plm_rsh_agent OMPI_MCA_btl OMPI_MCA_btl_tcp_if_include OMPI_MCA_oob_tcp_if_include
}
