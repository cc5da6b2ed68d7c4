// SPDX-License-Identifier: Apache-2.0
#include "engine/compare/worst_blocks.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace binade::compare {

namespace {

constexpr int kWithoutBlocks = 32;  // values shown together where a tensor has one scale

/// A block's place and its quality.
struct Place {
  std::int64_t matrix = 0;
  std::int64_t row = 0;
  std::int64_t column = 0;
  double snr_db = 0;
};

class Blocks {
 public:
  Blocks(const at::Tensor& from, const at::Tensor& to, const autocast::OperandMatrices& matrices,
         const scaled::ScaledFormat& format)
      : values_(from.to(at::kFloat).contiguous()),
        from_(values_.const_data_ptr<float>()),
        to_(to.const_data_ptr<float>()),
        matrices_(matrices),
        rows_(format.scaling == scaled::Scaling::kBlocks ? format.block.rows : 1),
        length_(format.scaling == scaled::Scaling::kBlocks ? format.block.length : kWithoutBlocks) {}

  std::vector<Place> ranked(int most) const {
    std::vector<Place> places;
    for (std::int64_t matrix = 0; matrix < std::ssize(matrices_.offsets); ++matrix) {
      for (std::int64_t row = 0; row < matrices_.rows; row += rows_) {
        for (std::int64_t column = 0; column < matrices_.columns; column += length_) {
          Place place{matrix, row, column, 0};
          place.snr_db = snr_db(place);
          if (!std::isnan(place.snr_db)) places.push_back(place);
        }
      }
    }
    const auto kept = std::min<std::ptrdiff_t>(most, std::ssize(places));
    std::partial_sort(places.begin(), places.begin() + kept, places.end(),
                      [](const Place& a, const Place& b) { return a.snr_db < b.snr_db; });
    places.resize(static_cast<std::size_t>(kept));
    return places;
  }

  wire::QuantizedBlock block(const Place& place) const {
    wire::QuantizedBlock result;
    result.row = place.matrix * matrices_.rows + place.row;
    result.column = place.column;
    result.rows = static_cast<int>(std::min<std::int64_t>(rows_, matrices_.rows - place.row));
    result.snr_db = place.snr_db;
    each(place, [&](float value, float quantized) {
      result.values.push_back(value);
      result.quantized.push_back(quantized);
    });
    return result;
  }

 private:
  template <class Visit>
  void each(const Place& place, const Visit& visit) const {
    const std::int64_t offset = matrices_.offsets[static_cast<std::size_t>(place.matrix)];
    const std::int64_t last_row = std::min(place.row + rows_, matrices_.rows);
    const std::int64_t last_column = std::min(place.column + length_, matrices_.columns);
    for (std::int64_t row = place.row; row < last_row; ++row) {
      for (std::int64_t column = place.column; column < last_column; ++column) {
        const std::int64_t at = offset + row * matrices_.row_stride + column * matrices_.column_stride;
        visit(from_[at], to_[at]);
      }
    }
  }

  /// NaN for a block of zeros and for one with values that are not finite.
  double snr_db(const Place& place) const {
    double signal = 0;
    double noise = 0;
    each(place, [&](float value, float quantized) {
      const double difference = static_cast<double>(quantized) - value;
      signal += static_cast<double>(value) * value;
      noise += difference * difference;
    });
    if (signal == 0 || !std::isfinite(signal) || !std::isfinite(noise)) return std::numeric_limits<double>::quiet_NaN();
    return 10 * std::log10(signal / noise);
  }

  at::Tensor values_;
  const float* from_;
  const float* to_;
  const autocast::OperandMatrices& matrices_;
  std::int64_t rows_;
  std::int64_t length_;
};

double scale_of(const wire::QuantizedBlock& block, const scaled::ScaledFormat& format, const scaled::Scale& tensor) {
  if (format.scaling != scaled::Scaling::kBlocks) return tensor.restore;
  float largest = 0;
  for (const float value : block.values) largest = std::max(largest, std::abs(value));
  return scaled::block_scale(format, largest, tensor).restore;
}

}  // namespace

std::vector<wire::QuantizedBlock> worst_blocks(const at::Tensor& from, const at::Tensor& to,
                                               const autocast::OperandMatrices& matrices,
                                               const scaled::ScaledFormat& format, const scaled::Scale& tensor,
                                               int most) {
  const Blocks blocks(from, to, matrices, format);
  std::vector<wire::QuantizedBlock> result;
  for (const Place& place : blocks.ranked(most)) {
    result.push_back(blocks.block(place));
    result.back().scale = scale_of(result.back(), format, tensor);
  }
  return result;
}

}  // namespace binade::compare
