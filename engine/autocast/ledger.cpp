// SPDX-License-Identifier: Apache-2.0
#include "engine/autocast/ledger.h"

namespace binade::autocast {

CastCount& CastLedger::at(int site, int argument) {
  const auto row = static_cast<std::size_t>(site);
  const auto column = static_cast<std::size_t>(argument + 1);
  if (row >= sites_.size()) sites_.resize(row + 1);
  if (column >= sites_[row].size()) sites_[row].resize(column + 1);
  return sites_[row][column];
}

std::vector<LedgerRow> CastLedger::rows() const {
  std::vector<LedgerRow> rows;
  for (std::size_t site = 0; site < sites_.size(); ++site) {
    for (std::size_t column = 0; column < sites_[site].size(); ++column) {
      const CastCount& count = sites_[site][column];
      if (count != CastCount{}) rows.push_back({static_cast<int>(site), static_cast<int>(column) - 1, count});
    }
  }
  return rows;
}

CastCount CastLedger::total() const {
  CastCount sum;
  for (const LedgerRow& row : rows()) {
    sum.made += row.count.made;
    sum.saved += row.count.saved;
    sum.bytes += row.count.bytes;
    sum.nanoseconds += row.count.nanoseconds;
  }
  return sum;
}

}  // namespace binade::autocast
