// SPDX-License-Identifier: Apache-2.0
// Format: arguments of modelopt.onnx.autocast.convert_to_mixed_precision, NVIDIA Model Optimizer 0.46 (convert.py at
// 0646ad7, nodeclassifier.py, guide "AutoCast (ONNX)"). Every node runs in the low format unless an exclusion or a
// threshold keeps it in float32; inclusions win. Patterns match from the start of a node's name, as re.match does.

#include "engine/targets/name_index.h"
#include "engine/targets/onnx_nodes.h"
#include "engine/targets/op_roles.h"
#include "engine/targets/python_literals.h"
#include "engine/targets/rules_for.h"
#include "engine/targets/stated_differences.h"
#include "engine/targets/target_list.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

namespace binade::targets {

namespace {

constexpr std::array kModelOptLists{"NODES_TO_EXCLUDE", "OP_TYPES_TO_EXCLUDE", "NODES_TO_INCLUDE",
                                    "OP_TYPES_TO_INCLUDE"};

bool runs_as_node(const Assignment& model, std::size_t site) {
  return model.places.empty() || !model.places[site].view;
}

/// The policy in which exactly these op calls run in float32 and all others in the low format.
policy::Policy modelopt_policy(const Assignment& model, formats::Format low, const std::vector<bool>& high) {
  policy::Policy stated;
  stated.base = policy::Base::kAllFloat32;
  stated.low = low;
  std::map<std::string, bool> all_high;  // by op
  for (std::size_t i = 0; i < model.keys.size(); ++i) {
    if (!runs_as_node(model, i)) continue;
    bool& all = all_high.emplace(model.keys[i].op, true).first->second;
    all = all && high[i];
  }
  for (const auto& [op, all] : all_high) {
    stated.ops[op] = all ? policy::OpChange(formats::kFloat32) : policy::OpChange(policy::Treatment::kLow);
  }
  std::vector<Stated> calls;
  for (std::size_t i = 0; i < model.keys.size(); ++i) {
    if (!high[i] || !runs_as_node(model, i)) continue;
    policy::Decision decision;
    decision.kind = policy::Decision::Kind::kFormat;
    calls.push_back({i, std::nullopt, decision, "NODES_TO_EXCLUDE"});
  }
  return rules_for(std::move(stated), calls, model, "AutoCast");
}

/// Whether float32 is nearer to a decision than the low format. Op calls are left alone only in models without a lower
/// format.
bool is_full(const policy::Decision& decision) {
  switch (decision.kind) {
    case policy::Decision::Kind::kFormat:
      return decision.format == formats::kFloat32 || decision.format == formats::kTFloat32;
    case policy::Decision::Kind::kFollow:
    case policy::Decision::Kind::kPromote:
      return false;
    default:
      return true;
  }
}

/// Op calls that the policy runs in float32 and that have a node.
std::vector<bool> modelopt_high(const Assignment& assignment, const std::vector<OnnxNodes>& nodes) {
  std::vector<bool> high;
  for (std::size_t i = 0; i < assignment.keys.size(); ++i) {
    const policy::Decision& decision = assignment.table.sites[i];
    high.push_back(is_full(decision) && !nodes[i].types.empty());
  }
  return high;
}

/// Node types whose op calls all run in float32.
std::set<std::string> whole_types(const std::vector<OnnxNodes>& nodes, const std::vector<bool>& high) {
  std::set<std::string> whole;
  std::set<std::string> broken;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    (high[i] ? whole : broken).insert(nodes[i].types.begin(), nodes[i].types.end());
  }
  for (const std::string& type : broken) whole.erase(type);
  return whole;
}

bool has_only(const OnnxNodes& nodes, const std::set<std::string>& types) {
  return !nodes.types.empty() && std::all_of(nodes.types.begin(), nodes.types.end(),
                                             [&](const std::string& type) { return types.contains(type); });
}

std::vector<std::string> modelopt_patterns(const Assignment& assignment, const std::vector<OnnxNodes>& nodes,
                                           const std::vector<bool>& high, const std::set<std::string>& types) {
  std::map<std::pair<std::string, std::vector<std::string>>, bool> whole;  // module and types: all in float32
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    bool& all = whole.emplace(std::pair(assignment.keys[i].path, nodes[i].types), true).first->second;
    all = all && high[i];
  }
  // A node type that another op of the module also has must not be matched with it.
  std::map<std::pair<std::string, std::string>, std::set<std::vector<std::string>>> users;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    for (const std::string& type : nodes[i].types) users[{assignment.keys[i].path, type}].insert(nodes[i].types);
  }
  std::vector<std::string> patterns;
  std::set<std::string> known;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (!high[i] || has_only(nodes[i], types)) continue;
    const std::string& path = assignment.keys[i].path;
    bool all = whole.at({path, nodes[i].types});
    for (const std::string& type : nodes[i].types) all = all && users.at({path, type}).size() == 1;
    std::string pattern = onnx_pattern(path, nodes[i], all);
    if (known.insert(pattern).second) patterns.push_back(std::move(pattern));
  }
  return patterns;
}

