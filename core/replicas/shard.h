// SPDX-License-Identifier: GPL-3.0-or-later
// A replica's part of the variables, where no replica keeps all of them (ZeRO, strategy/README.md): the elements that a
// ring's reduce-scatter leaves on this replica. Whole buffers exist only while something needs all elements.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/aligned_buffer.h"
#include "core/comm/schedule.h"

namespace lab {

struct Variables;

// What lies in parts. Each value includes everything of the one before it, in the order of ZeRO's stages.
enum class Sharding : std::uint8_t { None, Slots, Gradients, Weights };

struct Shard {
  Sharding what = Sharding::None;
  std::vector<Pack> pieces;             // its elements, as ranges of a whole buffer
  std::int64_t elements = 0, lead = 0;  // of a whole buffer
  bool summed = false;                  // its gradients are the sum over all replicas
  // The pieces one after the other; empty if the whole buffer is kept.
  AlignedBuffer<float> weights, gradients;
  std::vector<AlignedBuffer<float>> slotValues;

  bool isOf(Sharding which) const { return what >= which; }
  std::int64_t size() const;  // of all pieces together
};

// Reduces `variables` to these pieces of themselves, with slots of zeros.
void shardBy(Variables& variables, Sharding what, std::vector<Pack> pieces, std::size_t slots, std::int64_t lead);

// Used in a step: put the part's weights into a whole buffer, which the other parts are received into, and drop the
// buffer; make room for all gradients, and keep what lies in parts of their sum.
void widenWeights(Variables& variables);
void dropWeights(Variables& variables);
void widenGradients(Variables& variables);
void keepSummedGradients(Variables& variables);

// A run of elements that is updated, and where it is. Variables that are not in parts are a single run.
struct Piece {
  std::int64_t size = 0;
  const float* gradients = nullptr;
  std::vector<float*> slotValues;
  float* weights = nullptr;
};
std::vector<Piece> piecesOf(Variables& variables);
// Where a replica's values begin: whole buffers, and a part's; those that the shard does not have are not used.
struct ValuesAt {
  float *weights = nullptr, *gradients = nullptr, *partOfWeights = nullptr, *partOfGradients = nullptr;
  std::vector<float*> slotValues;  // the part's, if variables are in parts
};
std::vector<Piece> piecesOf(const Shard& shard, std::int64_t elements, const ValuesAt& at);

// Used when somebody looks at all elements or has changed them. join() copies all replicas' parts into whole buffers,
// takePart() copies a whole buffer's elements back to the part, and dropWhole() frees what is kept in parts.
void join(std::span<Variables* const> all, Variables& whole);
void widenAll(Variables& variables);  // only makes room
void takePart(Variables& variables);
void dropWhole(Variables& variables);
// partOf() returns a part's values, one after the other, as they travel; putPart() writes such values into whole
// buffers, at the pieces of the replica that sent them.
std::vector<float> partOf(Variables& variables);
void putPart(std::span<const float> values, const std::vector<Pack>& pieces, Variables& whole);

// Used when somebody looks in the middle of a step: buffers that are whole at this point stay whole.
struct WholeBuffers {
  bool weights = false, gradients = false;
};
WholeBuffers wholeBuffersOf(const Variables& variables);
void dropAllBut(const WholeBuffers& kept, Variables& variables);

}  // namespace lab
