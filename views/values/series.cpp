// SPDX-License-Identifier: Apache-2.0
#include "views/values/series.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace binade::views {

bool Series::append(std::int64_t step, double value) {
  const std::size_t size = samples_.size();
  if (size == 0) {
    runs_.push_back({0, step, 1});
  } else {
    if (step <= last_step_) return false;
    Run& run = runs_.back();
    if (size - run.index == 1) {
      run.stride = step - last_step_;
    } else if (step - last_step_ != run.stride) {
      runs_.push_back({size, step, 1});
    }
  }
  last_step_ = step;
  samples_.push_back(value);
  newest_.add(value);
  all_.add(value);
  if (newest_.count == kBase) climb();
  return true;
}

void Series::climb() {
  SeriesRecord record = std::exchange(newest_, {});
  for (std::size_t level = 0;; ++level) {
    if (levels_.size() == level) levels_.emplace_back();
    LongList<SeriesRecord>& records = levels_[level];
    records.push_back(record);
    if (records.size() % kFactor != 0) return;
    record = {};
    for (std::size_t i = records.size() - kFactor; i < records.size(); ++i) record.add(records[i]);
  }
}

void Series::truncate(std::size_t size) {
  if (size >= samples_.size()) return;
  if (size == 0) return clear();
  last_step_ = stepAt(size - 1);
  while (runs_.back().index >= size) runs_.pop_back();
  samples_.truncate(size);
  std::size_t block = kBase;
  for (auto& records : levels_) {
    records.truncate(size / block);
    block *= kFactor;
  }
  newest_ = queryIndexes(size / kBase * kBase, size);
  all_ = queryIndexes(0, size);
  buckets_ = {};
}

void Series::clear() {
  *this = Series();
}

std::int64_t Series::lastStep() const {
  return last_step_;
}
double Series::lastValue() const {
  return empty() ? std::numeric_limits<double>::quiet_NaN() : samples_.back();
}

const Series::Run& Series::runOfIndex(std::size_t index) const {
  if (index >= runs_.back().index) return runs_.back();
  return *(
      std::upper_bound(runs_.begin(), runs_.end(), index, [](std::size_t i, const Run& r) { return i < r.index; }) - 1);
}

std::int64_t Series::stepAt(std::size_t index) const {
  const Run& run = runOfIndex(index);
  return run.step + static_cast<std::int64_t>(index - run.index) * run.stride;
}

double Series::valueAt(std::size_t index) const {
  return samples_[index];
}

std::size_t Series::lowerBound(std::int64_t step) const {
  if (empty() || step <= runs_.front().step) return 0;
  const auto after =
      std::upper_bound(runs_.begin(), runs_.end(), step, [](std::int64_t s, const Run& r) { return s < r.step; });
  const Run& run = *(after - 1);
  const std::size_t end = after == runs_.end() ? size() : after->index;
  const std::int64_t strides = (step - run.step + run.stride - 1) / run.stride;
  return std::min(end, run.index + static_cast<std::size_t>(strides));
}

std::optional<std::size_t> Series::at(std::int64_t step) const {
  const std::size_t index = lowerBound(step);
  if (index < size() && stepAt(index) == step) return index;
  if (index == 0) return std::nullopt;
  return index - 1;
}

std::size_t Series::bytes() const {
  std::size_t bytes = samples_.bytes() + runs_.capacity() * sizeof(Run);
  for (const auto& records : levels_) bytes += records.bytes();
  return bytes;
}

SeriesRecord Series::query(std::int64_t first, std::int64_t end) const {
  return queryIndexes(lowerBound(first), lowerBound(end));
}

SeriesRecord Series::queryIndexes(std::size_t first, std::size_t end) const {
  SeriesRecord record;
  cost_ = 0;
  end = std::min(end, size());
  std::size_t i = first;
  while (i < end) {
    // The widest complete record that starts here and ends within the range.
    std::size_t width = 1;
    std::size_t block = kBase;
    const LongList<SeriesRecord>* found = nullptr;
    for (const auto& records : levels_) {
      if (i % block != 0 || i + block > end || i / block >= records.size()) break;
      found = &records;
      width = block;
      block *= kFactor;
    }
    if (found != nullptr) {
      record.add((*found)[i / width]);
    } else {
      record.add(valueAt(i));
    }
    i += width;
    ++cost_;
  }
  return record;
}

}  // namespace binade::views