/// What AutoCast does with the op calls of a model.
class AutoCast {
 public:
  AutoCast(const Assignment& model, const std::vector<OnnxNodes>& nodes) : nodes_(nodes) {
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      for (std::string& name : onnx_names(model.keys[i].path, nodes[i])) names_.add(std::move(name), i);
    }
  }

  /// Whether each op call is kept in float32.
  std::vector<bool> high(const std::vector<std::string>& exclude, const std::vector<std::string>& exclude_types,
                         const std::vector<std::string>& include, const std::vector<std::string>& include_types,
                         const std::string& source) const {
    std::vector<bool> kept = selected(exclude, exclude_types, source);
    const std::vector<bool> included = selected(include, include_types, source);
    for (std::size_t i = 0; i < kept.size(); ++i) kept[i] = kept[i] && !included[i];
    return kept;
  }

 private:
  std::vector<bool> selected(const std::vector<std::string>& patterns, const std::vector<std::string>& types,
                             const std::string& source) const {
    const std::set<std::string> listed(types.begin(), types.end());
    std::vector<bool> all;
    for (const OnnxNodes& nodes : nodes_) all.push_back(has_only(nodes, listed));
    for (const std::string& pattern : patterns) {
      for (const std::size_t site : names_.started_by(NamePattern(pattern, source))) all[site] = true;
    }
    return all;
  }

  const std::vector<OnnxNodes>& nodes_;
  NameIndex names_;  ///< of nodes, by op call
};

Written write_modelopt(const Assignment& assignment) {
  const std::vector<OnnxNodes> nodes = onnx_nodes(assignment);
  const std::vector<bool> wanted = modelopt_high(assignment, nodes);
  const std::set<std::string> types = whole_types(nodes, wanted);
  const std::vector<std::string> type_list(types.begin(), types.end());
  const std::vector<std::string> patterns = modelopt_patterns(assignment, nodes, wanted, types);
  const formats::Format low = low_for_lists(assignment);
  const std::string text =
      "# Arguments of AutoCast for ONNX models, written by Binade for NVIDIA Model Optimizer 0.46.\n"
      "#     model = convert(\"model.onnx\")\n"
      "# Node names are those of torch.onnx.export(model, ..., dynamo=False). Only the lists decide: the thresholds "
      "on\n"
      "# values are off. AutoCast is for inference.\n"
      "LOW_PRECISION_TYPE = " +
      python_text(low == formats::kFloat16 ? "fp16" : "bf16") + "\nOP_TYPES_TO_EXCLUDE = " + python_list(type_list) +
      "\nNODES_TO_EXCLUDE = " + python_list(patterns) +
      "\nOP_TYPES_TO_INCLUDE = []\nNODES_TO_INCLUDE = []\nDATA_MAX = float(\"inf\")\nINIT_MAX = float(\"inf\")\n"
      "MAX_DEPTH_OF_REDUCTION = None\nKEEP_IO_TYPES = True\n\n\n"
      "def convert(onnx_path):\n"
      "    from modelopt.onnx.autocast import convert_to_mixed_precision\n\n"
      "    return convert_to_mixed_precision(\n"
      "        onnx_path=onnx_path,\n"
      "        low_precision_type=LOW_PRECISION_TYPE,\n"
      "        nodes_to_exclude=NODES_TO_EXCLUDE,\n"
      "        op_types_to_exclude=OP_TYPES_TO_EXCLUDE,\n"
      "        nodes_to_include=NODES_TO_INCLUDE,\n"
      "        op_types_to_include=OP_TYPES_TO_INCLUDE,\n"
      "        data_max=DATA_MAX,\n"
      "        init_max=INIT_MAX,\n"
      "        max_depth_of_reduction=MAX_DEPTH_OF_REDUCTION,\n"
      "        keep_io_types=KEEP_IO_TYPES,\n"
      "    )\n";
  const std::vector<bool> high = AutoCast(assignment, nodes).high(patterns, type_list, {}, {}, "AutoCast");
  Findings findings;
  const auto reason = [&](std::size_t site) {
    if (nodes[site].types.empty()) return "ONNX has no node for " + assignment.keys[site].op + " alone";
    return std::string("AutoCast runs a node in float32 or in ") + formats::name(low);
  };
  note_base(assignment, findings);
  declare_differences(assignment, modelopt_policy(assignment, low, high), reason, findings);
  return {text, findings.list()};
}

Read read_modelopt(std::string_view text, const std::string& source, const Assignment& model) {
  const PythonLiterals literals(text, source, {"convert_to_mixed_precision"});
  bool any = literals.has("LOW_PRECISION_TYPE");
  for (const char* name : kModelOptLists) any = any || literals.has(name);
  if (!any) literals.fail("there is no list of nodes or op types", "Set NODES_TO_EXCLUDE or OP_TYPES_TO_EXCLUDE.");
  const std::string type = literals.text("LOW_PRECISION_TYPE", "fp16");
  if (type != "fp16" && type != "bf16") {
    literals.fail("LOW_PRECISION_TYPE is neither fp16 nor bf16", "Name one of the two.");
  }
  const std::vector<OnnxNodes> nodes = onnx_nodes(model);
  const std::vector<bool> high =
      AutoCast(model, nodes)
          .high(literals.names("NODES_TO_EXCLUDE"), literals.names("OP_TYPES_TO_EXCLUDE"),
                literals.names("NODES_TO_INCLUDE"), literals.names("OP_TYPES_TO_INCLUDE"), source);
  Findings findings;
  const bool thresholds_off = literals.is_infinite("DATA_MAX") && literals.is_infinite("INIT_MAX");
  if (!thresholds_off) {
    findings.add(Finding::Kind::kNote,
                 "the thresholds on values were left out: which nodes they keep in float32 depends on the data");
  }
  const formats::Format low = type == "fp16" ? formats::kFloat16 : formats::kBFloat16;
  return {modelopt_policy(model, low, high), std::nullopt, findings.list()};
}

}  // namespace

Target modelopt_target() {
  return {.name = "modelopt",
          .title = "NVIDIA ModelOpt AutoCast",
          .suffix = ".autocast.py",
          .doc = "A Python file with node patterns and op types for AutoCast (ONNX); for Model Optimizer 0.46.",
          .write = write_modelopt,
          .read = read_modelopt};
}

}  // namespace binade::targets
