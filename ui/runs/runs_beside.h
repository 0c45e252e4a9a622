// SPDX-License-Identifier: GPL-3.0-or-later
// Keeps runs that train beside the window's own, such as lanes of a comparison and branches, from their first step on.
// Reopening a comparison trains its runs again; the bits are the same, so the run is not kept twice.
#pragma once

#include <QObject>

#include <memory>
#include <vector>

#include "ui/runview/run_controller.h"

namespace lab {

class RunLibrary;
struct KeptRun;

class RunsBeside final : public QObject {
 public:
  explicit RunsBeside(RunLibrary& library) : library_(library) {}  // where they are kept

  // As long as `controller` exists. A run kept before with the same settings and lineage is replaced as soon as the new
  // one has got as far.
  void follow(RunController& controller);
  bool has(int id) const;

 private:
  struct Beside {
    RunController* controller = nullptr;
    std::shared_ptr<const RunMetrics> metrics{};  // of the run with this `id`
    int id = 0;                                   // 0: not kept yet
    int earlier = 0;                              // id of an earlier instance of the same run, which still represents
                                                  // it; or 0
  };

  void update(RunController& controller);
  Beside* find(const RunController& controller);  // nullptr: not followed
  void end(Beside& beside);                       // emits a signal at its end
  void takePlace(Beside& beside, KeptRun run);
  const KeptRun* sameRun(const KeptRun& run) const;

  RunLibrary& library_;
  std::vector<Beside> beside_;
};

}  // namespace lab
