#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Gathers the window's texts from the sources into the .ts files beside this script: new ones come as unfinished, those
# that are gone are dropped. Then translate what `grep -A4 unfinished` shows, in Qt Linguist or by hand.
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.." && pwd)
lupdate=$(command -v lupdate6 || command -v /usr/lib/qt6/bin/lupdate || command -v lupdate) || {
  echo "error: Qt's lupdate is missing: install it (Debian: qt6-l10n-tools)" >&2
  exit 1
}
cd "$root"
folder=${1:-resources/translations} # tst_translations names another
# The messages of the core and the words of its tables (core/base/message.h), as lupdate knows texts. What the command
# line says of its own (app) stays English.
core=$(mktemp --suffix .cpp)
trap 'rm -f "$core"' EXIT
grep -rlE 'LAB_(TEXT|WORDS)\(' core ui --include '*.h' --include '*.cpp' | grep -v '^core/base/message\.h$' |
  LC_ALL=C sort | xargs cat |
  sed -zE 's/LAB_TEXT\(\s*[A-Za-z0-9]+,/QT_TRANSLATE_NOOP("core",/g; s/LAB_WORDS\(/QT_TRANSLATE_NOOP("core", /g' |
  grep -v '^#' >"$core"
options=(-silent -I . -no-obsolete -locations none -source-language en)
sources=(ui app/main.cpp app/options.cpp "$core")
"$lupdate" "${options[@]}" "${sources[@]}" -target-language de -ts "$folder/strategylab_de.ts"
"$lupdate" "${options[@]}" -pluralonly "${sources[@]}" -target-language en -ts "$folder/strategylab_en.ts"
