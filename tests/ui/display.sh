# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# For scripts that play on the built program, to be sourced: a display of its own and a fresh start. What is remembered,
# set or found is the script's alone, but for the digits inside the program.
#
#   display_name=memory               # begins what is said
#   display_tools=(Xvfb:xvfb ...)     # programs and the packages that have them: without one the script is skipped
#   . "$(dirname ...)/display.sh"
#   open_display 1280x720             # sets DISPLAY, HOME and $scratch, a folder that goes at the end
#
# $app, where it is set, is the program's process: it is ended with the script.

say() { printf '%s: %s\n' "$display_name" "$*"; }
die() {
  say "failed: $*"
  exit 1
}

server= app= scratch=
close_display() {
  for process in $app $server; do
    kill "$process" 2>/dev/null || true
    wait "$process" 2>/dev/null || true
  done
  [ -z "$scratch" ] || rm -rf "$scratch"
}

for tool in "${display_tools[@]}"; do
  command -v "${tool%:*}" >/dev/null && continue
  say "skipped: ${tool%:*} is not installed: on Debian, 'apt-get install ${tool#*:}'"
  exit 0
done

open_display() {
  trap close_display EXIT
  scratch=$(mktemp -d)
  mkdir "$scratch/home" "$scratch/run"
  chmod 700 "$scratch/run"
  export HOME=$scratch/home XDG_RUNTIME_DIR=$scratch/run
  unset XDG_CONFIG_HOME XDG_DATA_HOME XDG_CACHE_HOME STRATEGYLAB_DATA KERAS_HOME DBUS_SESSION_BUS_ADDRESS
  unset WAYLAND_DISPLAY QT_QPA_PLATFORM QT_SCALE_FACTOR QT_SCREEN_SCALE_FACTORS QT_FONT_DPI
  # The display chooses its own number, and tells it when it can be used.
  Xvfb -displayfd 3 -screen 0 "${1}x24" -nolisten tcp 3>"$scratch/display" 2>/dev/null &
  server=$!
  for ((i = 0; i < 100; ++i)); do
    [ -s "$scratch/display" ] && break
    sleep 0.1
  done
  [ -s "$scratch/display" ] || die "Xvfb does not start"
  DISPLAY=:$(cat "$scratch/display")
  export DISPLAY
}
