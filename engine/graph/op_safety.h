// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace binade::graph {

/// What an op can do besides computing, from resources/ops/op_safety.csv, which lists every op of the pinned LibTorch.
enum class OpSafety : std::uint8_t {
  kComputes,  ///< computes on its arguments or inspects them
  kFiles,     ///< reads or writes files
  kNetwork,   ///< communicates with other processes or machines
  kMemory,    ///< uses indices, pointers or packed weights without checks
  kInternal,  ///< created only by LibTorch's optimiser, never by a model's code
  kUnknown,   ///< not in the table: from a library or another LibTorch
};

OpSafety safety_of(std::string_view op);

/// Reason for refusing a model that calls such an op, as the end of a sentence: `writes files`. Null if it is not
/// refused.
const char* danger_of(OpSafety safety);

struct OpSafetyRow {
  std::string_view op;
  OpSafety safety;
};
/// The whole table, sorted by name.
std::span<const OpSafetyRow> op_safety_rows();

}  // namespace binade::graph
