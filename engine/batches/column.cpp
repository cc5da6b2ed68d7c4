// SPDX-License-Identifier: Apache-2.0
#include "engine/batches/column.h"

#include "engine/files/bytes.h"
#include "engine/formats/error.h"
#include "engine/graph/dtype_name.h"
#include "engine/graph/dtypes.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/isfinite.h>
#include <ATen/ops/tensor.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <numeric>
#include <string_view>
#include <utility>

namespace binade::batches {

namespace {

using graph::shape_text;

at::ScalarType dtype_of(const std::string& name, const std::string& field) {
  for (const auto& [known, dtype] : graph::kDtypes) {
    if (known == name && !c10::isComplexType(dtype)) return dtype;
  }
  throw Error(ErrorCode::kBadRun, field + ".dtype is \"" + name + "\", which is unknown",
              "For example \"float32\" or \"int64\".")
      .at(field + ".dtype");
}

/// What a column is converted to where the description does not say.
at::ScalarType usual_dtype(at::ScalarType dtype, bool is_target) {
  if (dtype == at::kDouble) return at::kFloat;
  const bool barebones = dtype == at::kUInt16 || dtype == at::kUInt32 || dtype == at::kUInt64;
  if (barebones || (is_target && c10::isIntegralType(dtype, false))) return at::kLong;
  return dtype;
}

/// One dtype for arrays that stand side by side.
at::ScalarType common_dtype(const std::vector<ArraySet::Named>& arrays) {
  const at::ScalarType first = arrays.front().array.dtype;
  bool same = true;
  bool whole = true;
  bool complex = false;
  for (const auto& [label, array] : arrays) {
    same = same && array.dtype == first;
    whole = whole && c10::isIntegralType(array.dtype, true);
    complex = complex || c10::isComplexType(array.dtype);
  }
  if (same) return first;
  if (complex) return at::kComplexFloat;
  return whole ? at::kLong : at::kFloat;
}

/// The least and the most that a dtype of whole numbers holds.
std::pair<std::int64_t, std::int64_t> range_of(at::ScalarType dtype) {
  if (dtype == at::kLong) {
    return {std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()};
  }
  if (dtype == at::kByte) return {0, 255};
  const auto bits = static_cast<int>(8 * c10::elementSize(dtype));
  return {-(std::int64_t{1} << (bits - 1)), (std::int64_t{1} << (bits - 1)) - 1};
}

/// The largest finite number of a dtype of real ones, at least two bytes wide.
double largest_of(at::ScalarType dtype) {
  if (dtype == at::kDouble) return std::numeric_limits<double>::max();
  return dtype == at::kHalf ? 65504.0 : static_cast<double>(std::numeric_limits<c10::BFloat16>::max());
}

/// A number as few digits as its dtype needs say it: 161.552 of float32, and not 161.552002.
std::string number_text(const at::Tensor& value) {
  if (value.scalar_type() == at::kUInt64) {
    return std::to_string(static_cast<std::uint64_t>(value.view(at::kLong).item<std::int64_t>()));
  }
  if (c10::isIntegralType(value.scalar_type(), true)) return std::to_string(value.item<std::int64_t>());
  std::array<char, 32> text{};
  char* const end = text.data() + text.size();
  const auto written = value.scalar_type() == at::kDouble ? std::to_chars(text.data(), end, value.item<double>())
                                                          : std::to_chars(text.data(), end, value.item<float>());
  return {text.data(), written.ptr};
}

std::int64_t elements(at::IntArrayRef shape) {
  return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

/// One number for all, or one for each channel: the first dimension of an example.
at::Tensor per_channel(const std::vector<double>& values, at::IntArrayRef shape, const std::string& field) {
  if (values.empty()) return {};
  const std::int64_t channels = shape.empty() ? 1 : shape.front();
  if (values.size() > 1 && static_cast<std::int64_t>(values.size()) != channels) {
    throw Error(ErrorCode::kBadRun,
                field + " has " + std::to_string(values.size()) + " numbers, but an example, " + shape_text(shape) +
                    ", has " + std::to_string(channels) + (channels == 1 ? " channel" : " channels"),
                "Give one number for all, or one for each channel.")
        .at(field);
  }
  std::vector<std::int64_t> broadcast(std::max<std::size_t>(shape.size(), 1), 1);
  broadcast.front() = static_cast<std::int64_t>(values.size());
  return at::tensor(values, at::kDouble).reshape(broadcast);
}

}  // namespace

Column::Column(std::string field, const wire::ColumnConfig& config, std::vector<ArraySet::Named> arrays, bool is_target)
    : field_(std::move(field)), config_(config), arrays_(std::move(arrays)) {
  if (arrays_.empty()) {
    throw Error(ErrorCode::kBadRun, field_ + ".from must name an array or column of data.files",
                "For example \"from\": \"images\".")
        .at(field_ + ".from");
  }
  label_ = field_ + " (" + arrays_.front().label;
  if (arrays_.size() > 1) label_ += " and " + std::to_string(arrays_.size() - 1) + " more";
  label_ += ")";
  check_shape();
  held_ = common_dtype(arrays_);
  dtype_ = config.dtype.empty() ? usual_dtype(held_, is_target) : dtype_of(config.dtype, field_);
  if (c10::isComplexType(held_) && !c10::isComplexType(dtype_)) {
    throw Error(ErrorCode::kBadData, label_ + " contains complex numbers, which cannot be converted to " + config.dtype,
                "Save the real and the imaginary part, or the magnitude.")
        .at(field_);
  }
  mean_ = per_channel(config.mean.values, shape_, field_ + ".mean");
  deviation_ = per_channel(config.deviation.values, shape_, field_ + ".deviation");
  if ((mean_.defined() || deviation_.defined()) && !c10::isFloatingType(dtype_)) {
    throw Error(ErrorCode::kBadRun,
                field_ + ".mean and .deviation are given, but the array contains " + graph::dtype_name(dtype_),
                "Set the dtype to convert to: \"dtype\": \"float32\".")
        .at(field_ + ".mean");
  }
}

void Column::check_shape() {
  const auto text = [](const files::Array& array) { return graph::dtype_name(array.dtype) + shape_text(array.shape); };
  for (const auto& [label, array] : arrays_) {
    if (array.shape.empty()) {
      throw Error(ErrorCode::kBadData, field_ + ": " + label + " is a single number; it has no rows",
                  "Row n of an array belongs to example n. Save it with a first dimension for the examples.")
          .at(field_);
    }
    const ArraySet::Named& first = arrays_.front();
    if (array.shape != first.array.shape) {
      throw Error(ErrorCode::kBadData,
                  field_ + ": " + first.label + " is " + text(first.array) + ", but " + label + " is " + text(array) +
                      "; they cannot be concatenated",
                  "The arrays of one column must have the same shape.")
          .at(field_);
    }
  }
  shape_.assign(arrays_.front().array.shape.begin() + 1, arrays_.front().array.shape.end());
  if (arrays_.size() > 1) shape_.insert(shape_.begin(), static_cast<std::int64_t>(arrays_.size()));
  if (!config_.shape) return;
  if (elements(*config_.shape) != elements(shape_)) {
    throw Error(ErrorCode::kBadRun,
                field_ + ".shape is " + shape_text(*config_.shape) + ", but an example of " + arrays_.front().label +
                    " is " + shape_text(shape_) + ", which has a different number of elements",
                "Give the shape of one example, without the batch dimension.")
        .at(field_ + ".shape");
  }
  shape_ = *config_.shape;
}

at::Tensor Column::converted(const at::Tensor& rows) const {
  std::vector<const files::Array*> parts;
  for (const auto& [label, array] : arrays_) parts.push_back(&array);
  at::Tensor values = files::take_rows(parts, rows, held_);
  std::vector<std::int64_t> shape{rows.numel()};
  shape.insert(shape.end(), shape_.begin(), shape_.end());
  values = values.reshape(shape);
  if (!mean_.defined() && !deviation_.defined()) {
    if (!known_finite_) refuse_lossy(values, rows);
    return values.to(dtype_);
  }
  // Not in a narrow format: what is rounded before it is centred is lost.
  values = values.to(dtype_ == at::kDouble ? at::kDouble : at::kFloat);
  if (mean_.defined()) values = values.sub(mean_.to(values.scalar_type()));
  if (deviation_.defined()) values = values.div(deviation_.to(values.scalar_type()));
  return values.to(dtype_);
}

void Column::refuse_non_finite(const at::Tensor& values, const at::Tensor& rows) const {
  if (values.numel() == 0 || (!values.is_floating_point() && !values.is_complex())) return;
  const at::Tensor wide = values.element_size() == 1 ? values.to(at::kFloat) : values;  // float8 has no isfinite
  const at::Tensor good = at::isfinite(wide).reshape({rows.numel(), -1}).all(1);
  if (good.all().item<bool>()) return;
  const auto at = good.to(at::kByte).argmin().item<std::int64_t>();
  throw Error(ErrorCode::kBadData,
              label_ + " contains a value that is NaN or infinite in " + graph::dtype_name(dtype_) + ", first in row " +
                  std::to_string(rows[at].item<std::int64_t>()),
              "Rows count from 0. Such a value makes every loss NaN. Correct the data, or choose a wider dtype.")
      .at(field_);
}

/// A conversion to whole numbers would take NaN, fractions and what lies outside for some other number, in silence.
void Column::refuse_lossy(const at::Tensor& values, const at::Tensor& rows) const {
  if (values.numel() == 0 || !c10::isIntegralType(dtype_, false) || values.scalar_type() == dtype_) return;
  if (values.scalar_type() == at::kBool) return;
  const bool real = c10::isFloatingType(values.scalar_type());
  // uint64's upper half has the bits of int64's negative numbers, and no other unsigned dtype has any.
  const bool unsigned64 = values.scalar_type() == at::kUInt64;
  const at::Tensor wide = real ? values.to(at::kDouble) : unsigned64 ? values.view(at::kLong) : values.to(at::kLong);
  auto [low, high] = range_of(dtype_);
  if (unsigned64) low = 0;
  // -2^63 and 2^63 are numbers of float64, 2^63 - 1 is none.
  const at::Tensor inside = real ? wide.ge(static_cast<double>(low)).logical_and(wide.lt(static_cast<double>(high) + 1))
                                 : wide.ge(low).logical_and(wide.le(high));
  const at::Tensor kept = real ? inside.logical_and(wide.eq(wide.floor())) : inside;
  const at::Tensor good = kept.reshape({rows.numel(), -1}).all(1);
  if (good.all().item<bool>()) return;
  const auto at = good.to(at::kByte).argmin().item<std::int64_t>();
  const auto element = kept[at].flatten().to(at::kByte).argmin().item<std::int64_t>();
  const std::string text = number_text(values[at].flatten()[element]);
  throw Error(ErrorCode::kBadData,
              label_ + " holds " + text + " in row " + std::to_string(rows[at].item<std::int64_t>()) + ", which " +
                  graph::dtype_name(dtype_) + " cannot represent",
              "Rows count from 0. Correct the data, or choose a dtype that fits: \"" + field_ + ".dtype\".")
      .at(field_);
}

at::Tensor Column::batch(const at::Tensor& rows) const {
  at::Tensor values = converted(rows);
  if (!known_finite_ && rows.numel() > 0) refuse_non_finite(values, rows);
  return values;
}

bool Column::ranges_fit() const {
  double lowest = std::numeric_limits<double>::infinity();
  double highest = -lowest;
  for (const auto& [label, array] : arrays_) {
    if (!array.range || !array.range->finite) return false;
    lowest = std::min(lowest, array.range->lowest);
    highest = std::max(highest, array.range->highest);
  }
  if (c10::isIntegralType(dtype_, false)) {
    const auto [low, high] = range_of(dtype_);
    return dtype_ == held_ || (c10::isIntegralType(held_, false) && lowest >= static_cast<double>(low) &&
                               highest <= static_cast<double>(high));
  }
  if (!c10::isFloatingType(dtype_) || c10::elementSize(dtype_) == 1) return false;
  // With room to spare, because roundings are not followed here: what is not clearly inside is looked at.
  const double held = c10::isFloatingType(held_) ? largest_of(held_) : largest_of(at::kDouble);
  const double room = std::min(largest_of(dtype_), held) / 2;
  double most = std::max(std::abs(lowest), std::abs(highest));
  if (mean_.defined()) most += mean_.abs().max().item<double>();
  if (!(most < room)) return false;
  if (!deviation_.defined()) return true;
  const auto least = deviation_.abs().min().item<double>();
  return least >= std::numeric_limits<float>::min() && most / least < room;
}

void Column::check_finite(const files::Progress& progress) {
  constexpr std::int64_t kMostElements = std::int64_t{1} << 27;
  constexpr std::int64_t kPart = std::int64_t{1} << 22;
  if (ranges_fit()) {
    known_finite_ = true;
    return;
  }
  const std::int64_t in_row = std::max<std::int64_t>(elements(shape_), 1);
  if (rows() > kMostElements / in_row) return;
  const bool computed = mean_.defined() || deviation_.defined() || dtype_ != at::kFloat;  // whole numbers fit float32
  const bool narrows = c10::isIntegralType(dtype_, false) && held_ != dtype_;
  if (narrows || c10::isComplexType(dtype_) ||
      (c10::isFloatingType(dtype_) && (c10::isFloatingType(held_) || computed))) {
    const std::int64_t step = std::max<std::int64_t>(kPart / in_row, 1);
    for (std::int64_t first = 0; first < rows(); first += step) {
      progress.report("Checking " + label_, static_cast<std::uint64_t>(first), static_cast<std::uint64_t>(rows()));
      const at::Tensor part = at::arange(first, std::min(first + step, rows()), at::kLong);
      refuse_non_finite(converted(part), part);
    }
  }
  known_finite_ = true;
}

void Column::refuse_no_label() const {
  throw Error(ErrorCode::kBadData, label_ + " is -100 in every row, so no example has a class",
              "-100 marks an example without a class, which losses ignore.")
      .at(field_);
}

std::optional<std::int64_t> Column::line_of(std::int64_t row) const {
  const auto& reader = arrays_.front().array.reader;
  return reader ? reader->line_of(row) : std::nullopt;
}

std::optional<files::LabelRange> Column::labels(const files::Progress& progress) const {
  if (!c10::isIntegralType(dtype_, false) || rows() == 0 || elements(shape_) == 0) return std::nullopt;
  std::optional<files::LabelRange> range;
  if (c10::isIntegralType(held_, false) && ranges_fit()) {
    for (const auto& [label, array] : arrays_) {
      const std::optional<files::LabelRange>& known = array.range->labels;
      if (!known) continue;
      files::extend_range(range, known->lowest, known->lowest_row);
      files::extend_range(range, known->highest, known->highest_row);
    }
    if (!range) refuse_no_label();
    return range;
  }
  const std::int64_t in_row = elements(shape_);
  const std::int64_t step = std::max<std::int64_t>((std::int64_t{1} << 22) / in_row, 1);
  for (std::int64_t first = 0; first < rows(); first += step) {
    progress.report("Checking " + label_, static_cast<std::uint64_t>(first), static_cast<std::uint64_t>(rows()));
    const at::Tensor part =
        converted(at::arange(first, std::min(first + step, rows()), at::kLong)).to(at::kLong).flatten();
    const std::int64_t* const values = part.const_data_ptr<std::int64_t>();
    for (std::int64_t i = 0; i < part.numel(); ++i) {
      if (values[i] != files::kIgnoredLabel) files::extend_range(range, values[i], first + i / in_row);
    }
  }
  if (!range) refuse_no_label();
  return range;
}

}  // namespace binade::batches
