// SPDX-License-Identifier: GPL-3.0-or-later
// Messages between a class's server and its workers, as plain data: one frame is one binary message of a WebSocket.
// Numbers are little-endian. A frame has at most kMostFrameBytes, so that pings can pass between frames; weights and
// gradients are sent as chunks. decode() trusts nothing: it checks counts against the bytes present before it allocates
// memory, and every frame that it accepts encodes to the same bytes again. README.md describes the sequence of
// messages.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/config/choices.h"

namespace lab::serving {

inline constexpr std::uint16_t kProtocol = 5;
inline constexpr std::size_t kMostFrameBytes = std::size_t{64} << 10;
inline constexpr std::size_t kMostFloatsPerChunk = 15 << 10;  // 60 kB
inline constexpr std::size_t kMostShortsPerChunk = 2 * kMostFloatsPerChunk;
inline constexpr std::size_t kMostHelloBytes = 128;  // all that is read before the token is known
inline constexpr std::size_t kTokenBytes = 16;
inline constexpr std::size_t kMostNameBytes = 32, kMostPathBytes = 16, kMostNetworkBytes = std::size_t{60} << 10;
inline constexpr std::size_t kMostClosureExamples = 4096;
inline constexpr std::size_t kMostPictureBytes = std::size_t{60} << 10;  // in one frame of examples

using Token = std::array<std::uint8_t, kTokenBytes>;

// Why a worker was sent away, or a push was refused.
enum class Reason : std::uint8_t {
  WrongToken,
  OtherVersion,    // of the protocol
  ClassFull,       // the maximum number of workers is present
  BadFrame,        // unreadable, out of turn, or of the wrong size for this class
  NotFinite,       // a loss or a gradient is not finite
  NormTooLarge,    // of a gradient
  TooMuch,         // more frames or bytes than a worker needs to send
  Removed,         // by the teacher
  Silent,          // sent no byte for too long
  GivenToAnother,  // the closure, because this worker was silent, asleep or too slow; the worker stays
  FalseGradient,   // a spot check computed another gradient
  LeftOut,         // of the step's update, which does not wait for the slowest; the worker stays
  TooSlow,         // for a class in step: the others waited for it, twice in a row
};
inline constexpr std::uint8_t kReasons = 13;

// ---- Frames from a worker

struct Hello {
  std::uint16_t protocol = kProtocol;
  Token token{};
  std::string path;  // ISA: "avx512", "baseline", …
  std::string name;  // the person's chosen name; "": the program's name is used
  bool operator==(const Hello&) const = default;
};
// The worker wants a closure, and the variables as of when it gets one. If sent before a push, the answer follows right
// after the push.
struct Pull {
  bool operator==(const Pull&) const = default;
};
// Chunks with `floats` values follow: gradients in Welcome's `wire` format, then moving statistics.
struct Push {
  std::uint64_t closure = 0, version = 0;  // of the variables that it was computed with
  double lossSum = 0;
  std::uint32_t correct = 0, floats = 0;
  std::uint64_t computeNs = 0;
  bool operator==(const Push&) const = default;
};
// The worker is a tab in the background, which may compute slowly or not at all.
struct Asleep {
  bool asleep = false;
  bool operator==(const Asleep&) const = default;
};
struct Leave {
  bool operator==(const Leave&) const = default;
};

// ---- Frames from the server

struct Welcome {
  std::uint16_t worker = 0;
  std::string name;      // given by the program
  std::string strategy;  // "parameter-server"
  std::string network;   // core/model/network_text.h
  std::uint64_t seed = 0, steps = 0;
  std::uint32_t mostExamples = 0;  // in a closure
  bool digits = false;             // the pictures are of digits: a page may ask for one to be drawn
  std::uint32_t weights = 0, statistics = 0;
  Wire wire = Wire::Float32;  // how weights and gradients are sent
  bool operator==(const Welcome&) const = default;
};
// Sent once, before the first closure that needs these examples; from then on an index identifies an example.
struct Pictures {
  std::uint32_t pictureBytes = 0;
  std::vector<std::uint32_t> indices;
  std::vector<std::uint8_t> labels, pixels;  // (indices), (indices, pictureBytes)
  bool operator==(const Pictures&) const = default;
};
struct Closure {
  std::uint64_t number = 0;
  std::uint64_t step = 0, globalOffset = 0;  // for dropout
  float scale = 0;                           // of each example's gradient
  std::vector<std::uint32_t> examples;
  bool operator==(const Closure&) const = default;
};
// Chunks with `floats` values follow: weights in Welcome's `wire` format, then moving statistics.
struct Variables {
  std::uint64_t closure = 0, version = 0;
  std::uint32_t floats = 0;
  bool operator==(const Variables&) const = default;
};
struct Applied {
  std::uint64_t closure = 0, version = 0;  // number of updates, including this one
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
// The class's progress, once a second while there are updates; without any, every 5 s, since only by frames can a page
// tell a silent server: it sees no pings.
struct Progress {
  std::uint64_t updates = 0;
  std::uint16_t workers = 0;
  double loss = 0;  // the mean over the examples of the updates since the last Progress; NaN if there were none
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

// ---- Frames in both directions

// A piece of the values that a Push or Variables has announced: [first, first + values.size()), in ascending order.
struct Chunk {
  std::uint32_t first = 0;
  std::vector<float> values;
  bool operator==(const Chunk&) const = default;
};
// The same with bfloat16 values: the upper halves of the float32s' bits.
struct ShortChunk {
  std::uint32_t first = 0;
  std::vector<std::uint16_t> values;
  bool operator==(const ShortChunk&) const = default;
};

using Frame = std::variant<Hello, Pull, Push, Asleep, Leave, Welcome, Pictures, Closure, Variables, Applied, Refused,
                           Pause, Progress, End, Dropped, Chunk, ShortChunk>;
using FrameBytes = std::vector<std::uint8_t>;

FrameBytes encode(const Frame& frame);
// Encodes a chunk of a larger array without copying it first. As bfloat16, the floats must be bfloat16 values already.
FrameBytes encodeChunk(std::uint32_t first, std::span<const float> values, Wire wire = Wire::Float32);
// A view of a Chunk or ShortChunk in the received bytes. viewChunk() returns nothing for other frames.
struct ChunkView {
  Wire wire = Wire::Float32;
  std::uint32_t first = 0;
  std::span<const std::uint8_t> bytes;  // its values
  std::size_t count() const { return bytes.size() / static_cast<std::size_t>(bytesOnWire(wire)); }
  void copyTo(float* values) const;
};
std::optional<ChunkView> viewChunk(std::span<const std::uint8_t> bytes);
// Returns nothing for bytes that are not a frame: unknown kind, cut off, too long, extra bytes, or text that is not
// UTF-8.
std::optional<Frame> decode(std::span<const std::uint8_t> bytes);

// Returns whether `text` is UTF-8 as in RFC 3629 without control characters and those that turn the direction of the
// text around them, as names must be.
bool isShowable(std::string_view text);

// The time that this takes does not depend on where the tokens differ.
bool equalInConstantTime(const Token& a, const Token& b);
std::string textOf(const Token& token);  // 32 hexadecimal digits
std::optional<Token> tokenFrom(std::string_view text);

}  // namespace lab::serving
