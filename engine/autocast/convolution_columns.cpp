// SPDX-License-Identifier: Apache-2.0
#include "engine/autocast/convolution_columns.h"

#include <ATen/Parallel.h>

#include <algorithm>

namespace binade::autocast {

namespace {

/// One row: a place of the kernel in a channel.
struct ColumnRow {
  std::int64_t channel;
  ConvolutionShape::Spatial place;
};

ColumnRow row_at(const ConvolutionShape& shape, std::int64_t index) {
  ColumnRow row{index / shape.kernel_size(), {}};
  std::int64_t place = index % shape.kernel_size();
  for (std::size_t d = 3; d-- > 0;) {
    row.place[d] = place % shape.kernel[d];
    place /= shape.kernel[d];
  }
  return row;
}

/// Position in the image that pixel `pixel` has under the row's place of the kernel, in dimension `d`.
std::int64_t pixel_position(const ConvolutionShape& shape, const ColumnRow& row, std::size_t d, std::int64_t pixel) {
  return pixel * shape.stride[d] - shape.padding[d] + row.place[d] * shape.dilation[d];
}

/// The pixels of one line, along the last dimension.
void fill_line(const float* line, const ConvolutionShape& shape, const ColumnRow& row, float* to) {
  const std::int64_t count = shape.pixels[2];
  const std::int64_t width = shape.image[2];
  const std::int64_t start = pixel_position(shape, row, 2, 0);
  const std::int64_t stride = shape.stride[2];
  // Pixels [first, last) are inside of the image.
  const std::int64_t first = start >= 0 ? 0 : std::min(count, (-start + stride - 1) / stride);
  const std::int64_t last = start >= width ? first : std::clamp((width - 1 - start) / stride + 1, first, count);
  std::fill(to, to + first, 0.0F);
  if (stride == 1) {
    std::copy(line + start + first, line + start + last, to + first);
  } else {
    for (std::int64_t i = first; i < last; ++i) to[i] = line[start + i * stride];
  }
  std::fill(to + last, to + count, 0.0F);
}

void fill_row(const float* image, const ConvolutionShape& shape, const ColumnRow& row, float* to) {
  const std::int64_t width = shape.image[2];
  for (std::int64_t b = 0; b < shape.batch; ++b) {
    const float* const plane = image + (b * shape.channels + row.channel) * shape.image_size();
    for (std::int64_t p0 = 0; p0 < shape.pixels[0]; ++p0) {
      const std::int64_t i0 = pixel_position(shape, row, 0, p0);
      for (std::int64_t p1 = 0; p1 < shape.pixels[1]; ++p1, to += shape.pixels[2]) {
        const std::int64_t i1 = pixel_position(shape, row, 1, p1);
        if (i0 < 0 || i0 >= shape.image[0] || i1 < 0 || i1 >= shape.image[1]) {
          std::fill(to, to + shape.pixels[2], 0.0F);
        } else {
          fill_line(plane + (i0 * shape.image[1] + i1) * width, shape, row, to);
        }
      }
    }
  }
}

}  // namespace

void fill_columns(const at::Tensor& image, const ConvolutionShape& shape, std::int64_t first_row, std::int64_t rows,
                  float* to) {
  const auto* const values = image.const_data_ptr<float>();
  const std::int64_t columns = shape.batch * shape.pixel_count();
  at::parallel_for(0, rows, 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row) {
      fill_row(values, shape, row_at(shape, first_row + row), to + row * columns);
    }
  });
}

}  // namespace binade::autocast
