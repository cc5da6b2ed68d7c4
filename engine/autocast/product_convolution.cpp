// SPDX-License-Identifier: Apache-2.0
#include "engine/autocast/product_convolution.h"

#include "engine/autocast/convolution_columns.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/convolution.h>
#include <ATen/ops/convolution_backward.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/mm.h>
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>
#include <cmath>

namespace binade::autocast {

namespace {

using policy::Operand;
using policy::Product;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr std::int64_t kLargestColumns = std::int64_t{1} << 24;  // values of the matrix of columns made at once: 64 MiB

/// How a call convolves, for its backward.
struct ConvolutionCall : torch::CustomClassHolder {
  c10::intrusive_ptr<ProductCall> call;
  ProductCall::Use weight;
  ConvolutionArguments arguments;

  at::Tensor run(const at::Tensor& input, const at::Tensor& kernel) const {
    const ConvolutionArguments& a = arguments;
    return at::convolution(input, kernel, {}, a.stride, a.padding, a.dilation, a.transposed, a.output_padding,
                           a.groups);
  }
  /// Gradient of the input (`of_input`) or of the weight. The other tensor counts with its shape only.
  at::Tensor backward(const at::Tensor& gradient, const at::Tensor& input, const at::Tensor& kernel,
                      bool of_input) const {
    const ConvolutionArguments& a = arguments;
    const auto shaped_as = [&gradient](const at::Tensor& tensor) {  // float32, as the others
      return tensor.scalar_type() == at::kFloat ? tensor : gradient.new_zeros({1}).expand(tensor.sizes());
    };
    auto results =
        at::convolution_backward(gradient, shaped_as(input), shaped_as(kernel), std::nullopt, a.stride, a.padding,
                                 a.dilation, a.transposed, a.output_padding, a.groups, {of_input, !of_input, false});
    return of_input ? std::get<0>(results) : std::get<1>(results);
  }
};

std::int64_t spatial_size(const at::Tensor& tensor) {
  std::int64_t size = 1;
  for (std::int64_t d = 2; d < tensor.dim(); ++d) size *= tensor.size(d);
  return size;
}

/// An activation or its gradient, contracted along the channels of a group.
at::Tensor along_channels(const ConvolutionCall& self, const at::Tensor& tensor, const ProductCall::Use& use) {
  const std::int64_t groups = self.arguments.groups;
  return self.call->operand(
      tensor, OperandMatrices::of(tensor.size(0) * groups, tensor.size(1) / groups, spatial_size(tensor), 1), use);
}

/// Matrices of a weight [first, second, kernel...] with square blocks: one for each group and place of the kernel.
OperandMatrices square_matrices(const at::Tensor& weight, std::int64_t groups) {
  const std::int64_t places = spatial_size(weight);
  const std::int64_t rows = weight.size(0) / groups;
  OperandMatrices result;
  for (std::int64_t group = 0; group < groups; ++group) {
    for (std::int64_t place = 0; place < places; ++place) {
      result.offsets.push_back(group * rows * weight.size(1) * places + place);
    }
  }
  result.rows = rows;
  result.row_stride = weight.size(1) * places;
  result.columns = weight.size(1);
  result.column_stride = places;
  return result;
}

/// The weight in a product that contracts its first dimension, within a group, or its second.
at::Tensor weight_operand(const ConvolutionCall& self, const at::Tensor& weight, Product product, bool first) {
  ProductCall::Use use = self.weight;
  use.product = product;
  use.orientation = first ? 1 : 2;
  const std::int64_t groups = self.arguments.groups;
  const auto format = self.call->format_of(product, use.operand);
  if (format && format->scaling == scaled::Scaling::kBlocks && format->block.rows > 1) {
    use.orientation = 0;  // square blocks are the same along both
    return self.call->operand(weight, square_matrices(weight, groups), use);
  }
  const std::int64_t places = spatial_size(weight);
  const OperandMatrices matrices =
      first ? OperandMatrices::of(groups, weight.size(0) / groups, weight.size(1) * places, 1)
            : OperandMatrices::of(weight.size(0), weight.size(1), places, 1);
  return self.call->operand(weight, matrices, use);
}

/// The gradient of the weight where its operands have blocks along the pixels.
class WeightGradient {
 public:
  /// `image` is the tensor that the kernel reads, `pixels` the one that it writes.
  WeightGradient(const ConvolutionCall& self, const at::Tensor& image, const at::Tensor& pixels,
                 const at::Tensor& weight)
      : self_(self), weight_(weight), shape_(shape_of(self.arguments, image, pixels, weight)) {
    const bool is_plain = image.is_cpu() && image.scalar_type() == at::kFloat && image.is_contiguous();
    image_ = is_plain ? image : copy_of(image);
    pixels_ = copy_of(pixels.transpose(0, 1)).view({pixels.size(1), pixels.size(0) * spatial_size(pixels)});
    columns_ = self_.call->memory().take({rows_at_once(), width()});
  }

