#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What app/run.sh and app/setup.sh do on another machine: sudo, apt, dpkg-query and cmake are stand-ins that say what
# a case has them say and write down how they were called, so nothing is installed or built. Then app/revision.cmake. No
# arguments; exit code 77 where dpkg, which compares versions, is missing.
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.." && pwd)
command -v dpkg >/dev/null || { echo "skipped: dpkg is not installed"; exit 77; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
calls=$scratch/calls said=$scratch/said
mkdir "$scratch/stands-in"

# standIn PROGRAM: with the rest of its script from standard input. What it was called with is in $calls.
standIn() {
  printf '#!/bin/bash\nscratch=%q\necho "%s $*" >>"$scratch/calls"\n' "$scratch" "$1" >"$scratch/stands-in/$1"
  cat >>"$scratch/stands-in/$1"
  chmod 755 "$scratch/stands-in/$1"
}
# person: what the stand-ins do where a case says nothing else. An ordinary user may use sudo and has no package.
person() {
  rm -f "$calls" && : >"$calls"
  standIn id <<<'echo 1000'
  standIn dpkg-query <<<'exit 1'
  standIn sudo <<<'exec env -i PATH="$PATH" "$@"'  # it hands on no variable
  standIn apt-get <<<'exit 0'
  standIn apt-cache <<<'exit 100'  # it knows of no package
}
# needs PACKAGE...: its exit code is needPackages's, and what it says is in $said.
needs() {
  env -u STRATEGYLAB_SKIP_SETUP PATH="$scratch/stands-in:$PATH" \
    bash -euo pipefail -c '. "$0/app/setup.sh"; needPackages "$@"' "$root" "$@" >"$said" 2>&1
}
wrong() {
  printf 'error: %s: %s. It said:\n%s\nand called:\n%s\n' "${FUNCNAME[1]}" "$*" "$(cat "$said")" "$(cat "$calls")" >&2
  exit 1
}

aRefusedSudoNamesTheCommand() {
  standIn sudo <<<'exit 1'
  ! needs cmake g++ || wrong "it goes on"
  grep -q "as root (su -), run 'apt-get install cmake g++'" "$said" || wrong "the command is not named"
  ! grep -q network "$said" || wrong "it speaks of the network"
  [ "$(grep -c '^sudo' "$calls")" -eq 1 ] || wrong "the password is asked for again"
}

aPersonsPackagesAreNotRemoved() {
  standIn apt-get <<<'[ "${*#*install}" = "$*" ]'  # no install succeeds
  ! needs libcurl4-openssl-dev || wrong "it goes on"
  ! grep 'apt-get .*install' "$calls" | grep -v -e --no-remove || wrong "apt-get may remove packages"
  grep -q 'could not install libcurl4-openssl-dev without removing' "$said" || wrong "it does not say why"
}

oneBrokenSourceDoesNotStopTheInstall() {
  standIn apt-get <<'END'
case $* in
*update*) touch "$scratch/updated" && exit 100 ;;
*install*) [ -e "$scratch/updated" ] ;;
esac
END
  needs cmake || wrong "it gives up"
  grep -q 'not all package lists' "$said" || wrong "it does not say so"
}

aptIsHeardWaitsForItsLockAndHasTheProxy() {
  standIn apt-get <<<'echo "unpacking; $http_proxy $https_proxy $no_proxy, $DEBIAN_FRONTEND"'
  http_proxy="http://a:1" https_proxy="http://b c:2" no_proxy=d needs cmake || wrong "it fails"
  grep -q 'unpacking; http://a:1 http://b c:2 d, noninteractive' "$said" || wrong "apt is silent, or has no proxy"
  grep -q 'apt-get .*DPkg::Lock::Timeout=600.* install' "$calls" || wrong "it does not wait for another's lock"
}

anOldSystemIsRefusedBeforeSudo() {
  standIn apt-cache <<<'[ "$3" != cmake ] || echo "Version: 3.22.1-1ubuntu1"'
  ! needs cmake || wrong "it goes on"
  grep -q 'too old.*cmake 3.22.1-1ubuntu1, and 3.25 is needed.*bundle.sh' "$said" || wrong "it does not say why"
  ! grep '^sudo' "$calls" || wrong "it asks for a password"
}

