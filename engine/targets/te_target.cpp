// SPDX-License-Identifier: Apache-2.0
// Format: precision debug tools of Transformer Engine 2.12 (docs/debug, debug/features) with nvidia-dlfw-inspect 0.2
// (config_manager.py): YAML sections with `enabled`, `layers` (a pattern, parts of names, or exact names) and features.
// Under fp8_autocast, the three matrix products of a linear layer run in 8 bits unless DisableFP8Layer or
// DisableFP8GEMM keeps them out; the names DisableQuantizationLayer and -GEMM of later releases mean the same. A layer
// may be in one section only. Everything else runs as without the tools.

#include "engine/formats/error.h"
#include "engine/targets/name_index.h"
#include "engine/targets/op_roles.h"
#include "engine/targets/stated_differences.h"
#include "engine/targets/target_list.h"
#include "engine/targets/yaml_subset.h"

#include <algorithm>
#include <map>
#include <set>

namespace binade::targets {

namespace {

constexpr std::string_view kTeLayerOp = "aten::linear";

/// The matrix products of a layer that do not run in 8 bits.
struct TeKept {
  bool fprop = false;
  bool dgrad = false;
  bool wgrad = false;
  friend bool operator==(const TeKept&, const TeKept&) = default;
};
using TeLayers = std::map<std::string, TeKept>;  ///< by module path

bool has_eight_bits(const formats::Format& format) {
  return format.exponent_bits + format.mantissa_bits < 8;
}

/// Layers of Transformer Engine stand for modules with a linear op.
bool is_te_layer(const policy::SiteKey& key) {
  return key.op == kTeLayerOp && !key.path.empty();
}

/// E4M3 forward and E5M2 backward, the hybrid recipe. What is kept out has the treatment of the base list.
policy::Policy te_policy(const Assignment& model, const TeLayers& layers) {
  policy::Policy stated;
  stated.base = model.policy.base;
  stated.low = low_for_lists(model);
  for (const policy::SiteKey& key : model.keys) {
    if (!is_te_layer(key)) continue;
    const auto found = layers.find(key.path);
    const TeKept kept = found == layers.end() ? TeKept{} : found->second;
    const bool backward_kept = kept.dgrad || kept.wgrad;
    if (kept.fprop && backward_kept) continue;
    policy::SiteRule rule;
    rule.match = key.name();
    rule.format = kept.fprop ? stated.low : formats::kFloat8E4M3fn;
    if (kept.fprop) rule.backward = formats::kFloat8E5M2;
    if (backward_kept) rule.backward = stated.low;
    stated.sites.push_back(std::move(rule));
  }
  return stated;
}

TeLayers te_layers_for(const Assignment& assignment) {
  TeLayers layers;
  for (std::size_t i = 0; i < assignment.keys.size(); ++i) {
    if (!is_te_layer(assignment.keys[i])) continue;
    const policy::Decision& decision = assignment.table.sites[i];
    const bool casts = decision.kind == policy::Decision::Kind::kFormat;
    const bool backward = !(casts && has_eight_bits(decision.backward));
    layers.emplace(assignment.keys[i].path,
                   TeKept{!(casts && has_eight_bits(decision.format)), backward, backward});  // the first call decides
  }
  return layers;
}

/// Sections for the layers with the same products kept out; empty if there are none. Several, where the pattern would
/// be too long for people.
std::string te_sections(const std::string& name, const TeLayers& layers, const TeKept& kept,
                        const std::string& feature) {
  constexpr std::size_t kLongestNames = 1500;
  std::vector<std::string> patterns;
  for (const auto& [path, here] : layers) {
    if (here != kept) continue;
    const std::string one = escaped_pattern(path);
    if (patterns.empty() || patterns.back().size() + one.size() > kLongestNames) {
      patterns.push_back(one);
    } else {
      patterns.back() += "|" + one;
    }
  }
  std::string text;
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    text += name + (i == 0 ? "" : "_" + std::to_string(i + 1)) +
            ":\n  enabled: True\n  layers:\n    layer_name_regex_pattern: " +
            yaml_text("^(model\\.)?(" + patterns[i] + ")$") + "\n  transformer_engine:\n" + feature;
  }
  return text;
}

Written write_te(const Assignment& assignment) {
  const TeLayers layers = te_layers_for(assignment);
  std::string sections =
      te_sections("kept_in_high_precision", layers, {true, true, true}, "    DisableFP8Layer:\n      enabled: True\n");
  sections += te_sections("forward_in_high_precision", layers, {true, false, false},
                          "    DisableFP8GEMM:\n      enabled: True\n      gemms: [fprop]\n");
  sections += te_sections("backward_in_high_precision", layers, {false, true, true},
                          "    DisableFP8GEMM:\n      enabled: True\n      gemms: [dgrad, wgrad]\n");
  if (sections.empty()) {
    sections =
        "# All layers run in 8 bits. The tools need a section all the same: no layer has an empty name.\n"
        "no_layer:\n  enabled: True\n  layers:\n    layer_name_regex_pattern: '^$'\n  transformer_engine:\n"
        "    DisableFP8Layer:\n      enabled: True\n";
  }
  const std::string text =
      "# Layers out of fp8_autocast, written by Binade for Transformer Engine 2.12. Names are module paths; give them\n"
      "# to the layers with name=..., or call debug_api.infer_and_assign_layer_names(model).\n" +
      sections;
  Findings findings;
  findings.add(Finding::Kind::kNote,
               "the file concerns linear layers under fp8_autocast with the format HYBRID; base list " +
                   policy::name(assignment.policy.base) + " and low format " +
                   formats::name(low_for_lists(assignment)) + " are set in the program");
  const auto reason = [&](std::size_t site) {
    const policy::SiteKey& key = assignment.keys[site];
    return is_te_layer(key) ? std::string("a layer of Transformer Engine runs in 8 bits or as the base list says")
                            : "Transformer Engine's tools concern linear layers only, not " + key.op;
  };
  declare_differences(assignment, te_policy(assignment, layers), reason, findings);
  return {text, findings.list()};
}

/// Reads the sections of one configuration.
class TeReader {
 public:
  TeReader(std::string_view text, const std::string& source, const Assignment& model) : source_(source) {
    for (const policy::SiteKey& key : model.keys) {
      if (is_te_layer(key)) layers[key.path];
    }
    for (const auto& [path, kept] : layers) {
      // The tools name a layer by its path in the program, where the model may be an attribute "model".
      names_.add(path, paths_.size());
      names_.add("model." + path, paths_.size());
      paths_.push_back(path);
    }
    const YamlNode yaml = parse_yaml(text, source);
    for (const auto& [name, section] : yaml.entries) take_section(section);
  }