  at::Tensor run() {
    const bool transposed = self_.arguments.transposed;
    quantize_pixels(use_of(transposed ? Operand::kInput : Operand::kGradient));
    const ProductCall::Use use = use_of(transposed ? Operand::kGradient : Operand::kInput);
    const scaled::ScaledFormat format = *self_.call->format_of(use.product, use.operand);
    const scaled::Quantizer quantizer = self_.call->quantizer(format, use);
    const scaled::Scale scale = self_.call->scale_for(format, use, [&] { return transform_columns(quantizer); });

    const std::int64_t groups = self_.arguments.groups;
    const std::int64_t rows = pixels_.size(0) / groups;
    at::Tensor result = at::empty({pixels_.size(0), rows_in_group()}, pixels_.options());
    scaled::BlockStats stats;
    each_chunk([&](std::int64_t group, std::int64_t first, const at::Tensor& columns) {
      quantize(columns, columns, matrices(columns, first), transformed_ ? quantizer.without_transform() : quantizer,
               scale, self_.call->is_watched() ? &stats : nullptr, transformed_ ? MakeRows() : rows_of(columns, first));
      result.narrow(0, group * rows, rows)
          .narrow(1, first - group * rows_in_group(), columns.size(0))
          .copy_(at::mm(pixels_.narrow(0, group * rows, rows), columns.t()));
    });
    if (self_.call->is_watched()) self_.call->report(use, format, image_, at::Tensor(), scale, stats, nullptr);
    return result.view(weight_.sizes()).to(weight_.device());
  }

 private:
  static ProductCall::Use use_of(Operand operand) { return {.product = Product::kGradWeight, .operand = operand}; }

  static ConvolutionShape shape_of(const ConvolutionArguments& arguments, const at::Tensor& image,
                                   const at::Tensor& pixels, const at::Tensor& weight) {
    ConvolutionShape shape;
    shape.batch = image.size(0);
    shape.channels = image.size(1);
    const std::size_t spatial = static_cast<std::size_t>(weight.dim()) - 2;
    for (std::size_t i = 0; i < spatial; ++i) {
      const std::size_t d = 3 - spatial + i;
      const auto dimension = static_cast<std::int64_t>(i) + 2;
      shape.image[d] = image.size(dimension);
      shape.pixels[d] = pixels.size(dimension);
      shape.kernel[d] = weight.size(dimension);
      shape.stride[d] = arguments.stride[i];
      shape.padding[d] = arguments.padding[i];
      shape.dilation[d] = arguments.dilation[i];
    }
    return shape;
  }

  /// Float32 values on the CPU, contiguous.
  at::Tensor copy_of(const at::Tensor& tensor) const {
    at::Tensor copy = self_.call->memory().take(tensor.sizes());
    return copy.copy_(tensor);
  }

