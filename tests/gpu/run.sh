#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Everything that needs a GPU, for whoever has one. Builds the program first, unless it is given a built one:
#   tests/gpu/run.sh [--part 1,2] [--only NAME,…] [--batches 64,256,…] [--jobs N] [--log FOLDER] [--deadline SECONDS]
#                    [--cli build/release/bin/strategylab-cli] [--reference ../shared] [--quick]
# Five parts, the most telling first. Each is meant to take well under nine minutes on a machine with 16 processors:
#  1 first       selftest, three golden cases, the golden networks' first steps, bench, cifar10's network, one pass of ncu
#  2 correct     golden, networks, strategies, workers: all golden cases with every strategy that must reproduce them; every strategy
#                beside the same run on the processor, NCCL over as many GPUs as there are; real processes beside one, where there is Open MPI
#  3 sanitizers  memcheck, racecheck, of selftest and of short runs
#  4 peers-small PyTorch on the same GPU in turn with ours, at global batches 64 and 256
#  5 peers-large likewise at 1024 and 8192
# Without --part and --only: all of them. --only names checks: selftest golden-first networks-first bench
# bench-cifar10 ncu golden networks strategies workers memcheck racecheck
# peers; peers then takes --batches. --jobs: correctness runs so many processes at once (4); times are always taken alone.
# --log FOLDER keeps each check's output; without it, it is kept where a check failed. --limit SECONDS ends a check that takes longer
# (500), and a part has several; after --deadline SECONDS no check begins, and none runs past it: 570 where a command may take ten
# minutes. Prints a line for each check, and ends with 1 if one failed or was not reached.
# Where the GPU's machine has no packages to build with: this writes a folder that needs x86-64 Linux with a glibc not older than
# the builder's, NVIDIA's driver and python3 (with PyTorch for the peers), and is run there as FOLDER/run.sh. With code for one
# kind of GPU alone it is smaller:
#   tests/gpu/run.sh --pack FOLDER [--architectures 90-real] [--reference ../shared]
# A rehearsal without a GPU, which says nothing of one: STRATEGYLAB_CUDA_MODULE names the build's strategylab_fake_cuda.so;
# STRATEGYLAB_PEER_DEVICE=cpu has PyTorch compute on the processor.
set -uo pipefail
here=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")" && pwd)
root=$(cd "$here/../.." && pwd)
cli="" parts="" only="" batches="" jobs=4 log="" limit=500 deadline=0 quick=0 pack="" architectures=""
reference=${STRATEGYLAB_REFERENCE_DIR:-$root/../shared}
if [ -x "$here/strategylab-cli" ]; then cli=$here/strategylab-cli reference=$here/reference; fi  # in such a folder
usage() { sed -n '3,6p' "$here/run.sh" >&2; exit 2; }
fail() { echo "error: $*" >&2; exit 2; }
while [ $# -gt 0 ]; do
  case $1 in
    --quick) quick=1; shift; continue ;;
    --part | --only | --batches | --jobs | --log | --limit | --deadline | --cli | --reference | --pack | --architectures)
      [ $# -ge 2 ] || { echo "$1 needs a value" >&2; usage; } ;;
    *) echo "$1 is no option" >&2; usage ;;
  esac
  case $1 in
    --part) parts=$2 ;;
    --only) only=$2 ;;
    --batches) batches=$2 ;;
    --jobs) jobs=$2 ;;
    --log) log=$2 ;;
    --limit) limit=$2 ;;
    --deadline) deadline=$2 ;;
    --cli) cli=$2 ;;
    --reference) reference=$2 ;;
    --pack) pack=$2 ;;
    --architectures) architectures=$2 ;;
  esac
  shift 2
done
for number in "$jobs" "$limit" "$deadline"; do
  [[ $number =~ ^[0-9]+$ ]] || fail "--jobs, --limit and --deadline take whole numbers, not '$number'"
done
[ "$jobs" -ge 1 ] && [ "$limit" -ge 1 ] || fail "--jobs and --limit are at least 1"
for program in python3 mktemp timeout; do
  command -v $program >/dev/null || fail "$program is needed and not on the PATH"
done

