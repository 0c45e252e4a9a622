# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced by app/run.sh, tests/run.sh and those in .ci, which set `root` to the project's folder: one place that knows which
# packages the build needs and how to get them. Nothing here talks to the network when all packages are there.
# qt6-translations-l10n is what Qt's own dialogs say in German.

kBuildPackages=(cmake ninja-build g++ pkg-config qt6-base-dev qt6-charts-dev qt6-svg-dev libqt6opengl6-dev libeigen3-dev libcli11-dev
  nlohmann-json3-dev zlib1g-dev libcurl4-openssl-dev libssl-dev libzip-dev libhdf5-dev libpng-dev libjpeg-dev
  libvpx-dev libgif-dev libimagequant-dev libqrencode-dev ca-certificates fonts-dejavu-core
  qt6-l10n-tools qt6-translations-l10n)
kWaylandPackages=(qt6-wayland)  # Qt's plugin: only where such a session is
kProcessPackages=(libopenmpi-dev openmpi-bin)  # real processes: only where they are asked for
kClassPackages=(libboost-dev)  # a class that trains together: likewise
kTestPackages=(dbus-daemon)
kCiPackages=(git clang-format-14 desktop-file-utils appstream shared-mime-info man-db dpkg-dev lintian
  xvfb xauth dbus at-spi2-core python3-pyatspi help2man nodejs)
# The core in WebAssembly (core/wasm/README.md): for those who change it, and .ci/run.
kWasmPackages=(clang-19 lld-19 libc++-19-dev-wasm32 libc++abi-19-dev-wasm32 libclang-rt-19-dev-wasm32 wasi-libc)
kSanitizePackages=(clang-14 libclang-rt-14-dev g++-aarch64-linux-gnu qemu-user-static)

say() { printf '==> %s\n' "$*" >&2; }
fail() {
  printf 'error: %s\n' "$*" >&2
  exit 1
}

missingPackages() {
  local package
  for package in "$@"; do
    # One that is there for two architectures is told of twice.
    [[ $(dpkg-query -W -f=' ${db:Status-Status} ' "$package" 2>/dev/null) = *' installed '* ]] ||
      printf '%s\n' "$package"
  done
}

# refuseOldSystem: where what apt has to offer is older than what the build needs. Of empty lists nothing is known.
refuseOldSystem() {
  local least offered
  for least in cmake:3.25 qt6-base-dev:6.4; do
    offered=$(apt-cache show --no-all-versions "${least%:*}" 2>/dev/null | sed -n 's/^Version: //p') || true
    [ -z "$offered" ] || dpkg --compare-versions "$offered" ge "${least#*:}" ||
      fail "this system is too old to build here: it has ${least%:*} $offered, and ${least#*:} is needed (Debian 12," \
        "Ubuntu 24.04 or newer). There, tests/package/bundle.sh makes an archive that runs on this system, too"
  done
}

# needPackages PACKAGE...: installs those that are not there. STRATEGYLAB_SKIP_SETUP=1 leaves the machine as it is.
needPackages() {
  [ "${STRATEGYLAB_SKIP_SETUP:-0}" = 1 ] && return
  command -v dpkg-query >/dev/null && command -v apt-get >/dev/null ||
    fail "this is no Debian-like system, so the packages cannot be installed from here: install the counterparts of" \
      "'$*' by hand and run again with STRATEGYLAB_SKIP_SETUP=1"
  local missing
  mapfile -t missing < <(missingPackages "$@")
  [ ${#missing[@]} -eq 0 ] && return
  refuseOldSystem

  local asRoot=()
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null ||
      fail "these packages are missing and neither root rights nor sudo are there to install them: as root, run" \
        "'apt-get install ${missing[*]}' and start again"
    asRoot=(sudo)
  fi
  # sudo keeps no variable, so a proxy is named. After booting, Debian's own upgrades may hold apt's lock for minutes.
  local apt=("${asRoot[@]}" env DEBIAN_FRONTEND=noninteractive ${http_proxy:+"http_proxy=$http_proxy"}
    ${https_proxy:+"https_proxy=$https_proxy"} ${no_proxy:+"no_proxy=$no_proxy"}
    apt-get -q -y -o DPkg::Lock::Timeout=600)
  local install=(install --no-install-recommends --no-remove "${missing[@]}")
  "${apt[@]}" --version >/dev/null ||
    fail "sudo does not let you install packages: as root (su -), run 'apt-get install ${missing[*]}' and start again"
  say "installing ${missing[*]}: this can take minutes"
  # Most often, an install fails for lists that are missing or old: they are fetched then, and it is tried again.
  if ! "${apt[@]}" "${install[@]}" >&2; then
    say "fetching the package lists, and trying again"
    # One source that is gone or unsigned fails an update, although the lists of all others have come.
    "${apt[@]}" update >&2 || say "not all package lists could be fetched: trying with those that there are"
    refuseOldSystem
    "${apt[@]}" "${install[@]}" >&2 ||
      fail "apt-get could not install ${missing[*]} without removing other packages: mend what it says above," \
        "then start again"
  fi
}

# limitJobs [MEMINFO]: no more compilers at once than have memory, some 1.4 GB each. ninja only counts processors.
limitJobs() {
  local free jobs
  free=$(awk '/^MemAvailable:/ { print $2 }' "${1:-/proc/meminfo}" 2>/dev/null) || true
  jobs=$((${free:-0} / 1400000))
  [ -n "$free" ] && [ -z "${CMAKE_BUILD_PARALLEL_LEVEL:-}" ] && [ $jobs -lt $(($(nproc) + 2)) ] || return 0
  export CMAKE_BUILD_PARALLEL_LEVEL=$((jobs > 1 ? jobs : 1))
  say "memory is free for $CMAKE_BUILD_PARALLEL_LEVEL compilers at once"
}

# leaveConda: its compiler and libraries come before the system's, but the next update of it would take them away. Who
# installs no packages from here may want just those.
leaveConda() {
  [ -n "${CONDA_PREFIX:-}" ] && [ "${STRATEGYLAB_SKIP_SETUP:-0}" != 1 ] || return 0
  say "conda is active: it is left out of the build"
  unset CC CXX CFLAGS CXXFLAGS CPPFLAGS LDFLAGS CMAKE_PREFIX_PATH
  PATH=$(tr : '\n' <<<"$PATH" | grep -vxF "$CONDA_PREFIX/bin" | paste -sd :)
}

# build PRESET [TARGET...]: configures build/PRESET and builds the targets (all when none is named).
build() {
  local preset=$1
  shift
  leaveConda
  # A compiler cache is used where there is one, and never asked for.
  if command -v ccache >/dev/null; then export CMAKE_CXX_COMPILER_LAUNCHER="${CMAKE_CXX_COMPILER_LAUNCHER-ccache}"; fi
  # Ninja's line of progress, in parts of the whole and seconds. One of your own stays.
  export NINJA_STATUS="${NINJA_STATUS-[%p of %t, %e s] }"
  limitJobs
  say "building ${*:-everything} in build/$preset: 6 minutes for the programs on two processors, 6 more for the tests;" \
    "later builds take seconds"
  (cd "$root" && cmake --preset "$preset" -Wno-dev >/dev/null && cmake --build --preset "$preset" ${1:+--target "$@"}) >&2 ||
    fail "the build in $root/build/$preset failed: mend what is said above; if the compiler was killed, memory" \
      "was too small: close programs, or set CMAKE_BUILD_PARALLEL_LEVEL=1; if the folder was made by another" \
      "compiler or an older version, delete it and start again"
}
