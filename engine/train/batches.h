// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace binade::train {

/// What one step or one part of an evaluation takes. On the CPU.
struct Batch {
  std::vector<c10::IValue> inputs;                          ///< one for each argument of forward
  std::vector<std::pair<std::string, at::Tensor>> targets;  ///< what losses compare outputs with, by name
  std::int64_t examples = 0;
  std::vector<std::int64_t> rows{};  ///< which example of the data each is, from 0; empty: they were drawn

  /// The target of this name; the only one where the name is empty. Throws Error{kBadRun} that lists those there are.
  const at::Tensor& target(const std::string& name = {}) const;
};

/// What losses over classes leave out: no label.
constexpr std::int64_t kIgnoredLabel = -100;

/// The range of a target that holds whole numbers (but for kIgnoredLabel), with the first row of the data that has each
/// bound.
struct LabelRange {
  std::int64_t lowest = 0;
  std::int64_t lowest_row = 0;
  std::int64_t highest = 0;
  std::int64_t highest_row = 0;
  friend bool operator==(const LabelRange&, const LabelRange&) = default;
};

/// Takes a label and its row into a range, which is empty before the first. Rows may come in any order.
inline void widen(std::optional<LabelRange>& range, std::int64_t label, std::int64_t row) {
  if (!range) range = {label, row, label, row};
  if (label < range->lowest || (label == range->lowest && row < range->lowest_row)) {
    range->lowest = label;
    range->lowest_row = row;
  }
  if (label > range->highest || (label == range->highest && row < range->highest_row)) {
    range->highest = label;
    range->highest_row = row;
  }
}

struct TargetInfo {
  std::string name;
  std::optional<LabelRange> labels;  ///< of whole numbers: they may be labels
};

/// Where a training's batches come from. The n-th batch depends on seed and n only, so that a cursor is all a replay
/// or a resumed run needs; nothing here touches LibTorch's own random state. One thread, but for the const functions,
/// which another may call meanwhile.
class BatchSource {
 public:
  virtual ~BatchSource() = default;

  /// The training batch at the cursor, which then moves on by one.
  virtual Batch next() = 0;
  /// How many training batches were taken so far.
  virtual std::int64_t cursor() const = 0;
  virtual void seek(std::int64_t cursor) = 0;
  /// The batch that the `ahead`-th next() from here gives, counted from 0, in memory of its own: writing to it changes
  /// none that is trained on. Takes nothing, and throws nothing away that was made ahead.
  virtual Batch peek(std::int64_t ahead);

  /// The test half, always the same, in the same order; 0 batches where there is none.
  virtual std::int64_t test_batches() const = 0;
  virtual Batch test_batch(std::int64_t index) const = 0;

  /// How many examples an epoch of training chooses from; 0: they are drawn without end.
  virtual std::int64_t examples() const = 0;
  /// How many the test half has.
  virtual std::int64_t test_examples() const = 0;

  /// Every target that its batches have, the training and the test half's values taken together.
  virtual const std::vector<TargetInfo>& targets() const = 0;
};

/// The range in which a source's target lies; the only target where the name is empty. Nothing where it holds no whole
/// numbers. Throws as Batch::target.
std::optional<LabelRange> labels(const BatchSource& source, const std::string& name = {});

}  // namespace binade::train
