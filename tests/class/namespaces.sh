# SPDX-License-Identifier: GPL-3.0-or-later
# For scripts that lay cables between network namespaces: what they make goes with them. Sourced; sets `tag` and `work`.
tag=lab$$ namespaces=()
work=$(mktemp -d)
inside() { ip netns exec "$tag-$1" "${@:2}"; }
cleanUp() {
  local pids each
  for each in "${namespaces[@]}"; do
    pids=$(ip netns pids "$tag-$each" 2>/dev/null || true)
    [ -z "$pids" ] || kill -9 $pids 2>/dev/null || true
    ip netns del "$tag-$each" 2>/dev/null || true
  done
  rm -rf "$work"
}
trap cleanUp EXIT
makeNamespaces() {  # NAME…
  local each
  for each in "$@"; do
    if ! ip netns add "$tag-$each" 2>"$work/why"; then
      echo "no network namespaces here ($(cat "$work/why")): run this as root" >&2
      exit 1
    fi
    namespaces+=("$each")
    inside "$each" ip link set lo up
  done
}
cable() {  # NAMESPACE NAME ADDRESS NAMESPACE NAME ADDRESS
  inside "$1" ip link add "$2" type veth peer name "$5" netns "$tag-$4"
  inside "$1" ip addr add "$3/30" dev "$2"
  inside "$4" ip addr add "$6/30" dev "$5"
  inside "$1" ip link set "$2" up
  inside "$4" ip link set "$5" up
}
