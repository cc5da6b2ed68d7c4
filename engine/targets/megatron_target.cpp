// SPDX-License-Identifier: Apache-2.0
// Format: command line of Megatron-LM's pretraining scripts, Megatron Core 0.15 (training/arguments.py,
// core/fp8_utils.py):
// --fp8-format and --fp8-recipe, or --fp4-format and --fp4-recipe, choose a recipe of Transformer Engine for the linear
// layers of all transformer layers. --first-last-layers-bf16 keeps whole transformer layers at the start and the end
// out, one each by default; it is refused with delayed scaling. Embedding and output layer are never quantized. The
// history of delayed scaling has one step by default, Transformer Engine's has 1024.

#include "engine/formats/error.h"
#include "engine/targets/op_roles.h"
#include "engine/targets/scaled_layers.h"
#include "engine/targets/target_list.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>

namespace binade::targets {

namespace {

using Flags = std::map<std::string, std::string>;  ///< by name, without the hyphens; empty for a flag without value

constexpr int kMegatronHistory = 1024;

LayerRecipe megatron_fp8(std::string_view recipe, std::string_view format, std::string_view forward,
                         std::string_view gradients) {
  return {{{"fp8-recipe", std::string(recipe)}, {"fp8-format", std::string(format)}},
          products_in(forward, gradients, gradients)};
}

const std::vector<LayerRecipe>& megatron_recipes() {
  static const std::vector<LayerRecipe> recipes = [] {
    LayerRecipe nvfp4{{{"fp4-recipe", "nvfp4"}, {"fp4-format", "e2m1"}}, products_in("nvfp4", "nvfp4", "nvfp4")};
    nvfp4.products.rounding = policy::Rounding::kStochastic;
    nvfp4.products.transform = policy::Transform::kHadamard;
    return std::vector<LayerRecipe>{megatron_fp8("mxfp8", "e4m3", "mxfp8+rceil", "mxfp8+rceil"),
                                    megatron_fp8("mxfp8", "hybrid", "mxfp8+rceil", "mxfp8_e5m2+rceil"),
                                    nvfp4,
                                    megatron_fp8("tensorwise", "hybrid", "fp8_current", "fp8_current_e5m2"),
                                    megatron_fp8("tensorwise", "e4m3", "fp8_current", "fp8_current"),
                                    megatron_fp8("blockwise", "e4m3", "fp8_block+pow2", "fp8_block+pow2"),
                                    megatron_fp8("blockwise", "hybrid", "fp8_block+pow2", "fp8_block_e5m2+pow2"),
                                    megatron_fp8("delayed", "hybrid", "fp8_delayed", "fp8_delayed_e5m2"),
                                    megatron_fp8("delayed", "e4m3", "fp8_delayed", "fp8_delayed")};
  }();
  return recipes;
}

bool is_delayed(const LayerRecipe& recipe) {
  return recipe.settings.front().second == "delayed";
}

/// Where a module path has the number of a transformer layer: `decoder.layers.` and 3 in `decoder.layers.3.mlp.fc1`.
struct LayerPlace {
  std::string stack;
  int number = 0;
};

std::optional<LayerPlace> layer_place(const std::string& path) {
  for (std::size_t from = 0; from < path.size();) {
    const std::size_t point = std::min(path.find('.', from), path.size());
    int number = 0;
    const char* const end = path.data() + point;
    const auto [read, error] = std::from_chars(path.data() + from, end, number);
    if (error == std::errc() && read == end && number >= 0) return LayerPlace{path.substr(0, from), number};
    from = point + 1;
  }
  return std::nullopt;
}

/// The transformer layers of a model: the numbered modules with the most linear layers.
struct LayerStack {
  std::map<std::string, int> numbers;  ///< of linear layers, by module path
  int count = 0;
};

LayerStack layer_stack(const Assignment& model) {
  std::map<std::string, LayerStack> stacks;
  for (const std::string& path : linear_layers(model)) {
    const std::optional<LayerPlace> place = layer_place(path);
    if (!place) continue;
    LayerStack& stack = stacks[place->stack];
    stack.numbers.emplace(path, place->number);
    stack.count = std::max(stack.count, place->number + 1);
  }
  const auto largest = std::max_element(stacks.begin(), stacks.end(), [](const auto& a, const auto& b) {
    return a.second.numbers.size() < b.second.numbers.size();
  });
  return largest == stacks.end() ? LayerStack() : largest->second;
}

/// The linear layers that are quantized if so many transformer layers at the start and the end are not.
std::set<std::string> megatron_quantized(const LayerStack& stack, int start, int end) {
  std::set<std::string> paths;
  for (const auto& [path, number] : stack.numbers) {
    if (number >= start && number < stack.count - end) paths.insert(path);
  }
  return paths;
}

/// Numbers of whole transformer layers at the start and the end without a quantized linear layer.
std::pair<int, int> kept_ends(const LayerStack& stack, const std::set<std::string>& quantized) {
  int first = stack.count;
  int last = -1;
  for (const auto& [path, number] : stack.numbers) {
    if (!quantized.contains(path)) continue;
    first = std::min(first, number);
    last = std::max(last, number);
  }
  return {first, stack.count - 1 - last};
}

Written write_megatron(const Assignment& assignment) {
  const LayerPlan plan = plan_layers(assignment, megatron_recipes());
  const LayerRecipe& recipe = megatron_recipes()[plan.recipe];
  const LayerStack stack = layer_stack(assignment);
  const formats::Format low = low_for_lists(assignment);
  std::string text =
      "# Flags for Megatron-LM, written by Binade for Megatron Core 0.15. Give \"${PRECISION_ARGS[@]}\" to the "
      "script.\n"
      "PRECISION_ARGS=(\n  --" +
      std::string(low == formats::kFloat16 ? "fp16" : "bf16") + "\n";
  Findings findings;
  std::set<std::string> taken;
  auto [start, end] = kept_ends(stack, plan.quantized);
  if (!plan.quantized.empty() && start < stack.count) {
    for (auto setting = recipe.settings.rbegin(); setting != recipe.settings.rend(); ++setting) {
      text += "  --" + std::string(setting->first) + " " + setting->second + "\n";
    }
    if (is_delayed(recipe)) {
      text += "  --fp8-amax-history-len " + std::to_string(kMegatronHistory) + "\n  --fp8-amax-compute-algo max\n";
      if (start + end > 0) {
        findings.add(Finding::Kind::kNote, "Megatron keeps no layers out of delayed scaling");
        start = end = 0;
      }
    }
    if (start + end > 0) {
      text += "  --first-last-layers-bf16\n  --num-layers-at-start-in-bf16 " + std::to_string(start) +
              "\n  --num-layers-at-end-in-bf16 " + std::to_string(end) + "\n";
    }
    taken = megatron_quantized(stack, start, end);
  }
  text += ")\n";
  findings.add(Finding::Kind::kNote,
               stack.count > 0
                   ? "the flags concern the " + std::to_string(stack.count) +
                         " transformer layers; Megatron never quantizes embedding, router and output layer"
                   : std::string("the flags concern transformer layers, which are modules with numbers as names, such "
                                 "as `layers.0`; this model has no linear layer in one"));
  declare_layers(assignment, policy_of_layers(assignment, recipe.products, taken), "Megatron",
                 "has one recipe, and keeps out whole transformer layers at the start and the end", findings);
  return {text, findings.list()};
}

/// The flags in a text, which may be part of a shell script.
Flags flags_in(std::string_view text, const std::string& source) {
  std::vector<std::string> words;
  bool remark = false;
  std::string word;
  const auto finish = [&] {
    if (!word.empty()) words.push_back(std::move(word));
    word.clear();
  };
  for (const char c : text) {
    if (c == '\n') remark = false;
    if (c == '#' && word.empty()) remark = true;
    const bool between = c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '(' || c == ')' || c == '\\' ||
                         c == '"' || c == '\'' || c == '=';
    if (remark || between) {
      finish();
    } else {
      word += c;
    }
  }
  finish();
  Flags flags;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!words[i].starts_with("--")) continue;
    const bool valued = i + 1 < words.size() && !words[i + 1].starts_with("--");
    const std::string value = valued ? words[i + 1] : "";
    const auto [place, added] = flags.emplace(words[i].substr(2), value);
    if (!added && place->second != value) {
      throw Error(ErrorCode::kBadPolicy, source + ": " + words[i] + " has two values", "Remove one of them.");
    }
  }
  return flags;
}

