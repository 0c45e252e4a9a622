#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The files that an installation brings are valid: files.sh BUILD_FOLDER. It installs into a temporary folder and looks at
# what lies there then. A check whose program is missing says so, or fails where STRATEGYLAB_VALIDATE=1 says that all must
# be there; exit code 77 where none could be made.
set -euo pipefail
build=$1
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
id=org.strategylab.StrategyLab
checks=0

fail() {
  printf 'error: %s\n' "$*" >&2
  exit 1
}
# with PROGRAM: true if it is there; else says what is not checked.
with() {
  if command -v "$1" >/dev/null; then
    checks=$((checks + 1))
    return 0
  fi
  [ "${STRATEGYLAB_VALIDATE:-0}" = 0 ] || fail "$1 is missing, so $2 cannot be checked"
  printf 'skipped: %s is not installed, so %s is not checked\n' "$1" "$2"
  return 1
}

DESTDIR=$root cmake --install "$build" --prefix /usr >/dev/null
share=$root/usr/share
for file in applications/$id.desktop metainfo/$id.metainfo.xml mime/packages/$id.xml icons/hicolor/scalable/apps/$id.svg \
  doc/strategylab/copyright doc/strategylab/changelog.gz; do
  [ -s "$share/$file" ] || fail "share/$file is not installed"
done
for size in 16 24 32 48 64 128 256 512; do
  icon=$share/icons/hicolor/${size}x$size/apps/$id.png
  # Width and height are the first two numbers of a PNG's first chunk.
  [ "$(od -An -j16 -N8 -tu1 "$icon" | tr -s ' ')" = " 0 0 $((size / 256)) $((size % 256)) 0 0 $((size / 256)) $((size % 256))" ] ||
    fail "$icon is no picture of $size×$size"
done

# What names something names what is there.
desktop=$share/applications/$id.desktop
program=$(sed -n 's/^Exec=\([^ ]*\).*/\1/p' "$desktop")
[ -x "$root/usr/bin/$program" ] || fail "the desktop file starts '$program', which is not installed"
[ "$(sed -n 's/^Icon=//p' "$desktop")" = $id ] || fail "the desktop file names another icon"
for type in $(sed -n 's/^MimeType=//p' "$desktop" | tr ';' ' '); do
  grep -q "type=\"$type\"" "$share/mime/packages/$id.xml" || fail "the MIME file does not know $type"
  grep -q "<mediatype>$type<" "$share/metainfo/$id.metainfo.xml" || fail "the metainfo does not know $type"
done
version=$("$root/usr/bin/strategylab-cli" --version | sed 's/.* //')
grep -q "<release version=\"$version\"" "$share/metainfo/$id.metainfo.xml" || fail "the metainfo has no release $version"
gzip -dc "$share/doc/strategylab/changelog.gz" | head -1 | grep -qF "strategylab ($version)" ||
  fail "the changelog does not begin with $version"

if with desktop-file-validate "the desktop file"; then
  said=$(desktop-file-validate "$desktop") || fail "$said"
  [ -z "$said" ] || fail "$said"
fi
if with appstreamcli "the metainfo"; then
  appstreamcli validate --no-net "$share/metainfo/$id.metainfo.xml" >"$root/said" || fail "$(cat "$root/said")"
fi
if with update-mime-database "the MIME types"; then
  said=$(XDG_DATA_DIRS=$share update-mime-database "$share/mime" 2>&1) || fail "$said"
  [ -z "$said" ] || fail "$said"
  grep -q 'application/x-strategylab-experiment:\*.slab' "$share/mime/globs" || fail "*.slab has no type"
  grep -q 'application/x-strategylab-recording:\*.run' "$share/mime/globs" || fail "*.run has no type"
fi
if with help2man "whether there are manual pages" && with man "the manual pages"; then
  for page in "$share"/man/man1/{strategylab,strategylab-cli}.1.gz; do
    [ -s "$page" ] || fail "$page is not installed: configure anew, now that help2man is there"
    said=$(LC_ALL=C.UTF-8 MANROFFSEQ='' MANWIDTH=100 man --warnings -E UTF-8 -l -Tutf8 -Z "$page" 2>&1 >/dev/null)
    [ -z "$said" ] || fail "${page##*/}: $said"
  done
  # Every option is in it. groff breaks no line within an option.
  for program in "strategylab --help" "strategylab-cli --help-all"; do
    page=$(LC_ALL=C.UTF-8 MANWIDTH=200 man -E UTF-8 -l "$share/man/man1/${program% *}.1.gz" 2>/dev/null | col -b)
    for option in $("$root/usr/bin/"$program | grep -o -- '^ *\(-h,\)\?--[a-z-]*' | tr -d ' ' | sed 's/^-h,//'); do
      grep -q -- "$option" <<<"$page" || fail "the manual page of ${program% *} lacks $option"
    done
  done
fi
[ $checks -gt 0 ] || exit 77
printf 'installed files: %s validators found nothing to mend\n' $checks
