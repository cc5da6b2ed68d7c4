// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace binade::graph {

/// What an op can do beyond computing, as resources/ops/op_safety.csv says of every op of the pinned LibTorch.
enum class OpSafety : std::uint8_t {
  kComputes,  ///< computes on its arguments, or asks about them
  kFiles,     ///< reads or writes files
  kNetwork,   ///< talks to other processes or machines
  kMemory,    ///< believes what its arguments say of memory: indices, pointers, packed weights
  kInternal,  ///< made by LibTorch itself while it optimises, and never by a model's code
  kUnknown,   ///< not in the table: of a library, or of another LibTorch
};

OpSafety safety_of(std::string_view op);

/// Why a model that calls an op of this kind is refused, as the end of a sentence, `writes files`; null where it is
/// not.
const char* danger_of(OpSafety safety);

struct OpSafetyRow {
  std::string_view op;
  OpSafety safety;
};
/// The whole table, by name.
std::span<const OpSafetyRow> op_safety_rows();

}  // namespace binade::graph
