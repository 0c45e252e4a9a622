// SPDX-License-Identifier: GPL-3.0-or-later
// This file may use conditional compilation, because each system starts programs in its own way.
#include "core/base/child_process.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sstream>
#include <string_view>
#include <utility>

#include "core/base/error.h"
#include "core/base/messages.h"

#if defined(__linux__)
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#endif

namespace lab {

bool isOnPath(const std::string& program) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    std::error_code ignored;
    if (std::filesystem::is_regular_file(std::filesystem::path(folder) / program, ignored)) return true;
  }
  return false;
}

#if defined(__linux__)

bool runsAsRoot() {
  return geteuid() == 0;
}

namespace {

// Returns this program's environment with additions. Made before the fork, because another thread may hold the
// environment's lock at the time of the fork.
std::vector<std::string> environmentWith(const std::vector<std::pair<std::string, std::string>>& added) {
  std::vector<std::string> all;
  for (char** each = environ; *each != nullptr; ++each) {
    const std::string_view text(*each);
    const bool replaced =
        std::ranges::any_of(added, [&](const auto& one) { return text.starts_with(one.first + "="); });
    if (!replaced) all.emplace_back(text);
  }
  for (const auto& [name, value] : added) all.push_back(name + "=" + value);
  return all;
}

std::vector<char*> pointersTo(const std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (const std::string& text : texts) pointers.push_back(const_cast<char*>(text.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

// A program that was started with SIGCHLD ignored never learns how a child has ended, nor that it has.
void heedChildren() {
  struct sigaction now {};
  if (sigaction(SIGCHLD, nullptr, &now) != 0) return;
  if (now.sa_handler == SIG_IGN || (now.sa_flags & SA_NOCLDWAIT) != 0) signal(SIGCHLD, SIG_DFL);
}

// Both parent and child set the child's process group, so that kill() works at once. Until the child executes its
// program, signal handlers are disabled: a signal would run this program's handlers in a copy with only one thread, and
// might never return.
pid_t forkWithoutHandlers() {
  heedChildren();
  sigset_t all, before, none;
  sigfillset(&all);
  sigemptyset(&none);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const pid_t pid = fork();
  if (pid == 0) {
    setpgid(0, 0);
    for (int number = 1; number < NSIG; ++number) signal(number, SIG_DFL);
  } else if (pid > 0) {
    setpgid(pid, pid);
  }
  pthread_sigmask(SIG_SETMASK, pid == 0 ? &none : &before, nullptr);
  return pid;
}

// Called in the child. Makes it end with this program and closes this program's files, because a library may have
// opened some, or may listen.
void endsWith(pid_t parent, int signalNumber, int notStarted) {
  (void)close_range(3, ~0U, CLOSE_RANGE_CLOEXEC);
  prctl(PR_SET_PDEATHSIG, signalNumber);
  if (getppid() != parent) _exit(notStarted);
}

}  // namespace

ChildProcess::ChildProcess(const std::vector<std::string>& arguments,
                           const std::vector<std::pair<std::string, std::string>>& environment, Input input)
    : ChildProcess() {  // so that the destructor runs if this throws
  const std::vector<std::string> variables = environmentWith(environment);
  const std::vector<char*> argv = pointersTo(arguments), envp = pointersTo(variables);
  int out[2]{-1, -1}, err[2]{-1, -1}, in[2]{-1, -1};
  // Uses a socket, so that writing to a dead child is an error and not a signal.
  const bool opened = pipe2(out, O_CLOEXEC) == 0 && pipe2(err, O_CLOEXEC) == 0 &&
                      (input == Input::Ours || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, in) == 0);
  const pid_t parent = getpid();
  if (opened) pid_ = forkWithoutHandlers();
  if (pid_ == 0) {
    endsWith(parent, SIGTERM, 1);
    dup2(out[1], STDOUT_FILENO);
    dup2(err[1], STDERR_FILENO);
    if (in[0] >= 0) dup2(in[0], STDIN_FILENO);
    execvpe(argv.front(), argv.data(), envp.data());
    _exit(127);
  }
  const int why = errno;
  for (const int theirs : {out[1], err[1], in[0]})
    if (theirs >= 0) close(theirs);
  input_ = in[1];
  streams_ = {{out[0], "", false}, {err[0], "", true}};
  if (pid_ < 0) throw UserError(UserError::Kind::Run, say::cannotStart, arguments.front(), std::strerror(why));
}

ChildProcess::~ChildProcess() {
  for (Stream& stream : streams_)
    if (stream.file >= 0) close(stream.file);
  if (input_ >= 0) close(input_);
  if (pid_ <= 0 || code_) return;
  terminate();
  int status = 0;
  for (int i = 0; i < 50 && waitpid(static_cast<pid_t>(pid_), &status, WNOHANG) == 0; ++i) usleep(100'000);
  if (waitpid(static_cast<pid_t>(pid_), &status, WNOHANG) != 0) return;
  ::kill(static_cast<pid_t>(-pid_), SIGKILL);
  (void)waitpid(static_cast<pid_t>(pid_), &status, 0);
}

std::optional<ChildProcess::Line> ChildProcess::takeLine(Stream& stream) {
  const std::size_t end = stream.unread.find('\n');
  if (end == std::string::npos && (stream.file >= 0 || stream.unread.empty())) return std::nullopt;
  Line line{stream.unread.substr(0, end), stream.isError};
  stream.unread.erase(0, end == std::string::npos ? end : end + 1);
  return line;
}

std::optional<ChildProcess::Line> ChildProcess::nextLine(int milliseconds) {
  for (Stream& stream : streams_)
    if (std::optional<Line> line = takeLine(stream)) return line;
  std::vector<pollfd> files;
  for (const Stream& stream : streams_) files.push_back({stream.file, POLLIN, 0});
  if (poll(files.data(), files.size(), milliseconds) <= 0) return std::nullopt;
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (files[i].revents == 0) continue;
    char bytes[4096];
    const ssize_t count = read(files[i].fd, bytes, sizeof bytes);
    if (count > 0)
      streams_[i].unread.append(bytes, static_cast<std::size_t>(count));
    else if (count == 0 || errno != EINTR)
      close(std::exchange(streams_[i].file, -1));
  }
  for (Stream& stream : streams_)
    if (std::optional<Line> line = takeLine(stream)) return line;
  return std::nullopt;
}

std::optional<int> ChildProcess::ended() {
  if (code_) return code_;
  for (const Stream& stream : streams_)
    if (stream.file >= 0 || !stream.unread.empty()) return std::nullopt;
  int status = 0;
  const pid_t found = waitpid(static_cast<pid_t>(pid_), &status, WNOHANG);
  if (found < 0 && errno == ECHILD) return code_ = kUnknown;
  if (found != pid_) return std::nullopt;
  code_ = WIFSIGNALED(status) ? kKilled + WTERMSIG(status) : WEXITSTATUS(status);
  return code_;
}

void ChildProcess::askToStop() {
  if (pid_ > 0 && !code_) ::kill(static_cast<pid_t>(pid_), SIGUSR1);
}
void ChildProcess::terminate() {
  if (pid_ > 0 && !code_) ::kill(static_cast<pid_t>(pid_), SIGTERM);
}
void ChildProcess::kill() {
  if (pid_ > 0 && !code_) ::kill(static_cast<pid_t>(-pid_), SIGKILL);
}

std::size_t ChildProcess::write(std::string_view text) {
  if (input_ < 0) return 0;
  const auto sent = send(input_, text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  if (sent >= 0) return static_cast<std::size_t>(sent);
  const bool isFull = errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR || errno == ENOBUFS;
  if (!isFull) close(std::exchange(input_, -1));
  return 0;
}

bool processLives(std::int64_t pid) {
  return ::kill(static_cast<pid_t>(pid), 0) == 0 || errno != ESRCH;
}

bool killProcess(std::int64_t pid) {
  return pid > 1 && ::kill(static_cast<pid_t>(pid), SIGKILL) == 0;
}

namespace {

// A file that exists only in memory, closed with the object.
class MemoryFile {
 public:
  explicit MemoryFile(const std::string& program) : file_(memfd_create("strategylab", MFD_CLOEXEC)) {
    if (file_ < 0) throw UserError(UserError::Kind::Run, say::cannotStart, program, std::strerror(errno));
  }
  ~MemoryFile() { close(file_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  int get() const { return file_; }
  bool fill(std::span<const std::uint8_t> bytes) const {
    for (std::size_t at = 0; at < bytes.size();) {
      const ssize_t count = write(file_, bytes.data() + at, bytes.size() - at);
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) return false;
      at += static_cast<std::size_t>(count);
    }
    return lseek(file_, 0, SEEK_SET) == 0;
  }
  std::vector<std::uint8_t> content(std::int64_t most) const {
    struct stat state {};
    if (fstat(file_, &state) != 0) return {};
    std::vector<std::uint8_t> bytes(static_cast<std::size_t>(std::min<std::int64_t>(state.st_size, most)));
    std::size_t at = 0;
    while (at < bytes.size()) {
      const ssize_t count = pread(file_, bytes.data() + at, bytes.size() - at, static_cast<off_t>(at));
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) break;
      at += static_cast<std::size_t>(count);
    }
    bytes.resize(at);
    return bytes;
  }

 private:
  int file_;
};

// Called in the child, before the program: must not allocate, because another thread may have held the allocator's
// lock.
void limitItself(const ProcessLimits& limits) {
  const auto limit = [](auto what, std::int64_t most) {
    const rlimit both{static_cast<rlim_t>(most), static_cast<rlim_t>(most)};
    setrlimit(what, &both);
  };
  limit(RLIMIT_AS, limits.memoryBytes);
  limit(RLIMIT_FSIZE, limits.outputBytes);
  limit(RLIMIT_CPU, limits.seconds);
  limit(RLIMIT_CORE, 0);
  alarm(static_cast<unsigned>(limits.seconds));  // remains active after exec
}

}  // namespace

LimitedRun runLimited(const std::vector<std::string>& arguments, std::span<const std::uint8_t> input,
                      const ProcessLimits& limits) {
  constexpr int kNotStarted = 127;
  const std::string& program = arguments.front();
  const MemoryFile in(program), out(program);
  if (!in.fill(input)) throw UserError(UserError::Kind::Run, say::cannotStart, program, std::strerror(errno));
  const std::vector<char*> argv = pointersTo(arguments);
  const pid_t parent = getpid();
  const pid_t pid = forkWithoutHandlers();
  if (pid < 0) throw UserError(UserError::Kind::Run, say::cannotStart, program, std::strerror(errno));
  if (pid == 0) {
    endsWith(parent, SIGKILL, kNotStarted);
    dup2(in.get(), STDIN_FILENO);
    dup2(out.get(), STDOUT_FILENO);
    if (const int nothing = open("/dev/null", O_WRONLY); nothing >= 0) dup2(nothing, STDERR_FILENO);
    limitItself(limits);
    execv(argv.front(), argv.data());
    _exit(kNotStarted);
  }
  int status = 0;
  pid_t found = 0;
  while ((found = waitpid(pid, &status, 0)) < 0 && errno == EINTR) {
  }
  LimitedRun run;
  if (found < 0) {  // somebody else has waited for it
    run.end = LimitedRun::End::Crashed;
    return run;
  }
  if (WIFSIGNALED(status)) {
    run.code = WTERMSIG(status);
    const bool late = run.code == SIGALRM || run.code == SIGXCPU || run.code == SIGKILL;
    run.end = late ? LimitedRun::End::TooLong : LimitedRun::End::Crashed;
    return run;
  }
  run.code = WEXITSTATUS(status);
  if (run.code == kNotStarted) throw UserError(UserError::Kind::Run, say::cannotStart, program, std::strerror(ENOEXEC));
  run.output = out.content(limits.outputBytes);
  return run;
}

#else

bool runsAsRoot() {
  return false;
}
LimitedRun runLimited(const std::vector<std::string>& arguments, std::span<const std::uint8_t>, const ProcessLimits&) {
  throw UserError(UserError::Kind::Run, say::cannotStart, arguments.front(), "not on this system yet");
}
ChildProcess::ChildProcess(const std::vector<std::string>& arguments,
                           const std::vector<std::pair<std::string, std::string>>&, Input) {
  throw UserError(UserError::Kind::Run, say::cannotStart, arguments.front(), "not on this system yet");
}
ChildProcess::~ChildProcess() = default;
std::optional<ChildProcess::Line> ChildProcess::takeLine(Stream&) {
  return std::nullopt;
}
std::optional<ChildProcess::Line> ChildProcess::nextLine(int) {
  return std::nullopt;
}
std::optional<int> ChildProcess::ended() {
  return code_;
}
void ChildProcess::askToStop() {}
void ChildProcess::terminate() {}
void ChildProcess::kill() {}
std::size_t ChildProcess::write(std::string_view) {
  return 0;
}
bool processLives(std::int64_t) {
  return true;
}
bool killProcess(std::int64_t) {
  return false;
}

#endif

}  // namespace lab
