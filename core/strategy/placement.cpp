// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/strategy/placement.h"

#include <algorithm>

#include "core/base/at.h"
#include "core/base/ceil_divide.h"
#include "core/base/error.h"
#include "core/base/parse_number.h"
#include "core/strategy/messages.h"

namespace lab {

Partitioner parsePartitioner(const std::string& text) {
  if (text == "none") return {};
  const std::size_t colon = text.find(':');
  const std::string kind = text.substr(0, colon);
  const std::int64_t value =
      colon == std::string::npos ? 0 : parseNumber<std::int64_t>(text.substr(colon + 1)).value_or(0);
  if (value > 0 && kind == "fixed") return {Partitioner::Kind::Fixed, value};
  if (value > 0 && kind == "min-size") return {Partitioner::Kind::MinSize, value};
  if (value > 0 && kind == "max-size") return {Partitioner::Kind::MaxSize, value};
  throw UserError(say::badPartitioner, Option{"partitioner"}, text.substr(0, 64));
}

std::vector<std::int64_t> shardRows(const Partitioner& partitioner, std::int64_t rows, std::int64_t rowBytes,
                                    int servers) {
  std::int64_t shards = 1;
  switch (partitioner.kind) {
    case Partitioner::Kind::None:
      break;
    case Partitioner::Kind::Fixed:
      shards = std::min(partitioner.value, rows);
      break;
    case Partitioner::Kind::MinSize:
      shards = std::clamp<std::int64_t>(ceilDivide(rows * rowBytes, partitioner.value), 1,
                                        std::min<std::int64_t>(rows, servers));
      break;
    case Partitioner::Kind::MaxSize: {
      const std::int64_t rowsPerShard = std::max<std::int64_t>(1, partitioner.value / rowBytes);
      shards = ceilDivide(rows, rowsPerShard);
      break;
    }
  }
  std::vector<std::int64_t> result(static_cast<std::size_t>(shards), rows / shards);
  for (std::int64_t i = 0; i < rows % shards; ++i) ++at(result, i);
  return result;
}

std::vector<HeldVariables> placeVariables(const NeuralNetwork& network, const Partitioner& partitioner, int servers) {
  std::vector<HeldVariables> placed(static_cast<std::size_t>(servers));
  std::size_t turn = 0;
  const auto place = [&](const Variable& variable, std::vector<VariablePart> HeldVariables::*which) {
    const std::int64_t rows = variable.shape.front(), rowSize = variable.size / rows;
    const std::vector<std::int64_t> shards = shardRows(partitioner, rows, rowSize * 4, servers);
    std::int64_t row = 0;
    for (std::size_t i = 0; i < shards.size(); ++i) {
      const std::string name = shards.size() == 1 ? variable.name : variable.name + "/part_" + std::to_string(i);
      (placed[turn++ % placed.size()].*which).push_back({name, variable.offset + row * rowSize, shards[i] * rowSize});
      row += shards[i];
    }
  };
  for (const NetworkLayer& layer : network.layers()) {
    const auto placeOf = [&](const Layout& layout, std::vector<VariablePart> HeldVariables::*which) {
      for (const Variable& variable : layout.variables())
        if (variable.name.starts_with(layer.name + '/')) place(variable, which);
    };
    placeOf(network.layout(), &HeldVariables::trained);
    placeOf(network.statistics(), &HeldVariables::moving);
  }
  return placed;
}

}  // namespace lab
