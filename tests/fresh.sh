#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The README's two commands on a fresh Debian 12 that has git and a shell, in a clone of the last commit: what their
# scripts forget to install, or take from beside the checkout, is missing there. Some 15 minutes on two processors.
# Arguments go to tests/run.sh, e.g. --parallel 2. What it needs: tests/clean_root.sh.
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)
. "$root/app/setup.sh"
. "$root/tests/clean_root.sh"

makeCleanRoot
installInside git
git -C "$root" -c safe.directory="$root" bundle create -q "$chroot/root/project.bundle" HEAD
inside git clone -q /root/project.bundle /root/project
inside env -C /root/project tests/run.sh "$@" || fail "tests/run.sh does not pass on a fresh system"
inside env -C /root/project app/run.sh || fail "app/run.sh does not work on a fresh system"
[ -s "$chroot/root/project/strategylab.png" ] || fail "app/run.sh drew no window"
say "fresh: all is well"
