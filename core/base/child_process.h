// SPDX-License-Identifier: GPL-3.0-or-later
// Another program that this one starts, listens to line by line, and ends with itself. In a process group of its own,
// so that Ctrl-C in the terminal reaches this program alone. One thread.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lab {

class ChildProcess {
 public:
  enum class Input { Ours, Written };  // its standard input: this program's own, or what write() gives it

  // The first argument is the program, looked for on PATH. `environment` is added to this program's. UserError (kind
  // Run) where it cannot be started. The thread that makes it must live as long as it does: the system ends a child
  // with the thread that started it.
  ChildProcess(const std::vector<std::string>& arguments,
               const std::vector<std::pair<std::string, std::string>>& environment, Input input = Input::Ours);
  ~ChildProcess();  // ends it, if it has not
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  struct Line {
    std::string text;  // without its end
    bool isError = false;
  };
  // The next line of either of its outputs; nothing after `milliseconds` without one.
  std::optional<Line> nextLine(int milliseconds);
  static constexpr int kKilled = 128;
  // All it wrote has been read, and it has ended: its exit code, kKilled + the signal's number where one ended it.
  std::optional<int> ended();

  // Into its standard input: how many bytes there was room for; none where it is gone.
  std::size_t write(std::string_view text);

  void askToStop();  // SIGUSR1
  void terminate();  // SIGTERM, which a program may catch
  void kill();       // with its process group; nothing can catch that

 private:
  struct Stream {
    int file = -1;
    std::string unread;
    bool isError = false;
  };
  std::optional<Line> takeLine(Stream& stream);

  long pid_ = -1;
  int input_ = -1;
  std::vector<Stream> streams_;
  std::optional<int> code_;
};

// Runs a program over bytes that may have been made to crash it, or to make it take all there is.
struct ProcessLimits {
  std::int64_t memoryBytes = 0;  // of address space
  std::int64_t outputBytes = 0;
  int seconds = 0;  // of its own time, and of time that passes
};
struct LimitedRun {
  enum class End { Exited, Crashed, TooLong };
  End end = End::Exited;
  int code = 0;  // its exit code, or the signal that ended it
  std::vector<std::uint8_t> output;
};
// `arguments`: the program's path and what it is given. `input` is its standard input. UserError (kind Run) where it
// cannot be started.
LimitedRun runLimited(const std::vector<std::string>& arguments, std::span<const std::uint8_t> input,
                      const ProcessLimits& limits);

bool isOnPath(const std::string& program);
bool runsAsRoot();
bool processLives(std::int64_t pid);  // of whomever; true where the system does not say
bool killProcess(std::int64_t pid);   // any of this user's, at once; false where there is none that may be

}  // namespace lab