  TeLayers layers;
  Findings findings;

 private:
  using Paths = std::set<std::string>;

  void take_section(const YamlNode& section) {
    if (section.kind != YamlNode::Kind::kMap) fail(section, "a section is not a map");
    if (!enabled(section)) return;
    const YamlNode* const selected = section.find("layers");
    if (selected == nullptr) fail(section, "a section has no layers");
    const Paths paths = layers_of(*selected);
    for (const std::string& path : paths) {
      if (!taken_.insert(path).second)
        fail(section, "the layer " + path + " is in two sections, which the tools refuse");
    }
    if (paths.empty()) findings.add(Finding::Kind::kNote, "a section matches no linear layer of the model");
    const YamlNode* const features = section.find("transformer_engine");
    if (features == nullptr) return;
    for (const auto& [name, feature] : features->entries) take_feature(name, feature, paths);
  }

  bool enabled(const YamlNode& node) const {
    const YamlNode* const value = node.find("enabled");
    if (value == nullptr) fail(node, "enabled is missing");
    if (value->scalar == "True" || value->scalar == "true") return true;
    if (value->scalar == "False" || value->scalar == "false") return false;
    fail(*value, "enabled is neither True nor False");
  }

  Paths layers_of(const YamlNode& selected) const {
    Paths paths;
    if (const YamlNode* const pattern = selected.find("layer_name_regex_pattern")) {
      for (const std::size_t layer : names_.containing(NamePattern(pattern->scalar, source_))) {
        paths.insert(paths_[layer]);
      }
      return paths;
    }
    const YamlNode* const exact = selected.find("exact_layer_names");
    const YamlNode* const parts = exact != nullptr ? exact : selected.find("layer_types");
    if (parts == nullptr || selected.find("layer_numbers") != nullptr) {
      fail(selected, "layers are selected by other means than a pattern, layer_types or exact_layer_names");
    }
    const std::vector<std::string> list = texts(*parts);
    const std::set<std::string> names(list.begin(), list.end());
    for (const std::string& path : paths_) {
      const std::string in_model = "model." + path;
      const auto contains = [&](const std::string& part) {
        return part == "all" || in_model.find(part) != std::string::npos;
      };
      const bool matches = exact != nullptr ? names.contains(path) || names.contains(in_model)
                                            : std::any_of(names.begin(), names.end(), contains);
      if (matches) paths.insert(path);
    }
    return paths;
  }

