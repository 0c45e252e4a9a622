// SPDX-License-Identifier: GPL-3.0-or-later
// Something the user can point at. An object is identified by what it is, not by where it is drawn or which step it
// belongs to, so a pinned object stays pinned as time goes on, and all views can show it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>

namespace lab {

struct Object {
  enum class Kind {
    None,
    Digit,          // endpoint: replica; index: position in its shard
    Gradient,       // endpoint: the owner of the buffer; index: cell of the aggregation, -1: the whole buffer
    Transfer,       // index: into record.spans
    Weights,        // endpoint: replica or parameter device
    Layer,          // endpoint: replica; index: into the network's operations
    Device,         // endpoint
    Link,           // index: track
    VariableShard,  // endpoint: parameter device
    Queue,          // the coordinator's closures
    Host,           // index: host; its TF_CONFIG card
    Pipeline,       // index: which step of the pipeline
    Loss,           // endpoint: replica; -1: the sum of all
    Evaluation,
    EpochMean,
    Unit,  // a feature map, or a unit, of a layer's output; endpoint: replica; index: LayerUnit::index()
  };
  Kind kind = Kind::None;
  int endpoint = -1;
  std::int64_t index = -1;

  bool operator==(const Object&) const = default;
  explicit operator bool() const { return kind != Kind::None; }
};

// What the index of a Unit means: a position in NeuralNetwork::layers(), and a channel of that layer's output.
struct LayerUnit {
  std::size_t layer = 0;
  std::int64_t channel = 0;

  static constexpr std::int64_t kMost = 1 << 20;  // channels
  static LayerUnit of(const Object& unit) { return {static_cast<std::size_t>(unit.index / kMost), unit.index % kMost}; }
  std::int64_t index() const { return static_cast<std::int64_t>(layer) * kMost + channel; }
};

// A set of object kinds, such as those that a line of the program is about.
class ObjectKinds {
 public:
  constexpr ObjectKinds() = default;
  constexpr ObjectKinds(std::initializer_list<Object::Kind> kinds) {
    for (const Object::Kind kind : kinds) bits_ |= bitOf(kind);
  }
  constexpr bool has(Object::Kind kind) const { return (bits_ & bitOf(kind)) != 0; }
  constexpr bool none() const { return bits_ == 0; }
  constexpr ObjectKinds& operator|=(ObjectKinds other) {
    bits_ |= other.bits_;
    return *this;
  }
  bool operator==(const ObjectKinds&) const = default;

 private:
  static constexpr std::uint32_t bitOf(Object::Kind kind) {
    return kind == Object::Kind::None ? 0 : 1U << static_cast<unsigned>(kind);
  }
  std::uint32_t bits_ = 0;
};

}  // namespace lab
