// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/platform.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <string_view>
#include <thread>

#if defined(__GLIBC__)
#include <malloc.h>
#endif
#if defined(__linux__)
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif
#if defined(__x86_64__) || defined(_M_X64)
#include <immintrin.h>
#endif

#include "core/base/control_group.h"

namespace lab {
#if defined(__x86_64__) || defined(_M_X64)
namespace {

constexpr unsigned kFlush = 0x8040;  // FTZ and DAZ

}  // namespace
#endif

namespace {

const GroupLimits& ownLimits() {
  static const GroupLimits limits = groupLimits("/");
  return limits;
}

}  // namespace

int processorCount() {
  const int count = std::max(1, static_cast<int>(std::thread::hardware_concurrency())), most = ownLimits().processors;
  return most > 0 ? std::min(count, most) : count;
}

std::string processorName() {
#if defined(__linux__)
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    if (!line.starts_with("model name")) continue;
    const std::size_t colon = line.find(": ");
    if (colon != std::string::npos) return line.substr(colon + 2);
  }
#endif
  return "unknown processor";
}

std::int64_t memoryBytes() {
#if defined(__linux__)
  const long pages = sysconf(_SC_PHYS_PAGES), pageBytes = sysconf(_SC_PAGE_SIZE);
  const std::int64_t most = ownLimits().memoryBytes;
  if (pages > 0 && pageBytes > 0)
    return most > 0 ? std::min(std::int64_t{pages} * pageBytes, most) : std::int64_t{pages} * pageBytes;
#endif
  return 0;
}

std::string hostName() {
#if defined(__linux__)
  char name[256] = "";
  if (gethostname(name, sizeof name - 1) == 0 && name[0] != 0) return name;
#endif
  return "localhost";
}

std::int64_t processId() {
#if defined(__linux__)
  return getpid();
#else
  return 0;
#endif
}

int stopSignal() {
#if defined(__linux__)
  return SIGUSR1;
#else
  return 0;
#endif
}

void setEnvironment(const char* name, const std::string& value) {
#if defined(__linux__)
  setenv(name, value.c_str(), 1);
#else
  (void)name;
  (void)value;
#endif
}

std::vector<std::string> environmentNames(const std::string& prefix) {
  std::vector<std::string> names;
#if defined(__linux__)
  for (char** each = environ; *each != nullptr; ++each) {
    const std::string_view text(*each);
    if (text.starts_with(prefix)) names.emplace_back(text.substr(0, text.find('=')));
  }
#else
  (void)prefix;
#endif
  return names;
}

bool processorHasAvx2() {
#if defined(__x86_64__) && defined(__GNUC__)
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
  return false;
#endif
}

bool processorHasAvx512() {
#if defined(__x86_64__) && defined(__GNUC__)
  return __builtin_cpu_supports("avx512f");
#else
  return false;
#endif
}

void lowerThreadPriority() {
#if defined(__linux__)
  // On Linux a nice value belongs to a thread. Failure is harmless: the window only has less of an advantage.
  (void)setpriority(PRIO_PROCESS, static_cast<id_t>(syscall(SYS_gettid)), 5);
#endif
}

void adviseHugePages(void* begin, std::size_t bytes) {
#if defined(__linux__)
  if (std::align(kHugePageBytes, kHugePageBytes, begin, bytes) != nullptr)
    (void)madvise(begin, bytes / kHugePageBytes * kHugePageBytes, MADV_HUGEPAGE);
#else
  (void)begin;
  (void)bytes;
#endif
}

void returnFreedMemoryToOs() {
#if defined(__GLIBC__)
  constexpr int kLargeBytes = 128 * 1024;  // glibc's initial value; setting it stops glibc's adaptation
  (void)mallopt(M_MMAP_THRESHOLD, kLargeBytes);
  (void)mallopt(M_TRIM_THRESHOLD, 2 * kLargeBytes);
#endif
}

void relaxProcessor() {
#if defined(__x86_64__) || defined(_M_X64)
  _mm_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

void flushDenormals() {
#if defined(__x86_64__) || defined(_M_X64)
  const char* forced = std::getenv("STRATEGYLAB_CPU_PATH");
  const bool baseline = !processorHasAvx2() || (forced != nullptr && std::string_view(forced) == "baseline");
  if (!baseline) _mm_setcsr(_mm_getcsr() | kFlush);
#endif
}

void keepDenormals() {
#if defined(__x86_64__) || defined(_M_X64)
  _mm_setcsr(_mm_getcsr() & ~kFlush);
#endif
}

void occupyStandardFiles() {
#if defined(__linux__)
  // open() takes the lowest free number. Printing fails as before; nobody waits for messages.
  for (const int file : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(file, F_GETFD) < 0) (void)open("/dev/null", file == STDERR_FILENO ? O_WRONLY : O_RDONLY);
#endif
}

int terminalColumns(std::FILE* stream) {
#if defined(__linux__)
  if (isatty(fileno(stream)) == 0) return 0;
  winsize size{};
  return ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
#else
  (void)stream;
  return 0;
#endif
}

bool flushToDisk(std::FILE* file) {
#if defined(__linux__)
  return fsync(fileno(file)) == 0;
#else
  return std::fflush(file) == 0;
#endif
}

std::filesystem::path programFolder() {
#if defined(__linux__)
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  if (!error) return program.parent_path();
#endif
  return {};
}

std::filesystem::path modulePath(const char* file, const char* variable) {
  if (const char* named = std::getenv(variable)) return named;
  const std::filesystem::path beside = programFolder() / file;
  const std::filesystem::path installed = programFolder() / STRATEGYLAB_MODULE_FOLDER / file;
  std::error_code ignored;
  return !std::filesystem::exists(beside, ignored) && std::filesystem::exists(installed, ignored)
             ? installed.lexically_normal()
             : beside;
}

void* openLibrary(const std::filesystem::path& path, std::string& error) {
#if defined(__linux__)
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* text = dlerror();
    error = text != nullptr ? text : "unknown error";
  }
  return library;
#else
  error = "modules are not opened on this system yet: " + path.string();
  return nullptr;
#endif
}

void* librarySymbol(void* library, const char* name) {
#if defined(__linux__)
  return dlsym(library, name);
#else
  (void)library;
  (void)name;
  return nullptr;
#endif
}

}  // namespace lab