  void take_feature(const std::string& name, const YamlNode& feature, const Paths& paths) {
    std::string lower = name;
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](unsigned char c) { return static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c); });
    const bool layer = lower == "disablefp8layer" || lower == "disablequantizationlayer";
    const bool products = lower == "disablefp8gemm" || lower == "disablequantizationgemm";
    if (!layer && !products) {
      findings.add(Finding::Kind::kNote,
                   "features that do not choose a format were left out, such as logs and scaling");
      return;
    }
    if (!enabled(feature)) return;
    const TeKept kept = layer ? TeKept{true, true, true} : kept_products(feature);
    if (kept.dgrad != kept.wgrad) {
      findings.add(Finding::Kind::kNote,
                   "one of the two products of backward is kept out: a policy has one format for both, not 8 bits");
    }
    for (const std::string& path : paths) {
      TeKept& here = layers[path];
      here.fprop = here.fprop || kept.fprop;
      here.dgrad = here.dgrad || kept.dgrad;
      here.wgrad = here.wgrad || kept.wgrad;
    }
  }

  TeKept kept_products(const YamlNode& feature) const {
    std::vector<std::string> names;
    if (const YamlNode* const list = feature.find("gemms")) names = texts(*list);
    if (const YamlNode* const list = feature.find("gemms_struct")) {
      for (const YamlNode& item : list->items) {
        const YamlNode* const gemm = item.find("gemm");
        if (gemm == nullptr) fail(item, "an entry of gemms_struct names no gemm");
        names.push_back(gemm->scalar);
      }
    }
    if (names.empty()) fail(feature, "the feature names no gemms");
    TeKept kept;
    for (const std::string& name : names) {
      const bool known = name == "fprop" || name == "dgrad" || name == "wgrad";
      if (!known) fail(feature, "a gemm is none of fprop, dgrad and wgrad");
      kept.fprop = kept.fprop || name == "fprop";
      kept.dgrad = kept.dgrad || name == "dgrad";
      kept.wgrad = kept.wgrad || name == "wgrad";
    }
    return kept;
  }

  std::vector<std::string> texts(const YamlNode& list) const {
    if (list.kind != YamlNode::Kind::kList) fail(list, "there is no list where one belongs");
    std::vector<std::string> all;
    for (const YamlNode& item : list.items) {
      if (item.kind != YamlNode::Kind::kScalar) fail(item, "an entry is not a text");
      all.push_back(item.scalar);
    }
    return all;
  }

  [[noreturn]] void fail(const YamlNode& node, const std::string& what) const {
    throw Error(ErrorCode::kBadPolicy, source_ + ": line " + std::to_string(node.line) + ": " + what,
                "A section has enabled, layers and transformer_engine, as in the guide of Transformer Engine.");
  }

  const std::string& source_;
  std::vector<std::string> paths_;  ///< of the layers
  NameIndex names_;                 ///< of the layers, by index in paths_
  Paths taken_;                     ///< layers that a section has selected
};

Read read_te(std::string_view text, const std::string& source, const Assignment& model) {
  TeReader reader(text, source, model);
  reader.findings.add(Finding::Kind::kNote, "base list and low format are not in the file");
  return {te_policy(model, reader.layers), std::nullopt, reader.findings.list()};
}

}  // namespace

Target te_target() {
  return {.name = "te",
          .title = "Transformer Engine debug tools",
          .suffix = ".te.yaml",
          .doc = "YAML that keeps linear layers or their products out of 8 bits; for Transformer Engine 2.12.",
          .write = write_te,
          .read = read_te};
}

}  // namespace binade::targets
