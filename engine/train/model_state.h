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

/// Parameters, then buffers: what a state_dict holds. The tensors are the model's own.
NamedTensors model_tensors(const graph::Model& model);

/// What the model keeps as attributes beside these and may change in forward: numbers, truths, texts, tensors that may
/// be None, and lists, tuples and dictionaries of them; not `training`.
nlohmann::json model_attributes(const graph::Model& model);
/// The tensors that stand in model_attributes() by their names.
NamedTensors attribute_tensors(const graph::Model& model);

/// A value for one attribute, read and not set yet.
struct AttributeValue {
  c10::intrusive_ptr<c10::ivalue::Object> module;
  std::size_t slot = 0;
  c10::IValue value;
};
/// What model_attributes() and attribute_tensors() gave, for the attributes of `model` that are among them. Changes
/// nothing. Throws Error{kBadFile} naming the attribute where a value is not of its type.
std::vector<AttributeValue> read_attributes(const graph::Model& model, const nlohmann::json& attributes,
                                            const std::map<std::string, at::Tensor>& tensors);

/// In sentences, every tensor that is missing, unexpected or of another shape or dtype in `tensors`; empty where all
/// fit. Those that forward has `assigned` (KeptAttributes) may be of any shape.
std::vector<std::string> differences(const graph::Model& model, const std::map<std::string, at::Tensor>& tensors,
                                     const std::set<std::string>& assigned = {});

/// Copies `tensors`, which have no differences(), into the model's memory, puts copies in the place of those that
/// forward has `assigned`, and sets `attributes`.
void load_model_state(const graph::Model& model, const std::map<std::string, at::Tensor>& tensors,
                      const std::vector<AttributeValue>& attributes, const std::set<std::string>& assigned = {});

/// A copy on the CPU that runs without a policy's casts: float16 tensors are float32 ones, taken from `weights` (master
/// weights, by the names of the parameters) where these have one.
graph::Model in_float32(const graph::Model& model, const NamedTensors& weights);

/// Saves the model as it stands as TorchScript, on the CPU, whole or not at all, piece by piece: takes no memory to
/// speak of for a model that is there, and a copy on the host for one that is on a device. Throws Error{kBadFile}.
void save_model(const graph::Model& model, const std::string& file);

}  // namespace binade::train
