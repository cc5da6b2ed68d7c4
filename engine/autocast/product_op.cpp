// SPDX-License-Identifier: Apache-2.0
#include "engine/autocast/product_op.h"

#include "engine/autocast/product_convolution.h"
#include "engine/autocast/product_matrix.h"

#include <ATen/ExpandUtils.h>
#include <ATen/ops/add.h>
#include <ATen/ops/constant_pad_nd.h>
#include <c10/util/accumulate.h>

#include <algorithm>
#include <string_view>

namespace binade::autocast {

namespace {

using policy::Operand;

/// Arguments of a call, on the stack.
class Given {
 public:
  Given(const graph::OpTraits& op, const graph::Stack& stack) : op_(op), stack_(stack) {}

  const c10::IValue& operator[](std::size_t i) const { return stack_[stack_.size() - op_.inputs + i]; }
  at::Tensor tensor(std::size_t i) const { return (*this)[i].toTensor(); }
  at::Tensor optional(std::size_t i) const { return (*this)[i].isNone() ? at::Tensor() : tensor(i); }
  double number(std::size_t i) const { return (*this)[i].toScalar().toDouble(); }
  /// One number for each of `count` dimensions; a list of one number is for all.
  std::vector<std::int64_t> list(std::size_t i, std::size_t count) const {
    std::vector<std::int64_t> numbers;
    if ((*this)[i].isInt()) {
      numbers.push_back((*this)[i].toInt());
    } else {
      numbers = (*this)[i].toIntVector();
    }
    if (numbers.size() == 1) numbers.resize(count, numbers.front());
    return numbers;
  }