aFreshSystemIsAskedItsAgeOnceItsListsAreThere() {
  standIn apt-get <<'END'
case $* in
*update*) touch "$scratch/fetched" ;;
*install*) exit 100 ;;
esac
END
  standIn apt-cache <<<'[ ! -e "$scratch/fetched" ] || [ "$3" != qt6-base-dev ] || echo "Version: 6.2.4+dfsg-2ubuntu1"'
  ! needs cmake || wrong "it goes on"
  grep -q 'too old.*qt6-base-dev 6.2.4' "$said" || wrong "it does not say why"
}

aNewEnoughSystemIsTaken() {
  standIn apt-cache <<<'[ "$3" = cmake ] && echo "Version: 3.25.1-1" || echo "Version: 1:6.4.2+dfsg-10"'
  needs cmake || wrong "it is refused"
}

# jobsFor KIB MEMINFO: what limitJobs makes of that much free memory; "ninjas" where it leaves the number to ninja.
jobsFor() {
  printf 'MemTotal: 99000000 kB\nMemAvailable: %s kB\n' "$1" >"$scratch/meminfo"
  PATH=$scratch/stands-in:$PATH bash -euo pipefail -c '. "$0/app/setup.sh"; limitJobs "$1"
    echo "${CMAKE_BUILD_PARALLEL_LEVEL-ninjas}"' "$root" "$2" 2>"$said"
}
compilersHaveMemory() {
  unset CMAKE_BUILD_PARALLEL_LEVEL
  standIn nproc <<<'echo 8'
  [ "$(jobsFor 500000 "$scratch/meminfo")" = 1 ] || wrong "half a GB"
  [ "$(jobsFor 2000000 "$scratch/meminfo")" = 1 ] || wrong "2 GB"
  [ "$(jobsFor 6000000 "$scratch/meminfo")" = 4 ] || wrong "6 GB"
  [ "$(jobsFor 32000000 "$scratch/meminfo")" = ninjas ] || wrong "32 GB"
  [ "$(jobsFor 500000 /nowhere)" = ninjas ] || wrong "without /proc"
  [ "$(CMAKE_BUILD_PARALLEL_LEVEL=3 jobsFor 500000 "$scratch/meminfo")" = 3 ] || wrong "a number of one's own"
}

