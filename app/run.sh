#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs what is missing, builds, and starts the window. Arguments go to strategylab, e.g. --strategy tpu.
# Without a display: compares the seven strategies in the terminal and draws the window into strategylab.png.
[ -n "${BASH_VERSION:-}" ] || exec bash "$0" "$@"  # it may have been started by sh, where no file is executable
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)
. "$root/app/setup.sh"

kNoDisplay=3  # strategylab's exit code when no display can be opened

withoutDisplay() {
  local picture=${STRATEGYLAB_PICTURE:-$PWD/strategylab.png}
  say "no display: comparing the strategies here, and drawing the window into $picture"
  "$bin/strategylab-cli" compare
  "$bin/strategylab" --render "$picture" "$@"
  say "the window's picture: $picture"
}

# Modules opened at run time are built only where they can be used: the GPUs' where NVIDIA's driver is.
targets=(strategylab strategylab-cli)
case $(PATH=$PATH:/sbin ldconfig -p 2>/dev/null) in
*libcuda.so.1*)
  say "NVIDIA's driver is here: where CUDA's compiler is too, the module for GPUs is built, two minutes more"
  targets+=(lab_modules)
  ;;
esac

# Training on real processes (`strategylab-cli launch`) needs Open MPI, which is large: only where it is asked for.
if [ "${STRATEGYLAB_PROCESSES:-0}" = 1 ]; then
  needPackages "${kProcessPackages[@]}"
  targets+=(lab_mpi_module)
fi

# A class that trains together (`strategylab-cli serve`) needs Boost's headers, which take a minute to compile: likewise.
if [ "${STRATEGYLAB_CLASS:-0}" = 1 ]; then
  needPackages "${kClassPackages[@]}"
  targets+=(lab_class)
fi

needPackages "${kBuildPackages[@]}" ${WAYLAND_DISPLAY:+"${kWaylandPackages[@]}"}
build release "${targets[@]}"
bin=$root/build/release/bin

# What the program answers by itself needs no display.
for argument in "$@"; do
  case $argument in --help | -h | --version | -v | --render | --render=*) exec "$bin/strategylab" "$@" ;; esac
done

if [ -z "${DISPLAY:-}${WAYLAND_DISPLAY:-}${QT_QPA_PLATFORM:-}" ]; then
  withoutDisplay "$@"
  exit
fi
status=0
"$bin/strategylab" "$@" || status=$?
if [ $status -eq $kNoDisplay ]; then
  withoutDisplay "$@"
  exit
fi
exit $status
