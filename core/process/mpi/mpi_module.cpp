// SPDX-License-Identifier: GPL-3.0-or-later
// strategylab_mpi.so: messages between processes by MPI's C functions. Errors are returned rather than fatal, and
// become messages with the function's name. Uses two communicators of its own, one for heartbeats, so that the watching
// thread never receives a step's messages.
#include <dlfcn.h>
#include <mpi.h>

#include <cstdlib>
#include <cstring>
#include <limits>

#include "core/base/error.h"
#include "core/process/messages.h"
#include "core/process/wire.h"

namespace lab::process {
namespace {

void check(int code, const char* function) {
  if (code == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  MPI_Error_string(code, text, &length);
  throw UserError(UserError::Kind::Run, say::mpiFailed, function, std::string(text, static_cast<std::size_t>(length)));
}

// MPI_Request is a pointer in one MPI and a number in another.
static_assert(sizeof(MPI_Request) <= sizeof(Request));
Request packed(MPI_Request request) {
  Request bits = 0;
  std::memcpy(&bits, &request, sizeof request);
  return bits;
}
MPI_Request unpacked(Request bits) {
  MPI_Request request;
  std::memcpy(&request, &bits, sizeof request);
  return request;
}

// Returns whether Open MPI's own poll yields: it was told to, or has found more processes than processors.
bool yieldsWhenIdle() {
  int given = 0, index = -1, count = 0, value = 0;
  MPI_T_cvar_handle handle;
  if (MPI_T_init_thread(MPI_THREAD_MULTIPLE, &given) != MPI_SUCCESS) return false;
  if (MPI_T_cvar_get_index("mpi_yield_when_idle", &index) == MPI_SUCCESS &&
      MPI_T_cvar_handle_alloc(index, nullptr, &handle, &count) == MPI_SUCCESS) {
    if (count == 1 && MPI_T_cvar_read(handle, &value) != MPI_SUCCESS) value = 0;
    MPI_T_cvar_handle_free(&handle);
  }
  MPI_T_finalize();
  return value != 0;
}

// With Open MPI's TCP, the receiver of a large message would request the rest of it, or all in pieces (PUT). If two
// processes send to each other, these requests queue behind their own data, so an exchange takes up to twice its time.
// Receives are posted ahead here, so messages of up to 1 MB may leave at once. Existing user settings are kept.
void prepareTcp() {
  setenv("OMPI_MCA_btl_tcp_flags", "send,inplace", 0);
  for (const char* limit :
       {"OMPI_MCA_btl_tcp_eager_limit", "OMPI_MCA_btl_tcp_rndv_eager_limit", "OMPI_MCA_btl_tcp_max_send_size"})
    setenv(limit, "1048576", 0);
}

class MpiWire final : public Wire {
 public:
  MpiWire() {
    // Open MPI opens its own modules, which look for its symbols in the global scope.
    Dl_info info{};
    if (dladdr(reinterpret_cast<const void*>(&MPI_Init_thread), &info) != 0)
      (void)dlopen(info.dli_fname, RTLD_NOW | RTLD_GLOBAL | RTLD_NOLOAD);
    prepareTcp();
    int given = 0;
    check(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &given), "MPI_Init_thread");
    if (given < MPI_THREAD_MULTIPLE) throw UserError(say::mpiWithoutThreads);
    check(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
    check(MPI_Comm_dup(MPI_COMM_WORLD, &values_), "MPI_Comm_dup");
    check(MPI_Comm_dup(MPI_COMM_WORLD, &beats_), "MPI_Comm_dup");
    check(MPI_Comm_rank(MPI_COMM_WORLD, &rank_), "MPI_Comm_rank");
    check(MPI_Comm_size(MPI_COMM_WORLD, &size_), "MPI_Comm_size");
    givesWay_ = yieldsWhenIdle();
  }
  ~MpiWire() override { MPI_Finalize(); }

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  std::string library() const override {
    char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length = 0;
    MPI_Get_library_version(text, &length);
    std::string name(text, static_cast<std::size_t>(length));
    name.resize(std::min(name.find_first_of(",\n"), name.size()));
    return name.starts_with("Open MPI v") ? "Open MPI " + name.substr(10) : name;
  }
  bool givesWay() const override { return givesWay_; }

  Request send(int to, Channel channel, const void* bytes, std::size_t count) override {
    MPI_Request request;
    check(MPI_Isend(bytes, sizeOf(count), MPI_BYTE, to, static_cast<int>(channel), communicator(channel), &request),
          "MPI_Isend");
    return packed(request);
  }
  Request receive(int from, Channel channel, void* bytes, std::size_t count) override {
    MPI_Request request;
    check(MPI_Irecv(bytes, sizeOf(count), MPI_BYTE, from, static_cast<int>(channel), communicator(channel), &request),
          "MPI_Irecv");
    return packed(request);
  }
  bool test(Request& bits) override {
    if (bits == 0) return true;
    MPI_Request request = unpacked(bits);
    int done = 0;
    check(MPI_Test(&request, &done, MPI_STATUS_IGNORE), "MPI_Test");
    bits = done != 0 ? 0 : packed(request);
    return done != 0;
  }
  void cancel(Request& bits) override {
    if (bits == 0) return;
    MPI_Request request = unpacked(std::exchange(bits, 0));
    MPI_Cancel(&request);
    MPI_Request_free(&request);
  }

  void sumOverAll(float* values, std::int64_t count) override {
    check(MPI_Allreduce(MPI_IN_PLACE, values, sizeOf(static_cast<std::size_t>(count)), MPI_FLOAT, MPI_SUM, values_),
          "MPI_Allreduce");
  }

  void abort(int exitCode) noexcept override { MPI_Abort(MPI_COMM_WORLD, exitCode); }

 private:
  static int sizeOf(std::size_t count) {
    LAB_CHECK(count <= static_cast<std::size_t>(std::numeric_limits<int>::max()));
    return static_cast<int>(count);
  }
  MPI_Comm communicator(Channel channel) const { return channel == Channel::Heartbeats ? beats_ : values_; }

  MPI_Comm values_ = MPI_COMM_NULL, beats_ = MPI_COMM_NULL;
  int rank_ = 0, size_ = 1;
  bool givesWay_ = false;
};

}  // namespace
}  // namespace lab::process

extern "C" __attribute__((visibility("default"))) void strategylabOpenMpi(const char* interface,
                                                                          lab::process::Wire** wire,
                                                                          lab::Message* why) {
  *wire = nullptr;
  try {
    if (std::strcmp(interface, lab::process::kWireInterface) != 0)
      throw lab::UserError(lab::say::otherMpiModule, lab::process::kWireInterface, interface);
    *wire = new lab::process::MpiWire();
  } catch (const std::exception& error) {
    *why = lab::messageOf(error);
  }
}
