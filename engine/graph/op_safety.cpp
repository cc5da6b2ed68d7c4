// SPDX-License-Identifier: Apache-2.0
#include "engine/graph/op_safety.h"

#include <algorithm>
#include <array>

namespace binade::graph {

namespace {

constexpr auto kRows = std::to_array<OpSafetyRow>({
#include "op_safety.inc"
});

}  // namespace

OpSafety safety_of(std::string_view op) {
  const auto* const found = std::lower_bound(
      kRows.begin(), kRows.end(), op, [](const OpSafetyRow& row, std::string_view name) { return row.op < name; });
  return found != kRows.end() && found->op == op ? found->safety : OpSafety::kUnknown;
}

const char* danger_of(OpSafety safety) {
  switch (safety) {
    case OpSafety::kComputes:
      return nullptr;
    case OpSafety::kFiles:
      return "reads or writes files";
    case OpSafety::kNetwork:
      return "talks to other processes or machines";
    case OpSafety::kMemory:
      return "reads or writes memory as its arguments say, without checking them";
    case OpSafety::kInternal:
      return "belongs to LibTorch's own optimiser";
    case OpSafety::kUnknown:
      return "this version of Binade does not know";
  }
  return "is not known";
}

std::span<const OpSafetyRow> op_safety_rows() {
  return kRows;
}

}  // namespace binade::graph
