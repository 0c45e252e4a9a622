// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/robot/memory.h"

#include <QApplication>
#include <QMap>
#include <QStringList>
#include <QWidget>

#include <malloc.h>

#include <algorithm>
#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
extern "C" std::size_t __sanitizer_get_current_allocated_bytes();  // g++ lacks the header with this declaration
#endif

#include "tests/bench/window_bench.h"

namespace lab::robot {
namespace {

double heapBytes() {
#if defined(__SANITIZE_ADDRESS__)
  return static_cast<double>(__sanitizer_get_current_allocated_bytes());
#else
  const struct mallinfo2 all = mallinfo2();
  return static_cast<double>(all.uordblks) + static_cast<double>(all.hblkhd);
#endif
}

constexpr std::size_t kOfEach = 3;

}  // namespace

void sayWhereMemoryIs() {
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_print_memory_profile(80, 12);
#endif
}

Memory memoryNow() {
#if !defined(__SANITIZE_ADDRESS__)
  (void)malloc_trim(0);
#endif
  Memory now{.residentMb = bench::residentMb(), .heapMb = heapBytes() / 1e6};
  const QWidgetList tops = QApplication::topLevelWidgets();
  now.windows = static_cast<std::size_t>(tops.size());
  now.widgets = static_cast<std::size_t>(QApplication::allWidgets().size());
  for (const QWidget* top : tops) now.objects += 1 + static_cast<std::size_t>(top->findChildren<QObject*>().size());
  return now;
}

QString windowsByClass() {
  QMap<QString, int> counts;
  for (const QWidget* top : QApplication::topLevelWidgets())
    ++counts[QStringLiteral("%1 '%2'").arg(QLatin1String(top->metaObject()->className()), top->objectName())];
  QStringList all;
  for (auto it = counts.cbegin(); it != counts.cend(); ++it)
    if (it.value() > 1) all << QStringLiteral("%1 %2").arg(it.value()).arg(it.key());
  return all.join(QStringLiteral(", "));
}

double growthMb(const std::vector<Memory>& checks, double checkS, double Memory::*figure) {
  constexpr double kWarmUpS = 600;  // until each panel, language and letter size was shown once
  const std::size_t first = std::max(checks.size() / 10, static_cast<std::size_t>(kWarmUpS / checkS)) + 1;
  if (checks.size() < first + 2 * kOfEach) return 0;
  const auto median = [&](std::size_t from) {
    std::vector<double> values;
    for (std::size_t i = from; i < from + kOfEach; ++i) values.push_back(checks[i].*figure);
    return bench::medianOf(values);
  };
  return median(checks.size() - kOfEach) - median(first);
}

}  // namespace lab::robot
