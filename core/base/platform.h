// SPDX-License-Identifier: GPL-3.0-or-later
// What this build and this machine have. The only file that may ask the preprocessor about the platform is its .cpp.
#pragma once

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

namespace lab {

int processorCount();         // threads the machine runs at once, at least 1
std::string processorName();  // as the machine calls itself, or "unknown processor"
std::int64_t memoryBytes();   // physical memory, 0 when unknown
std::string hostName();       // as the machine's network knows it, or "localhost"
std::int64_t processId();     // of this program
int stopSignal();             // that mpirun passes on to all processes, SIGUSR1; 0 where there is none
void setEnvironment(const char* name, const std::string& value);  // of this program and what it starts

bool processorHasAvx2();    // and FMA; false on anything but x86-64
bool processorHasAvx512();  // AVX-512F, likewise

void lowerThreadPriority();  // of the calling thread, below the window's; best effort

inline constexpr std::size_t kHugePageBytes = std::size_t{2} << 20;
// Asks for huge pages where whole ones lie in the range; best effort. Before it is touched for the first time.
void adviseHugePages(void* begin, std::size_t bytes);
// Has the allocator give large blocks back when they are freed. Left to itself glibc puts them among small ones once it
// has seen the first of them go, where a single small one keeps megabytes. Before the program makes threads.
void returnFreedMemoryToOs();
void relaxProcessor();  // a hint inside a spin loop

// Small results of the processor are flushed to zero on the calling thread: denormals cost 100 times a normal
// operation. Every thread that does training arithmetic calls it, so that results do not depend on the thread. Nothing
// is flushed where the baseline kernels are this program's: a browser cannot, and its bits are theirs
// (core/wasm/README.md).
void flushDenormals();

// Columns of the terminal that `stream` writes to; 0 where it is no terminal.
int terminalColumns(std::FILE* stream);

// Pushes what was written to `file` to the disk itself. False, with errno set, if that fails.
bool flushToDisk(std::FILE* file);

// The folder that the running program lies in; empty where the system does not say.
std::filesystem::path programFolder();
// A module or program that belongs to this one: where the environment's `variable` names it; beside the program, as the
// build puts it; or where an installation has it, wherever that was moved to as a whole. It need not exist.
std::filesystem::path modulePath(const char* file, const char* variable);
// Opens a shared library, for good. Null, and `error` says why, where it cannot be.
void* openLibrary(const std::filesystem::path& path, std::string& error);
void* librarySymbol(void* library, const char* name);  // null where there is none

}  // namespace lab