  std::int64_t row_count() const { return shape_.channels * shape_.kernel_size(); }
  std::int64_t rows_in_group() const { return row_count() / self_.arguments.groups; }
  std::int64_t width() const { return std::max<std::int64_t>(pixels_.size(1), 1); }
  std::int64_t rows_at_once() const {
    return std::clamp<std::int64_t>(kLargestColumns / width(), 1, std::max<std::int64_t>(rows_in_group(), 1));
  }

  /// Rows of the matrix of columns from row `first` on. Their values are numbered as in the whole matrix.
  static OperandMatrices matrices(const at::Tensor& columns, std::int64_t first) {
    OperandMatrices result = OperandMatrices::of(1, columns.size(0), columns.size(1), 2);
    result.first = first * columns.size(1);
    return result;
  }

  /// Fills rows of `columns`, which begin with row `first` of the matrix of columns.
  MakeRows rows_of(const at::Tensor& columns, std::int64_t first) const {
    auto* const values = columns.mutable_data_ptr<float>();
    const std::int64_t width = columns.size(1);
    return [this, values, width, first](std::int64_t /*matrix*/, scaled::RowRange rows) {
      fill_columns(image_, shape_, first + rows.first, rows.last - rows.first, values + rows.first * width);
    };
  }

  /// Calls `work(group, first row, columns)` for the matrix of columns, in chunks of limited size. `columns` has room
  /// for the chunk, and its values if `transformed_`.
  template <class Work>
  void each_chunk(const Work& work) {
    const std::int64_t in_group = rows_in_group();
    const std::int64_t most = rows_at_once();
    for (std::int64_t group = 0; group < self_.arguments.groups; ++group) {
      for (std::int64_t done = 0; done < in_group; done += most) {
        work(group, group * in_group + done, columns_.narrow(0, 0, std::min(most, in_group - done)));
      }
    }
  }

  /// Largest magnitude of the transformed matrix of columns, which stays in `columns_` if it is a single chunk.
  float transform_columns(const scaled::Quantizer& quantizer) {
    float largest = 0;
    each_chunk([&](std::int64_t /*group*/, std::int64_t first, const at::Tensor& columns) {
      const float part = transform_in_place(columns, matrices(columns, first), quantizer, rows_of(columns, first));
      largest = std::isnan(largest) || largest > part ? largest : part;
      transformed_ = columns.size(0) == row_count();
    });
    return largest;
  }

  void quantize_pixels(const ProductCall::Use& use) {
    const scaled::ScaledFormat format = *self_.call->format_of(use.product, use.operand);
    scaled::Quantizer quantizer = self_.call->quantizer(format, use);
    const OperandMatrices rows = OperandMatrices::of(1, pixels_.size(0), pixels_.size(1), 2);
    const bool watched = self_.call->is_watched();
    const at::Tensor before = watched ? pixels_.clone() : at::Tensor();
    bool transformed = false;
    const scaled::Scale scale = self_.call->scale_for(format, use, [&] {
      transformed = true;
      return transform_in_place(pixels_, rows, quantizer);
    });
    if (transformed) quantizer = quantizer.without_transform();
    scaled::BlockStats stats;
    quantize(pixels_, pixels_, rows, quantizer, scale, watched ? &stats : nullptr);
    if (watched) self_.call->report(use, format, before, pixels_, scale, stats, &rows);
  }

