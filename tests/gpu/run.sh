#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Everything that needs a GPU, for whoever has one. Builds the program first, unless it is given a built one:
#   tests/gpu/run.sh [--cli build/release/bin/strategylab-cli] [--reference ../shared] [--peers] [--quick]
# Where the GPU's machine has no packages to build with: this writes a folder that needs x86-64 Linux with a glibc not
# older than the builder's, NVIDIA's driver and python3, and is run there as FOLDER/run.sh:
#   tests/gpu/run.sh --pack FOLDER [--reference ../shared]
#  1 selftest: every operation of the CUDA module against the reference
#  2 golden: the trajectories of the reference folder, all strategies, 1, 2, 4 and 8 replicas (skipped without it)
#  3 the strategies against the same run on the processor, and NCCL over as many GPUs as there are
#  4 compute-sanitizer: memcheck and racecheck (skipped where it is not installed)
#  5 speed: images/s at global batches 64, 256, 1024 and 8192, a step and each of its operations beside its floor, and, with
#    --peers, PyTorch on the same GPU in turn with it (needs a Python with torch: $PYTHON, or python3)
# Prints a line for each check and ends with 1 if one failed. Timings want a GPU that nobody else uses.
# A rehearsal without a GPU, which says nothing of one: STRATEGYLAB_CUDA_MODULE names the build's strategylab_fake_cuda.so.
set -uo pipefail
here=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")" && pwd)
root=$(cd "$here/../.." && pwd)
cli="" peers=0 quick=0 pack=""
reference=${STRATEGYLAB_REFERENCE_DIR:-$root/../shared}
if [ -x "$here/strategylab-cli" ]; then cli=$here/strategylab-cli reference=$here/reference; fi  # in such a folder
while [ $# -gt 0 ]; do
  case $1 in
    --cli) cli=$2; shift ;;
    --reference) reference=$2; shift ;;
    --peers) peers=1 ;;
    --quick) quick=1 ;;
    --pack) pack=$2; shift ;;
    *) echo "usage: $0 [--cli PROGRAM] [--reference FOLDER] [--peers] [--quick] [--pack FOLDER]" >&2; exit 2 ;;
  esac
  shift
done
for program in python3 mktemp; do
  command -v $program >/dev/null || { echo "$program is needed and not on the PATH" >&2; exit 2; }
done
if [ -z "$cli" ] || [ -n "$pack" ]; then
  cmake -S "$root" -B "$root/build/gpu" -G Ninja -DCMAKE_BUILD_TYPE=Release -DSTRATEGYLAB_UI=OFF -DSTRATEGYLAB_TESTS=OFF \
    -DSTRATEGYLAB_CUDA=ON "-DCMAKE_BUILD_RPATH=\$ORIGIN/lib" -DCMAKE_EXE_LINKER_FLAGS=-Wl,--disable-new-dtags \
    >/dev/null && cmake --build "$root/build/gpu" --target strategylab-cli || exit 1
  cli=$root/build/gpu/bin/strategylab-cli
fi
[ -x "$cli" ] || { echo "$cli is no program: build strategylab-cli and name it with --cli" >&2; exit 2; }
if [ -n "$pack" ]; then
  mkdir -p "$pack/lib" "$pack/reference" && cp "$here"/* "$(dirname "$cli")/strategylab_cuda.so" "$cli" "$pack" || exit 1
  # All but glibc's, which must fit the kernel and each other.
  ldd "$cli" | awk '$3 ~ "^/" { print $3 }' | grep -vE '/(libc|libm|libresolv|libdl|libpthread|librt)\.so' |
    xargs -I{} cp {} "$pack/lib" || exit 1
  for part in golden mnist; do
    if [ -d "$reference/$part" ]; then cp -r "$reference/$part" "$pack/reference"; fi
  done
  echo "packed: $pack ($(du -sh "$pack" | cut -f1)); on the machine with the GPU: $(basename "$pack")/run.sh --peers"
  exit
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
check() { # check NAME COMMAND...
  local name=$1
  shift
  if "$@" >"$work/out" 2>&1; then
    echo "ok      $name"
  else
    echo "FAILED  $name"
    tail -n 20 "$work/out" | sed 's/^/        /'
    failed=1
  fi
}
skip() { echo "skipped $1"; }

"$cli" devices
if "$cli" devices --json | python3 -c 'import json,sys
sys.exit(any(d["kind"] == "cuda" and d["available"] for d in json.load(sys.stdin)["devices"]))'; then
  echo "no GPU can be used here, see above: nothing was tested" >&2
  exit 77
fi
gpus=$("$cli" devices --json | python3 -c 'import json,sys
print(sum(d["kind"] == "cuda" for d in json.load(sys.stdin)["devices"]))')
PATH=$PATH:/usr/local/cuda/bin
if command -v nvidia-smi >/dev/null; then
  nvidia-smi --query-gpu=name,driver_version,clocks.max.sm,power.limit --format=csv,noheader
fi

check "selftest" "$cli" selftest --devices cuda

if [ -d "$reference/golden" ]; then
  steps=()
  [ $quick = 0 ] || steps=(--steps 20)
  check "golden cases" python3 "$here/golden.py" --cli "$cli" --reference "$reference" "${steps[@]}"
else
  skip "golden cases: no reference folder at $reference"
fi
check "strategies as on the processor" python3 "$here/strategies.py" --cli "$cli" --gpus "$gpus"

small=(train --dataset digits --train-examples 256 --test-examples 64 --steps 4 --devices cuda)
if command -v compute-sanitizer >/dev/null; then
  for tool in memcheck racecheck; do
    check "$tool: selftest" compute-sanitizer --tool $tool --error-exitcode 9 "$cli" selftest --devices cuda
    for run in "--strategy one-device" "--strategy mirrored --replicas 4 --reducer ring" \
      "--strategy central-storage --replicas 2" "--strategy parameter-server --replicas 2"; do
      # shellcheck disable=SC2086
      check "$tool: $run" compute-sanitizer --tool $tool --error-exitcode 9 "$cli" "${small[@]}" $run
    done
  done
else
  skip "memcheck and racecheck: compute-sanitizer is not on the PATH"
fi

data=()
if [ -d "$reference/mnist" ]; then
  data=(--dataset mnist --data-dir "$reference/mnist")
else
  echo "no MNIST at $reference/mnist: batches beyond the 4,000 embedded digits are not whole"
fi
seconds=$([ $quick = 1 ] && echo 1 || echo 3)
for batch in 64 256 1024 8192; do
  "$cli" bench --devices cuda "${data[@]}" --replicas 1,8 --global-batch "$batch" --seconds "$seconds" || failed=1
done
rounds=()
[ $quick = 0 ] || rounds=(--rounds 1)
if [ $peers = 1 ]; then
  "${PYTHON:-python3}" "$here/compare.py" --cli "$cli" "${data[@]:2}" "${rounds[@]}" || failed=1
else
  skip "PyTorch on the same GPU: ask for it with --peers"
fi
exit $failed
