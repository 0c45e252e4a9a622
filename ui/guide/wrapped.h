// SPDX-License-Identifier: GPL-3.0-or-later
// Labels of running text in a narrow panel. TensorFlow's names are longer than a line there: they may break where a
// person would break them.
#pragma once

#include <QString>

class QLabel;

namespace lab {

// Long words with places to break: after dots, underscores, brackets, and before capitals. Nothing else changes.
QString breakable(const QString& text);

// Plain text that wraps; `role` of the style sheet, null for none.
QLabel* wrappedLabel(const char* name, const char* role);

}  // namespace lab
