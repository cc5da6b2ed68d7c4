// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/autocast_oracle/row_call.h"

#include <cstddef>
#include <cstdint>

namespace binade::test {

/// What of an answer is compared.
struct Compare {
  bool shapes = true;
  bool error_text = true;  ///< of failures, the class and the first line; else only that the call fails
};

/// Why `answer` is not what a row's `result` records, or nothing. Values are compared bit for bit where the row has
/// some. Texts are compared modulo the name that Python and C++ give a tensor type (`torch.DoubleTensor`,
/// `CPUDoubleType`).
std::string difference(const nlohmann::json& result, const Answer& answer, const Compare& what = {});

/// Why two answers to the same call differ in any bit, dtype, shape or error, or nothing. Only the first `results` are
/// compared: some ops return memory that they used and never filled.
std::string difference(const Answer& expected, const Answer& answer, std::size_t results = SIZE_MAX);

/// How many results of oneDNN's recurrent layer come before its workspace, which is memory that it used.
inline constexpr std::size_t kWithoutWorkspace = 3;

/// Whether an argument of the row is a tensor with dimension names.
bool hasNames(const nlohmann::json& row);

/// Whether two tensors have the same dtype, shape and bits. NaN is equal to NaN.
bool sameBits(const at::Tensor& a, const at::Tensor& b);

}  // namespace binade::test