aPackageOfTwoArchitecturesIsThere() {
  standIn dpkg-query <<'END'
one=${2#-f=}
[ "$3" != halfway ] || one=${one/\$\{*\}/half-installed}
one=${one/\$\{*\}/installed}
printf "$one$one"
END
  needs zlib1g-dev || wrong "it fails"
  ! grep -e '^sudo' -e '^apt-get' "$calls" || wrong "it is installed again"
  needs zlib1g-dev halfway || wrong "it fails"
  grep -q 'apt-get .*install.* halfway$' "$calls" || wrong "one that is only half installed is not"
}

# start SHELL SCRIPT [ARGUMENT...]: a copy of app/run.sh or tests/run.sh, read by that shell, where all is built.
start() {
  local bin=$scratch/tree/build/release/bin program
  mkdir -p "$scratch"/tree/{app,tests} "$bin"
  cp "$root"/app/{run,setup}.sh "$scratch/tree/app"
  cp "$root/tests/run.sh" "$scratch/tree/tests"
  standIn cmake <<<'exit 0'
  standIn ctest <<<'exit 0'
  for program in strategylab strategylab-cli; do
    standIn $program <<<'exit 0'
    mv "$scratch/stands-in/$program" "$bin"
  done
  PATH=$scratch/stands-in:$PATH "$1" "$scratch/tree/$2" "${@:3}" >"$said" 2>&1
}
aWaylandSessionHasItsPlugin() {
  unset WAYLAND_DISPLAY STRATEGYLAB_SKIP_SETUP
  standIn dpkg-query <<<'[ "$3" != qt6-wayland ] && printf "${2#-f=}" | sed "s/\${[^}]*}/installed/"'
  DISPLAY=:1 start bash app/run.sh || wrong "it fails"
  ! grep '^apt-get' "$calls" || wrong "X11 needs nothing more"
  WAYLAND_DISPLAY=wayland-1 start bash app/run.sh || wrong "it fails under Wayland"
  grep -q '^apt-get .*install.* qt6-wayland$' "$calls" || wrong "the plugin is not installed"
  grep -q '^strategylab ' "$calls" || wrong "the window is not started"
}

anyShellStartsIt() {
  local shell
  for shell in sh bash; do
    : >"$calls"
    STRATEGYLAB_SKIP_SETUP=1 start $shell app/run.sh --version "two words" || wrong "$shell app/run.sh fails"
    grep -qx 'strategylab --version two words' "$calls" || wrong "$shell app/run.sh starts nothing"
    STRATEGYLAB_SKIP_SETUP=1 start $shell tests/run.sh -R name || wrong "$shell tests/run.sh fails"
    grep -q '^ctest .* -R name$' "$calls" || wrong "$shell tests/run.sh tests nothing"
  done
}

condaIsLeftOutOfTheBuild() {
  local conda=$scratch/conda
  mkdir -p "$conda/bin"
  standIn cmake <<<'echo "${CXX-system} ${CXXFLAGS-} ${CMAKE_PREFIX_PATH-} $PATH" >>"$scratch/calls"'
  # builds: with conda active, as its user would have it.
  builds() {
    CONDA_PREFIX=$conda CXX=condas CXXFLAGS=-condas CMAKE_PREFIX_PATH=$conda \
      PATH="$conda/bin:$scratch/stands-in:$PATH" bash -euo pipefail -c \
      '. "$0/app/setup.sh"; root=$1; build release' "$root" "$scratch" >"$said" 2>&1
  }
  STRATEGYLAB_SKIP_SETUP=0 builds || wrong "it fails"
  grep -q 'conda is active' "$said" || wrong "it does not say so"
  grep -qF "system   $scratch/stands-in:$PATH" "$calls" || wrong "the system's are not taken"
  ! grep conda "$calls" || wrong "conda's are taken"
  STRATEGYLAB_SKIP_SETUP=1 builds || wrong "it fails where conda is wanted"
  grep -qF "condas -condas $conda $conda/bin:" "$calls" || wrong "conda's are not taken where they are wanted"
}

anotherRepositorysRevisionIsNotOurs() {
  local source revision
  # git: as a person has it who has set nothing.
  git() { HOME=$scratch command git -c user.name=a -c user.email=a@b.example "$@"; }
  command -v cmake >/dev/null && [ -n "$(type -P git)" ] || return 0
  mkdir -p "$scratch/theirs/strategylab"
  git -C "$scratch/theirs" init -q
  git -C "$scratch/theirs" commit -q --allow-empty -m theirs
  for source in theirs theirs/strategylab; do
    cmake -DSOURCE="$scratch/$source" -DOUTPUT="$scratch/revision.h" -P "$root/app/revision.cmake" >"$said" 2>&1
    revision=$(sed -n 's/^#define STRATEGYLAB_REVISION "\(.*\)"$/\1/p' "$scratch/revision.h")
    case $source in
    theirs) [ "$revision" = "$(git -C "$scratch/theirs" rev-parse --short=12 HEAD)" ] || wrong "its own is '$revision'" ;;
    *) [ -z "$revision" ] || wrong "it is $revision" ;;
    esac
  done
}

for case in aRefusedSudoNamesTheCommand aPersonsPackagesAreNotRemoved oneBrokenSourceDoesNotStopTheInstall \
  aptIsHeardWaitsForItsLockAndHasTheProxy anOldSystemIsRefusedBeforeSudo aFreshSystemIsAskedItsAgeOnceItsListsAreThere \
  aNewEnoughSystemIsTaken compilersHaveMemory aWaylandSessionHasItsPlugin \
  aPackageOfTwoArchitecturesIsThere anyShellStartsIt condaIsLeftOutOfTheBuild anotherRepositorysRevisionIsNotOurs; do
  person
  $case
  printf 'PASS   : %s\n' "$case"
done