# ---- which checks
first=(selftest golden-first networks-first bench bench-cifar10 ncu)
correct=(golden networks strategies workers)
sanitizers=(memcheck racecheck)
known=" ${first[*]} ${correct[*]} ${sanitizers[*]} peers "
wanted=()
for part in ${parts//,/ }; do
  case $part in
    1 | first) wanted+=("${first[@]}") ;;
    2 | correct) wanted+=("${correct[@]}") ;;
    3 | sanitizers) wanted+=("${sanitizers[@]}") ;;
    4 | peers-small) wanted+=("peers:${batches:-64,256}") ;;
    5 | peers-large) wanted+=("peers:${batches:-1024,8192}") ;;
    *) fail "--part $part: there are 1 to 5, or first, correct, sanitizers, peers-small, peers-large" ;;
  esac
done
for name in ${only//,/ }; do
  [[ $known == *" $name "* ]] || fail "--only $name: there are$known"
  [ "$name" != peers ] || name=peers:${batches:-64,256,1024,8192}
  wanted+=("$name")
done
[ ${#wanted[@]} -gt 0 ] ||
  wanted=("${first[@]}" "${correct[@]}" "${sanitizers[@]}" "peers:${batches:-64,256}" "peers:${batches:-1024,8192}")

# ---- the program, or the folder to take along
if [ -z "$cli" ] || [ -n "$pack" ]; then
  folder=$root/build/gpu${architectures:+-$architectures}
  cmake -S "$root" -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE=Release -DSTRATEGYLAB_UI=OFF -DSTRATEGYLAB_TESTS=OFF \
    -DSTRATEGYLAB_CUDA=ON ${architectures:+"-DSTRATEGYLAB_CUDA_ARCHITECTURES=$architectures"} \
    -DSTRATEGYLAB_DOWNLOADS="$([ -n "$pack" ] && echo OFF || echo ON)" \
    "-DCMAKE_BUILD_RPATH=\$ORIGIN/lib" -DCMAKE_EXE_LINKER_FLAGS=-Wl,--disable-new-dtags >/dev/null &&
    cmake --build "$folder" --target strategylab-cli strategylab_cuda || exit 1
  cmake --build "$folder" --target strategylab_mpi >/dev/null 2>&1 || true  # where there is an Open MPI to build it with
  cli=$folder/bin/strategylab-cli
fi
[ -x "$cli" ] || fail "$cli is no program: build strategylab-cli and name it with --cli"
if [ -n "$pack" ]; then
  mkdir -p "$pack/lib" "$pack/reference" && cp "$here"/*.sh "$here"/*.py "$(dirname "$cli")/strategylab_cuda.so" "$cli" "$pack" ||
    exit 1
  cp "$(dirname "$cli")/strategylab_mpi.so" "$pack" 2>/dev/null || true
  strip "$pack/strategylab-cli" "$pack/strategylab_cuda.so"
  # All but glibc's, which must fit the kernel and each other.
  ldd "$cli" | awk '$3 ~ "^/" { print $3 }' | grep -vE '/(libc|libm|libresolv|libdl|libpthread|librt)\.so' |
    xargs -I{} cp {} "$pack/lib" || exit 1
  for part in golden golden/networks mnist; do  # the files alone
    if [ -d "$reference/$part" ]; then
      mkdir -p "$pack/reference/$part" && find "$reference/$part" -maxdepth 1 -type f ! -name '*.keras' -exec cp {} "$pack/reference/$part" \; || exit 1
      chmod -R u+w "$pack/reference"
    fi
  done
  echo "packed: $pack ($(du -sb "$pack" | awk '{ printf "%.1f MB", $1 / 1e6 }')); on the machine with the GPU: $(basename "$pack")/run.sh --part 1"
  exit
fi

# ---- the GPU
PATH=$PATH:/usr/local/cuda/bin
python=${PYTHON:-python3}
export PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1
# Sets gpus, their number, and whyNoNccl, a reason if NCCL cannot be used.
look() {
  local found facts
  found=$("$cli" devices --json) || fail "$cli devices ended with $?: a crash or a broken program, not a missing GPU"
  facts=$(python3 -c 'import json, sys
gpus = [d for d in json.load(sys.stdin)["devices"] if d["kind"] == "cuda" and d["available"]]
print(len(gpus), gpus[0].get("whyNoNccl", "") if gpus else "")' <<<"$found") ||
    fail "$cli devices --json printed no JSON: $found"
  read -r gpus whyNoNccl <<<"$facts"
}
look
# NCCL comes with PyTorch where the system has none.
if [ -z "${STRATEGYLAB_NCCL:-}" ] && [ -n "$whyNoNccl" ]; then
  nccl=$("$python" -c 'import importlib.util, pathlib
spec = importlib.util.find_spec("nvidia.nccl")
for folder in spec.submodule_search_locations if spec else []:
    for library in sorted(pathlib.Path(folder, "lib").glob("libnccl.so*")): print(library)' 2>/dev/null | head -n 1)
  if [ -n "$nccl" ]; then export STRATEGYLAB_NCCL=$nccl && look; fi
fi
"$cli" devices || fail "$cli devices ended with $?"
if [ "$gpus" = 0 ]; then
  echo "no GPU can be used here, see above: nothing was tested" >&2
  exit 77
fi
if command -v nvidia-smi >/dev/null; then
  nvidia-smi --query-gpu=name,driver_version,clocks.max.sm,power.limit --format=csv,noheader
fi

# ---- running a check
kept=$log
[ -n "$log" ] || log=$(mktemp -d)
mkdir -p "$log" || exit 2
trap 'echo "stopped in the middle; each check'"'"'s output is in $log" >&2' EXIT
failed=0 number=0
clock() { printf '%d:%02d' $((SECONDS / 60)) $((SECONDS % 60)); }
# check NAME COMMAND...: its output into the log; the last line of a good one, the last lines of a failed one are shown.
check() {
  local name=$1 allowed=$limit status began=$SECONDS
  shift
  local file=$log/${name//[^A-Za-z0-9.-]/_}.txt
  if [ "$deadline" -gt 0 ]; then
    if [ $((deadline - SECONDS)) -lt 5 ]; then
      echo "NOT RUN $name: the deadline of $deadline s is reached"
      failed=1
      return
    fi
    [ $((deadline - SECONDS)) -ge "$allowed" ] || allowed=$((deadline - SECONDS))
  fi
  echo "        $name … ($(clock))" >&2
  timeout -k 10 "$allowed" "$@" >"$file" 2>&1
  status=$?
  if grep -q ERR_NVGPUCTRPERM "$file"; then  # said by ncu, whatever it ends with
    skip "$name: this user may not read the GPU's counters (https://developer.nvidia.com/ERR_NVGPUCTRPERM)"
  elif [ $status -eq 0 ]; then
    echo "ok      $name, $((SECONDS - began)) s: $(tail -n 1 "$file")"
  else
    if [ $status -eq 124 ] || [ $status -eq 137 ]; then
      echo "FAILED  $name: stopped after $allowed s"
    else
      echo "FAILED  $name: ended with $status after $((SECONDS - began)) s"
    fi
    tail -n 20 "$file" | sed 's/^/        /'
    failed=1
  fi
}
skip() { echo "skipped $1"; }
ranks=$gpus  # that NCCL may join
if [ -n "$whyNoNccl" ]; then ranks=0; fi
# The whole output of a check that was run.
show() {
  local file=$log/${1//[^A-Za-z0-9.-]/_}.txt
  [ ! -f "$file" ] || sed 's/^/        /' "$file"
}
seconds=$([ $quick = 1 ] && echo 1 || echo 2)

data=()
if [ -d "$reference/mnist" ]; then data=(--dataset mnist --data-dir "$reference/mnist"); fi
haveGolden() {
  [ -d "$reference/golden" ] && [ -d "$reference/mnist" ] && return
  skip "$1: golden/ and mnist/ are not both in $reference"
  return 1
}
haveNetworks() {
  haveGolden "$1" || return 1
  [ ! -d "$reference/golden/networks" ] || return 0
  skip "$1: golden/networks/ is not in $reference"
  return 1
}
# Short runs of what shares the GPU in different ways.
sanitize() { # sanitize TOOL
  local tool=$1 run small
  small=(train --train-examples 256 --test-examples 64 --steps 4 --devices cuda)
  check "$tool: selftest" compute-sanitizer --tool "$tool" --error-exitcode 9 "$cli" selftest --devices cuda
  for run in "--dataset digits --strategy one-device" "--dataset digits --replicas 4 --reducer ring" \
    "--dataset digits --strategy central-storage --replicas 2" "--dataset digits --strategy parameter-server --replicas 2" \
    "--dataset digits --network mlp --replicas 2" "--network cifar10 --dataset colour --replicas 2"; do
    # shellcheck disable=SC2086
    check "$tool: $run" compute-sanitizer --tool "$tool" --error-exitcode 9 "$cli" "${small[@]}" $run
  done
}

batches=${batches//,/ }
for name in "${wanted[@]}"; do
  number=$((number + 1))
  echo "== $number of ${#wanted[@]}: $name ($(clock))"
  case $name in
    selftest) check selftest "$cli" selftest --devices cuda ;;
    golden-first)
      haveGolden "$name" || continue
      check golden-first python3 "$here/golden.py" --cli "$cli" --reference "$reference" --jobs "$jobs" --steps 20 \
        --cases adam-b64,sgd-b256,momentum-b128 --one-setup ;;
    networks-first)
      haveNetworks "$name" || continue
      check networks-first python3 "$here/networks.py" --cli "$cli" --reference "$reference" --jobs "$jobs" --steps 20 --one-setup ;;
    networks)
      haveNetworks "$name" || continue
      steps=()
      [ $quick = 0 ] || steps=(--steps 20)
      check networks python3 "$here/networks.py" --cli "$cli" --reference "$reference" --jobs "$jobs" "${steps[@]}" ;;
    bench-cifar10)
      # The embedded digits in colour: what is in the pictures takes no time. The run says its images a second.
      for batch in ${batches:-64 256 1024}; do
        check "cifar10 at $batch" "$cli" train --devices cuda --strategy one-device --network cifar10 --dataset colour \
          --batch-per-replica "$batch" --steps 400 --eval-every 0
        show "cifar10 at $batch"
      done ;;
    bench)
      [ ${#data[@]} -gt 0 ] || echo "no MNIST at $reference/mnist: batches beyond the 4,000 embedded digits are not whole"
      for batch in ${batches:-64 256 1024 8192}; do
        check "bench $batch" "$cli" bench --devices cuda "${data[@]}" --replicas 1,8 --global-batch "$batch" --seconds "$seconds"
        show "bench $batch"
      done
      # What it gains that a kernel may begin while the one before it still runs (from sm_90 on).
      check "bench 64, one kernel after the other" env STRATEGYLAB_CUDA_OVERLAP=0 \
        "$cli" bench --devices cuda "${data[@]}" --replicas 1,8 --global-batch 64 --seconds "$seconds"
      show "bench 64, one kernel after the other" ;;
    ncu)
      if ! command -v ncu >/dev/null; then skip "ncu: it is not on the PATH"; continue; fi
      # After the start: the kernels of one step, with what limits each.
      check ncu ncu --clock-control none --launch-skip 120 --launch-count 40 --section SpeedOfLight --section Occupancy \
        --section LaunchStats --section MemoryWorkloadAnalysis "$cli" train --devices cuda --strategy one-device "${data[@]}" \
        --batch-per-replica 4096 --steps 20 --eval-every 0 ;;
    golden)
      haveGolden "$name" || continue
      steps=()
      [ $quick = 0 ] || steps=(--steps 20)
      check golden python3 "$here/golden.py" --cli "$cli" --reference "$reference" --jobs "$jobs" "${steps[@]}" ;;
    strategies)
      [ -z "$whyNoNccl" ] || skip "strategies over NCCL: $whyNoNccl"
      check strategies python3 "$here/strategies.py" --cli "$cli" --ranks "$ranks" --jobs "$jobs" ;;
    workers)
      if ! command -v mpirun >/dev/null || [ ! -f "$(dirname "$cli")/strategylab_mpi.so" ]; then
        skip "workers: mpirun or strategylab_mpi.so beside the program is missing"
        continue
      fi
      [ -z "$whyNoNccl" ] || skip "workers over NCCL: $whyNoNccl"
      check workers python3 "$here/workers.py" --cli "$cli" --ranks "$ranks" ;;
    memcheck | racecheck)
      if command -v compute-sanitizer >/dev/null; then sanitize "$name"; else skip "$name: compute-sanitizer is not on the PATH"; fi ;;
    peers:*)
      # It may be built for the processor alone, or without code for this GPU.
      if ! why=$("$python" -c 'import os, torch
torch.ones(1, device=os.environ.get("STRATEGYLAB_PEER_DEVICE", "cuda")).add(1).item()' 2>&1 | tail -n 1); then
        skip "$name: PyTorch does not compute here: $why"
        continue
      fi
      check "$name" "$python" "$here/compare.py" --cli "$cli" "${data[@]:2}" --batches "${name#peers:}" --jobs "$jobs" \
        --rounds $([ $quick = 1 ] && echo 1 || echo 3)
      show "$name" ;;
  esac
done
trap - EXIT
if [ -n "$kept" ] || [ $failed = 1 ]; then echo "each check's output is in $log"; else rm -rf "$log"; fi
echo "$([ $failed = 0 ] && echo "all is well" || echo "something failed, see above"), $(clock)"
exit $failed
