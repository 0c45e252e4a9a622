// SPDX-License-Identifier: GPL-3.0-or-later
// The files that ship inside the program, as bytes.
#pragma once

#include <cstddef>

namespace lab::resources {

extern const unsigned char hardwareCatalog[];
extern const std::size_t hardwareCatalogSize;

extern const unsigned char timingConstants[];
extern const std::size_t timingConstantsSize;

// Errors of the timing model on published rows, by kind. Written by tests/bench/fit_timing.py.
extern const unsigned char timingBands[];
extern const std::size_t timingBandsSize;

// Four IDX files in one gzip stream, see digits/README.md.
extern const unsigned char embeddedDigits[];
extern const std::size_t embeddedDigitsSize;

// The handbook, Markdown. Each section begins with "## Title {#key}"; the keys are the same in all languages.
extern const unsigned char handbookEnglish[], handbookGerman[];
extern const std::size_t handbookEnglishSize, handbookGermanSize;

// All lessons, one after the other: lessons/*.lesson.
extern const unsigned char lessons[];
extern const std::size_t lessonsSize;

// Recorded results of the classroom's sweep. Written by sweeps/make_classroom.sh.
extern const unsigned char sweepExample[];
extern const std::size_t sweepExampleSize;

// The program's icon, as SVG.
extern const unsigned char applicationIcon[];
extern const std::size_t applicationIconSize;

}  // namespace lab::resources
