#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What Debian for arm64 has of what the core and its tests need, in one folder: tests/arm64/sysroot.sh FOLDER. apt fetches it by lists
# and a database of its own, so that this machine stays as it is and nobody must be root. Where it is there already,
# nothing happens. Qt's packages for building are unpacked without what they depend on: most of that is the window's.
set -euo pipefail
folder=$1
packages=(libc6-dev libstdc++6 zlib1g-dev libcurl4-openssl-dev libssl-dev libzip-dev libhdf5-dev libpng-dev libjpeg-dev libeigen3-dev
  libcli11-dev nlohmann-json3-dev libqt6core6 libqt6test6)
alone=(qt6-base-dev qmake6)
wanted="${packages[*]} ${alone[*]}"
[ "$(cat "$folder/packages" 2>/dev/null)" = "$wanted" ] && exit 0

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work"/{state/lists/partial,cache/archives/partial,debs}
touch "$work/state/status"
apt() {
  apt-get -q -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o Dir::State="$work/state" -o Dir::State::status="$work/state/status" \
    -o Dir::Cache="$work/cache" -o APT::Sandbox::User= -o Debug::NoLocking=1 -o Dpkg::Use-Pty=0 "$@"
}
apt update >&2
apt -y --no-install-recommends --download-only install "${packages[@]}" >&2
(cd "$work/cache/archives" && apt download "${alone[@]}" >&2)
rm -rf "$folder"
mkdir -p "$folder"
for package in "$work"/cache/archives/*.deb; do dpkg-deb --extract "$package" "$folder"; done
# Links that are absolute would lead to this machine's own files.
find "$folder" -type l -lname '/*' | while read -r link; do
  ln -sfn "$(realpath -m --relative-to="$(dirname "$link")" "$folder$(readlink "$link")")" "$link"
done
printf '%s' "$wanted" >"$folder/packages"
