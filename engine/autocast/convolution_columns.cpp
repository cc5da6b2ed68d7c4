// SPDX-License-Identifier: Apache-2.0
#include "engine/autocast/convolution_columns.h"

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

/// Pixels [first, last) of dimension `d`, those whose position is inside of the image.
struct Inside {
  std::int64_t first;
  std::int64_t last;

  Inside(const ConvolutionShape& shape, const ColumnRow& row, std::size_t d) {
    const std::int64_t start = pixel_position(shape, row, d, 0);
    const std::int64_t stride = shape.stride[d];
    const std::int64_t count = shape.pixels[d];
    const std::int64_t size = shape.image[d];
    first = start >= 0 ? 0 : std::min(count, (-start + stride - 1) / stride);
    last = start >= size ? first : std::clamp((size - 1 - start) / stride + 1, first, count);
  }
};

/// The pixels of the last two dimensions, from `plane` of the image.
void fill_plane(const float* plane, const ConvolutionShape& shape, const ColumnRow& row, float* to) {
  const Inside lines(shape, row, 1);
  const Inside inside(shape, row, 2);
  const std::int64_t width = shape.pixels[2];
  const std::int64_t stride = shape.stride[2];
  const auto source = [&](std::int64_t line) {
    return plane + pixel_position(shape, row, 1, line) * shape.image[2] + pixel_position(shape, row, 2, inside.first);
  };
  // Where a line of pixels is as far from the next as in the image, they are copied at once, with what lies between.
  const bool at_once = stride == 1 && shape.stride[1] == 1 && width == shape.image[2];
  if (at_once && lines.first < lines.last && inside.first < inside.last) {
    const std::int64_t count = (lines.last - lines.first - 1) * width + inside.last - inside.first;
    std::copy_n(source(lines.first), count, to + lines.first * width + inside.first);
  }
  std::fill(to, to + lines.first * width, 0.0F);
  for (std::int64_t line = lines.first; line < lines.last; ++line) {
    float* const pixels = to + line * width;
    std::fill(pixels, pixels + inside.first, 0.0F);
    if (!at_once) {
      const float* from = source(line);
      for (std::int64_t i = inside.first; i < inside.last; ++i, from += stride) pixels[i] = *from;
    }
    std::fill(pixels + inside.last, pixels + width, 0.0F);
  }
  std::fill(to + lines.last * width, to + shape.pixels[1] * width, 0.0F);
}

void fill_row(const float* image, const ConvolutionShape& shape, const ColumnRow& row, float* to) {
  const Inside planes(shape, row, 0);
  const std::int64_t image_plane = shape.image[1] * shape.image[2];
  const std::int64_t pixel_plane = shape.pixels[1] * shape.pixels[2];
  for (std::int64_t b = 0; b < shape.batch; ++b) {
    const float* const channel = image + (b * shape.channels + row.channel) * shape.image_size();
    for (std::int64_t plane = 0; plane < shape.pixels[0]; ++plane, to += pixel_plane) {
      if (plane < planes.first || plane >= planes.last) {
        std::fill(to, to + pixel_plane, 0.0F);
      } else {
        fill_plane(channel + pixel_position(shape, row, 0, plane) * image_plane, shape, row, to);
      }
    }
  }
}

}  // namespace

void fill_columns(const at::Tensor& image, const ConvolutionShape& shape, std::int64_t first_row, std::int64_t rows,
                  float* to) {
  const auto* const values = image.const_data_ptr<float>();
  const std::int64_t columns = shape.batch * shape.pixel_count();
  for (std::int64_t row = 0; row < rows; ++row) {
    fill_row(values, shape, row_at(shape, first_row + row), to + row * columns);
  }
}

}  // namespace binade::autocast
