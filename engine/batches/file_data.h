// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/batches/batches.h"
#include "engine/batches/column.h"
#include "engine/batches/epoch_order.h"
#include "engine/batches/split.h"
#include "engine/wire/run_config.h"

#include <ATen/core/function_schema.h>

#include <span>
#include <variant>

namespace binade::batches {

/// Batches of rows of files. Each epoch has an order of its own, or the files'; what does not fill a batch at its end
/// is left out. Arguments of forward that no column gives take their default. Taking a batch throws Error{kBadFile}
/// where a file is not whole any more (check_mapped).
class FileData : public BatchSource {
 public:
  /// `arguments` are those of forward, without self. Throws Error naming file, field and what does not fit: an unknown
  /// column or argument, columns with different numbers of rows, a batch larger than the training part;
  /// Error{kCancelled} as `progress` says.
  FileData(const wire::DataConfig& config, std::span<const c10::Argument> arguments, std::int64_t batch,
           std::uint64_t seed, const files::Progress& progress = {}, Shard shard = {});

  /// That no column holds NaN or infinity, as far as that is quickly seen (Column::check_finite).
  void check_finite(const files::Progress& progress = {});

  Batch next() override;
  std::int64_t cursor() const override { return order_.cursor(); }
  void seek(std::int64_t cursor) override { order_.seek(cursor); }
  std::int64_t test_batches() const override;
  Batch test_batch(std::int64_t index) const override;
  const std::vector<TargetInfo>& targets() const override { return target_infos_; }
  std::int64_t examples() const override { return static_cast<std::int64_t>(split_.train.size()); }
  std::int64_t test_examples() const override { return static_cast<std::int64_t>(split_.test.size()); }

 private:
  void check_rows(std::int64_t batch, double test) const;
  Batch pick(const at::Tensor& rows) const;
  Batch rows_of(const at::Tensor& rows) const;

  std::vector<std::string> files_;
  std::vector<Column> columns_;
  std::vector<std::variant<std::size_t, c10::IValue>> inputs_;  ///< index of a column, or a default
  std::vector<std::pair<std::string, std::size_t>> targets_;    ///< name, index of a column
  std::vector<TargetInfo> target_infos_;
  Split split_;
  std::int64_t batch_;
  EpochOrder order_;  ///< indices in `split_.train`
};

}  // namespace binade::batches
