#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The Debian package in a clean Debian 12: builds it (or takes the one named), has the validators and lintian look at it,
# installs it in a root made by debootstrap, starts the window there under Xvfb, and sees it train and draw.
#
#   tests/package/run.sh [PACKAGE.deb | BUILD_FOLDER [PICTURE.png]]
#
# BUILD_FOLDER: build/release, built if need be. PICTURE: what the window looked like. What it needs, and how a root that was
# made before is used: tests/clean_root.sh.
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.." && pwd)
. "$root/app/setup.sh"
. "$root/tests/clean_root.sh"
what=${1:-$root/build/release}
picture=${2:-}
kSteps=60        # that the window trains
kPatienceS=120   # for that
kSize=1280x800

command -v dpkg-deb >/dev/null || skip "this is no Debian-like system"
begun=$(date +%s)
makeCleanRoot

# The package.
if [ -d "$what" ]; then
  command -v help2man >/dev/null || skip "help2man, which makes the manual pages, is not installed"
  cmake --build "$what" --target strategylab strategylab-cli lab_packaged >&2
  say "packing"
  (cd "$what" && cpack -G DEB -B "$scratch/packed" >"$scratch/cpack.log" 2>&1) || { cat "$scratch/cpack.log" >&2; fail "cpack failed"; }
  package=$(ls "$scratch"/packed/*.deb)
  cp "$package" "$what/"
else
  package=$(readlink -f "$what")
fi
say "$(basename "$package"): $(stat -c %s "$package") bytes, installed $(dpkg-deb -f "$package" Installed-Size) KiB"
if command -v lintian >/dev/null; then
  lintian --allow-root --fail-on error,warning "$package" || fail "lintian is not content"
  say "lintian: nothing to mend"
else
  say "skipped: lintian is not installed, so the package is not looked at by it"
fi

cp "$package" "$chroot/root/strategylab.deb"
installInside /root/strategylab.deb
say "installed with $(grep -c '^Setting up' "$scratch/apt.log") packages"
# What only this test needs comes after it, so that nothing of it stands in for a dependency that was forgotten.
inside ldd /usr/bin/strategylab /usr/bin/strategylab-cli | grep -q 'not found' && fail "a library is missing: $(inside ldd /usr/bin/strategylab | grep 'not found')"
inside strategylab-cli --version
inside strategylab-cli train --replicas 2 --steps 20 --train-examples 640 --test-examples 100 --json >"$scratch/train.json"
say "strategylab-cli trained: $(tail -n 1 "$scratch/train.json")"
inside strategylab --render /root/render.png --after-steps 2
[ -s "$chroot/root/render.png" ] || fail "nothing was rendered"
installInside xvfb xauth xdotool desktop-file-utils shared-mime-info
echo '{"format":"strategylab-experiment","version":1,"config":{}}' >"$chroot/root/a.slab"
grep -q 'strategylab-experiment:\*.slab' "$chroot/usr/share/mime/globs" || fail "the system does not know .slab"
grep -q 'strategylab-experiment=org.strategylab.StrategyLab.desktop' "$chroot/usr/share/applications/mimeinfo.cache" ||
  fail "the system does not open .slab with the program"

# The window, there: it is told to go Live, as a person would, and writes the metrics of its run.
cat >"$chroot/root/start.sh" <<EOF
#!/bin/sh
Xvfb :77 -screen 0 ${kSize}x24 -nolisten tcp -fbdir /root >/root/xvfb.log 2>&1 &
server=\$!
export DISPLAY=:77
i=0
until xdotool getdisplaygeometry >/dev/null 2>&1; do
  i=\$((i + 1)); [ \$i -lt 100 ] || { echo "Xvfb does not start"; cat /root/xvfb.log; exit 1; }
  sleep 0.1
done
strategylab --steps $kSteps --metrics /root/metrics.jsonl >/root/window.log 2>&1 &
window=\$!
xdotool search --sync --onlyvisible --name '^StrategyLab' >/dev/null
i=0
until grep -q '"event":"end"' /root/metrics.jsonl 2>/dev/null; do
  kill -0 \$window 2>/dev/null || { echo "the window has ended"; cat /root/window.log; kill \$server; exit 1; }
  i=\$((i + 1)); [ \$i -lt $((kPatienceS * 2)) ] || { echo "it has not trained in $kPatienceS s"; kill \$window \$server; exit 1; }
  # No window manager gives it the keyboard. Keys that come before it listens are lost, so it is asked again.
  id=\$(xdotool search --onlyvisible --name '^StrategyLab' | tail -n 1)
  [ -s /root/metrics.jsonl.part ] || { xdotool windowfocus "\$id"; xdotool key l; }
  sleep 0.5
done
sleep 2
cp /root/Xvfb_screen0 /root/screen.xwd
kill \$window
wait \$window
kill \$server
wait \$server 2>/dev/null
exit 0
EOF
inside sh /root/start.sh || fail "the window did not train"
metrics=$chroot/root/metrics.jsonl
steps=$(grep -c '"event":"step"' "$metrics")
[ "$steps" -eq $kSteps ] || fail "the window's run has $steps steps instead of $kSteps"
say "the window trained $steps steps under Xvfb: loss $(grep '"event":"step"' "$metrics" | sed -n '1s/.*"loss":\([0-9.]*\).*/\1/p') -> $(grep '"event":"step"' "$metrics" | sed -n '$s/.*"loss":\([0-9.]*\).*/\1/p'), test accuracy $(sed -n 's/.*"testAccuracy":\([0-9.]*\).*/\1/p' "$metrics" | tail -1)"
if command -v convert >/dev/null; then
  convert "xwd:$chroot/root/screen.xwd" "$scratch/screen.png"
  colours=$(identify -format %k "$scratch/screen.png")
  [ "$colours" -gt 100 ] || fail "the screen has $colours colours: nothing was drawn"
  say "the screen has $colours colours"
  [ -z "$picture" ] || cp "$scratch/screen.png" "$picture"
fi
inside apt-get -q -y remove strategylab >"$scratch/apt.log" 2>&1 || fail "the package cannot be removed"
[ ! -e "$chroot/usr/bin/strategylab" ] || fail "something is left of it"
say "package: all is well, after $(($(date +%s) - begun)) s"
