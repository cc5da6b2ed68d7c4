// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <array>
#include <cstdint>

namespace binade::autocast {

/// Sizes of a convolution of one to three spatial dimensions, which come last; missing ones in front have size 1.
struct ConvolutionShape {
  using Spatial = std::array<std::int64_t, 3>;
  std::int64_t batch = 0;
  std::int64_t channels = 0;  ///< of the image
  Spatial image{1, 1, 1};
  Spatial kernel{1, 1, 1};
  Spatial pixels{1, 1, 1};  ///< positions of the kernel in the image
  Spatial stride{1, 1, 1};
  Spatial padding{0, 0, 0};
  Spatial dilation{1, 1, 1};

  std::int64_t kernel_size() const { return kernel[0] * kernel[1] * kernel[2]; }
  std::int64_t pixel_count() const { return pixels[0] * pixels[1] * pixels[2]; }
  std::int64_t image_size() const { return image[0] * image[1] * image[2]; }
};

/// Writes some rows of the matrix of columns (im2col) of a batch of images: row `channel * kernel_size + place` holds
/// the value under that place of the kernel for every image and pixel, in this order: [rows, batch * pixels], in `to`.
/// The image is contiguous float32 on the CPU. Padding is 0.
void fill_columns(const at::Tensor& image, const ConvolutionShape& shape, std::int64_t first_row, std::int64_t rows,
                  float* to);

}  // namespace binade::autocast
