// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/profile/first_changes.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <functional>
#include <limits>
#include <vector>

#include "core/base/at.h"
#include "core/prediction/hardware.h"
#include "core/strategy/strategy.h"
#include "ui/i18n/words.h"
#include "ui/trace/trace_paint.h"

namespace lab {
namespace {

constexpr std::size_t kMost = 3;
constexpr double kLeastShare = 0.05;  // of the step: a smaller gain is not worth a change

struct FirstChanges {
  Q_DECLARE_TR_FUNCTIONS(lab::FirstChanges)
};

// Returns whether bfloat16 operands would be faster: real devices round them and multiply float32 all the same.
bool bfloat16Helps(const ResolvedSettings& config) {
  ResolvedSettings rounded = config;
  rounded.matmul = Precision::Bfloat16;
  return config.devices == DeviceChoice::Simulated && config.matmul != rounded.matmul && whyFloat32(rounded).empty();
}

QString communicationRemedy(const ResolvedSettings& config) {
  const StrategyInfo& info = strategyInfo(config.strategy);
  if (!info.synchronous) return FirstChanges::tr("a faster link to the parameter servers, or larger batches");
  const bool reducers = info.reducers.size() > 1;
  // What is sent after the update cannot go beside the backward pass.
  const bool packs = info.packsGradients() && !exchangeAfter(config, info.round(config)).afterUpdate;
  if (reducers && packs)
    return FirstChanges::tr("a faster link, another reducer, or smaller packs behind the backward pass");
  if (reducers) return FirstChanges::tr("a faster link, or another reducer");
  return packs ? FirstChanges::tr("a faster link, or smaller packs behind the backward pass")
               : FirstChanges::tr("a faster link");
}

// "" for communication hidden behind computing, which costs no time, and for what is not recorded, as nothing is known
// about it.
QString remedyOf(StepStage stage, const ResolvedSettings& config) {
  switch (stage) {
    case StepStage::Compute:
      return bfloat16Helps(config) ? FirstChanges::tr("a faster device, or bfloat16")
                                   : FirstChanges::tr("a faster device");
    case StepStage::Exposed:
      return communicationRemedy(config);
    case StepStage::Straggler:
      return FirstChanges::tr("devices of one speed, or backup workers");
    case StepStage::Input:
      return FirstChanges::tr("more hosts, or examples prepared ahead");
    case StepStage::Launch:
      return FirstChanges::tr("larger batches, or fewer kernels");
    case StepStage::Queue:
      return strategyInfo(config.strategy).synchronous
                 ? FirstChanges::tr("a copy of the variables on each device, as under Mirrored")
                 : FirstChanges::tr("more parameter servers, or a faster link to them");
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

QString firstChanges(const std::vector<StageBreakdown>& devices, const ResolvedSettings& config) {
  if (devices.empty()) return {};
  std::vector<StepStage> order;
  for (std::size_t s = 0; s < kStages; ++s) order.push_back(static_cast<StepStage>(s));
  const auto nsOf = [&](StepStage stage) { return mostSaved(devices, stage); };
  std::ranges::stable_sort(order, std::greater{}, nsOf);
  const auto whole = static_cast<double>(std::max<std::int64_t>(1, sumOf(devices.front())));
  QStringList parts;
  for (const StepStage stage : order) {
    const double share = static_cast<double>(nsOf(stage)) / whole;
    const QString remedy = remedyOf(stage, config);
    if (remedy.isEmpty() || share < kLeastShare || parts.size() == static_cast<qsizetype>(kMost)) continue;
    parts << FirstChanges::tr("%1 %2 (%3)", "a part of the time, its share, what helps")
                 .arg(nameOf(stage), percentText(share), remedy);
  }
  return parts.isEmpty() ? QString()
                         : FirstChanges::tr("What to change first, and how much of the step that saves at most: %1.")
                               .arg(parts.join(QStringLiteral("; ")));
}

}  // namespace lab
