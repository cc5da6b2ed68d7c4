// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/train/optimizer.h"

#include <nlohmann/json.hpp>

#include <ATen/core/ivalue.h>
#include <ATen/core/jit_type_base.h>

#include <map>
#include <string>

namespace binade::train {

/// Returns whether values of this type can be converted to JSON: numbers, bools, strings, tensors, optionals, and
/// lists, tuples and dictionaries of these.
bool has_json(const c10::Type& type);

/// Converts a value of such a type. Tensors among `own`, the model's parameters and buffers, are written as their names
/// (nn.LSTM keeps a list of its weights). Other tensors are added to `tensors` under names that start with `name`.
nlohmann::json to_json(const c10::IValue& value, const std::string& name, const NamedTensors& own,
                       NamedTensors& tensors);

/// Converts the result of to_json() back to a value of `type`, with the tensors of `own` themselves and copies of
/// `tensors` on `device`. Throws nlohmann::json::exception for a value of another type, Error{kBadFile} for a missing
/// tensor.
c10::IValue from_json(const nlohmann::json& from, const c10::TypePtr& type, const NamedTensors& own,
                      const std::map<std::string, at::Tensor>& tensors, c10::Device device);

}  // namespace binade::train
