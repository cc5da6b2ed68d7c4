// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/graph/flat_graph.h"
#include "engine/graph/model.h"

#include <string>
#include <vector>

namespace binade::graph {

/// What a person should know before training this model, as whole sentences: frozen, traced in train mode, no trainable
/// parameter, device constants, own autocast blocks, calls that cannot be looked into.
std::vector<std::string> warnings(const Model& model, const FlatGraph& flat);

}  // namespace binade::graph
