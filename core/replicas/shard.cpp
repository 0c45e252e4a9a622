// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/replicas/shard.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/base/error.h"
#include "core/replicas/replica.h"

namespace lab {
namespace {

// Calls body(piece in a whole buffer, its place in a part) for each piece.
template <typename Body>
void forEachPiece(const Shard& shard, const Body& body) {
  std::int64_t at = 0;
  for (const Pack& piece : shard.pieces) {
    body(piece, at);
    at += piece.count;
  }
}

void putPart(const Shard& shard, const AlignedBuffer<float>& part, AlignedBuffer<float>& whole) {
  forEachPiece(shard, [&](const Pack& piece, std::int64_t at) {
    std::copy_n(part.data() + at, piece.count, whole.data() + piece.offset);
  });
}

void takePart(const Shard& shard, const AlignedBuffer<float>& whole, AlignedBuffer<float>& part) {
  forEachPiece(shard, [&](const Pack& piece, std::int64_t at) {
    std::copy_n(whole.data() + piece.offset, piece.count, part.data() + at);
  });
}

// Buffers that a step needs are counted as its memory; buffers for somebody who looks are not.
void widen(const Shard& shard, AlignedBuffer<float>& whole, MemoryCounter* counter = nullptr) {
  const MemoryScope scope(counter, MemoryKind::Packs);
  if (whole.empty()) whole = AlignedBuffer<float>(shard.elements, shard.lead);
}

// Calls body(whole buffer, part's buffer) for everything that lies in parts now, in a fixed order. Sums of gradients
// that are not kept in parts lie in the whole buffer, at the part's pieces.
template <typename Body>
void forEachBuffer(Variables& variables, const Body& body) {
  Shard& shard = variables.shard;
  if (shard.isOf(Sharding::Weights)) body(variables.weights, &shard.weights);
  if (shard.summed) body(variables.gradients, shard.isOf(Sharding::Gradients) ? &shard.gradients : nullptr);
  for (std::size_t i = 0; i < shard.slotValues.size(); ++i) body(variables.slotValues[i], &shard.slotValues[i]);
}

}  // namespace

std::int64_t Shard::size() const {
  return std::accumulate(pieces.begin(), pieces.end(), std::int64_t{0},
                         [](std::int64_t sum, const Pack& piece) { return sum + piece.count; });
}

void shardBy(Variables& variables, Sharding what, std::vector<Pack> pieces, std::size_t slots, std::int64_t lead) {
  Shard& shard = variables.shard;
  shard.what = what;
  shard.pieces = std::move(pieces);
  shard.elements = variables.weights.size();
  shard.lead = lead;
  const auto made = [&](MemoryKind kind) {
    const MemoryScope scope(variables.counter, kind);
    return AlignedBuffer<float>(shard.size());
  };
  for (std::size_t i = 0; i < slots; ++i) shard.slotValues.push_back(made(MemoryKind::Optimizer));
  variables.slotValues = std::vector<AlignedBuffer<float>>(slots);
  if (shard.isOf(Sharding::Gradients)) shard.gradients = made(MemoryKind::Gradients);
  if (shard.isOf(Sharding::Weights)) {
    shard.weights = made(MemoryKind::Variables);
    takePart(shard, variables.weights, shard.weights);
  }
  dropWhole(variables);
}

void widenWeights(Variables& variables) {
  if (!variables.shard.isOf(Sharding::Weights)) return;
  widen(variables.shard, variables.weights, variables.counter);
  putPart(variables.shard, variables.shard.weights, variables.weights);
}

void dropWeights(Variables& variables) {
  if (variables.shard.isOf(Sharding::Weights)) variables.weights = {};
}

void widenGradients(Variables& variables) {
  variables.shard.summed = false;
  widen(variables.shard, variables.gradients, variables.counter);
}

void keepSummedGradients(Variables& variables) {
  Shard& shard = variables.shard;
  shard.summed = true;
  if (!shard.isOf(Sharding::Gradients)) return;
  takePart(shard, variables.gradients, shard.gradients);
  variables.gradients = {};
}

std::vector<Piece> piecesOf(Variables& variables) {
  Shard& shard = variables.shard;
  ValuesAt at{variables.weights.data(), variables.gradients.data(), shard.weights.data(), shard.gradients.data(), {}};
  for (AlignedBuffer<float>& slot : shard.what == Sharding::None ? variables.slotValues : shard.slotValues)
    at.slotValues.push_back(slot.data());
  return piecesOf(shard, variables.weights.size(), at);
}

std::vector<Piece> piecesOf(const Shard& shard, std::int64_t elements, const ValuesAt& at) {
  if (shard.what == Sharding::None) return {{elements, at.gradients, at.slotValues, at.weights}};
  std::vector<Piece> all;
  forEachPiece(shard, [&](const Pack& piece, std::int64_t first) {
    if (piece.count == 0) return;
    Piece& each = all.emplace_back();
    each.size = piece.count;
    each.gradients = shard.isOf(Sharding::Gradients) ? at.partOfGradients + first : at.gradients + piece.offset;
    for (float* slot : at.slotValues) each.slotValues.push_back(slot + first);
    each.weights = shard.isOf(Sharding::Weights) ? at.partOfWeights + first : at.weights + piece.offset;
  });
  return all;
}

void join(std::span<Variables* const> all, Variables& whole) {
  LAB_CHECK(whole.shard.what != Sharding::None);
  for (Variables* each : all) putPart(partOf(*each), each->shard.pieces, whole);
}

void widenAll(Variables& variables) {
  forEachBuffer(variables,
                [&](AlignedBuffer<float>& whole, const AlignedBuffer<float>*) { widen(variables.shard, whole); });
}

std::vector<float> partOf(Variables& variables) {
  std::vector<float> values;
  forEachBuffer(variables, [&](const AlignedBuffer<float>& whole, const AlignedBuffer<float>* part) {
    forEachPiece(variables.shard, [&](const Pack& piece, std::int64_t at) {
      const float* first = part != nullptr ? part->data() + at : whole.data() + piece.offset;
      values.insert(values.end(), first, first + piece.count);
    });
  });
  return values;
}

void putPart(std::span<const float> values, const std::vector<Pack>& pieces, Variables& whole) {
  widenAll(whole);
  forEachBuffer(whole, [&](AlignedBuffer<float>& buffer, const AlignedBuffer<float>*) {
    for (const Pack& piece : pieces) {
      const auto count = static_cast<std::size_t>(piece.count);
      LAB_CHECK(count <= values.size());
      std::ranges::copy(values.first(count), buffer.data() + piece.offset);
      values = values.subspan(count);
    }
  });
}

void takePart(Variables& variables) {
  Shard& shard = variables.shard;
  if (shard.isOf(Sharding::Weights) && !variables.weights.empty()) takePart(shard, variables.weights, shard.weights);
  for (std::size_t i = 0; i < variables.slotValues.size(); ++i)
    if (!variables.slotValues[i].empty()) takePart(shard, variables.slotValues[i], shard.slotValues[i]);
}

void dropWhole(Variables& variables) {
  dropWeights(variables);
  if (variables.shard.isOf(Sharding::Gradients)) variables.gradients = {};
  for (AlignedBuffer<float>& slot : variables.slotValues) slot = {};
}

WholeBuffers wholeBuffersOf(const Variables& variables) {
  return {!variables.weights.empty(), !variables.gradients.empty()};
}

void dropAllBut(const WholeBuffers& kept, Variables& variables) {
  if (!kept.weights) variables.weights = {};
  if (!kept.gradients) variables.gradients = {};
  for (AlignedBuffer<float>& slot : variables.slotValues) slot = {};
}

}  // namespace lab