 private:
  const graph::OpTraits& op_;
  const graph::Stack& stack_;
};

/// The parameter whose values a tensor has, in the same order or transposed; undefined if it is another tensor.
at::Tensor parameter_of(const at::Tensor& tensor) {
  const auto is_parameter = [](const at::Tensor& each) { return each.is_leaf() && each.requires_grad(); };
  if (is_parameter(tensor)) return tensor;
  if (!tensor.is_view()) return {};
  const at::Tensor base(tensor._base());
  return is_parameter(base) && base.numel() == tensor.numel() ? base : at::Tensor();
}

ProductCall::Use use_of_other(const at::Tensor& other, std::size_t argument, bool weight) {
  ProductCall::Use use;
  use.parameter = parameter_of(other);
  use.operand = weight || use.parameter.defined() ? Operand::kWeight : Operand::kInput;
  use.argument = argument;
  return use;
}

/// input @ other as torch.matmul, in float32.
at::Tensor matrix_product(const c10::intrusive_ptr<ProductCall>& call, at::Tensor input, at::Tensor other,
                          const ProductCall::Use& use) {
  const bool one_row = input.dim() == 1;
  const bool one_column = other.dim() == 1;
  if (one_row) input = input.unsqueeze(0);
  if (one_column) other = other.unsqueeze(1);
  const std::int64_t m = input.size(-2);
  const std::int64_t k = input.size(-1);
  const std::int64_t n = other.size(-1);
  std::vector<std::int64_t> shape;  // of the result, without rows and columns
  at::Tensor a;
  at::Tensor b;
  if (other.dim() == 2) {
    shape = input.sizes().slice(0, static_cast<std::size_t>(input.dim()) - 2).vec();
    a = input.reshape({1, c10::multiply_integers(shape) * m, k});  // -1 is ambiguous without values
    b = other.unsqueeze(0);
  } else {
    const auto batch_of = [](const at::Tensor& tensor) {
      return tensor.sizes().slice(0, static_cast<std::size_t>(tensor.dim()) - 2);
    };
    shape = at::infer_size(batch_of(input), batch_of(other));
    const auto in_batch = [&shape](const at::Tensor& tensor, std::int64_t rows, std::int64_t columns) {
      std::vector<std::int64_t> sizes = shape;
      sizes.insert(sizes.end(), {rows, columns});
      return tensor.expand(sizes).reshape({c10::multiply_integers(shape), rows, columns});
    };
    a = in_batch(input, m, k);
    b = in_batch(other, k, n);
  }
  // A transposed view of contiguous memory, such as that of a weight, needs no copy.
  const at::Tensor turned = b.transpose(1, 2);
  const bool is_turned = !b.is_contiguous() && turned.is_contiguous();
  const at::Tensor result = multiply(call, a, is_turned ? turned : b, use, /*transposed=*/!is_turned);
  if (!one_row) shape.push_back(m);
  if (!one_column) shape.push_back(n);
  return result.reshape(shape);
}

bool fits_matrix(const at::Tensor& input, const at::Tensor& other) {
  return input.dim() > 0 && other.dim() > 0 && input.size(-1) == other.size(other.dim() == 1 ? 0 : -2);
}

at::Tensor linear(const c10::intrusive_ptr<ProductCall>& call, const Given& given) {
  const at::Tensor weight = given.tensor(1);
  const ProductCall::Use use = use_of_other(weight, 1, /*weight=*/true);
  const at::Tensor result = matrix_product(call, given.tensor(0), weight.t(), use);
  const at::Tensor bias = given.optional(2);
  return bias.defined() ? result.add(bias.to(at::kFloat)) : result;
}

/// beta * added + alpha * (input @ other)
at::Tensor added_product(const c10::intrusive_ptr<ProductCall>& call, const Given& given) {
  const at::Tensor other = given.tensor(2);
  const double beta = given.number(3);
  const double alpha = given.number(4);
  at::Tensor result = matrix_product(call, given.tensor(1), other, use_of_other(other, 2, /*weight=*/false));
  if (alpha != 1) result = result.mul(alpha);
  if (beta == 0) return result;  // the added tensor may hold NaN
  const at::Tensor added = given.tensor(0).to(at::kFloat);
  return result.add(beta == 1 ? added : added.mul(beta));
}

/// The positions of a convolution's arguments, which differ between its ops.
struct ConvolutionPlaces {
  std::size_t stride = 3;
  std::size_t padding = 4;
  std::size_t dilation = 5;
  std::size_t transposed = 0;  ///< 0: none
  std::size_t output_padding = 0;
  std::size_t groups = 6;
};

ConvolutionPlaces places_of(std::string_view op) {
  if (op.starts_with("aten::conv_transpose")) return {.dilation = 7, .output_padding = 5};
  if (op == "aten::convolution" || op == "aten::_convolution")
    return {.transposed = 6, .output_padding = 7, .groups = 8};
  return {};
}

/// Padding of `same`: of an odd sum, the end gets one more, which the convolution cannot do itself.
std::vector<std::int64_t> same_padding(at::Tensor& input, const at::Tensor& weight,
                                       const std::vector<std::int64_t>& dilation) {
  std::vector<std::int64_t> padding;
  std::vector<std::int64_t> further;  // as constant_pad_nd takes it: last dimension first
  for (std::size_t i = 0; i < dilation.size(); ++i) {
    const std::int64_t sum = dilation[i] * (weight.size(static_cast<std::int64_t>(i) + 2) - 1);
    padding.push_back(sum / 2);
    further.insert(further.begin(), {0, sum % 2});
  }
  if (std::any_of(further.begin(), further.end(), [](std::int64_t each) { return each != 0; }))
    input = at::constant_pad_nd(input, further);
  return padding;
}

ConvolutionArguments arguments_of(const graph::OpTraits& op, const Given& given, at::Tensor& input) {
  const ConvolutionPlaces places = places_of(op.op);
  const at::Tensor weight = given.tensor(1);
  const std::size_t spatial = static_cast<std::size_t>(weight.dim()) - 2;
  ConvolutionArguments arguments;
  arguments.stride = given.list(places.stride, spatial);
  arguments.dilation = given.list(places.dilation, spatial);
  arguments.transposed = places.transposed != 0 ? given[places.transposed].toBool() : places.output_padding != 0;
  arguments.output_padding =
      places.output_padding != 0 ? given.list(places.output_padding, spatial) : std::vector<std::int64_t>(spatial, 0);
  arguments.groups = given[places.groups].toInt();
  if (!given[places.padding].isString()) {
    arguments.padding = given.list(places.padding, spatial);
  } else if (given[places.padding].toStringRef() == "same") {
    arguments.padding = same_padding(input, weight, arguments.dilation);
  } else {
    arguments.padding.assign(spatial, 0);
  }
  return arguments;
}

bool fits_convolution(const at::Tensor& input, const at::Tensor& weight, const ConvolutionArguments& arguments) {
  const std::int64_t groups = arguments.groups;
  const std::int64_t channels = input.size(input.dim() - weight.dim() + 1);
  return groups > 0 && (arguments.transposed ? channels == weight.size(0) && channels % groups == 0
                                             : channels == weight.size(1) * groups && weight.size(0) % groups == 0);
}

/// Undefined if the shapes do not fit.
at::Tensor convolution(const graph::OpTraits& op, const c10::intrusive_ptr<ProductCall>& call, const Given& given) {
  const at::Tensor weight = given.tensor(1);
  at::Tensor input = given.tensor(0);
  const bool one_image = input.dim() == weight.dim() - 1;
  if (weight.dim() < 3 || weight.dim() > 5 || (!one_image && input.dim() != weight.dim())) return {};
  if (one_image) input = input.unsqueeze(0);
  const ConvolutionArguments arguments = arguments_of(op, given, input);
  if (!fits_convolution(input, weight, arguments)) return {};
  at::Tensor result = convolve(call, input, weight, use_of_other(weight, 1, /*weight=*/true), arguments);
  if (const at::Tensor bias = given.optional(2); bias.defined()) {
    std::vector<std::int64_t> shape(static_cast<std::size_t>(result.dim()), 1);
    shape[1] = bias.numel();
    result = result.add(bias.to(at::kFloat).view(shape));
  }
  return one_image ? result.squeeze(0) : result;
}

at::Tensor product_of(const graph::OpTraits& op, const c10::intrusive_ptr<ProductCall>& call, const Given& given) {
  if (op.op == "aten::linear") {
    const at::Tensor weight = given.tensor(1);
    return weight.dim() == 2 && fits_matrix(given.tensor(0), weight.t()) ? linear(call, given) : at::Tensor();
  }
  if (op.op == "aten::addmm" || op.op == "aten::baddbmm") {
    const std::int64_t dims = op.op == "aten::addmm" ? 2 : 3;
    const bool fits =
        given.tensor(1).dim() == dims && given.tensor(2).dim() == dims && fits_matrix(given.tensor(1), given.tensor(2));
    return fits ? added_product(call, given) : at::Tensor();
  }
  if (op.op.find("conv") != std::string::npos) return convolution(op, call, given);
  const at::Tensor input = given.tensor(0);
  const at::Tensor other = given.tensor(1);
  const std::int64_t dims = op.op == "aten::mm" ? 2 : op.op == "aten::bmm" ? 3 : 0;
  const bool fits = (dims == 0 || (input.dim() == dims && other.dim() == dims)) && fits_matrix(input, other) &&
                    (dims != 3 || input.size(0) == other.size(0));
  return fits ? matrix_product(call, input, other, use_of_other(other, 1, /*weight=*/false)) : at::Tensor();
}

}  // namespace

std::optional<ProductOperands> product_operands(const graph::OpTraits& op) {
  if (!policy::has_products(op.op, op.overload) || op.in_place) return std::nullopt;
  if (op.op == "aten::addmm" || op.op == "aten::baddbmm") return ProductOperands{1, 2};
  return ProductOperands{0, 1};
}

std::string why_not_quantized(const graph::OpTraits& op, const graph::Stack& stack, const ProductOperands& operands) {
  const Given given(op, stack);
  for (const std::size_t i : {operands.input, operands.other}) {
    if (!given[i].isTensor() || !given[i].toTensor().defined()) return "an operand is missing";
    const at::Tensor& tensor = given[i].toTensor();
    const at::ScalarType dtype = tensor.scalar_type();
    if (dtype != at::kFloat && dtype != at::kBFloat16 && dtype != at::kHalf)
      return "its argument " + op.argument_names[i] + " is " + c10::toString(dtype);
    if (tensor.layout() != at::kStrided || tensor.is_meta())
      return "the values of its argument " + op.argument_names[i] + " are not in plain memory";
  }
  return {};
}

void run_product(const graph::OpTraits& op, graph::Stack& stack, const graph::Operation& original,
                 const c10::intrusive_ptr<ProductCall>& call) {
  const at::Tensor result = product_of(op, call, Given(op, stack));
  if (!result.defined()) {
    original(stack);
    return;
  }
  stack.resize(stack.size() - op.inputs);
  stack.emplace_back(result);
}

}  // namespace binade::autocast
