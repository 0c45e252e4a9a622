#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The core in WebAssembly. `core/wasm/build.sh [FOLDER]` builds FOLDER/replica.wasm, by default the one that is committed
# in resources/class, and writes beside it what it was built with. Needs clang-19 with WASI (kWasmPackages in
# app/setup.sh). Equal sources and an equal toolchain (`core/wasm/build.sh --toolchain`) give equal bytes.
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.."

compiler=clang++-19
target=(--target=wasm32-wasi)

toolchain() {  # the compiler, and a checksum of the libraries that are linked
  local library paths=()
  "$compiler" --version | head -n 1
  for library in libc.a libc++.a libc++abi.a; do paths+=("$("$compiler" "${target[@]}" -print-file-name="$library")"); done
  paths+=("$("$compiler" "${target[@]}" -print-libgcc-file-name)")
  cat "${paths[@]}" | sha256sum | cut -d ' ' -f 1
}
if [ "${1:-}" = --toolchain ]; then
  toolchain
  exit
fi
folder=${1:-resources/class}
objects=$(mktemp -d)
trap 'rm -rf "$objects"' EXIT

# No fused multiply-add, no relaxed SIMD: both would give other bits than the processor's baseline kernels.
flags=("${target[@]}" -std=c++20 -msimd128 -ffp-contract=off -fno-math-errno -DNDEBUG -fexceptions -fvisibility=hidden
  -ffunction-sections -fdata-sections -I. -include core/wasm/no_threads.h
  -Wall -Wextra -Wpedantic -Wshadow -Wno-missing-field-initializers -Werror)
# One unit a folder, as in a unity build; the arithmetic by itself, for speed, the rest for size.
declare -A units=(
  [kernels]="core/device/cpu/kernels_baseline.cpp" [layers]="core/device/cpu/cpu_layers.cpp"
  [base]="$(echo core/base/{aligned_buffer,elementary,error,message,rng,suggest}.cpp)"
  [device]="$(echo core/device/{cross_entropy,activation,dropout_mask}.cpp core/device/cpu/{cpu_backend,cpu_convolution,cpu_depthwise,cpu_layer_norm,kernels_x86_absent}.cpp)"
  [model]="$(echo core/model/{cnn,layer_pass,layer_walk,layout,network_text,neural_network,gradient_slots,optimizer}.cpp)"
  [wasm]="$(echo core/wasm/{platform,replica}.cpp)")

compile() {  # UNIT LEVEL
  # shellcheck disable=SC2086  # names without spaces
  printf '#include "%s"\n' ${units[$1]} | "$compiler" "${flags[@]}" "$2" -x c++ - -c -o "$objects/$1.o"
}
pids=()
for unit in kernels layers; do compile "$unit" -O3 & pids+=($!); done
for unit in base device model wasm; do compile "$unit" -Os & pids+=($!); done
for pid in "${pids[@]}"; do wait "$pid"; done

mkdir -p "$folder"
"$compiler" "${target[@]}" -mexec-model=reactor "$objects"/*.o -o "$folder/replica.wasm" \
  -Wl,--strip-all -Wl,--gc-sections -Wl,-O2 -Wl,-z,stack-size=1048576 -Wl,--max-memory=$((768 << 20)) -Wl,--export=__stack_pointer
chmod -x "$folder/replica.wasm"
toolchain >"$folder/replica.wasm.toolchain"
