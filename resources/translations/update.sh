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
options=(-silent -I . -no-obsolete -locations none -source-language en)
"$lupdate" "${options[@]}" ui app/main.cpp app/options.cpp -target-language de -ts "$folder/strategylab_de.ts"
"$lupdate" "${options[@]}" -pluralonly ui app/main.cpp app/options.cpp -target-language en -ts "$folder/strategylab_en.ts"
