// SPDX-License-Identifier: Apache-2.0
#include "engine/autocast/product_matrix.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/_unsafe_view.h>
#include <ATen/ops/bmm.h>
#include <ATen/ops/mm.h>
#include <torch/csrc/autograd/custom_function.h>

namespace binade::autocast {

namespace {

using policy::Operand;
using policy::Product;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

/// How a call multiplies, for its backward.
struct MatrixCall : torch::CustomClassHolder {
  c10::intrusive_ptr<ProductCall> call;
  ProductCall::Use other;
  bool transposed = false;
};

constexpr int kAlongRows = 2;  // the contracted dimension of [batch, rows, k]
constexpr int kAlongColumns = 1;

/// `tensor` [batch, a, b] as an operand of a product that contracts dimension `dimension`.
at::Tensor matrix_operand(ProductCall& call, const at::Tensor& tensor, int dimension, ProductCall::Use use) {
  use.orientation = dimension;
  return call.operand(tensor, OperandMatrices::of(tensor.size(0), tensor.size(1), tensor.size(2), dimension), use);
}

at::Tensor multiplied(const at::Tensor& a, const at::Tensor& b) {
  // A node's result must be no view, because the model may write it.
  if (a.size(0) == 1) return at::_unsafe_view(at::mm(a.squeeze(0), b.squeeze(0)), {1, a.size(1), b.size(2)});
  return at::bmm(a, b);
}

ProductCall::Use use_of(Product product, Operand operand) {
  return {.product = product, .operand = operand};
}

class MatrixProduct : public torch::autograd::Function<MatrixProduct> {
 public:
  static at::Tensor forward(AutogradContext* context, const at::Tensor& input, const at::Tensor& other,
                            const c10::IValue& capsule) {
    const auto self = c10::static_intrusive_pointer_cast<MatrixCall>(capsule.toCapsule());
    ProductCall& call = *self->call;
    call.examine(Product::kForward, input.size(1), other.size(self->transposed ? 2 : 1), input.size(2));
    ProductCall::Use use = self->other;
    use.product = Product::kForward;
    const at::Tensor a = matrix_operand(call, input, kAlongRows, use_of(Product::kForward, Operand::kInput));
    const at::Tensor b = matrix_operand(call, other, self->transposed ? kAlongColumns : kAlongRows, use);
    const bool shared = call.shares(use.operand, Product::kForward, Product::kGradInput);
    context->save_for_backward({input, other, shared ? b : at::Tensor()});
    context->saved_data["call"] = capsule;
    return multiplied(a, self->transposed ? b : b.transpose(1, 2));
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const auto self = c10::static_intrusive_pointer_cast<MatrixCall>(context->saved_data["call"].toCapsule());
    ProductCall& call = *self->call;
    if (at::GradMode::is_enabled()) call.refuse_second_derivative();
    const variable_list saved = context->get_saved_variables();
    const at::Tensor& input = saved[0];
    const at::Tensor& other = saved[1];
    const at::Tensor gradient = gradients[0].contiguous();
    const std::int64_t n = gradient.size(2);
    at::Tensor rounded;
    variable_list sent(3);
    if (context->needs_input_grad(0)) {
      call.examine(Product::kGradInput, input.size(1), input.size(2), n);
      rounded = matrix_operand(call, gradient, kAlongRows, use_of(Product::kGradInput, Operand::kGradient));
      ProductCall::Use use = self->other;
      use.product = Product::kGradInput;
      const at::Tensor b = saved[2].defined()
                               ? saved[2]
                               : matrix_operand(call, other, self->transposed ? kAlongRows : kAlongColumns, use);
      sent[0] = call.sent(multiplied(rounded, self->transposed ? b.transpose(1, 2) : b), input.scalar_type());
    }
    if (context->needs_input_grad(1)) {
      call.examine(Product::kGradWeight, input.size(2), n, input.size(1));
      const bool shared =
          rounded.defined() && call.shares(Operand::kGradient, Product::kGradInput, Product::kGradWeight);
      if (!shared)
        rounded = matrix_operand(call, gradient, kAlongColumns, use_of(Product::kGradWeight, Operand::kGradient));
      const at::Tensor a = matrix_operand(call, input, kAlongColumns, use_of(Product::kGradWeight, Operand::kInput));
      const at::Tensor result =
          self->transposed ? multiplied(a.transpose(1, 2), rounded) : multiplied(rounded.transpose(1, 2), a);
      sent[1] = call.sent(result, other.scalar_type());
    }
    return sent;
  }
};

}  // namespace

at::Tensor multiply(const c10::intrusive_ptr<ProductCall>& call, const at::Tensor& input, const at::Tensor& other,
                    const ProductCall::Use& other_use, bool transposed) {
  auto matrix = c10::make_intrusive<MatrixCall>();
  matrix->call = call;
  matrix->other = other_use;
  matrix->transposed = transposed;
  return MatrixProduct::apply(input.contiguous(), other.contiguous(), c10::IValue::make_capsule(std::move(matrix)));
}

}  // namespace binade::autocast