  const ConvolutionCall& self_;
  const at::Tensor& weight_;
  ConvolutionShape shape_;
  at::Tensor image_;
  at::Tensor pixels_;         ///< [channels, batch * pixels]
  at::Tensor columns_;        ///< of the matrix of columns, a chunk
  bool transformed_ = false;  ///< `columns_` is the whole matrix, transformed
};

class Convolution : public torch::autograd::Function<Convolution> {
 public:
  static at::Tensor forward(AutogradContext* context, const at::Tensor& input, const at::Tensor& weight,
                            const c10::IValue& capsule) {
    const auto self = c10::static_intrusive_pointer_cast<ConvolutionCall>(capsule.toCapsule());
    ProductCall& call = *self->call;
    const bool transposed = self->arguments.transposed;
    const at::Tensor x = along_channels(*self, input, {.product = Product::kForward, .operand = Operand::kInput});
    const at::Tensor w = weight_operand(*self, weight, Product::kForward, transposed);
    const bool shared = call.shares(self->weight.operand, Product::kForward, Product::kGradInput);
    context->save_for_backward({input, weight, shared ? w : at::Tensor()});
    context->saved_data["call"] = capsule;
    const at::Tensor result = self->run(x, w);
    call.examine(Product::kForward, input.size(0) * spatial_size(result), result.size(1) / self->arguments.groups,
                 input.size(1) / self->arguments.groups);
    return result;
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const auto self = c10::static_intrusive_pointer_cast<ConvolutionCall>(context->saved_data["call"].toCapsule());
    ProductCall& call = *self->call;
    if (at::GradMode::is_enabled()) call.refuse_second_derivative();
    const variable_list saved = context->get_saved_variables();
    const at::Tensor& input = saved[0];
    const at::Tensor& weight = saved[1];
    const at::Tensor gradient = gradients[0].contiguous();
    const std::int64_t groups = self->arguments.groups;
    const bool transposed = self->arguments.transposed;
    at::Tensor rounded;
    variable_list sent(3);
    if (context->needs_input_grad(0)) {
      call.examine(Product::kGradInput, input.size(0) * spatial_size(input), input.size(1) / groups,
                   gradient.size(1) / groups);
      rounded = along_channels(*self, gradient, {.product = Product::kGradInput, .operand = Operand::kGradient});
      const at::Tensor w =
          saved[2].defined() ? saved[2] : weight_operand(*self, weight, Product::kGradInput, !transposed);
      sent[0] = call.sent(self->backward(rounded, input, w, /*of_input=*/true), input.scalar_type());
    }
    if (context->needs_input_grad(1)) {
      sent[1] = call.sent(weight_gradient(*self, gradient, input, weight, rounded), weight.scalar_type());
    }
    return sent;
  }

 private:
  static at::Tensor weight_gradient(const ConvolutionCall& self, const at::Tensor& gradient, const at::Tensor& input,
                                    const at::Tensor& weight, const at::Tensor& rounded) {
    ProductCall& call = *self.call;
    const std::int64_t groups = self.arguments.groups;
    const bool transposed = self.arguments.transposed;
    const at::Tensor& pixels = transposed ? input : gradient;
    call.examine(Product::kGradWeight, weight.size(0) / groups, weight.size(1) * spatial_size(weight),
                 pixels.size(0) * spatial_size(pixels));
    const auto format = call.format_of(Product::kGradWeight, Operand::kGradient);
    if (format && (format->scaling == scaled::Scaling::kBlocks || format->transform)) {
      return WeightGradient(self, transposed ? gradient : input, pixels, weight).run();
    }
    // Without blocks, the values of the image do not depend on their place in the matrix of columns.
    const bool shared = rounded.defined() && call.shares(Operand::kGradient, Product::kGradInput, Product::kGradWeight);
    const at::Tensor g =
        shared ? rounded
               : along_channels(self, gradient, {.product = Product::kGradWeight, .operand = Operand::kGradient});
    const at::Tensor x = along_channels(self, input, {.product = Product::kGradWeight, .operand = Operand::kInput});
    return self.backward(g, x, weight, /*of_input=*/false);
  }
};

}  // namespace

at::Tensor convolve(const c10::intrusive_ptr<ProductCall>& call, const at::Tensor& input, const at::Tensor& weight,
                    const ProductCall::Use& weight_use, const ConvolutionArguments& arguments) {
  auto convolution = c10::make_intrusive<ConvolutionCall>();
  convolution->call = call;
  convolution->weight = weight_use;
  convolution->arguments = arguments;
  return Convolution::apply(input.contiguous(), weight.contiguous(), c10::IValue::make_capsule(std::move(convolution)));
}

}  // namespace binade::autocast
