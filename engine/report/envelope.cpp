// SPDX-License-Identifier: Apache-2.0
#include "engine/report/envelope.h"

#include <algorithm>
#include <cmath>

namespace binade::report {

Envelope Envelope::spanning(std::int64_t first, std::int64_t last, std::size_t most) {
  Envelope envelope(most);
  envelope.first_ = first;
  envelope.fixed_ = true;
  while ((last - first) / envelope.width_ >= static_cast<std::int64_t>(most)) envelope.width_ *= 2;
  return envelope;
}

void Envelope::add(std::int64_t step, double value) {
  if (columns_.empty() && !fixed_) {
    first_ = step;
    width_ = 1;
  }
  if (step < first_) return;
  while ((step - first_) / width_ >= static_cast<std::int64_t>(most_)) halve();
  const auto at = static_cast<std::size_t>((step - first_) / width_);
  if (at >= columns_.size()) columns_.resize(at + 1);
  Column& column = columns_[at];
  if (!std::isfinite(value)) {
    ++column.not_finite;
    return;
  }
  column.lowest = std::min(column.lowest, value);
  column.highest = std::max(column.highest, value);
  column.sum += value;
  ++column.finite;
}

void Envelope::cut(std::int64_t step) {
  if (step <= first_) return columns_.clear();
  const auto kept = static_cast<std::size_t>((step - first_ + width_ - 1) / width_);
  if (kept < columns_.size()) columns_.resize(kept);
}

void Envelope::halve() {
  for (std::size_t i = 0; 2 * i < columns_.size(); ++i) {
    Column merged = columns_[2 * i];
    if (2 * i + 1 < columns_.size()) {
      const Column& second = columns_[2 * i + 1];
      merged.lowest = std::min(merged.lowest, second.lowest);
      merged.highest = std::max(merged.highest, second.highest);
      merged.sum += second.sum;
      merged.finite += second.finite;
      merged.not_finite += second.not_finite;
    }
    columns_[i] = merged;
  }
  columns_.resize((columns_.size() + 1) / 2);
  width_ *= 2;
}

}  // namespace binade::report
