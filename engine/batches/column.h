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
  /// The line of a text file at which a row begins, counted from 1; nullopt if it is not known.
  std::optional<std::int64_t> line_of(std::int64_t row) const;
  /// Its place in the run description.
  const std::string& field() const { return field_; }

  /// Returns the rows with these indices (int64 [n]) in the column's dtype and shape: [n, ...]. Throws Error{kBadData}
  /// that names the first row with a value that is not finite or does not fit in the column's whole-number dtype.
  /// Values that check_finite() has read are not checked for being finite again.
  at::Tensor batch(const at::Tensor& rows) const;

  /// Returns the range of the values if they are whole numbers. If the file does not state the range, all rows are
  /// read, a part at a time. Throws as batch() does, and Error{kCancelled} if `progress` is cancelled.
  std::optional<files::LabelRange> labels(const files::Progress& progress = {}) const;

  /// Checks that no value is NaN or infinite. If the file does not state it, all rows are read, a part at a time,
  /// unless that takes longer than about a second: larger columns are checked when their rows are read. Throws as
  /// batch() does, and Error{kCancelled} if `progress` is cancelled.
  void check_finite(const files::Progress& progress = {});

 private:
  at::Tensor converted(const at::Tensor& rows) const;
  /// Returns whether the ranges that the files state show that every value is finite and unchanged by the conversion.
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
