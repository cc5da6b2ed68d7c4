// SPDX-License-Identifier: Apache-2.0
#include "engine/graph/prints.h"

#include "engine/formats/printable.h"

#include <c10/util/Exception.h>
#include <torch/csrc/jit/runtime/print_handler.h>

#include <algorithm>
#include <cstdio>

namespace binade::graph {

namespace {

void write_output(std::string_view text) {
  const std::string lines = model_output(text);
  std::fwrite(lines.data(), 1, lines.size(), stderr);  // one call, so that lines of several threads do not mix
}

class WarningsOfModels : public c10::WarningHandler {
 public:
  void process(const c10::Warning& warning) override { write_output("warning: " + warning.msg()); }
};

}  // namespace

std::string model_output(std::string_view text) {
  std::string lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines += "model: " + formats::printable(text.substr(0, end)) + "\n";
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

void print_to_standard_error() {
  static WarningsOfModels handler;
  c10::WarningUtils::set_warning_handler(&handler);
  torch::jit::setPrintHandler([](const std::string& text) { write_output(text); });
}

}  // namespace binade::graph
