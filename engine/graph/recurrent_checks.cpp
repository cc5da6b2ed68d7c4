// SPDX-License-Identifier: Apache-2.0
#include "engine/graph/recurrent_checks.h"

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue_inl.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace binade::graph {

namespace {

/// Number of gates in a layer's weights.
std::int64_t gates_of(const std::string& op) {
  if (op == "aten::lstm") return 4;
  return op == "aten::gru" ? 3 : 1;
}

}  // namespace

std::string check_batch_sizes(const NamedArguments& arguments) {
  const at::Tensor tensor = arguments.tensor("batch_sizes");
  if (!tensor.defined()) return {};
  if (tensor.dim() != 1 || tensor.scalar_type() != at::kLong || tensor.numel() == 0) {
    return arguments.fault("batch_sizes", "is not a list of int64 numbers: its sizes are " + sizes_text(tensor));
  }
  const Integers all = integers(tensor);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i] < 1) return arguments.fault("batch_sizes", "holds " + std::to_string(all[i]) + ", which is not above 0");
    if (i > 0 && all[i] > all[i - 1])
      return arguments.fault("batch_sizes",
                             "grows from " + std::to_string(all[i - 1]) + " to " + std::to_string(all[i]));
  }
  return {};
}

std::string check_recurrent(const NamedArguments& arguments) {
  if (std::string wrong = check_batch_sizes(arguments); !wrong.empty()) return wrong;
  const bool packed = arguments.find("batch_sizes") != nullptr;
  const std::string name = packed ? "data" : "input";
  const std::vector<at::Tensor> inputs = arguments.tensors(name);
  const std::vector<at::Tensor> states = arguments.tensors("hx");
  const std::vector<at::Tensor> weights = arguments.tensors("params");
  if (inputs.size() != 1 || states.empty() || weights.empty()) return {};
  const at::Tensor& input = inputs[0];
  const std::int64_t rank = packed ? 2 : 3;
  if (input.dim() != rank)
    return arguments.fault(name,
                           "has the sizes " + sizes_text(input) + ", and not " + std::to_string(rank) + " dimensions");
  std::int64_t batch = packed ? 0 : input.size(arguments.flag("batch_first") ? 0 : 1);
  if (packed) {
    const Integers sizes = arguments.integers("batch_sizes");
    if (sizes.empty()) return {};
    batch = sizes[0];
    std::int64_t rows = 0;
    for (const std::int64_t each : sizes) {
      if (__builtin_add_overflow(rows, each, &rows)) rows = std::numeric_limits<std::int64_t>::max();
    }
    if (rows != input.size(0))
      return arguments.fault("batch_sizes", "adds up to " + std::to_string(rows) + ", and data has " +
                                                std::to_string(input.size(0)) + " rows");
  }
  const std::int64_t directions = arguments.flag("bidirectional") ? 2 : 1;
  const std::int64_t layers = arguments.integer("num_layers", 1);
  if (layers < 1 || layers > kMany) return arguments.fault("num_layers", "is " + std::to_string(layers));
  const auto one = static_cast<std::int64_t>(weights.size()) / (layers * directions);
  const std::int64_t plain = arguments.flag("has_biases") ? 4 : 2;
  const std::string params = " tensors for " + std::to_string(layers * directions) + " layers and directions";
  if (one * layers * directions != static_cast<std::int64_t>(weights.size()) || one < plain || one > plain + 1)
    return arguments.fault("params", "has " + std::to_string(static_cast<std::int64_t>(weights.size())) + params);
  for (const at::Tensor& state : states) {
    if (state.dim() == 3 && state.size(0) == layers * directions && state.size(1) == batch) continue;
    return arguments.fault("hx", "has the sizes " + sizes_text(state) + ", and not [" +
                                     std::to_string(layers * directions) + ", " + std::to_string(batch) + ", ...]");
  }
  const std::int64_t cells = gates_of(arguments.op()) * states.back().size(2);
  const std::int64_t output = states.front().size(2);
  for (std::int64_t layer = 0; layer < layers * directions; ++layer) {
    const at::Tensor* const of_layer = &weights[static_cast<std::size_t>(layer * one)];
    const std::int64_t width = layer < directions ? input.size(-1) : output * directions;
    const auto fits = [&](std::int64_t which, const std::vector<std::int64_t>& sizes) {
      return of_layer[which].sizes().equals(sizes);
    };
    const auto says = [&](std::int64_t which, const std::string& sizes) {
      return arguments.fault("params", "[" + std::to_string(layer * one + which) + "] has the sizes " +
                                           sizes_text(of_layer[which]) + ", and not " + sizes);
    };
    if (!fits(0, {cells, width})) return says(0, "[" + std::to_string(cells) + ", " + std::to_string(width) + "]");
    if (!fits(1, {cells, output})) return says(1, "[" + std::to_string(cells) + ", " + std::to_string(output) + "]");
    for (std::int64_t bias = 2; bias < plain; ++bias) {
      if (!fits(bias, {cells})) return says(bias, "[" + std::to_string(cells) + "]");
    }
  }
  return {};
}

}  // namespace binade::graph
