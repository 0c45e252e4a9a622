// SPDX-License-Identifier: GPL-3.0-or-later
// The thin layer between this program and the carrier of messages between processes. The MPI module implements it with
// MPI's point-to-point messages; tests implement it with threads (tests/support/thread_wires.h), so that all logic
// above is tested without MPI. Schedules, collectives and watching are built on it, so that every hop is visible.
// Several threads may call the functions. Failures are UserErrors of kind Run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "core/base/message.h"

namespace lab::process {

// A message under way; 0: none.
using Request = std::uintptr_t;

// Messages on one channel between two processes arrive in the order of sending.
enum class Channel { Values, Control, Heartbeats };

class Wire {
 public:
  // All processes must leave together: the destructor waits for the others.
  virtual ~Wire() = default;

  virtual int rank() const = 0;
  virtual int size() const = 0;
  virtual std::string library() const = 0;  // "Open MPI 4.1.4"
  // Returns whether test() itself lets other processes compute when nothing is done. Then a polling loop must not yield
  // too, because on a busy machine each yield costs a time slice of the others.
  virtual bool givesWay() const { return false; }

  // Both return at once. The bytes must stay in place and unchanged until test() has returned true.
  virtual Request send(int to, Channel channel, const void* bytes, std::size_t count) = 0;
  virtual Request receive(int from, Channel channel, void* bytes, std::size_t count) = 0;
  virtual bool test(Request& request) = 0;  // returns true when done, and then sets the request to 0
  virtual void cancel(Request& request) = 0;

  // The library's own all-reduce, in place; the library chooses the order of additions. Blocks.
  virtual void sumOverAll(float* values, std::int64_t count) = 0;

  // Kills the processes of all ranks, including this one, without waiting for anybody.
  virtual void abort(int exitCode) noexcept = 0;
};

// The function that the module exports as `strategylabOpenMpi`. It joins the other processes and fills in `wire`, or
// writes the reason to `why`. `interface` must equal the module's: classes are passed, so both must come from one
// build.
using OpenWire = void (*)(const char* interface, Wire** wire, Message* why);
inline constexpr const char* kOpenWireSymbol = "strategylabOpenMpi";
inline constexpr const char* kWireInterface = "strategylab wire 2, " __VERSION__;

}  // namespace lab::process
