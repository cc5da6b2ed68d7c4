// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace binade::test {

/// What a call of the golden tables gives.
using Results = std::vector<at::Tensor>;

// The tables' names of dtypes.
inline constexpr auto f32 = at::kFloat;
inline constexpr auto hf = at::kHalf;
inline constexpr auto bf = at::kBFloat16;
inline constexpr auto f64 = at::kDouble;

/// The calls of a golden table by their name there. `f32`, `hf`, `bf` are float32, float16, bfloat16.
using GoldenCalls = std::map<std::string, std::function<Results()>>;

/// tests/data/autocast/cpu_dtype_golden.csv.
const GoldenCalls& cpuGoldenCalls();

/// tests/data/autocast/cuda_dtype_golden.csv, on tensors of `device`.
GoldenCalls cudaGoldenCalls(c10::DeviceType device);

}  // namespace binade::test
