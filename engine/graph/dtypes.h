// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <c10/core/ScalarType.h>

#include <array>
#include <string_view>

namespace binade::graph {

struct NamedDtype {
  std::string_view name;
  at::ScalarType dtype;
};

/// Dtypes that a text may name, by PyTorch's names; the complex ones come last.
inline constexpr std::array<NamedDtype, 12> kDtypes{{{"float32", at::kFloat},
                                                     {"float64", at::kDouble},
                                                     {"float16", at::kHalf},
                                                     {"bfloat16", at::kBFloat16},
                                                     {"int64", at::kLong},
                                                     {"int32", at::kInt},
                                                     {"int16", at::kShort},
                                                     {"int8", at::kChar},
                                                     {"uint8", at::kByte},
                                                     {"bool", at::kBool},
                                                     {"complex64", at::kComplexFloat},
                                                     {"complex128", at::kComplexDouble}}};

}  // namespace binade::graph
