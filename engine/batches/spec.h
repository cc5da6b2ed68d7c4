// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/error.h"

#include <ATen/core/Generator.h>
#include <ATen/core/ivalue.h>
#include <c10/core/Scalar.h>
#include <c10/core/ScalarType.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace binade::batches {

/// Description of a tensor to generate: `float32[2,3]` normally distributed, `float32[2,1]<1` uniform from 0 to a
/// limit, `int64[4]<1000` below a limit, `int64[2]=50,40` given values.
struct TensorSpec {
  at::ScalarType dtype = at::kFloat;
  std::vector<std::int64_t> shape;
  std::optional<std::int64_t> below;  ///< drawn in [0, below); default for integers: 10
  std::vector<c10::Scalar> values;    ///< given values, row-major; empty: drawn
};

struct Entry;

/// Description of an argument of forward: a SPEC of the command line or of a run's `data.inputs`.
struct Spec {
  struct None {};
  struct List {
    std::vector<Spec> members;
  };
  struct Tuple {
    std::vector<Spec> members;
  };
  struct Dict {
    std::vector<Entry> entries;
  };
  std::variant<None, bool, std::int64_t, double, std::string, TensorSpec, List, Tuple, Dict> value;
};

/// One entry of a dictionary.
struct Entry {
  std::string key;
  Spec value;
};

/// Returns every tensor of a SPEC, through lists, tuples and dictionaries, in text order.
std::vector<TensorSpec*> tensors_of(Spec& spec);

/// Larger tensors are taken for typing errors.
inline constexpr std::int64_t kMostElements = std::int64_t{1} << 34;

/// Parses `float32[2,3,224,224]`, `float32[2,1]<1`, `int64[2,16]<1000`, `int64[2]=50,40`, `bool[4]`, `list(SPEC, ...)`,
/// `tuple(SPEC, ...)`, `dict("key": SPEC, ...)`, `none`, `true`, `3`, `0.5`, `"text"`. Throws Error{code}, quoting the
/// text and stating what was expected at which character.
Spec parse_spec(std::string_view text, ErrorCode code = ErrorCode::kUsage);

/// Generates the value on the CPU. All random numbers come from `generator`, which must be defined.
c10::IValue make(const Spec& spec, const at::Generator& generator);

}  // namespace binade::batches