std::string value_of(const Flags& flags, const std::string& name, const std::string& absent) {
  const auto found = flags.find(name);
  return found == flags.end() ? absent : found->second;
}

int count_of(const Flags& flags, const std::string& name, int absent, const std::string& source) {
  const auto found = flags.find(name);
  if (found == flags.end()) return absent;
  const std::string& text = found->second;
  int count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc() || end != text.data() + text.size() || count < 0) {
    throw Error(ErrorCode::kBadPolicy, source + ": --" + name + " is not a number of layers",
                "Give a whole number of at least 0.");
  }
  return count;
}

const LayerRecipe& megatron_recipe_in(const Flags& flags, bool four_bits, const std::string& source) {
  const std::string recipe =
      four_bits ? value_of(flags, "fp4-recipe", "nvfp4") : value_of(flags, "fp8-recipe", "delayed");
  const std::string format = value_of(flags, four_bits ? "fp4-format" : "fp8-format", "");
  for (const LayerRecipe& each : megatron_recipes()) {
    const bool same_bits = each.settings.front().first.starts_with(four_bits ? "fp4" : "fp8");
    if (same_bits && each.settings[0].second == recipe && each.settings[1].second == format) return each;
  }
  throw Error(ErrorCode::kBadPolicy,
              source + ": the recipe " + recipe + " with the format " + format + " is none that Binade computes",
              "Recipes are mxfp8, tensorwise, blockwise and delayed with e4m3 or hybrid, and nvfp4 with e2m1.");
}

