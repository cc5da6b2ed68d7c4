// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace binade::autocast {

/// Cost of the casts of one argument.
struct CastCount {
  std::uint64_t made = 0;         ///< number of copies made
  std::uint64_t saved = 0;        ///< number of copies found in the cast cache
  std::uint64_t bytes = 0;        ///< bytes written by the copies made
  std::uint64_t nanoseconds = 0;  ///< host time of the copies made; on CUDA the time to launch them

  friend bool operator==(const CastCount&, const CastCount&) = default;
};

/// A row of the cast ledger.
struct LedgerRow {
  int site = 0;
  int argument = 0;  ///< index in the op's schema, or kInside
  CastCount count;
};

/// Casts by site and argument since the last reset(). A plain value: copy it to keep it.
class CastLedger {
 public:
  /// `argument` of casts inside a composite op.
  static constexpr int kInside = -1;

  /// The entry of a site and argument, created if absent. The reference is valid until the next call.
  CastCount& at(int site, int argument);
  /// The casts made, by site and argument; empty entries are left out.
  std::vector<LedgerRow> rows() const;
  CastCount total() const;
  void reset() { sites_.clear(); }

 private:
  std::vector<std::vector<CastCount>> sites_;  ///< by site, then argument + 1
};

}  // namespace binade::autocast
