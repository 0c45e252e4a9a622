// SPDX-License-Identifier: GPL-3.0-or-later
// Facts about this build and this machine. Only this file's .cpp may ask the preprocessor about the platform.
#pragma once

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

namespace lab {

int processorCount();         // how many threads the machine runs at once for this program, at least 1
std::string processorName();  // the machine's own text, or "unknown processor"
std::int64_t memoryBytes();   // physical memory, or what a container leaves of it; 0 if unknown
std::string hostName();       // the machine's name in its network, or "localhost"
std::int64_t processId();     // of this program
int stopSignal();             // SIGUSR1, which mpirun passes on to all processes; 0 if there is none
void setEnvironment(const char* name, const std::string& value);  // for this program and the programs that it starts
std::vector<std::string> environmentNames(const std::string& prefix);  // variables that are set and begin with it

bool processorHasAvx2();    // and FMA; false on anything but x86-64
bool processorHasAvx512();  // AVX-512F; false on anything but x86-64

void lowerThreadPriority();  // of the calling thread, below the window's; best effort

inline constexpr std::size_t kHugePageBytes = std::size_t{2} << 20;
// Asks for huge pages where whole ones lie in the range; best effort. Call before the memory is first touched.
void adviseHugePages(void* begin, std::size_t bytes);
// Makes the allocator return large blocks to the system when they are freed. By default glibc places them among small
// blocks once it has seen the first one freed, and then one small block keeps megabytes. Call before threads start.
void returnFreedMemoryToOs();
void relaxProcessor();  // a hint inside a spin loop

// Makes the calling thread flush small results to zero, because denormals cost 100 times a normal operation. Every
// thread that does training arithmetic calls it, so that results do not depend on the thread. Does nothing if this
// program uses the baseline kernels: a browser cannot flush, and it must get the same bits (core/wasm/README.md).
void flushDenormals();
void keepDenormals();  // ends this: on this thread, results are those of a browser

// Opens nothing in place of standard input, output and error where they are closed: the next file that is opened would
// get such a number, and what is printed would be in it. Call before any file is opened.
void occupyStandardFiles();

// Returns the columns of the terminal that `stream` writes to; 0 if it is not a terminal.
int terminalColumns(std::FILE* stream);

// Flushes what was written to `file` to the disk itself. Returns false, with errno set, on failure.
bool flushToDisk(std::FILE* file);

// Returns the folder of the running program; empty if the system does not say.
std::filesystem::path programFolder();
// Returns the path of a module or program that belongs to this one: what the environment's `variable` names; or beside
// the program, as the build places it; or as installed, even if the whole installation was moved. The file need not
// exist.
std::filesystem::path modulePath(const char* file, const char* variable);
// Opens a shared library, which is never closed. On failure returns null, and `error` says why.
void* openLibrary(const std::filesystem::path& path, std::string& error);
void* librarySymbol(void* library, const char* name);  // null if there is none

}  // namespace lab
