// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>

namespace binade::test {

/// A recorded number: a hexadecimal float, "inf", "nan", or {"int": n}.
double number(const nlohmann::json& value);

/// Equal bits but for the payload of NaN.
bool same(double a, double b);

/// A recorded tensor, dense or sparse.
at::Tensor makeTensor(const nlohmann::json& recorded);

/// A recorded argument of scale(): tensors, lists, {"tuple": ...}, {"py": a number or null}.
c10::IValue makeValue(const nlohmann::json& recorded);

/// Whether a tensor, or containers of them, are what was recorded: values, dtypes, shapes, kinds of container.
bool equals(const nlohmann::json& expected, const at::Tensor& tensor);
bool equals(const nlohmann::json& expected, const c10::IValue& value);

}  // namespace binade::test
