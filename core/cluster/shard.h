// SPDX-License-Identifier: GPL-3.0-or-later
// A replica's part of the variables where none keeps all of them (ZeRO, strategy/README.md): the elements that a ring's
// reduce-scatter leaves with it. Whole buffers are there only while something needs all elements.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/aligned_buffer.h"
#include "core/comm/schedule.h"

namespace lab {

struct Variables;

// What lies in parts: each has what the one before it has, in the order of ZeRO's stages.
enum class Sharding : std::uint8_t { None, Slots, Gradients, Weights };

struct Shard {
  Sharding what = Sharding::None;
  std::vector<Pack> pieces;             // its elements, as a whole buffer has them
  std::int64_t elements = 0, lead = 0;  // of a whole buffer
  bool summed = false;                  // its gradients are the sum over all replicas
  // The pieces one after the other; empty where the whole buffer is kept.
  AlignedBuffer<float> weights, gradients;
  std::vector<AlignedBuffer<float>> slotValues;

  bool isOf(Sharding which) const { return what >= which; }
  std::int64_t size() const;  // of the pieces together
};

// From now on `variables` are the pieces of what they are, with slots of zeros.
void shardBy(Variables& variables, Sharding what, std::vector<Pack> pieces, std::size_t slots, std::int64_t lead);

// A step: the weights of its part in a whole buffer, which the others' parts come to; room for all gradients; and what
// becomes of them.
void widenWeights(Variables& variables);
void dropWeights(Variables& variables);
void widenGradients(Variables& variables);
void keepSummedGradients(Variables& variables);

// What is updated, one run of elements after the other: where it is. Whole variables are one.
struct Piece {
  std::int64_t size = 0;
  const float* gradients = nullptr;
  std::vector<float*> slotValues;
  float* weights = nullptr;
};
std::vector<Piece> piecesOf(Variables& variables);

// Somebody looks at all elements, or has changed them: from all replicas' parts to one's whole buffers, and back to its
// part. dropWhole() frees what is kept in parts.
void join(std::span<Variables* const> all, Variables& whole);
void widenAll(Variables& variables);  // room alone
void takePart(Variables& variables);
void dropWhole(Variables& variables);
// Of a part, one value after the other, as it travels; and into whole buffers, from whoever has these pieces.
std::vector<float> partOf(Variables& variables);
void putPart(std::span<const float> values, const std::vector<Pack>& pieces, Variables& whole);

// At some place of a step somebody looks: what is whole there stays so.
struct WholeBuffers {
  bool weights = false, gradients = false;
};
WholeBuffers wholeBuffersOf(const Variables& variables);
void dropAllBut(const WholeBuffers& kept, Variables& variables);

}  // namespace lab