Read read_megatron(std::string_view text, const std::string& source, const Assignment& model) {
  const Flags flags = flags_in(text, source);
  const bool four_bits = flags.contains("fp4-format");
  const bool any = four_bits || flags.contains("fp8-format");
  if (!any && !flags.contains("bf16") && !flags.contains("fp16")) {
    throw Error(ErrorCode::kBadPolicy, source + ": there is no flag of Megatron's precision",
                "Give --bf16 or --fp16, and --fp8-format or --fp4-format.");
  }
  Findings findings;
  Read read;
  if (!any) {
    read.policy = policy_of_layers(model, {}, {});
  } else {
    const LayerRecipe& recipe = megatron_recipe_in(flags, four_bits, source);
    const bool ends = flags.contains("first-last-layers-bf16");
    if (ends && is_delayed(recipe)) {
      throw Error(ErrorCode::kBadPolicy, source + ": --first-last-layers-bf16 is refused with delayed scaling",
                  "Remove it, or choose another recipe.");
    }
    const int start = ends ? count_of(flags, "num-layers-at-start-in-bf16", 1, source) : 0;
    const int end = ends ? count_of(flags, "num-layers-at-end-in-bf16", 1, source) : 0;
    const LayerStack stack = layer_stack(model);
    if (stack.count == 0) findings.add(Finding::Kind::kNote, "the model has no numbered layers with linear layers");
    read.policy = policy_of_layers(model, recipe.products, megatron_quantized(stack, start, end));
    if (is_delayed(recipe) && count_of(flags, "fp8-amax-history-len", 1, source) != kMegatronHistory) {
      findings.add(Finding::Kind::kNote,
                   "the history of delayed scaling has " + std::to_string(kMegatronHistory) + " steps in Binade");
    }
  }
  read.findings = findings.list();
  return read;
}

}  // namespace

Target megatron_target() {
  return {
      .name = "megatron",
      .title = "Megatron-LM flags",
      .suffix = ".megatron.sh",
      .doc = "Flags for the recipe and for whole layers at the start and the end in bfloat16; for Megatron Core 0.15.",
      .write = write_megatron,
      .read = read_megatron};
}

}  // namespace binade::targets
