// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/classruns/watched_class.h"

#include <functional>
#include <optional>
#include <utility>

#include "core/classruns/class_branch.h"
#include "core/classruns/class_record.h"

namespace lab {

WatchedClass::WatchedClass(ResolvedSettings config, std::shared_ptr<serving::ClassHistory> updates,
                           std::int64_t mostClosures)
    : config_(std::move(config)), updates_(std::move(updates)), mostClosures_(mostClosures) {}

std::unique_ptr<Recomputer> WatchedClass::recomputer(int threads) const {
  const auto records =
      std::make_shared<serving::ClassRecords>(config_, updates_->info()->data, updates_, threads, mostClosures_);
  return std::make_unique<Recomputer>(
      [records](std::int64_t step, const std::function<bool()>& goesOn) { return records->record(step, goesOn); });
}

LiveRun::Origin::State WatchedClass::stateBefore(std::int64_t step) const {
  return [config = config_, updates = updates_, most = mostClosures_, step](
             Checkpoint beginning, const std::function<bool()>& goOn) -> std::optional<Checkpoint> {
    serving::ClassRecords records(config, updates->info()->data, updates, 1, most);
    if (!records.standBefore(step, goOn)) return std::nullopt;
    return serving::branchCheckpoint(records.state(), *updates, std::move(beginning));
  };
}

}  // namespace lab
