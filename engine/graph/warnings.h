// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/graph/flat_graph.h"
#include "engine/graph/model.h"

#include <string>
#include <vector>

namespace binade::graph {

/// Warnings before training this model, as sentences: frozen, traced in train mode, no trainable parameter, device
/// constants, own autocast blocks, opaque calls.
std::vector<std::string> warnings(const Model& model, const FlatGraph& flat);

}  // namespace binade::graph
