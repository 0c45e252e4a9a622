// SPDX-License-Identifier: GPL-3.0-or-later
// Fibers that the thread sanitizer takes for threads, although one thread carries them all out. So the sanitizer finds
// whatever is not ordered in an emulated GPU, and on every run, not only when two threads happen to meet. For the
// sanitizer, only happensBefore and happensAfter order what a fiber does with what others do. Without the sanitizer
// these two do nothing, and a fiber is a plain call.
#pragma once

#include <cstddef>

#if defined(__SANITIZE_THREAD__)
#include <sys/mman.h>
#include <ucontext.h>

#include <memory>
#include <vector>

#include "core/base/error.h"

extern "C" {
void* __tsan_create_fiber(unsigned flags);
void __tsan_destroy_fiber(void* fiber);
void* __tsan_get_current_fiber();
void __tsan_switch_to_fiber(void* fiber, unsigned flags);
void __tsan_acquire(void* address);
void __tsan_release(void* address);
}
#endif

namespace lab::test {

#if defined(__SANITIZE_THREAD__)

inline constexpr bool kRacesAreLookedFor = true;

// Everything the caller has done, or has seen done, comes before whatever follows a happensAfter of the same place.
inline void happensBefore(void* place) {
  __tsan_release(place);
}
inline void happensAfter(void* place) {
  __tsan_acquire(place);
}

// Fibers by number, each made when first used. Not thread-safe.
class Fibers {
 public:
  // Carries out work(argument) as this fiber, then returns. The data that `work` reads must be ordered for the fiber,
  // too.
  void run(std::size_t number, void (*work)(void*), void* argument) {
    while (fibers_.size() <= number) fibers_.push_back(std::make_unique<Fiber>());
    fibers_[number]->run(work, argument);
  }

 private:
  class Fiber {
   public:
    Fiber()
        : stack_(
              mmap(nullptr, kStackBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) {
      LAB_CHECK(stack_ != MAP_FAILED && getcontext(&own_) == 0);
      own_.uc_stack.ss_sp = stack_;
      own_.uc_stack.ss_size = kStackBytes;
      makecontext(&own_, &Fiber::begin, 0);
    }
    ~Fiber() {
      __tsan_destroy_fiber(fiber_);
      munmap(stack_, kStackBytes);
    }
    Fiber(const Fiber&) = delete;
    Fiber& operator=(const Fiber&) = delete;

    // The sanitizer ignores run() and begin(), because they pass on what belongs to both sides.
    [[gnu::no_sanitize_thread]] void run(void (*work)(void*), void* argument) {
      work_ = work;
      argument_ = argument;
      caller_ = __tsan_get_current_fiber();
      starting = this;
      __tsan_switch_to_fiber(fiber_, kNotOrdered);
      swapcontext(&callersContext_, &own_);
    }

   private:
    static constexpr std::size_t kStackBytes = 256 << 10;
    static constexpr unsigned kNotOrdered = 1;
    static inline thread_local Fiber* starting = nullptr;

    [[gnu::no_sanitize_thread]] static void begin() {
      for (Fiber* self = starting;;) {
        self->work_(self->argument_);
        __tsan_switch_to_fiber(self->caller_, kNotOrdered);
        swapcontext(&self->own_, &self->callersContext_);
      }
    }

    void* stack_;
    void* fiber_ = __tsan_create_fiber(0);
    void* caller_ = nullptr;
    void (*work_)(void*) = nullptr;
    void* argument_ = nullptr;
    ucontext_t own_{}, callersContext_{};
  };

  std::vector<std::unique_ptr<Fiber>> fibers_;
};

#else

inline constexpr bool kRacesAreLookedFor = false;

inline void happensBefore(void*) {}
inline void happensAfter(void*) {}

class Fibers {
 public:
  void run(std::size_t, void (*work)(void*), void* argument) { work(argument); }
};

#endif

}  // namespace lab::test
