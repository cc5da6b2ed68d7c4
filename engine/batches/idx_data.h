// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/batches/batches.h"
#include "engine/batches/epoch_order.h"
#include "engine/files/progress.h"
#include "engine/wire/run_config.h"

#include <vector>

namespace binade::batches {

/// Images and labels of a folder with MNIST's file names: train-images-idx3-ubyte, train-labels-idx1-ubyte, and the
/// same with t10k, optionally with .gz. Batches are float32 [batch, 1, height, width], scaled to 0..1 (bytes), minus
/// `mean`, divided by `deviation`. Each epoch has its own order; an incomplete last batch is dropped.
class IdxData : public BatchSource {
 public:
  /// Throws Error{kBadData}, naming the file, if one is missing, damaged, contains NaN or does not match the others;
  /// Error{kCancelled} as for `progress`.
  IdxData(const wire::DataConfig& config, std::int64_t batch, std::uint64_t seed, const files::Progress& progress = {},
          Shard shard = {});

  Batch next() override;
  std::int64_t cursor() const override { return order_.cursor(); }
  void seek(std::int64_t cursor) override { order_.seek(cursor); }
  std::int64_t test_batches() const override;
  Batch test_batch(std::int64_t index) const override;
  std::int64_t examples() const override { return train_.labels.size(0); }
  std::int64_t test_examples() const override { return test_.labels.size(0); }
  const std::vector<TargetInfo>& targets() const override { return targets_; }

 private:
  struct Half {
    at::Tensor pictures;  ///< [n, height, width], as stored
    at::Tensor labels;    ///< int64 [n]
  };
  Half read_half(const std::string& folder, const std::string& prefix, const files::Progress& progress);
  Batch pick(const Half& half, const at::Tensor& indices) const;
  Batch rows_of(const Half& half, const at::Tensor& indices) const;

  std::vector<std::string> files_;
  Half train_;
  Half test_;
  double mean_;
  double deviation_;
  EpochOrder order_;
  std::vector<TargetInfo> targets_;
};

}  // namespace binade::batches
