// SPDX-License-Identifier: GPL-3.0-or-later
// Another program that this program starts and reads line by line, and that ends with this program at the latest. The
// child has its own process group, so that Ctrl-C in the terminal reaches only this program. Used from one thread.
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
  enum class Input { Ours, Written };  // its standard input: this program's, or what write() sends

  // The first argument is the program, searched on PATH. `environment` is added to this program's. UserError (kind Run)
  // if it cannot be started. The calling thread must live as long as this object, because the system ends a child
  // together with the thread that started it.
  ChildProcess(const std::vector<std::string>& arguments,
               const std::vector<std::pair<std::string, std::string>>& environment, Input input = Input::Ours);
  ~ChildProcess();  // ends the child if it still runs
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  struct Line {
    std::string text;  // without its line end
    bool isError = false;
  };
  // Returns the next line of either output, or nothing if none comes within `milliseconds`.
  std::optional<Line> nextLine(int milliseconds);
  static constexpr int kKilled = 128, kUnknown = -1;
  // Returns the exit code once the child has ended and all its output has been read; kKilled + the number if a signal
  // ended it; kUnknown if the system does not tell.
  std::optional<int> ended();

  // Writes to the child's standard input; returns how many bytes fitted. 0: none at the moment, or none any more.
  std::size_t write(std::string_view text);
  // False once write() has found that nobody will read the input, because the child has closed it or is gone.
  bool takesInput() const { return input_ >= 0; }

  void askToStop();  // SIGUSR1
  void terminate();  // SIGTERM, which a program may catch
  void kill();       // with its process group; no program can catch it

 private:
  struct Stream {
    int file = -1;
    std::string unread;
    bool isError = false;
  };
  ChildProcess() = default;
  std::optional<Line> takeLine(Stream& stream);

  long pid_ = -1;
  int input_ = -1;
  std::vector<Stream> streams_;
  std::optional<int> code_;
};

// Runs a program over bytes that may be crafted to crash it, or to make it use up all resources.
struct ProcessLimits {
  std::int64_t memoryBytes = 0;  // of address space
  std::int64_t outputBytes = 0;
  int seconds = 0;  // limits both processor time and elapsed time
};
struct LimitedRun {
  enum class End { Exited, Crashed, TooLong };
  End end = End::Exited;
  int code = 0;  // its exit code, or the signal that ended it
  std::vector<std::uint8_t> output;
};
// `arguments`: the program's path and its arguments. `input` is its standard input. UserError (kind Run) if it cannot
// be started.
LimitedRun runLimited(const std::vector<std::string>& arguments, std::span<const std::uint8_t> input,
                      const ProcessLimits& limits);

bool isOnPath(const std::string& program);
bool runsAsRoot();
bool processLives(std::int64_t pid);  // of any user; true if the system does not say
bool killProcess(std::int64_t pid);   // any process of this user, at once; false if there is none that it may end

}  // namespace lab
