// SPDX-License-Identifier: Apache-2.0
#include "engine/observe/site_timer.h"

#include <ATen/core/Tensor.h>

#include <string>

namespace binade::observe {

namespace {

/// Returns argument `i` if it is a tensor with at least `dimensions` dimensions, else null.
const at::Tensor* tensor(const graph::Call& call, std::size_t i, std::int64_t dimensions) {
  if (i >= call.site.inputs || !call.argument(i).isTensor()) return nullptr;
  const at::Tensor& found = call.argument(i).toTensor();
  return found.defined() && found.dim() >= dimensions ? &found : nullptr;
}

/// Returns `a` × `b` as torch.matmul defines it, with the batches of the larger side.
std::optional<MatmulShape> matmul(int site, const at::Tensor& a, const at::Tensor& b) {
  if (a.dim() < 1 || b.dim() < 1) return std::nullopt;
  MatmulShape shape{.site = site};
  shape.k = a.size(-1);
  shape.n = b.dim() > 1 ? b.size(-1) : 1;
  shape.m = a.dim() > 1 ? a.size(-2) : 1;
  const std::int64_t left = a.numel() / std::max<std::int64_t>(1, shape.m * shape.k);
  const std::int64_t right = b.numel() / std::max<std::int64_t>(1, shape.n * shape.k);
  shape.batches = std::max(left, right);
  if (right == 1) {  // one product over all rows
    shape.m *= shape.batches;
    shape.batches = 1;
  }
  return shape;
}

/// Each output pixel of each image is a row; each group is a batch.
std::optional<MatmulShape> convolution(int site, const graph::Call& call, std::size_t groups_at) {
  const at::Tensor* input = tensor(call, 0, 3);
  const at::Tensor* weight = tensor(call, 1, 3);
  if (input == nullptr || weight == nullptr) return std::nullopt;
  const bool has_groups = groups_at < call.site.inputs && call.argument(groups_at).isInt();
  const std::int64_t groups = has_groups ? std::max<std::int64_t>(1, call.argument(groups_at).toInt()) : 1;
  MatmulShape shape{.site = site};
  shape.batches = groups;
  shape.n = weight->size(0) / groups;
  shape.k = weight->numel() / std::max<std::int64_t>(1, weight->size(0));
  // Stride and padding change the number of output pixels; the input's number is accurate enough for a verdict.
  shape.m = input->numel() / std::max<std::int64_t>(1, input->size(1));
  if (call.site.inputs > 3 && call.argument(3).isIntList()) {
    for (const std::int64_t stride : call.argument(3).toIntVector()) {
      shape.m = std::max<std::int64_t>(1, shape.m / std::max<std::int64_t>(1, stride));
    }
  }
  return shape;
}

}  // namespace

std::optional<MatmulShape> matmul_shape_of(const graph::Call& call) {
  const std::string& op = call.site.op;
  const int site = call.site.id;
  if (op == "aten::conv1d" || op == "aten::conv2d" || op == "aten::conv3d") return convolution(site, call, 6);
  if (op == "aten::_convolution" || op == "aten::convolution") return convolution(site, call, 8);
  if (op == "aten::linear") {
    const at::Tensor* input = tensor(call, 0, 1);
    const at::Tensor* weight = tensor(call, 1, 2);
    if (input == nullptr || weight == nullptr) return std::nullopt;
    const std::int64_t k = weight->size(1);
    return MatmulShape{.site = site, .m = input->numel() / std::max<std::int64_t>(1, k), .n = weight->size(0), .k = k};
  }
  const bool adds = op == "aten::addmm" || op == "aten::baddbmm" || op == "aten::addbmm";
  if (adds || op == "aten::mm" || op == "aten::bmm" || op == "aten::matmul") {
    const std::size_t first = adds ? 1 : 0;
    const at::Tensor* a = tensor(call, first, 1);
    const at::Tensor* b = tensor(call, first + 1, 1);
    return a != nullptr && b != nullptr ? matmul(site, *a, *b) : std::nullopt;
  }
  return std::nullopt;
}

}  // namespace binade::observe
