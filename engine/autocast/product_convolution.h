// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/autocast/product_call.h"

#include <cstdint>
#include <vector>

namespace binade::autocast {

/// Arguments of a convolution besides its tensors, one number for each spatial dimension.
struct ConvolutionArguments {
  std::vector<std::int64_t> stride;
  std::vector<std::int64_t> padding;
  std::vector<std::int64_t> dilation;
  bool transposed = false;
  std::vector<std::int64_t> output_padding;
  std::int64_t groups = 1;
};

/// A convolution of a batch [batch, channels, ...] without bias, as float32. Its products are those of the matrices
/// that it multiplies, and each quantizes its operands along the dimension that it contracts:
/// - forward: the channels that the kernel reads, within a group. Products of all places of the kernel are added; a
/// block
///   of values lies at one place, so that it is a block of the image too.
/// - gradient of the input: the channels that the kernel writes, likewise.
/// - gradient of the weight: the pixels of all images, in their order in memory. The image is a matrix of columns
///   (im2col) here, with a row for each channel and place of the kernel.
/// A transposed convolution exchanges image and pixels. Recorded by autograd.
at::Tensor convolve(const c10::intrusive_ptr<ProductCall>& call, const at::Tensor& input, const at::Tensor& weight,
                    const ProductCall::Use& weight_use, const ConvolutionArguments& arguments);

}  // namespace binade::autocast
