#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs what is missing, builds everything and runs all tests, two more at once than there are processors, since some
# wait for processes, servers or movies. Arguments go to ctest, e.g. -R core.tst_comm; --parallel 1 runs them one by one.
# STRATEGYLAB_PRESET picks another build than release: debug, asan, tsan, ci.
[ -n "${BASH_VERSION:-}" ] || exec bash "$0" "$@"  # it may have been started by sh, where no file is executable
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)
. "$root/app/setup.sh"

preset=${STRATEGYLAB_PRESET:-release}
needPackages "${kBuildPackages[@]}" "${kTestPackages[@]}"
build "$preset"
cd "$root"
exec ctest --preset "$preset" --output-on-failure --parallel "$(($(nproc) + 2))" "$@"
