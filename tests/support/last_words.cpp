// SPDX-License-Identifier: GPL-3.0-or-later
// The handler calls nothing that allocates or locks, because the code that crashed may have held the lock.
#include "tests/support/last_words.h"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstring>

#include <execinfo.h>
#include <unistd.h>

namespace lab::test {
namespace {

constexpr std::size_t kLines = 32, kLength = 160;
constexpr std::array kFatal{SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};

std::array<std::array<char, kLength>, kLines> lines;
std::array<char, 512> headingLine;
std::size_t noted = 0;  // all lines so far

template <std::size_t size>
void fill(std::array<char, size>& place, const std::string& text) {
  place.fill(0);
  std::copy_n(text.begin(), std::min(text.size(), size - 1), place.begin());
}

void print(const char* text) {
  [[maybe_unused]] const auto written = write(STDERR_FILENO, text, std::strlen(text));
}

void printLine(const char* text) {
  print(text);
  print("\n");
}

void speak(int signal) {
  for (const int each : kFatal) std::signal(each, SIG_DFL);
  print("\nFatal signal ");
  const char digits[] = {static_cast<char>('0' + signal / 10), static_cast<char>('0' + signal % 10), 0};
  print(digits);
  print(": ");
  printLine(headingLine.data());
  for (std::size_t i = noted > kLines ? noted - kLines : 0; i < noted; ++i) printLine(lines[i % kLines].data());
  printLine("The thread that did it:");
  std::array<void*, 256> frames;
  backtrace_symbols_fd(frames.data(), backtrace(frames.data(), static_cast<int>(frames.size())), STDERR_FILENO);
  raise(signal);
}

}  // namespace

void giveLastWords(const std::string& heading) {
  fill(headingLine, heading);
  std::array<void*, 1> first;
  (void)backtrace(first.data(), 1);  // loads what backtrace needs now rather than in the handler
  for (const int signal : kFatal) std::signal(signal, speak);
}

void note(const std::string& line) {
  fill(lines[noted % kLines], line);
  ++noted;
}

}  // namespace lab::test
