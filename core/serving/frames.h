// SPDX-License-Identifier: GPL-3.0-or-later
// What a class's server and its workers say to each other, as plain data: one frame is one binary message of a
// WebSocket. Numbers are little-endian. A frame is at most kMostFrameBytes long, so that pings pass between two of
// them; weights and gradients go as chunks. decode() believes nothing: counts are checked against the bytes that are
// there before memory is taken, and what it takes is encoded to the same bytes again. README.md has who says what when.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "core/config/choices.h"

namespace lab::serving {

inline constexpr std::uint16_t kProtocol = 4;
inline constexpr std::size_t kMostFrameBytes = std::size_t{64} << 10;
inline constexpr std::size_t kMostFloatsPerChunk = 15 << 10;  // 60 kB
inline constexpr std::size_t kMostShortsPerChunk = 2 * kMostFloatsPerChunk;
inline constexpr std::size_t kMostHelloBytes = 128;  // all that is read of somebody who has not said the token
inline constexpr std::size_t kTokenBytes = 16;
inline constexpr std::size_t kMostNameBytes = 32, kMostPathBytes = 16, kMostNetworkBytes = std::size_t{60} << 10;
inline constexpr std::size_t kMostClosureExamples = 4096;
inline constexpr std::size_t kMostPictureBytes = std::size_t{60} << 10;  // of one frame of examples

using Token = std::array<std::uint8_t, kTokenBytes>;

// Why somebody was sent away, or a push was not taken.
enum class Reason : std::uint8_t {
  WrongToken,
  OtherVersion,    // of the protocol
  ClassFull,       // as many workers as may be are here
  BadFrame,        // unreadable, out of turn, or not of this class's sizes
  NotFinite,       // a loss or a gradient
  NormTooLarge,    // a gradient
  TooMuch,         // more frames or bytes than a worker has reason to send
  Removed,         // by the teacher
  Silent,          // no byte for too long
  GivenToAnother,  // the closure, while this worker was silent, asleep or too slow; the worker goes on
  FalseGradient,   // a spot check came to another
};
inline constexpr std::uint8_t kReasons = 11;

// ---- A worker says

struct Hello {
  std::uint16_t protocol = kProtocol;
  Token token{};
  std::string path;  // ISA: "avx512", "baseline", …
  std::string name;  // as the person wishes to be called; "": as the program says
  bool operator==(const Hello&) const = default;
};
// It wants a closure, and the variables as they are when it gets one. Said before a push, it gets them right after
// that.
struct Pull {
  bool operator==(const Pull&) const = default;
};
// Chunks with `floats` values follow: gradients, as Welcome's `wire` has them, then moving statistics.
struct Push {
  std::uint64_t closure = 0, version = 0;  // the variables' that it was computed with
  double lossSum = 0;
  std::uint32_t correct = 0, floats = 0;
  std::uint64_t computeNs = 0;
  bool operator==(const Push&) const = default;
};
// A tab in the background: it may compute slowly or not at all.
struct Asleep {
  bool asleep = false;
  bool operator==(const Asleep&) const = default;
};
struct Leave {
  bool operator==(const Leave&) const = default;
};

// ---- The server says

struct Welcome {
  std::uint16_t worker = 0;
  std::string name;      // that the program has given
  std::string strategy;  // "parameter-server"
  std::string network;   // core/model/network_text.h
  std::uint64_t seed = 0, steps = 0;
  std::uint32_t mostExamples = 0;  // of a closure
  std::uint32_t weights = 0, statistics = 0;
  Wire wire = Wire::Float32;  // how weights and gradients are sent
  bool operator==(const Welcome&) const = default;
};
// Before the first closure that needs them, and never again: from then on an example is its index.
struct Pictures {
  std::uint32_t pictureBytes = 0;
  std::vector<std::uint32_t> indices;
  std::vector<std::uint8_t> labels, pixels;  // (indices), (indices, pictureBytes)
  bool operator==(const Pictures&) const = default;
};
struct Closure {
  std::uint64_t number = 0;
  std::uint64_t step = 0, globalOffset = 0;  // of dropout
  float scale = 0;                           // of each example's gradient
  std::vector<std::uint32_t> examples;
  bool operator==(const Closure&) const = default;
};
// Chunks with `floats` values follow: weights, as Welcome's `wire` has them, then moving statistics.
struct Variables {
  std::uint64_t closure = 0, version = 0;
  std::uint32_t floats = 0;
  bool operator==(const Variables&) const = default;
};
struct Applied {
  std::uint64_t closure = 0, version = 0;  // updates done, this one included
  std::uint32_t staleness = 0;
  double loss = 0;  // of the class: the mean over this update's examples
  bool operator==(const Applied&) const = default;
};
struct Refused {
  std::uint64_t closure = 0;
  Reason reason = Reason::GivenToAnother;
  bool operator==(const Refused&) const = default;
};
struct Pause {
  bool paused = false;
  bool operator==(const Pause&) const = default;
};
// Once a second, while there are updates: how the class is getting on.
struct Progress {
  std::uint64_t updates = 0;
  std::uint16_t workers = 0;
  double loss = 0;  // the mean over the examples of the updates since the last one
  bool operator==(const Progress&) const = default;
};
struct End {
  std::uint64_t steps = 0;
  bool operator==(const End&) const = default;
};
struct Dropped {
  Reason reason = Reason::BadFrame;
  bool operator==(const Dropped&) const = default;
};

// ---- Both

// A piece of what a Push or Variables has announced: values [first, first + values.size()), in ascending order.
struct Chunk {
  std::uint32_t first = 0;
  std::vector<float> values;
  bool operator==(const Chunk&) const = default;
};
// The same of bfloat16s: the upper halves of the float32s' bits.
struct ShortChunk {
  std::uint32_t first = 0;
  std::vector<std::uint16_t> values;
  bool operator==(const ShortChunk&) const = default;
};

using Frame = std::variant<Hello, Pull, Push, Asleep, Leave, Welcome, Pictures, Closure, Variables, Applied, Refused,
                           Pause, Progress, End, Dropped, Chunk, ShortChunk>;
using FrameBytes = std::vector<std::uint8_t>;

FrameBytes encode(const Frame& frame);
// A chunk of a larger array, without a copy in between; as bfloat16 of floats that are that already.
FrameBytes encodeChunk(std::uint32_t first, std::span<const float> values, Wire wire = Wire::Float32);
// A Chunk or ShortChunk where it lies; nothing for what is neither.
struct ChunkView {
  Wire wire = Wire::Float32;
  std::uint32_t first = 0;
  std::span<const std::uint8_t> bytes;  // its values
  std::size_t count() const { return bytes.size() / static_cast<std::size_t>(bytesOnWire(wire)); }
  void copyTo(float* values) const;
};
std::optional<ChunkView> viewChunk(std::span<const std::uint8_t> bytes);
// Nothing for bytes that are no frame: unknown kinds, cut off, too long, with a rest, texts that are not UTF-8.
std::optional<Frame> decode(std::span<const std::uint8_t> bytes);

// In a time that does not depend on where they differ.
bool equalInConstantTime(const Token& a, const Token& b);
std::string textOf(const Token& token);  // 32 hexadecimal digits
std::optional<Token> tokenFrom(std::string_view text);

}  // namespace lab::serving
