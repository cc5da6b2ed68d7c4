// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include <ATen/core/Tensor.h>

#include <memory>
#include <optional>
#include <vector>

namespace torch::optim {
class Optimizer;
}

namespace binade::test {

/// What a ScalesItself optimizer was given at its last step.
struct Seen {
  std::optional<double> gradScale;
  std::optional<double> foundInf;
};

/// The optimizer that a case was recorded with.
std::unique_ptr<torch::optim::Optimizer> makeOptimizer(const nlohmann::json& recorded,
                                                       std::vector<at::Tensor> parameters);

/// Of an optimizer that only looks at what the scaler gives it; else nothing.
std::optional<Seen> seenBy(const torch::optim::Optimizer& optimizer);

/// How many steps an optimizer counts for each of its parameters; empty for kinds that do not count. -1: not begun.
std::vector<double> stepsOf(const torch::optim::Optimizer& optimizer);

}  // namespace binade::test
