// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/profile/first_changes.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <functional>
#include <vector>

#include "ui/i18n/words.h"
#include "ui/trace/trace_paint.h"

namespace lab {
namespace {

constexpr std::size_t kMost = 3;
constexpr double kLeastShare = 0.05;  // a smaller share is not worth a change

struct FirstChanges {
  Q_DECLARE_TR_FUNCTIONS(lab::FirstChanges)
};

// "" for communication hidden behind computing, which costs no time, and for what is not recorded, as nothing is known
// about it.
QString remedyOf(StepStage stage) {
  switch (stage) {
    case StepStage::Compute:
      return FirstChanges::tr("a faster device, or bfloat16");
    case StepStage::Exposed:
      return FirstChanges::tr("a faster link, another reducer, or smaller packs behind the backward pass");
    case StepStage::Straggler:
      return FirstChanges::tr("devices of one speed, or backup workers");
    case StepStage::Input:
      return FirstChanges::tr("more hosts, or examples prepared ahead");
    case StepStage::Launch:
      return FirstChanges::tr("larger batches, or fewer kernels");
    case StepStage::Queue:
      return FirstChanges::tr("more parameter servers, or a faster link to them");
    case StepStage::Fault:
      return FirstChanges::tr("backups from which a dead task restarts sooner");
    case StepStage::Overlapped:
    case StepStage::Idle:
      break;
  }
  return {};
}

}  // namespace

QString firstChanges(const StageBreakdown& breakdown) {
  std::vector<StepStage> order;
  for (std::size_t s = 0; s < kStages; ++s) order.push_back(static_cast<StepStage>(s));
  const auto nsOf = [&](StepStage stage) { return breakdown[static_cast<std::size_t>(stage)]; };
  std::ranges::stable_sort(order, std::greater{}, nsOf);
  const auto whole = static_cast<double>(std::max<std::int64_t>(1, sumOf(breakdown)));
  QStringList parts;
  for (const StepStage stage : order) {
    const double share = static_cast<double>(nsOf(stage)) / whole;
    const QString remedy = remedyOf(stage);
    if (remedy.isEmpty() || share < kLeastShare || parts.size() == static_cast<qsizetype>(kMost)) continue;
    parts << FirstChanges::tr("%1 %2 (%3)", "a part of the time, its share, what helps")
                 .arg(nameOf(stage), percentText(share), remedy);
  }
  return parts.isEmpty() ? QString()
                         : FirstChanges::tr("What to change first, with its share of all devices' time: %1.")
                               .arg(parts.join(QStringLiteral("; ")));
}

}  // namespace lab
