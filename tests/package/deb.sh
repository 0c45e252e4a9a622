#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The Debian package is valid: deb.sh BUILD_FOLDER. It packs what has been built into a temporary folder and has lintian
# look at it, with warnings as errors. Exit code 77 where a tool is missing, unless STRATEGYLAB_VALIDATE=1 says that all
# must be there.
set -euo pipefail
build=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

fail() {
  printf 'error: %s\n' "$*" >&2
  exit 1
}
for tool in dpkg-deb:dpkg dpkg-shlibdeps:dpkg-dev lintian:lintian help2man:help2man; do
  command -v "${tool%:*}" >/dev/null && continue
  [ "${STRATEGYLAB_VALIDATE:-0}" = 0 ] || fail "${tool%:*} is missing, so the package cannot be checked: install ${tool#*:}"
  printf 'skipped: %s is not installed\n' "${tool%:*}"
  exit 77
done

(cd "$build" && cpack -G DEB -B "$scratch" >"$scratch/said" 2>&1) || fail "cpack: $(cat "$scratch/said")"
package=$(ls "$scratch"/*.deb)
for file in usr/bin/strategylab usr/bin/strategylab-cli usr/share/applications/org.strategylab.StrategyLab.desktop; do
  dpkg-deb --fsys-tarfile "$package" | tar -tf - "./$file" >/dev/null 2>&1 || fail "the package has no $file"
done
dpkg-deb -f "$package" Depends | grep -q libqt6widgets6 || fail "the package does not say that it needs Qt"
said=$(lintian --allow-root --fail-on error,warning "$package" 2>&1) || fail "lintian is not content:
$said"
printf '%s: %s bytes, lintian found nothing to mend\n' "$(basename "$package")" "$(stat -c %s "$package")"
