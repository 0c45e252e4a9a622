// SPDX-License-Identifier: GPL-3.0-or-later
// Wires between threads of one program, in the place of MPI's: so code built on wires can be tested without MPI, and a
// test can cut a wire where it wants to. Each thread makes its own Peers from its wire.
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
  void cut(int rank);               // nothing sent to or by this rank arrives any more
  void cut(int first, int second);  // nothing sent between these two arrives any more
  bool wasAborted() const;

 private:
  struct Shared;
  std::shared_ptr<Shared> shared_;
};

// Runs `body` on one thread per rank, each with its own peers, until all have returned or failed. Returns what each has
// thrown, or null. After a failure the peers of the others are aborted, as a process that fails does.
std::vector<std::exception_ptr> amongThreads(int size, const std::function<void(process::Peers&)>& body,
                                             double deadlineSeconds = 60,
                                             const std::function<void(ThreadWires&)>& withWires = {},
                                             double startUpSeconds = 60);

// The same with bare wires, the layer beneath peers: `body` makes its own peers if it wants any.
std::vector<std::exception_ptr> amongWires(int size,
                                           const std::function<void(const std::shared_ptr<process::Wire>&)>& body);

}  // namespace lab::test
