// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/files/array.h"
#include "engine/files/bytes.h"
#include "engine/files/csv_text.h"
#include "engine/files/file_stamp.h"
#include "engine/files/progress.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace binade::files {

/// The rows of a CSV file as mapped text, with an index of one row per 512 bytes and the dtype and range of each
/// column. The values of a small table are kept in memory; of a larger one neither text nor values are.
class CsvTable : public RowReader {
 public:
  struct Source {
    std::string file;  ///< in messages
    Bytes bytes;       ///< the owner of `text`
    std::string_view text;
    char separator = ',';
    std::vector<std::string> names;
  };

  /// Scans all rows once and checks the values of the columns `wanted`. Keeps these values if there are at most
  /// `most_held`. Throws Error{kBadFile}, naming file, line and column, if the text is invalid, and Error{kCancelled}
  /// as Progress::report().
  CsvTable(Source source, const std::vector<std::size_t>& wanted, std::size_t most_held, const Progress& progress);

  std::int64_t rows() const { return rows_; }
  /// Dtype of a wanted column: int64 if all its values are integers, else float64.
  at::ScalarType dtype(std::size_t column) const { return columns_[column].whole ? at::kLong : at::kDouble; }
  const ValueRange& range(std::size_t column) const { return columns_[column].range; }

  at::Tensor take(std::span<const std::size_t> columns, const at::Tensor& rows, at::ScalarType dtype) const override;
  /// nullopt after many empty lines or values of several lines, whose places are not all kept.
  std::optional<std::int64_t> line_of(std::int64_t row) const override;

 private:
  struct Column {
    bool whole = true;
    ValueRange range;
    std::size_t held = 0;  ///< index in a row of `held_`
    /// Adds a value to the range. Returns false if the text is not a number.
    bool add(std::string_view text, std::int64_t row);
    void add_whole(std::int64_t value, std::int64_t row);
  };
  struct Mark {
    std::int64_t row = 0;
    std::size_t offset = 0;
  };
  /// From `row` on, rows begin at the line `row` + `ahead`.
  struct LineShift {
    std::int64_t row = 0;
    std::int64_t ahead = 0;
  };
  /// A column and the index of its value in a decoded row.
  struct Wanted {
    std::size_t column = 0;
    std::size_t place = 0;
  };

  void scan(const std::vector<std::size_t>& wanted, const Progress& progress);
  void note_line(std::int64_t line);
  void scan_row(CsvText& text, const std::vector<bool>& wanted);
  void hold(const std::vector<std::size_t>& wanted, const Progress& progress);
  CsvText at_row(std::int64_t row) const;
  /// Decodes a row's values in the columns `wanted`, which are in ascending order: integers, or the bits of a float64.
  void decode_row(std::int64_t row, std::span<const Wanted> wanted, std::int64_t* to) const;
  [[noreturn]] void refuse(const std::string& why) const;
  [[noreturn]] void refuse_changed(std::int64_t row) const;
  bool was_written_to() const;

  Source source_;
  FileStamp stamp_;  ///< before the scan
  std::int64_t rows_ = 0;
  std::vector<Mark> marks_;        ///< one row per 512 bytes of text
  std::vector<LineShift> shifts_;  ///< one where every row is a line
  std::int64_t lines_known_ = 0;   ///< rows before this one have a known line
  std::vector<Column> columns_;
  std::vector<std::int64_t> held_;  ///< values row by row: integers, or the bits of a float64; empty if not kept
  std::size_t held_columns_ = 0;
};

}  // namespace binade::files
