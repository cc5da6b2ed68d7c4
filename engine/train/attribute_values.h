// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/train/optimizer.h"

#include <nlohmann/json.hpp>

#include <ATen/core/ivalue.h>
#include <ATen/core/jit_type_base.h>

#include <map>
#include <string>

namespace binade::train {

/// Whether values of this type can be said in JSON: numbers, truths, texts, tensors, what may be None, and lists,
/// tuples and dictionaries of these.
bool has_json(const c10::Type& type);

/// A value of such a type. Tensors that are among `own`, the model's parameters and buffers, stand in the JSON by their
/// names there (nn.LSTM keeps a list of its weights); others are added to `tensors`, under names that begin with
/// `name`, and stand by these.
nlohmann::json to_json(const c10::IValue& value, const std::string& name, const NamedTensors& own,
                       NamedTensors& tensors);

/// What to_json() gave, as a value of `type`: with the tensors of `own` themselves, and copies of `tensors` on
/// `device`. Throws nlohmann::json::exception where it is none of that type, Error{kBadFile} where a tensor is missing.
c10::IValue from_json(const nlohmann::json& from, const c10::TypePtr& type, const NamedTensors& own,
                      const std::map<std::string, at::Tensor>& tensors, c10::Device device);

}  // namespace binade::train
