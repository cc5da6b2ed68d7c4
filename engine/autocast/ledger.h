// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace binade::autocast {

/// What the casts of one argument cost.
struct CastCount {
  std::uint64_t made = 0;         ///< copies made
  std::uint64_t saved = 0;        ///< copies that the cast cache had already
  std::uint64_t bytes = 0;        ///< written by those made
  std::uint64_t nanoseconds = 0;  ///< host time of those made; on CUDA that is the launch, not the copy

  friend bool operator==(const CastCount&, const CastCount&) = default;
};

/// One line of the cast ledger.
struct LedgerRow {
  int site = 0;
  int argument = 0;  ///< position in the op's schema, or kInside
  CastCount count;
};

/// Casts by site and argument, over as many steps as are between two resets. A plain value: copy it to keep it.
class CastLedger {
 public:
  /// The "argument" of casts inside a composite op, for the ops that it is made of.
  static constexpr int kInside = -1;

  CastCount& at(int site, int argument);
  /// What casts were made, by site and argument; empty lines are left out.
  std::vector<LedgerRow> rows() const;
  CastCount total() const;
  void reset() { sites_.clear(); }

 private:
  std::vector<std::vector<CastCount>> sites_;  ///< by site, then argument + 1
};

}  // namespace binade::autocast
