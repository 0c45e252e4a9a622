// SPDX-License-Identifier: GPL-3.0-or-later
// Wires between threads of one program, in the place of MPI's: what is built on wires is tested where there is no MPI,
// and can be cut where a test wants it. Each thread makes its own Peers of its wire.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "core/process/peers.h"
#include "core/process/wire.h"

namespace lab::test {

class ThreadWires {
 public:
  explicit ThreadWires(int size);
  ~ThreadWires();
  std::shared_ptr<process::Wire> wire(int rank);
  void cut(int rank);               // nothing that is sent to it or by it arrives any more
  void cut(int first, int second);  // nothing between these two
  bool wasAborted() const;

 private:
  struct Shared;
  std::shared_ptr<Shared> shared_;
};

// Runs `body` on a thread for each rank, among peers of their own, until all have returned or failed; what each has
// thrown, or null. After a failure the others' peers are aborted, as a process does that fails.
std::vector<std::exception_ptr> amongThreads(int size, const std::function<void(process::Peers&)>& body,
                                             double deadlineSeconds = 60,
                                             const std::function<void(ThreadWires&)>& withWires = {},
                                             double startUpSeconds = 60);

// The same with what is beneath peers: `body` makes its own, if it wants any.
std::vector<std::exception_ptr> amongWires(int size,
                                           const std::function<void(const std::shared_ptr<process::Wire>&)>& body);

}  // namespace lab::test
