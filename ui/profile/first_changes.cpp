// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/profile/first_changes.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <functional>
#include <limits>
#include <vector>

#include "core/base/at.h"
#include "ui/i18n/words.h"
#include "ui/trace/trace_paint.h"

namespace lab {
namespace {

constexpr std::size_t kMost = 3;
constexpr double kLeastShare = 0.05;  // of the step: a smaller gain is not worth a change

struct FirstChanges {
  Q_DECLARE_TR_FUNCTIONS(lab::FirstChanges)
};

// "" for communication hidden behind computing, which costs no time, and for what is not recorded, as nothing is known
// about it.
QString remedyOf(StepStage stage, bool servers) {
  switch (stage) {
    case StepStage::Compute:
      return FirstChanges::tr("a faster device, or bfloat16");
    case StepStage::Exposed:
      if (servers) return FirstChanges::tr("a faster link to the parameter servers, or larger batches");
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

// Returns the most that the step can be shorter if a stage took no time on any device. It still takes each device's
// other stages, without waiting for slower devices; and its longest chain of work, which has no more of the stage than
// all devices together. A device that queues for a server waits for the messages of others.
std::int64_t mostSaved(const std::vector<StageBreakdown>& devices, StepStage stage) {
  std::int64_t together = 0, longest = 0, least = std::numeric_limits<std::int64_t>::max();
  for (const StageBreakdown& device : devices) {
    const auto of = [&](StepStage s) { return at(device, s); };
    const std::int64_t own = of(stage) + (stage == StepStage::Exposed ? of(StepStage::Queue) : 0);
    together += own;
    longest = std::max(longest, own);
    least = std::min(least, own + of(StepStage::Straggler) + of(StepStage::Idle));
  }
  // Devices of one speed are all as fast as the fastest, which waits longest.
  return stage == StepStage::Straggler ? longest : std::min(together, least);
}

}  // namespace

QString firstChanges(const std::vector<StageBreakdown>& devices, bool servers) {
  if (devices.empty()) return {};
  std::vector<StepStage> order;
  for (std::size_t s = 0; s < kStages; ++s) order.push_back(static_cast<StepStage>(s));
  const auto nsOf = [&](StepStage stage) { return mostSaved(devices, stage); };
  std::ranges::stable_sort(order, std::greater{}, nsOf);
  const auto whole = static_cast<double>(std::max<std::int64_t>(1, sumOf(devices.front())));
  QStringList parts;
  for (const StepStage stage : order) {
    const double share = static_cast<double>(nsOf(stage)) / whole;
    const QString remedy = remedyOf(stage, servers);
    if (remedy.isEmpty() || share < kLeastShare || parts.size() == static_cast<qsizetype>(kMost)) continue;
    parts << FirstChanges::tr("%1 %2 (%3)", "a part of the time, its share, what helps")
                 .arg(nameOf(stage), percentText(share), remedy);
  }
  return parts.isEmpty() ? QString()
                         : FirstChanges::tr("What to change first, and how much of the step that saves at most: %1.")
                               .arg(parts.join(QStringLiteral("; ")));
}

}  // namespace lab
