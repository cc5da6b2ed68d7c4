// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/batches/batches.h"
#include "engine/batches/shard.h"
#include "engine/batches/spec.h"
#include "engine/wire/run_config.h"

#include <string>

namespace binade::batches {

/// Batches generated from SPECs. `batch` replaces the first dimension of the first tensor, and of every other tensor
/// with as many rows, so a square mask keeps its size. Labels are random: a loss on them shows ranges and speed, not
/// learning.
class SyntheticData : public BatchSource {
 public:
  /// `inputs` as in wire::DataConfig. Throws Error{kBadRun} for a SPEC that does not parse, has no tensor with
  /// examples, or gives values for another number of examples, Error{kBadData} for given values that are not finite.
  SyntheticData(const std::vector<std::string>& inputs, std::int64_t batch, std::int64_t classes, std::uint64_t seed,
                Shard shard = {});

  Batch next() override;
  std::int64_t cursor() const override { return cursor_; }
  void seek(std::int64_t cursor) override { cursor_ = cursor; }
  std::int64_t test_batches() const override { return 4; }
  Batch test_batch(std::int64_t index) const override;
  std::int64_t examples() const override { return 0; }
  std::int64_t test_examples() const override { return test_batches() * examples_; }
  const std::vector<TargetInfo>& targets() const override { return targets_; }

 private:
  void set_batch(TensorSpec& tensor, const std::string& text) const;
  Batch draw(std::uint64_t stream, std::int64_t index) const;
  /// Rows of every tensor of an input whose first dimension is that of the batch; others as they are.
  c10::IValue rows_of(const c10::IValue& input, std::int64_t first, std::int64_t size) const;

  std::vector<Spec> specs_;
  std::int64_t examples_;
  Shard shard_;
  std::int64_t classes_;
  std::vector<TargetInfo> targets_;
  std::uint64_t seed_;
  std::int64_t cursor_ = 0;
};

}  // namespace binade::batches
