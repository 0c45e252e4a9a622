// SPDX-License-Identifier: GPL-3.0-or-later
// What the core asks of its surroundings, where these are a browser: one thread, no vectors but SIMD128. A throw ends
// the call in a refusal: `refuse`, which the loader gives, throws in JavaScript and so leaves all of the module's
// functions at once. Nothing is destroyed on that way, so what the call held stays occupied.
#include "core/base/platform.h"

#include <cstring>
#include <exception>
#include <new>
#include <typeinfo>

#include "core/base/thread_pool.h"
#include "core/base/units.h"
#include "core/wasm/messages.h"

// The loader's, with the sentence in UTF-8; does not return.
extern "C" [[noreturn]] __attribute__((import_module("strategylab"), import_name("refuse"))) void labRefuse(
    const char* sentence, std::size_t bytes);

namespace {

[[noreturn]] void refuse(const char* sentence) {
  labRefuse(sentence, std::strlen(sentence));
}

void refuseMemory() {
  refuse(lab::say::pageMemoryUsedUp.english);
}

// Before any allocation.
const std::new_handler kBefore = std::set_new_handler(refuseMemory);

}  // namespace

// What the compiler makes of a throw. All that is thrown here begins with a std::exception.
extern "C" {
void* __cxa_allocate_exception(std::size_t size) {
  return ::operator new(size);
}
void __cxa_free_exception(void* exception) {
  ::operator delete(exception);
}
void __cxa_throw(void* exception, std::type_info*, void (*)(void*)) {
  refuse(static_cast<const std::exception*>(exception)->what());
}
}

// What the standard library says in the end, without the text's values: printf is 9 kB.
extern "C" [[noreturn]] void abort_message(const char* format, ...) {
  refuse(format);
}
_LIBCPP_BEGIN_NAMESPACE_STD
void __libcpp_verbose_abort(const char* format, ...) {
  refuse(format);
}
_LIBCPP_END_NAMESPACE_STD

namespace lab {

// In place of units.cpp, whose tables for real numbers are 100 kB: none is in a message of the module.
std::string formatCount(std::int64_t count) {
  return std::to_string(count);
}
std::string formatBytes(std::int64_t bytes) {
  return std::to_string(bytes) + " B";
}
std::string shortest(double value) {
  return std::to_string(static_cast<std::int64_t>(value));
}

void adviseHugePages(void*, std::size_t) {}
bool processorHasAvx2() {
  return false;
}
bool processorHasAvx512() {
  return false;
}

struct ThreadPool::State {};
ThreadPool::ThreadPool(int) {}
ThreadPool::~ThreadPool() = default;
int ThreadPool::threads() const {
  return 1;
}
bool ThreadPool::inTask() const {
  return false;
}
void ThreadPool::forEach(std::int64_t count, const std::function<void(std::int64_t)>& task) {
  for (std::int64_t i = 0; i < count; ++i) task(i);
}

}  // namespace lab
