// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspect/inspector.h"

namespace lab {

Inspector::Inspector(RunController& controller, Playback& playback, Selection& selection, QWidget* parent)
    : QWidget(parent), controller_(controller), playback_(playback), selection_(selection) {}

void Inspector::refresh() {}

}  // namespace lab
