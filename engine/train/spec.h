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

namespace binade::train {

/// A tensor to make up: `float32[2,3]` normally distributed, `float32[2,1]<1` evenly from 0 to a limit, `int64[4]<1000`
/// below a limit, `int64[2]=50,40` given.
struct TensorSpec {
  at::ScalarType dtype = at::kFloat;
  std::vector<std::int64_t> shape;
  std::optional<std::int64_t> below;  ///< drawn from 0 to below this; integers below 10 where it is not said
  std::vector<c10::Scalar> values;    ///< given ones, row-major; empty: drawn
};

struct Entry;

/// What an argument of forward is to be: one SPEC of the command line and of a run's `data.inputs`.
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

/// One key of a dictionary.
struct Entry {
  std::string key;
  Spec value;
};

/// Every tensor of a SPEC, through lists, tuples and dictionaries, in the order of the text.
std::vector<TensorSpec*> tensors_of(Spec& spec);

/// Beyond this many elements a tensor's size is a slip of the finger.
inline constexpr std::int64_t kMostElements = std::int64_t{1} << 34;

/// Reads `float32[2,3,224,224]`, `float32[2,1]<1`, `int64[2,16]<1000`, `int64[2]=50,40`, `bool[4]`, `list(SPEC, ...)`,
/// `tuple(SPEC, ...)`, `dict("key": SPEC, ...)`, `none`, `true`, `3`, `0.5`, `"text"`. Throws Error{code} that quotes
/// the text and says at which character what was expected.
Spec parse_spec(std::string_view text, ErrorCode code = ErrorCode::kUsage);

/// Makes the value on the CPU; draws from `generator` (defined), and from nothing else.
c10::IValue make(const Spec& spec, const at::Generator& generator);

}  // namespace binade::train
