// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/files/label_range.h"

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace binade::batches {

/// Data of one micro-batch of a step, or of one batch of an evaluation. On the CPU.
struct Batch {
  std::vector<c10::IValue> inputs;                          ///< one for each argument of forward
  std::vector<std::pair<std::string, at::Tensor>> targets;  ///< values that losses compare outputs with, by name
  std::int64_t examples = 0;
  std::vector<std::int64_t> rows{};  ///< index of each example in the data; empty: random data
  /// This part's share of the batch, 0 to 1, if other ranks have the rest (Shard).
  double share = 1;
  /// By loss, the share of the values that the loss averages, where it is not `share`, since labels are ignored; empty:
  /// none.
  std::vector<double> shares{};

  /// The factor by which loss `i`, a mean over these examples, counts in the mean over the whole batch.
  double share_of(std::size_t i) const { return shares.empty() ? share : shares[i]; }

  /// Returns the target with this name, or the only one if `name` is empty. Throws Error{kBadRun}, listing the
  /// available targets.
  const at::Tensor& target(const std::string& name = {}) const;
};

struct TargetInfo {
  std::string name;
  std::optional<files::LabelRange> labels;    ///< for integers, which may be labels
  std::string source{};                       ///< `data.targets.y (table.csv, "age")`; empty: not of files
  std::optional<std::int64_t> lowest_line{};  ///< of a text file, counted from 1: where the lowest label is
  std::optional<std::int64_t> highest_line{};
};

/// Source of a training's batches. The n-th batch depends on seed and n only, so a cursor suffices to replay or resume.
/// Does not use LibTorch's own random state. Used by one thread, except that another may call the const functions.
class BatchSource {
 public:
  virtual ~BatchSource() = default;

  /// Returns the training batch at the cursor and advances the cursor by one.
  virtual Batch next() = 0;
  /// Number of training batches taken so far.
  virtual std::int64_t cursor() const = 0;
  virtual void seek(std::int64_t cursor) = 0;
  /// Returns the batch that the next() call after `ahead` others will return, in its own memory, so that it may be
  /// written to. Does not move the cursor or discard prefetched batches.
  virtual Batch peek(std::int64_t ahead);

  /// Number of batches of test data, which are always the same and in the same order; 0: there is none.
  virtual std::int64_t test_batches() const = 0;
  virtual Batch test_batch(std::int64_t index) const = 0;

  /// Number of examples per epoch; 0: batches are drawn without end.
  virtual std::int64_t examples() const = 0;
  /// Number of examples in the test data.
  virtual std::int64_t test_examples() const = 0;

  /// All targets of the batches, with ranges over training and test data together.
  virtual const std::vector<TargetInfo>& targets() const = 0;
};

/// Returns a source's target, or the only one if `name` is empty. Throws like Batch::target().
const TargetInfo& target_info(const BatchSource& source, const std::string& name = {});

/// Returns the range of such a target. nullopt if it is not an integer target. Throws like Batch::target().
std::optional<files::LabelRange> labels(const BatchSource& source, const std::string& name = {});

}  // namespace binade::batches
