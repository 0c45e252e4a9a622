# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced by tests that want a clean Debian, after app/setup.sh: a root folder made by debootstrap, and commands in it.
# Needs root, debootstrap and a Debian mirror (STRATEGYLAB_MIRROR, or the one in apt's configuration); exit code 77 with
# the reason where one is missing. STRATEGYLAB_CLEAN_ROOT names a root that debootstrap made before: a copy of it is used.

skip() {
  say "skipped: $*"
  exit 77
}

# makeCleanRoot [SUITE]: of Debian 12, or another one. Sets $scratch, which goes when the script ends, and $chroot in it.
makeCleanRoot() {
  local suite=${1:-bookworm} begun mirror
  [ "$(id -u)" -eq 0 ] || skip "only root can make another system's root folder"
  command -v debootstrap >/dev/null || skip "debootstrap is not installed"
  scratch=$(mktemp -d "${TMPDIR:-/var/tmp}/strategylab-clean.XXXXXX")
  chroot=$scratch/root
  trap removeCleanRoot EXIT
  begun=$(date +%s)
  if [ -n "${STRATEGYLAB_CLEAN_ROOT:-}" ]; then
    say "a copy of the clean root $STRATEGYLAB_CLEAN_ROOT"
    cp -a "$STRATEGYLAB_CLEAN_ROOT" "$chroot"
  else
    # shellcheck disable=SC2016  # apt's own variables
    mirror=${STRATEGYLAB_MIRROR:-$(apt-get indextargets --format '$(REPO_URI) $(CODENAME)' 2>/dev/null |
      awk -v suite=$suite '$2 == suite { print $1; exit }')}
    mirror=${mirror:-http://deb.debian.org/debian}
    say "debootstrap $suite from $mirror"
    debootstrap --variant=minbase "$suite" "$chroot" "$mirror" >"$scratch/debootstrap.log" 2>&1 || {
      tail -5 "$scratch/debootstrap.log" >&2
      skip "debootstrap could not make a root: is the mirror reachable?"
    }
  fi
  # The way to the mirrors is this machine's own.
  cp -L /etc/resolv.conf "$chroot/etc/resolv.conf" 2>/dev/null || true
  apt-config dump 2>/dev/null | grep -E '^Acquire::(http|https)::' >"$chroot/etc/apt/apt.conf.d/90way" || true
  mount -t proc proc "$chroot/proc"
  mount --bind /dev "$chroot/dev"
  mkdir -p "$chroot/dev/shm"
  say "a clean root after $(($(date +%s) - begun)) s"
}

removeCleanRoot() {
  local mounted
  for mounted in dev proc; do umount "$chroot/$mounted" 2>/dev/null || umount -l "$chroot/$mounted" 2>/dev/null || true; done
  ! mountpoint -q "$chroot/proc" && ! mountpoint -q "$chroot/dev" && rm -rf --one-file-system "$scratch"
}

# inside COMMAND...: there, as root, with nothing of this shell's environment.
inside() { chroot "$chroot" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"; }
# installInside WHAT...: packages or their files, and nothing that they only recommend.
installInside() {
  if [ ! -e "$scratch/apt.log" ]; then
    inside apt-get -q -y update >"$scratch/apt.log" 2>&1 || { tail -5 "$scratch/apt.log" >&2; fail "no package lists"; }
  fi
  inside apt-get -q -y install --no-install-recommends "$@" >"$scratch/apt.log" 2>&1 ||
    { tail -20 "$scratch/apt.log" >&2; fail "apt-get could not install $*"; }
}
