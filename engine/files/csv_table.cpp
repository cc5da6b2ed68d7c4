// SPDX-License-Identifier: Apache-2.0
#include "engine/files/csv_table.h"

#include "engine/files/csv_number.h"
#include "engine/files/label_range.h"
#include "engine/files/mapped_file.h"
#include "engine/formats/error.h"
#include "engine/formats/printable.h"

#include <sys/stat.h>

#include <ATen/ops/empty.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <filesystem>
#include <limits>

namespace binade::files {

namespace {

/// Marks take 16 bytes each: a thirtieth of the text at most.
constexpr std::size_t kBetweenMarks = 512;
constexpr std::size_t kMostShifts = 1024;
constexpr std::size_t kMostShown = 40;  ///< bytes of a field, in a message

/// All zeros if there is no such file.
FileStamp stamp_at(const std::string& file) {
  struct stat now {};
  return ::stat(file.c_str(), &now) == 0 ? FileStamp::of(now) : FileStamp{};
}

}  // namespace

CsvTable::CsvTable(Source source, const std::vector<std::size_t>& wanted, std::size_t most_held,
                   const Progress& progress)
    : source_(std::move(source)), stamp_(stamp_at(source_.file)), columns_(source_.names.size()) {
  for (Column& column : columns_) {
    column.range.lowest = std::numeric_limits<double>::infinity();
    column.range.highest = -std::numeric_limits<double>::infinity();
  }
  scan(wanted, progress);
  if (wanted.size() > most_held / static_cast<std::size_t>(rows_)) return;
  hold(wanted, progress);
  check_mapped(source_.file);
  // What happens to the file from here on is none of this table's business.
  source_.text = {};
  source_.bytes = {};
}

void CsvTable::refuse(const std::string& why) const {
  throw Error(ErrorCode::kBadFile, source_.file + " " + why,
              "Each line needs one number for each name in the first line. Fill in or remove missing values, and "
              "replace class names by numbers from 0.");
}

void CsvTable::refuse_changed(std::int64_t row) const {
  throw Error(ErrorCode::kBadFile,
              source_.file + " was changed while it was in use, before its row " + std::to_string(row) + " was read",
              "Binade reads rows during the run. Start again with a copy that no program changes.");
}

// A file that was put in its place, as most programs save, leaves the map as it was.
bool CsvTable::was_written_to() const {
  const FileStamp now = stamp_at(source_.file);
  return now.device == stamp_.device && now.inode == stamp_.inode && now != stamp_;
}

void CsvTable::scan(const std::vector<std::size_t>& wanted, const Progress& progress) {
  std::vector<bool> is_wanted(columns_.size());
  for (const std::size_t column : wanted) is_wanted[column] = true;
  const std::string what = "Reading " + std::filesystem::path(source_.file).filename().string();
  CsvText text(source_.text, source_.separator);
  text.begin_row();
  text.skip_row();  // the names: so that lines are counted from the first one
  while (text.begin_row()) {
    if (marks_.empty() || text.offset() - marks_.back().offset >= kBetweenMarks) {
      marks_.push_back({rows_, text.offset()});
    }
    note_line(text.line());
    scan_row(text, is_wanted);
    ++rows_;
    if (rows_ % 1024 == 0) progress.report(what, text.offset(), source_.text.size());
  }
  if (rows_ == 0) refuse("has a line of column names, but no line of numbers");
  marks_.shrink_to_fit();
}

void CsvTable::note_line(std::int64_t line) {
  if (lines_known_ < rows_) return;
  const std::int64_t ahead = line - rows_;
  if (shifts_.empty() || shifts_.back().ahead != ahead) {
    if (shifts_.size() == kMostShifts) return;
    shifts_.push_back({rows_, ahead});
  }
  lines_known_ = rows_ + 1;
}

std::optional<std::int64_t> CsvTable::line_of(std::int64_t row) const {
  if (row < 0 || row >= lines_known_) return std::nullopt;
  const auto after = std::upper_bound(shifts_.begin(), shifts_.end(), row,
                                      [](std::int64_t r, const LineShift& shift) { return r < shift.row; });
  return row + (after - 1)->ahead;
}

void CsvTable::scan_row(CsvText& text, const std::vector<bool>& wanted) {
  const auto line = [&] { return "line " + std::to_string(text.line()); };
  std::size_t fields = 0;
  std::size_t bad = columns_.size();  // reported after a missing field, which is the likelier cause of a wrong value
  std::string bad_text;
  bool beyond = false;  // it is a number, but none of float64
  do {
    if (fields >= columns_.size() || !wanted[fields]) {
      text.skip_field();
    } else if (const std::string_view field = trimmed(text.field());
               !columns_[fields].add(field, rows_) && bad == columns_.size()) {
      bad = fields;
      bad_text = formats::printable(formats::beginning(field, kMostShown));
      beyond = is_beyond_float64(field);
    }
    ++fields;
  } while (text.more());
  if (text.fault() == CsvText::Fault::kOpenQuote) refuse("ends inside quotes that open in " + line());
  if (text.fault() == CsvText::Fault::kTextAfterQuote) {
    refuse("has text after the closing quote of a field in " + line());
  }
  if (fields != columns_.size()) {
    refuse("has " + std::to_string(fields) + " fields in " + line() + ", but " + std::to_string(columns_.size()) +
           " columns");
  }
  if (bad == columns_.size()) return;
  const std::string where = line() + ", column \"" + formats::printable(source_.names[bad]) + "\"";
  if (bad_text.empty()) refuse("has no value in " + where);
  if (beyond) {
    throw Error(ErrorCode::kBadFile,
                source_.file + " holds \"" + bad_text + "\" in " + where + ", which is out of the range of float64",
                "The range of float64 is about 1e-308 to 1.8e308. Use other units for this column.");
  }
  refuse("holds \"" + bad_text + "\" in " + where + ", which is not a number");
}

void CsvTable::hold(const std::vector<std::size_t>& wanted, const Progress& progress) {
  std::vector<std::size_t> places(wanted);
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  std::vector<Wanted> all;
  for (std::size_t i = 0; i < places.size(); ++i) {
    columns_[places[i]].held = i;
    all.push_back({places[i], i});
  }
  std::vector<std::int64_t> values(static_cast<std::size_t>(rows_) * places.size());
  const std::string what = "Reading " + std::filesystem::path(source_.file).filename().string();
  for (std::int64_t row = 0; row < rows_; ++row) {
    decode_row(row, all, values.data() + static_cast<std::size_t>(row) * places.size());
    if (row % 1024 == 0) progress.report(what, static_cast<std::uint64_t>(row), static_cast<std::uint64_t>(rows_));
  }
  held_ = std::move(values);
  held_columns_ = places.size();
}

bool CsvTable::Column::add(std::string_view text, std::int64_t row) {
  if (whole) {
    if (const auto value = whole_number(text)) {
      add_whole(*value, row);
      return true;
    }
  }
  const auto value = real_number(text);
  if (!value) return false;
  whole = false;
  range.labels.reset();
  if (!std::isfinite(*value)) {
    range.finite = false;
    return true;
  }
  range.lowest = std::min(range.lowest, *value);
  range.highest = std::max(range.highest, *value);
  return true;
}

void CsvTable::Column::add_whole(std::int64_t value, std::int64_t row) {
  const auto real = static_cast<double>(value);
  range.lowest = std::min(range.lowest, real);
  range.highest = std::max(range.highest, real);
  if (value != kIgnoredLabel) extend_range(range.labels, value, row);
}

CsvText CsvTable::at_row(std::int64_t row) const {
  const auto after = std::upper_bound(marks_.begin(), marks_.end(), row,
                                      [](std::int64_t r, const Mark& mark) { return r < mark.row; });
  const Mark& mark = *(after - 1);
  CsvText text(source_.text, source_.separator, mark.offset);
  for (std::int64_t before = mark.row; before < row; ++before) {
    text.begin_row();
    text.skip_row();
  }
  return text;
}

void CsvTable::decode_row(std::int64_t row, std::span<const Wanted> wanted, std::int64_t* to) const {
  if (held_columns_ > 0) {
    const std::int64_t* const held = held_.data() + static_cast<std::size_t>(row) * held_columns_;
    for (const Wanted& each : wanted) to[each.place] = held[columns_[each.column].held];
    return;
  }
  CsvText text = at_row(row);
  if (!text.begin_row()) refuse_changed(row);
  auto next = wanted.begin();
  for (std::size_t column = 0; next != wanted.end(); ++column) {
    if (next->column != column) {
      text.skip_field();
    } else {
      std::optional<std::int64_t> bits;
      if (columns_[column].whole) {
        bits = text.digits();
        if (!bits) bits = whole_number(trimmed(text.field()));
      } else if (const auto value = real_number(trimmed(text.field()))) {
        bits = std::bit_cast<std::int64_t>(*value);
      }
      if (!bits) refuse_changed(row);
      for (; next != wanted.end() && next->column == column; ++next) to[next->place] = *bits;
    }
    if (next != wanted.end() && !text.more()) refuse_changed(row);
  }
}

at::Tensor CsvTable::take(std::span<const std::size_t> columns, const at::Tensor& rows, at::ScalarType dtype) const {
  std::vector<Wanted> wanted;
  for (const std::size_t column : columns) wanted.push_back({column, wanted.size()});
  std::sort(wanted.begin(), wanted.end(), [](const Wanted& a, const Wanted& b) { return a.column < b.column; });
  const auto width = static_cast<std::int64_t>(columns.size());
  at::Tensor values = at::empty({rows.numel(), width}, at::TensorOptions().dtype(dtype));
  const at::Tensor indices = rows.contiguous();
  const std::int64_t* const index = indices.const_data_ptr<std::int64_t>();
  // Text behind a new end would end the process, and other numbers would pass for the old ones.
  if (held_columns_ == 0 && indices.numel() > 0 && was_written_to()) refuse_changed(index[0]);
  std::vector<std::int64_t> bits(columns.size());
  const auto fill = [&]<class T>(T* to) {
    for (std::int64_t i = 0; i < indices.numel(); ++i) {
      decode_row(index[i], wanted, bits.data());
      for (std::size_t k = 0; k < columns.size(); ++k) {
        const bool whole = columns_[columns[k]].whole;
        *to++ = whole ? static_cast<T>(bits[k]) : static_cast<T>(std::bit_cast<double>(bits[k]));
      }
    }
  };
  if (dtype == at::kLong) {
    fill(values.mutable_data_ptr<std::int64_t>());
  } else if (dtype == at::kFloat) {
    fill(values.mutable_data_ptr<float>());
  } else {
    fill(values.mutable_data_ptr<double>());
  }
  return values;
}

}  // namespace binade::files
