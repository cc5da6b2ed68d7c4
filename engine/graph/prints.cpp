// SPDX-License-Identifier: Apache-2.0
#include "engine/graph/prints.h"

#include <torch/csrc/jit/runtime/print_handler.h>

#include <cstdio>

namespace binade::graph {

void print_to_standard_error() {
  torch::jit::setPrintHandler([](const std::string& text) { std::fputs(text.c_str(), stderr); });
}

}  // namespace binade::graph
