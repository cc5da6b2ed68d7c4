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

/// A value of such a type. Its tensors are added to `tensors`, under names that begin with `name`, and stand in the
/// JSON by these.
nlohmann::json to_json(const c10::IValue& value, const std::string& name, NamedTensors& tensors);

/// What to_json() gave, as a value of `type`, its tensors copied to `device`. Throws nlohmann::json::exception where it
/// is none of that type, Error{kBadFile} where `tensors` lack one.
c10::IValue from_json(const nlohmann::json& from, const c10::TypePtr& type,
                      const std::map<std::string, at::Tensor>& tensors, c10::Device device);

}  // namespace binade::train
