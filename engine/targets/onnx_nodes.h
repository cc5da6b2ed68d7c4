// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/targets/target.h"

#include <cstddef>
#include <string>
#include <vector>

namespace binade::targets {

/// The nodes that torch.onnx.export(dynamo=False) of PyTorch 2.x makes of an op call.
struct OnnxNodes {
  std::vector<std::string> types;  ///< `Gemm` or `MatMul`; empty if the op has no node of its own
  std::size_t number = 0;          ///< among the module's calls with the same first type, from 0
};

/// For each op call of a model. The exporter names nodes by module: `/layer1/layer1.0/conv1/Conv`, and further ones of
/// a module `Add_1`.
std::vector<OnnxNodes> onnx_nodes(const Assignment& model);

/// All names that the nodes of an op call may have. A module in a container is `/layers/layers.0` if the container is
/// called, and `/layers.0` otherwise.
std::vector<std::string> onnx_names(const std::string& path, const OnnxNodes& nodes);

/// The pattern that matches these names only, or the nodes of all such calls of the module.
std::string onnx_pattern(const std::string& path, const OnnxNodes& nodes, bool all_of_module);

}  // namespace binade::targets
