// SPDX-License-Identifier: GPL-3.0-or-later
// This file may use conditional compilation, because each system shares memory in its own way.
#include "core/base/shared_memory.h"

#include <cerrno>
#include <cstring>

#include "core/base/error.h"
#include "core/base/messages.h"

#if defined(__linux__)
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace lab {

#if defined(__linux__)

namespace {

[[noreturn]] void fail() {
  throw UserError(UserError::Kind::Run, say::noSharedMemory, std::strerror(errno));
}

}  // namespace

SharedMemory::SharedMemory(std::size_t floats) : file_(memfd_create("strategylab", MFD_CLOEXEC)) {
  map(floats, true);
}

SharedMemory::SharedMemory(const std::string& path, std::size_t floats)
    : file_(open(path.c_str(), O_RDWR | O_CLOEXEC)) {
  map(floats, false);
}

// For new memory, first sets the file's size.
void SharedMemory::map(std::size_t floats, bool isNew) {
  if (file_ < 0) fail();
  const std::size_t bytes = floats * sizeof(float);
  void* memory = isNew && ftruncate(file_, static_cast<off_t>(bytes)) != 0
                     ? MAP_FAILED
                     : mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file_, 0);
  if (memory == MAP_FAILED) {
    const int why = errno;
    close(file_);
    errno = why;
    fail();
  }
  floats_ = {static_cast<float*>(memory), floats};
}

SharedMemory::~SharedMemory() {
  munmap(floats_.data(), floats_.size_bytes());
  close(file_);
}

std::string SharedMemory::path() const {
  return "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(file_);
}

#else

SharedMemory::SharedMemory(std::size_t) {
  throw UserError(UserError::Kind::Run, say::noSharedMemory, "not on this system yet");
}
SharedMemory::SharedMemory(const std::string&, std::size_t floats) : SharedMemory(floats) {}
SharedMemory::~SharedMemory() = default;
std::string SharedMemory::path() const {
  return "";
}

#endif

}  // namespace lab
