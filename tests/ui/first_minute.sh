#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Plays the first minute of a lesson on the built program, with real keys and clicks on a display of its own, and
# photographs every beat of it. Fails when the program dies, when a beat does not come, or when a picture is blank or the
# same as the one before.
#
#   tests/ui/first_minute.sh [PROGRAM [FOLDER [WIDTHxHEIGHT]]]
#
# PROGRAM: build/bin/strategylab; window_places is expected beside it. FOLDER, for the pictures: first_minute in the
# present folder. Size: 1280x720. STRATEGYLAB_ARGUMENTS is given to the program (--theme dark, --data-dir FOLDER).
#
# What can be seen is waited for: a beat has begun when it lights up on the scrubber. The movie keeps its own time, in
# real seconds, so within a beat the script waits for the moment worth a picture, and looks at the pictures at the end.
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.." && pwd)
program=$(readlink -f "${1:-$root/build/bin/strategylab}")
folder=${2:-first_minute}
size=${3:-1280x720}
kLimitS=150   # for all of it
kPatienceS=20 # for one thing to happen

display_name=first_minute
display_tools=(Xvfb:xvfb xdotool:xdotool import:imagemagick convert:imagemagick compare:imagemagick)
. "$root/tests/ui/display.sh"
places=$(dirname "$program")/window_places
[ -x "$program" ] && [ -x "$places" ] || die "$program or window_places beside it is missing: build them first"
mkdir -p "$folder"
rm -f "$folder"/[0-9]-*.png
open_display "$size"
export MAGICK_THREAD_LIMIT=1 # this and the program share the processors

declare -A place
while read -r name box; do place[$name]=$box; done < <("$places" "$size")
for name in replicas-up charts stage caption 2-distribute 2-backward 2-aggregate 2-check 4-forward; do
  [ -n "${place[$name]:-}" ] || die "window_places does not say where $name is"
done

alive() {
  kill -0 "$app" 2>/dev/null || die "the program has ended: $(cat "$scratch/said")"
  [ $SECONDS -lt $kLimitS ] || die "it takes more than $kLimitS seconds"
}

# sumOf PLACE [PICTURE]: whether anything changed is told by a sum over the pixels of a place.
sumOf() {
  local x y w h
  read -r x y w h <<<"${place[$1]}"
  if [ -n "${2:-}" ]; then
    convert "$2" -crop "${w}x${h}+$x+$y" -depth 8 rgb:- | cksum
  else
    import -window root -crop "${w}x${h}+$x+$y" -depth 8 rgb:- | cksum
  fi
}

# awaitChange PLACE OLD: until PLACE looks other than OLD.
awaitChange() {
  local until=$((SECONDS + kPatienceS))
  while [ "$(sumOf "$1")" = "$2" ]; do
    alive
    [ $SECONDS -lt $until ] || die "$1 has stayed as it was for $kPatienceS seconds, before $3"
    sleep 0.1
  done
}

# awaitRest PLACE: until PLACE stays as it is.
awaitRest() {
  local now before= until=$((SECONDS + kPatienceS))
  while now=$(sumOf "$1") && [ "$now" != "$before" ]; do
    alive
    [ $SECONDS -lt $until ] || die "$1 does not come to rest"
    before=$now
    sleep 0.3
  done
}

clickOn() {
  local x y w h
  read -r x y w h <<<"${place[$1]}"
  xdotool mousemove $((x + w / 2)) $((y + h / 2))
  sleep 0.1
  xdotool click 1
}

# photograph NAME [BEAT]: takes the picture, in a format that takes no time.
pictures=()
declare -A beatOf
photograph() {
  local name=${#pictures[@]}-$1
  alive
  import -window root "$scratch/$name.bmp"
  alive
  say "$SECONDS s  $1"
  pictures+=("$name")
  beatOf[$name]=${2:-}
}

# Whether each picture shows something, the beat that it should, and something else than the one before.
judge() {
  local name beat colours different latest=
  for name in "${pictures[@]}"; do
    colours=$(convert "$scratch/$name.bmp" -sample 25% -format %k info:)
    [ "$colours" -gt 50 ] || die "$name is blank: it has $colours colours"
    beat=${beatOf[$name]}
    if [ -n "$beat" ] && [ "$(sumOf "$beat" "$scratch/$name.bmp")" = "${unlit[$beat]}" ]; then
      die "$beat was over before its picture was taken: this machine is too busy"
    fi
    if [ -n "$latest" ]; then
      different=$(compare -metric AE "$scratch/$latest.bmp" "$scratch/$name.bmp" null: 2>&1 || true)
      different=$(printf '%.0f' "${different%% *}")
      [ "$different" -gt 500 ] || die "$name shows what $latest shows: only $different pixels differ"
    fi
    latest=$name
    convert "$scratch/$name.bmp" -quality 20 "$folder/$name.png"
  done
}

# beat NAME: until it lights up.
declare -A unlit
beat() {
  awaitChange "$1" "${unlit[$1]}" "${1#*-}"
}
unlight() {
  local name
  for name in "${!place[@]}"; do
    case $name in "$1"-*) unlit[$name]=$(sumOf "$name") ;; esac
  done
}

# ---- 0 s: a complete picture
read -ra arguments <<<"${STRATEGYLAB_ARGUMENTS:-}"
empty=$(sumOf stage)
"$program" --size "$size" "${arguments[@]}" >"$scratch/said" 2>&1 &
app=$!
awaitChange stage "$empty" "the window"
sleep 5 # ▶ has invited
awaitRest stage
window=$(xdotool search --pid "$app" --onlyvisible --name '^StrategyLab$' | tail -1)
xdotool windowfocus --sync "$window"
unlight 2
photograph start

# ---- 3 s: Space. The weights are copied, the digits distributed; each replica computes a loss of its own.
xdotool key space
beat 2-distribute
sleep 1.9 # on their way
photograph deal 2-distribute
beat 2-backward
sleep 0.6 # both losses stand there
photograph losses 2-backward

# ---- 20 s: the gradients are added
beat 2-aggregate
sleep 1.4 # on their way
photograph aggregate 2-aggregate

# ---- 28 s: every copy is updated, and compared. Space holds the movie.
beat 2-check
sleep 2.1 # until the copies lie over each other
xdotool key space
caption=$(sumOf caption)
sleep 0.3
photograph identical 2-check

# ---- 30 s: four replicas, by the arrow of the stepper; the same eight digits are distributed anew.
clickOn replicas-up
sleep 0.3
clickOn replicas-up
xdotool mousemove 10 10
awaitChange caption "$caption" "four replicas"
awaitRest stage
unlight 4
photograph four
xdotool key space
beat 4-forward
sleep 0.3
photograph four-dealt 4-forward

# ---- 40 s: Live. Training runs on, the charts come and fill.
xdotool key l
before=$(sumOf charts)
for curve in begins grows "grows on" fills; do
  awaitChange charts "$before" "the curve $curve"
  before=$(sumOf charts)
  sleep 1
done
sleep 3
photograph live

# It ends when it is told to, while training goes on: of what would be lost it asks first, and a signal asks nothing.
kill -TERM "$app"
for ((i = 0; i < kPatienceS * 10; ++i)); do
  kill -0 "$app" 2>/dev/null || break
  sleep 0.1
done
kill -0 "$app" 2>/dev/null && die "the program does not end"
status=0
wait "$app" || status=$?
app=
[ $status -eq 0 ] || die "the program ended with $status: $(cat "$scratch/said")"
judge
say "passed in $SECONDS s: ${#pictures[@]} pictures in $folder"
