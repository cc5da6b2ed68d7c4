// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/graph/model.h"
#include "engine/train/optimizer.h"

#include <nlohmann/json.hpp>

#include <map>
#include <string>
#include <vector>

namespace binade::train {

/// Parameters, then buffers: what a state_dict holds. The tensors are the model's own.
NamedTensors model_tensors(const graph::Model& model);

/// Plain numbers, truths and texts that the model keeps as attributes and may change in forward (a step counter); not
/// `training`.
nlohmann::json model_attributes(const graph::Model& model);

/// In sentences, every tensor that is missing, unexpected or of another shape or dtype in `tensors`; empty where all
/// fit.
std::vector<std::string> differences(const graph::Model& model, const std::map<std::string, at::Tensor>& tensors);

/// Copies `tensors`, which have no differences(), and what model_attributes() gave into the model, in place.
void load_model_state(const graph::Model& model, const std::map<std::string, at::Tensor>& tensors,
                      const nlohmann::json& attributes);

/// A copy on the CPU that runs without a policy's casts: float16 tensors are float32 ones, taken from `weights` (master
/// weights, by the names of the parameters) where these have one.
graph::Model in_float32(const graph::Model& model, const NamedTensors& weights);

/// Saves the model as it stands as TorchScript, on the CPU, whole or not at all, piece by piece: takes no memory to
/// speak of for a model that is there, and a copy on the host for one that is on a device. Throws Error{kBadFile}.
void save_model(const graph::Model& model, const std::string& file);

}  // namespace binade::train
