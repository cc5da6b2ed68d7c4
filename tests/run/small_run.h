// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/run/control.h"
#include "engine/wire/run_config.h"
#include "tests/run/listening.h"

#include <ATen/core/Tensor.h>

#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace binade::test {

inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Another folder for a test's files (temporaryFolder()).
std::string folder();

/// The sample `mlp` on 16 made-up pictures a step, float16 emulated under the CUDA lists.
wire::RunConfig smallRun(std::int64_t steps);

/// A run over made-up [6,8] inputs of a model whose forward(self, x) is the lines of `body`, over saveModel()'s
/// parameters; four classes, scale 1024. Every step is looked at.
wire::RunConfig lineRun(const std::string& body, std::int64_t steps);

/// A run whose first linear layer, with weights [4, 8], has its products in a format; empty: in the policy's ordinary
/// one. Every step is observed.
wire::RunConfig quantizingRun(const std::string& format, std::int64_t steps);

/// Every parameter and buffer of a model after a run, copied.
using Tensors = std::vector<std::pair<std::string, at::Tensor>>;

struct Done {
  wire::Finished finished;
  Tensors tensors;
};

/// Runs to the end on this thread.
Done runToEnd(const wire::RunConfig& config, Listening& listening, run::Control& control);
Done runToEnd(const wire::RunConfig& config, Listening& listening);

/// The name of the first tensor that differs in a bit; empty where none does. Two empty lists differ.
std::string firstDifference(const Tensors& a, const Tensors& b);

/// Saves a TorchScript module whose forward is `text` (`def forward(self, ...)`) with the trainable parameters
/// `weight` [4,8] and `bias` [4] and the buffer `mean` [8]; returns its file.
std::string saveModel(const std::string& folder, const std::string& text, bool with_parameters = true);

}  // namespace binade::test
