// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/policy/policy.h"

#include <ATen/core/Tensor.h>
#include <QJsonObject>
#include <QString>

#include <vector>

namespace binade::test {

/// A quantized product with its gradients, as gen_scaled_products.py computed them.
struct ScaledCase {
  QString name;
  QString op;  ///< linear, bmm, convolution
  policy::Products products;
  QJsonObject arguments;  ///< of a convolution
  at::Tensor x, w, g;
  at::Tensor y, dx, dw;
};

/// All recorded cases; empty if the file cannot be read.
std::vector<ScaledCase> scaled_cases();

/// Text of a function f(x, w) that runs the op of a case.
std::string text_of(const ScaledCase& of);

/// Largest difference of two tensors, relative to the largest magnitude of the second; infinity for another shape.
double relative_difference(const at::Tensor& got, const at::Tensor& expected);

/// A policy with the base list `all-float32` that gives every op call the products, with float32 results.
policy::Policy scaled_policy(const policy::Products& products, formats::Format results = formats::kFloat32);

/// Products that have one format, by its name.
policy::Products all_products(const char* format);

}  // namespace binade::test
