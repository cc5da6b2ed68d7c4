// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/batches/array_set.h"
#include "engine/batches/batches.h"
#include "engine/files/label_range.h"
#include "engine/files/progress.h"
#include "engine/wire/run_config.h"

namespace binade::batches {

/// What one argument of forward, or one target, is made of: rows of arrays, converted, normalised and brought into
/// shape as they are taken. Its arrays may be larger than memory. Const functions may run on several threads.
class Column {
 public:
  /// `field` is its place in the run description, `data.columns.x`. Throws Error{kBadRun} or Error{kBadData} naming it
  /// where there are no arrays, or they have no rows or do not fit each other, the shape or the normalisation.
  Column(std::string field, const wire::ColumnConfig& config, std::vector<ArraySet::Named> arrays, bool is_target);

  std::int64_t rows() const { return arrays_.front().array.rows(); }
  /// `data.columns.x (table.csv, "age")`.
  const std::string& label() const { return label_; }
  /// Its place in the run description.
  const std::string& field() const { return field_; }

  /// The rows of these indices (int64 [n]) as dtype and shape say: [n, ...]. Throws Error{kBadData} naming the first
  /// row with a value that is not finite, or that its whole-number dtype cannot hold, unless check_finite() saw them
  /// all.
  at::Tensor batch(const at::Tensor& rows) const;

  /// The range of its values, where they are whole numbers. Looks at every row, a part at a time, where its file has
  /// not said it; throws as batch(), and Error{kCancelled} as `progress` says.
  std::optional<files::LabelRange> labels(const files::Progress& progress = {}) const;

  /// That no value is NaN or infinite: by what the file said of its values, else by looking at every row, a part at a
  /// time, where that is a matter of a second; throws as batch(). Larger columns are checked as their rows are read.
  /// Throws Error{kCancelled} as `progress` says.
  void check_finite(const files::Progress& progress = {});

 private:
  at::Tensor converted(const at::Tensor& rows) const;
  /// Whether what the files said of their values shows that each of them is kept by the conversion, and finite.
  bool ranges_fit() const;
  void refuse_non_finite(const at::Tensor& values, const at::Tensor& rows) const;
  [[noreturn]] void refuse_no_label() const;
  void refuse_lossy(const at::Tensor& values, const at::Tensor& rows) const;
  void check_shape();

  std::string field_;
  std::string label_;
  wire::ColumnConfig config_;
  std::vector<ArraySet::Named> arrays_;
  at::ScalarType held_ = at::kFloat;   ///< by the files
  at::ScalarType dtype_ = at::kFloat;  ///< converted to
  std::vector<std::int64_t> shape_;    ///< of one example
  at::Tensor mean_;                    ///< that broadcasts over examples; undefined: none
  at::Tensor deviation_;
  bool known_finite_ = false;
};

}  // namespace binade::batches
