#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The archive of bundle.sh in bare systems, where nothing is installed: unpacked and started by an ordinary user.
#
#   tests/package/bundle_try.sh ARCHIVE.tar.gz SUITE... [--pictures FOLDER]
#
# SUITE: of Debian (bookworm trixie sid), each made by debootstrap (tests/clean_root.sh), or a root folder that is there. In each
# the command line trains, alone and with two workers in a class, a .keras file is written and read, and the window trains under X11 and, where
# weston is installed here, under Wayland. The display's server, keys and pictures are of this system.
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.." && pwd)
. "$root/app/setup.sh"
. "$root/tests/clean_root.sh"
archive=$(readlink -f "$1")
shift
pictures=
suites=()
while [ $# -gt 0 ]; do
  case $1 in
    --pictures) pictures=$2 && shift ;;
    *) suites+=("$1") ;;
  esac
  shift
done
kSteps=60          # that the window trains
kPatienceS=120     # for that
kUser=1000
for tool in Xvfb:xvfb xdotool:xdotool convert:imagemagick; do
  command -v "${tool%:*}" >/dev/null || skip "${tool%:*} is missing: install ${tool#*:}"
done

# asPerson COMMAND...: there, as an ordinary user, in the unpacked folder.
asPerson() {
  chroot --userspec=$kUser:$kUser "$chroot" env -i -C /home/person/lab PATH=/usr/bin:/bin HOME=/home/person \
    XDG_RUNTIME_DIR=/home/person/run "${display[@]}" "$@"
}

# patiently WHAT COMMAND...: until it succeeds.
patiently() {
  local what=$1 end=$(($(date +%s) + kPatienceS))
  shift
  until "$@"; do
    [ "$(date +%s)" -lt $end ] || fail "$what: not within $kPatienceS s"
    sleep 0.5
  done
}

# window NAME BY WHAT: the window trains when it is told to, and draws. BY WHAT: how xdotool finds what takes the keys.
window() {
  local metrics=$chroot/home/person/$1.jsonl id colours
  asPerson ./strategylab --steps $kSteps --metrics "/home/person/$1.jsonl" >"$scratch/window.log" 2>&1 &
  local program=$!
  trained() {
    kill -0 $program || fail "the window has ended: $(cat "$scratch/window.log")"
    grep -q '"event":"end"' "$metrics" 2>/dev/null && return
    # Keys that come before the window listens are lost, so it is asked again.
    id=$(xdotool search --onlyvisible "$2" "$3" | tail -n 1)
    [ -s "$metrics.part" ] || [ -z "$id" ] || { xdotool windowfocus "$id" && xdotool key l; } || true
    return 1
  }
  patiently "the window under $1" trained "$@"
  [ "$(grep -c '"event":"step"' "$metrics")" -eq $kSteps ] || fail "the window has not trained $kSteps steps"
  sleep 2
  convert "xwd:$scratch/Xvfb_screen0" "$scratch/$1.png"
  colours=$(identify -format %k "$scratch/$1.png")
  [ "$colours" -gt 100 ] || fail "the screen has $colours colours: nothing was drawn"
  say "$suite: under $1 the window trained $kSteps steps, test accuracy $(sed -n 's/.*"testAccuracy":\([0-9.]*\).*/\1/p' "$metrics" | tail -1), $colours colours on the screen"
  [ -z "$pictures" ] || cp "$scratch/$1.png" "$pictures/$suite-$1.png"
  kill $program
  wait $program 2>/dev/null || true
}

# tryIn SUITE: all of it, in one system. Runs in a shell of its own, which takes the system away when it ends.
tryIn() {
  local suite=${1##*/}
  [ ! -d "$1" ] || STRATEGYLAB_CLEAN_ROOT=$1
  makeCleanRoot "$suite"
  trap 'jobs -p | xargs -r kill -KILL 2>/dev/null; removeCleanRoot' EXIT
  display=()
  mkdir -p "$chroot"/home/person/{lab,run}
  tar -xzf "$archive" --strip-components=1 -C "$chroot/home/person/lab"
  chown -R $kUser:$kUser "$chroot/home/person"
  chmod 700 "$chroot/home/person/run"
  say "$suite: C library $(inside getconf GNU_LIBC_VERSION 2>/dev/null || echo unknown), $(inside sh -c 'dpkg -l 2>/dev/null | grep -c ^ii' || true) packages"

  asPerson ./strategylab-cli --version
  asPerson ./strategylab-cli train --replicas 2 --steps 20 --train-examples 640 --test-examples 100 --save /home/person/w.keras --json >"$scratch/train.json"
  say "$suite: strategylab-cli trained: $(tail -n 1 "$scratch/train.json" | cut -c 1-120)"
  asPerson ./strategylab-cli train --replicas 2 --steps 1 --train-examples 640 --network /home/person/w.keras >/dev/null
  asPerson ./strategylab-cli launch --strategy parameter-server --replicas 2 --steps 20 --train-examples 640 --test-examples 100 >"$scratch/launch.txt"
  say "$suite: two workers trained in a class: $(tail -n 1 "$scratch/launch.txt" | cut -c 1-120)"
  # The archive's libraries come before those that a person's LD_LIBRARY_PATH names: here, files that are none.
  mkdir "$chroot/home/person/foreign"
  touch "$chroot"/home/person/foreign/lib{z.so.1,curl.so.4,stdc++.so.6,Qt6Core.so.6}
  asPerson env LD_LIBRARY_PATH=/home/person/foreign ./strategylab-cli --version
  asPerson env LD_LIBRARY_PATH=/home/person/foreign ./strategylab --render /home/person/foreign.png --after-steps 1
  # Open MPI and CUDA are the system's, and here it has none.
  ! asPerson ./strategylab-cli launch --replicas 2 --steps 1 >"$scratch/mpi.txt" 2>&1 || fail "two processes without Open MPI"
  say "$suite: without Open MPI: $(tail -n 1 "$scratch/mpi.txt")"

  # Xvfb and weston are this system's. X11's socket is an abstract one, which the network's name space holds.
  Xvfb :77 -ac -screen 0 1280x800x24 -nolisten tcp -fbdir "$scratch" >"$scratch/xvfb.log" 2>&1 &
  export DISPLAY=:77
  patiently Xvfb xdotool getdisplaygeometry >/dev/null 2>&1
  display=(DISPLAY=:77)
  window X11 --name '^StrategyLab'
  if command -v weston >/dev/null; then
    XDG_RUNTIME_DIR=$chroot/home/person/run weston --backend=x11-backend.so --use-pixman --width=1280 --height=800 \
      --socket=wayland-7 --idle-time=0 >"$scratch/weston.log" 2>&1 &
    patiently weston test -S "$chroot/home/person/run/wayland-7"
    chown $kUser:$kUser "$chroot/home/person/run"/*
    display=(WAYLAND_DISPLAY=wayland-7)
    window Wayland --class '[Ww]eston'
  else
    say "$suite: skipped: weston is not installed, so nothing is tried under Wayland"
  fi
  say "$suite: all is well"
}

begun=$(date +%s)
for suite in "${suites[@]}"; do (tryIn "$suite"); done
say "bundle: all is well, after $(($(date +%s) - begun)) s"
