// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/i18n/class_words.h"

#include "core/data/class_names.h"
#include "ui/i18n/core_words.h"

namespace lab {

QString classWords(const Dataset& data, int label) {
  const std::string name = className(data, label);
  return namesAreWords(data) ? coreText(name) : QString::fromStdString(name);
}

QStringList classList(const Dataset& data, std::int64_t classes) {
  QStringList names;
  for (int label = 0; label < static_cast<int>(classes); ++label) names << classWords(data, label);
  return names;
}

bool classesAreNamed(const Dataset& data) {
  return className(data, 0) != "0";
}

}  // namespace lab
