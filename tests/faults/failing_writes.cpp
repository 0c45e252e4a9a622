// SPDX-License-Identifier: GPL-3.0-or-later
// Preloaded into a program (LD_PRELOAD), counts its writes below a folder and has one of them fail: opening to write,
// writing, flushing, renaming, making a folder, cutting off. It sees every library's, and those of the processes that
// the program starts; disk.py says which is to fail. By the environment:
//   FAULT_PLACE    the beginning of the paths that are watched
//   FAULT_STATE    a file of a State, which all processes share
//   FAULT_LOG      a file that gets a line a write: its number, what it is, its path; "" for none
//   FAULT_AT       the number of the write that fails, from 1; 0: none
//   FAULT_KIND     full: it leaves half of what it should write, later ones succeed (somebody made room);
//                  read-only: it and all later ones fail, removing too
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio_ext.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

struct State {
  std::atomic<int> writes;
  std::atomic<int> failed;
};

const char* setting(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// Read once, before main: a program may change its environment.
struct Plan {
  char place[PATH_MAX] = {}, log[PATH_MAX] = {};
  State* state = nullptr;
  int at = 0;
  bool readOnly = false;
  Plan() {
    std::snprintf(place, sizeof place, "%s", setting("FAULT_PLACE"));
    std::snprintf(log, sizeof log, "%s", setting("FAULT_LOG"));
    at = std::atoi(setting("FAULT_AT"));
    readOnly = std::strcmp(setting("FAULT_KIND"), "read-only") == 0;
    const int file = static_cast<int>(syscall(SYS_openat, AT_FDCWD, setting("FAULT_STATE"), O_RDWR | O_CLOEXEC));
    if (file < 0 || place[0] == '\0') return;
    void* mapped = mmap(nullptr, sizeof(State), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (mapped != MAP_FAILED) state = static_cast<State*>(mapped);
    syscall(SYS_close, file);
  }
};

const Plan& plan() {
  static const Plan made;
  return made;
}
[[gnu::constructor]] void readPlan() {
  (void)plan();
}

template <typename Function>
Function* real(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

bool isWatched(const char* path) {
  const Plan& p = plan();
  if (p.state == nullptr || path == nullptr) return false;
  char whole[2 * PATH_MAX];
  if (path[0] != '/') {
    char here[PATH_MAX];
    if (getcwd(here, sizeof here) == nullptr) return false;
    std::snprintf(whole, sizeof whole, "%s/%s", here, path);
    path = whole;
  }
  return std::strncmp(path, p.place, std::strlen(p.place)) == 0;
}

const char* pathOf(int file, char (&path)[PATH_MAX]) {
  char link[64];
  std::snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  const ssize_t length = readlink(link, path, sizeof path - 1);
  path[length < 0 ? 0 : length] = '\0';
  return path;
}

// Is it this one that fails? Sets errno.
bool fails(const char* what, const char* path) {
  const Plan& p = plan();
  const int number = ++p.state->writes;
  if (p.log[0] != '\0') {
    char line[PATH_MAX + 64];
    const int length = std::snprintf(line, sizeof line, "%d %s %s\n", number, what, path);
    const int file =
        static_cast<int>(syscall(SYS_openat, AT_FDCWD, p.log, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600));
    (void)!syscall(SYS_write, file, line, length);
    syscall(SYS_close, file);
  }
  if (p.at == 0 || (p.readOnly ? number < p.at : number != p.at)) return false;
  ++p.state->failed;
  errno = p.readOnly ? EROFS : ENOSPC;
  return true;
}

bool pathFails(const char* what, const char* path) {
  return isWatched(path) && fails(what, path);
}

bool fileFails(const char* what, int file) {
  char path[PATH_MAX];
  return plan().state != nullptr && file >= 0 && isWatched(pathOf(file, path)) && fails(what, path);
}

// A full disk opens what is there already.
bool openFails(const char* path, bool writes) {
  if (!writes || !isWatched(path)) return false;
  const bool isThere = faccessat(AT_FDCWD, path, F_OK, 0) == 0;
  if (!plan().readOnly && isThere) return false;
  return fails(isThere ? "open" : "create", path);
}

bool isRemovingRefused(const char* path) {
  const Plan& p = plan();
  if (!isWatched(path) || !p.readOnly || p.state->failed == 0) return false;
  errno = EROFS;
  return true;
}

int openLike(const char* path, int flags, mode_t mode) {
  if (openFails(path, (flags & O_ACCMODE) != O_RDONLY)) return -1;
  return static_cast<int>(syscall(SYS_openat, AT_FDCWD, path, flags, mode));
}

FILE* fopenLike(const char* name, const char* path, const char* mode) {
  if (openFails(path, std::strpbrk(mode, "wa+") != nullptr)) return nullptr;
  return real<FILE*(const char*, const char*)>(name)(path, mode);
}

mode_t modeIn(int flags, va_list arguments) {
  return (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(arguments, mode_t) : 0;
}

}  // namespace

extern "C" {

int open(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = modeIn(flags, arguments);
  va_end(arguments);
  return openLike(path, flags, mode);
}

int open64(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = modeIn(flags, arguments);
  va_end(arguments);
  return openLike(path, flags, mode);
}

FILE* fopen(const char* path, const char* mode) {
  return fopenLike("fopen", path, mode);
}
FILE* fopen64(const char* path, const char* mode) {
  return fopenLike("fopen64", path, mode);
}

ssize_t write(int file, const void* bytes, size_t count) {
  if (!fileFails("write", file)) return syscall(SYS_write, file, bytes, count);
  const int error = errno;
  if (error == ENOSPC) syscall(SYS_write, file, bytes, count / 2);
  errno = error;
  return -1;
}

ssize_t writev(int file, const iovec* pieces, int count) {
  if (!fileFails("write", file)) return syscall(SYS_writev, file, pieces, count);
  const int error = errno;
  if (error == ENOSPC) syscall(SYS_writev, file, pieces, count / 2);
  errno = error;
  return -1;
}

size_t fwrite(const void* bytes, size_t size, size_t count, FILE* file) {
  const auto go = real<size_t(const void*, size_t, size_t, FILE*)>("fwrite");
  if (!fileFails("fwrite", fileno(file))) return go(bytes, size, count, file);
  const int error = errno;
  const size_t done = error == ENOSPC ? go(bytes, size, count / 2, file) : 0;
  errno = error;
  return done;
}

int fflush(FILE* file) {
  if (file != nullptr && __fpending(file) > 0 && fileFails("fflush", fileno(file))) {
    __fpurge(file);
    return EOF;
  }
  return real<int(FILE*)>("fflush")(file);
}

int fclose(FILE* file) {
  const bool fail = __fpending(file) > 0 && fileFails("fclose", fileno(file));
  const int error = errno;
  if (fail) __fpurge(file);
  const int result = real<int(FILE*)>("fclose")(file);
  if (!fail) return result;
  errno = error;
  return EOF;
}

int rename(const char* from, const char* to) {
  return pathFails("rename", to) ? -1 : real<int(const char*, const char*)>("rename")(from, to);
}
int renameat2(int fromFolder, const char* from, int toFolder, const char* to, unsigned flags) {
  return pathFails("rename", to) ? -1
                                 : real<int(int, const char*, int, const char*, unsigned)>("renameat2")(
                                       fromFolder, from, toFolder, to, flags);
}
int link(const char* from, const char* to) {
  return pathFails("link", to) ? -1 : real<int(const char*, const char*)>("link")(from, to);
}
int linkat(int fromFolder, const char* from, int toFolder, const char* to, int flags) {
  return pathFails("link", to)
             ? -1
             : real<int(int, const char*, int, const char*, int)>("linkat")(fromFolder, from, toFolder, to, flags);
}
int mkdir(const char* path, mode_t mode) {
  return faccessat(AT_FDCWD, path, F_OK, 0) != 0 && pathFails("mkdir", path)
             ? -1
             : real<int(const char*, mode_t)>("mkdir")(path, mode);
}
int fsync(int file) {
  return fileFails("fsync", file) ? -1 : real<int(int)>("fsync")(file);
}
int fdatasync(int file) {
  return fileFails("fsync", file) ? -1 : real<int(int)>("fdatasync")(file);
}
int ftruncate(int file, off_t length) {
  return fileFails("truncate", file) ? -1 : real<int(int, off_t)>("ftruncate")(file, length);
}
int truncate(const char* path, off_t length) {
  return pathFails("truncate", path) ? -1 : real<int(const char*, off_t)>("truncate")(path, length);
}

int unlink(const char* path) {
  return isRemovingRefused(path) ? -1 : real<int(const char*)>("unlink")(path);
}
int remove(const char* path) {
  return isRemovingRefused(path) ? -1 : real<int(const char*)>("remove")(path);
}
int rmdir(const char* path) {
  return isRemovingRefused(path) ? -1 : real<int(const char*)>("rmdir")(path);
}

}  // extern "C"
