// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/files/array.h"
#include "engine/files/bytes.h"
#include "engine/files/csv_text.h"
#include "engine/files/file_stamp.h"
#include "engine/files/progress.h"

#include <string>
#include <string_view>
#include <vector>

namespace binade::files {

/// The rows of a CSV file: text in a map, where some of them begin (one in each half kilobyte), and what kinds of
/// numbers its columns hold. The values of a small table are held; of a larger one neither text nor values are kept in
/// memory.
class CsvTable : public RowReader {
 public:
  struct Source {
    std::string file;  ///< in messages
    Bytes bytes;       ///< that hold `text`
    std::string_view text;
    char separator = ',';
    std::vector<std::string> names;
  };

  /// Goes through all rows once, and through the values of the columns `wanted`; holds these where there are no more
  /// than `most_held`. Throws Error{kBadFile} naming file, line and column of what is wrong, Error{kCancelled} as
  /// `progress` says.
  CsvTable(Source source, const std::vector<std::size_t>& wanted, std::size_t most_held, const Progress& progress);

  std::int64_t rows() const { return rows_; }
  /// Of one of those wanted: int64 where all values are whole, else float64.
  at::ScalarType dtype(std::size_t column) const { return columns_[column].whole ? at::kLong : at::kDouble; }
  const ValueRange& range(std::size_t column) const { return columns_[column].range; }

  at::Tensor take(std::span<const std::size_t> columns, const at::Tensor& rows, at::ScalarType dtype) const override;

 private:
  /// What is known of a column.
  struct Column {
    bool whole = true;
    ValueRange range;
    std::size_t held = 0;  ///< its place in a row of those held
    /// Takes another value in; false where the text is no number.
    bool add(std::string_view text, std::int64_t row);
    void add_whole(std::int64_t value, std::int64_t row);
  };
  struct Mark {
    std::int64_t row = 0;
    std::size_t offset = 0;
  };
  /// A column and where its value goes in a row.
  struct Wanted {
    std::size_t column = 0;
    std::size_t place = 0;
  };

  void scan(const std::vector<std::size_t>& wanted, const Progress& progress);
  void scan_row(CsvText& text, const std::vector<bool>& wanted);
  void hold(const std::vector<std::size_t>& wanted, const Progress& progress);
  CsvText at_row(std::int64_t row) const;
  /// The values of a row in the columns `wanted`, which are in the table's order: whole numbers, or the bits of a
  /// float64.
  void decode_row(std::int64_t row, std::span<const Wanted> wanted, std::int64_t* to) const;
  [[noreturn]] void refuse(const std::string& why) const;
  [[noreturn]] void refuse_changed(std::int64_t row) const;
  bool was_written_to() const;

  Source source_;
  FileStamp stamp_;  ///< before the scan
  std::int64_t rows_ = 0;
  std::vector<Mark> marks_;  ///< of a row in each half kilobyte of text
  std::vector<Column> columns_;
  std::vector<std::int64_t> held_;  ///< row by row: whole numbers, or the bits of a float64; empty: none are
  std::size_t held_columns_ = 0;
};

}  // namespace binade::files
