#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# screen_reader.sh SCRIPT PROGRAM…: on a display and a session bus of its own, with accessibility on from the start, a
# script goes through a program over AT-SPI as a screen reader does (at_spi.py). Exit code 77: skipped.
set -eu
python=/usr/bin/python3 # Debian's: the bindings are its packages

skip() {
  echo "SKIP: $*"
  exit 77
}
command -v Xvfb >/dev/null || skip "Xvfb is not there: install the package xvfb"
command -v dbus-run-session >/dev/null || skip "dbus-run-session is not there: install the package dbus"
[ -f /usr/share/dbus-1/services/org.a11y.Bus.service ] || skip "AT-SPI is not there: install the package at-spi2-core"
"$python" -c 'import pyatspi' 2>/dev/null || skip "pyatspi is not there: install the package python3-pyatspi"

home=$(mktemp -d)
display=
clean() {
  [ -z "$display" ] || kill "$display" 2>/dev/null || true
  # Where the desktop's portals are installed, one of them mounts a folder here.
  fusermount3 -uz "$home/run/doc" 2>/dev/null || true
  rm -rf "$home"
}
trap clean EXIT
mkfifo "$home/display"
Xvfb -displayfd 3 -screen 0 1600x1000x24 -nolisten tcp 3>"$home/display" 2>/dev/null &
display=$!
read -r -t 60 number <"$home/display" || skip "Xvfb does not start"

unset XDG_CONFIG_HOME XDG_DATA_HOME XDG_CACHE_HOME XDG_STATE_HOME WAYLAND_DISPLAY AT_SPI_BUS_ADDRESS NO_AT_BRIDGE
mkdir -m 700 "$home/run"
export HOME="$home" XDG_RUNTIME_DIR="$home/run" DISPLAY=":$number" LC_ALL=C.UTF-8 QT_QPA_PLATFORM=xcb QT_LINUX_ACCESSIBILITY_ALWAYS_ON=1
# Its bus says on standard error what it starts.
dbus-run-session -- "$python" "$@" 2>"$home/errors" && result=0 || result=$?
[ "$result" = 0 ] || grep -v '^dbus-daemon' "$home/errors" >&2 || true
exit "$result"
