// SPDX-License-Identifier: GPL-3.0-or-later
// The thin layer between us and what carries messages between processes. The MPI module implements it with MPI's
// point-to-point messages; tests implement it with threads (tests/support/thread_wires.h), so that all logic above it
// is tested where there is no MPI. Schedules, collectives and watching are built on it, so that every hop can be seen.
// Functions may be called from several threads. Failures are UserErrors of kind Run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "core/base/message.h"

namespace lab::process {

// A message under way; 0 is none.
using Request = std::uintptr_t;

// Messages of one channel between two processes arrive in the order in which they were sent.
enum class Channel { Values, Control, Beats };

class Wire {
 public:
  // All processes leave together: this waits for the others.
  virtual ~Wire() = default;

  virtual int rank() const = 0;
  virtual int size() const = 0;
  virtual std::string library() const = 0;  // "Open MPI 4.1.4"
  // Whether test() lets others compute by itself where nothing is done: whoever polls does not give way a second time,
  // for on a busy machine each time costs a time slice of the others.
  virtual bool givesWay() const { return false; }

  // Both return at once. The bytes stay where they are, and unchanged, until test() has said that they are done.
  virtual Request send(int to, Channel channel, const void* bytes, std::size_t count) = 0;
  virtual Request receive(int from, Channel channel, void* bytes, std::size_t count) = 0;
  virtual bool test(Request& request) = 0;  // true, and it is 0 from then on, when it is done
  virtual void cancel(Request& request) = 0;

  // The library's own all-reduce, in place, in an order of additions that is the library's; blocks.
  virtual void sumOverAll(float* values, std::int64_t count) = 0;

  // Ends the processes of all ranks, this one too, without waiting for anybody.
  virtual void abort(int exitCode) noexcept = 0;
};

// What the module exports, as `strategylabOpenMpi`. It joins the other processes and fills in `wire`, or writes why it
// cannot. `interface` must be the module's own: classes are passed, so both must be of one build.
using OpenWire = void (*)(const char* interface, Wire** wire, Message* why);
inline constexpr const char* kOpenWireSymbol = "strategylabOpenMpi";
inline constexpr const char* kWireInterface = "strategylab wire 2, " __VERSION__;

}  // namespace lab::process
