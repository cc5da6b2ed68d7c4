// SPDX-License-Identifier: Apache-2.0
#include "engine/graph/dtype_name.h"
#include "engine/graph/flat_graph.h"
#include "engine/graph/samples.h"
#include "engine/host/commands/commands.h"
#include "engine/host/process/exit_code.h"
#include "engine/train/model_info.h"
#include "engine/wire/codec.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>

namespace binade::host {

namespace {

void print_tensors(const char* title, const std::vector<wire::TensorInfo>& tensors, bool trained) {
  std::int64_t elements = 0;
  for (const wire::TensorInfo& tensor : tensors) {
    std::int64_t size = 1;
    for (const std::int64_t extent : tensor.shape) size *= extent;
    elements += size;
  }
  std::printf("\n%s: %zu tensors, %lld values\n", title, tensors.size(), static_cast<long long>(elements));
  for (const wire::TensorInfo& tensor : tensors) {
    std::printf("  %-40s %s%s\n", tensor.name.c_str(), (tensor.dtype + graph::shape_text(tensor.shape)).c_str(),
                trained && !tensor.trainable ? "  not trained" : "");
  }
}

/// Returns the base list's rule for a call, or `view`.
std::string word_of(const wire::SiteInfo& site) {
  return site.list_rule.empty() && site.view ? "view" : site.list_rule;
}

struct Word {
  const char* word;
  const char* meaning;
};
constexpr Word kWords[] = {
    {"lower", "arguments are cast to the policy's low format"},
    {"fp32", "arguments are cast to float32"},
    {"set-dtype", "arguments are not cast; the op receives dtype float32 unless the model sets a dtype"},
    {"append-dtype", "as set-dtype, through the overload that takes a dtype"},
    {"promote", "arguments are cast to their widest dtype"},
    {"banned", "the op refuses to run"},
    {"custom", "the weights of an RNN are cast as a whole"},
    {"inside", "composed of other ops, each of which follows the list"},
    {"view", "shares its argument's memory; nothing is cast"},
};

/// Prints the rules that occurred, each with its meaning.
void print_words(const wire::ModelInfo& info) {
  std::printf("\n");
  for (const Word& each : kWords) {
    const auto says = [&each](const wire::SiteInfo& site) { return word_of(site) == each.word; };
    if (std::any_of(info.sites.begin(), info.sites.end(), says)) std::printf("  %-13s %s\n", each.word, each.meaning);
  }
  const auto follows = [](const wire::SiteInfo& site) { return word_of(site).empty(); };
  if (std::any_of(info.sites.begin(), info.sites.end(), follows)) {
    std::printf("  %-13s %s\n", "(nothing)", "not on the list: computes in the widest dtype of its arguments");
  }
}

void print(const wire::ModelInfo& info) {
  std::printf("%s: %s, %zu op calls in forward; training adds those of its loss\n", info.file.c_str(),
              info.type.c_str(), info.sites.size());
  for (const std::string& warning : info.warnings) std::printf("warning: %s\n", warning.c_str());
  std::printf("\nInputs of forward\n");
  for (const wire::ArgumentInfo& input : info.inputs) {
    std::printf("  %s: %s%s%s\n", input.name.c_str(), input.type.c_str(), input.default_value.empty() ? "" : " = ",
                input.default_value.c_str());
    if (input.guess) std::printf("    likely %s, from %s\n", input.guess->c_str(), input.guess_from->c_str());
  }
  std::printf("Output: %s\n", info.output.c_str());
  std::printf("\n%-6s %-56s %-10s %s\n", "id", "op call", "list", "source");
  for (const wire::SiteInfo& site : info.sites) {
    const std::string rule = word_of(site);
    std::printf("%-6d %-56s %-10s %s\n", site.id, site.key.name().c_str(), rule.c_str(), site.source.c_str());
  }
  print_words(info);
  print_tensors("Parameters", info.parameters, true);
  print_tensors("Buffers", info.buffers, false);
}

}  // namespace

int inspect(const InspectOptions& options) {
  const auto base = policy::parse_base(options.base);
  if (!base) {
    throw Error(ErrorCode::kUsage, "--base " + options.base + " is not a base list",
                "Use cuda-amp, cpu-amp, apex-o0 to apex-o3, or all-float32.");
  }
  const graph::Model model = graph::open_model(options.model);
  const graph::FlatGraph flat(model);
  const wire::ModelInfo info = train::describe(options.model, model, flat, *base);
  if (options.json) {
    nlohmann::ordered_json line{{"event", "model"}};
    line.update(nlohmann::ordered_json(wire::encode(info)));
    // Names in the file need not be UTF-8, but JSON text must be.
    std::printf("%s\n", line.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace).c_str());
  } else {
    print(info);
  }
  return kDone;
}

}  // namespace binade::host
