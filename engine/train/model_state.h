// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/graph/model.h"
#include "engine/train/optimizer.h"

#include <nlohmann/json.hpp>

#include <ATen/core/ivalue.h>

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace binade::train {

/// Returns parameters, then buffers, like a state_dict. The tensors are the model's own.
NamedTensors model_tensors(const graph::Model& model);

/// Returns the other attributes that forward may change: numbers, bools, strings, optional tensors, and lists, tuples
/// and dictionaries of them; without `training`.
nlohmann::json model_attributes(const graph::Model& model);
/// Returns the tensors that model_attributes() refers to by name.
NamedTensors attribute_tensors(const graph::Model& model);

/// A value for one attribute that has been read but not set.
struct AttributeValue {
  c10::intrusive_ptr<c10::ivalue::Object> module;
  std::size_t slot = 0;
  c10::IValue value;
};
/// Reads the results of model_attributes() and attribute_tensors() for the attributes of `model`, without changing it.
/// Attributes that are absent are left out. Throws Error{kBadFile}, naming the attribute, for a value of the wrong
/// type.
std::vector<AttributeValue> read_attributes(const graph::Model& model, const nlohmann::json& attributes,
                                            const std::map<std::string, at::Tensor>& tensors);

/// Returns a sentence for every tensor that is missing, unexpected, or of another shape or dtype in `tensors`; empty if
/// all match. Those in `assigned` (see KeptAttributes) may have any shape.
std::vector<std::string> differences(const graph::Model& model, const std::map<std::string, at::Tensor>& tensors,
                                     const std::set<std::string>& assigned = {});

/// Copies `tensors`, which must have no differences(), into the model's memory, replaces those in `assigned` by copies,
/// and sets `attributes`.
void load_model_state(const graph::Model& model, const std::map<std::string, at::Tensor>& tensors,
                      const std::vector<AttributeValue>& attributes, const std::set<std::string>& assigned = {});

/// Returns a copy on the CPU that runs without a policy's casts: float16 tensors become float32, taken from `weights`
/// (master weights by parameter name) if present there.
graph::Model in_float32(const graph::Model& model, const NamedTensors& weights);

/// Saves the model as TorchScript for the CPU, atomically and in pieces. Needs almost no memory for a model on the CPU,
/// and a host copy for one on a device. Throws Error{kBadFile}.
void save_model(const graph::Model& model, const std::string& file);

}  // namespace binade::train
