// SPDX-License-Identifier: Apache-2.0
#include "engine/targets/python_tables.h"

#include "engine/policy/decide.h"
#include "engine/policy/finding_text.h"
#include "engine/policy/inner_calls.h"
#include "engine/policy/inner_reach.h"
#include "engine/policy/op_lists.h"
#include "engine/targets/eager_decisions.h"
#include "engine/targets/op_names.h"
#include "engine/targets/proof.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

namespace binade::targets {

namespace {

using policy::Base;
using policy::CastRule;
using policy::Decision;
using policy::SiteKey;
constexpr auto kPythonLacks = Finding::Kind::kInexpressible;

/// Ops of C++ that call other ops where Python cannot reach them. Kernels that do are in policy::inner_calls().
constexpr auto kOpaqueOps = std::to_array<std::string_view>(
    {"aten::lstm", "aten::gru", "aten::rnn_tanh", "aten::rnn_relu", "aten::lstm_cell", "aten::gru_cell",
     "aten::rnn_tanh_cell", "aten::rnn_relu_cell", "aten::einsum", "aten::tensordot", "aten::chain_matmul",
     "aten::linalg_multi_dot", "aten::bilinear", "aten::cross_entropy_loss", "aten::scaled_dot_product_attention",
     "aten::_native_multi_head_attention", "aten::_transformer_encoder_layer_fwd"});

std::string rule_word(CastRule rule, const std::string& low) {
  switch (rule) {
    case CastRule::kLower:
      return low;
    case CastRule::kCustom:
      return "float16";  // the kernel takes nothing else
    case CastRule::kFloat32:
      return "float32";
    case CastRule::kSetDtype:
      return "set-dtype";
    case CastRule::kAppendDtype:
      return "append-dtype";
    case CastRule::kPromote:
      return "promote";
    case CastRule::kBanned:
      return "banned";
    case CastRule::kNone:
      break;
  }
  return "follow";
}

/// Rule of a list for what Python calls. Tracing writes `_convolution` for conv1d to conv_transpose3d, which are
/// treated alike and not as it.
CastRule eager_rule(Base list, const SiteKey& key) {
  if (key.op == "aten::_convolution") return policy::rule_for(list, "aten::conv2d", "");
  return policy::rule_for(list, key.op, key.overload);
}

class PythonTableMaker {
 public:
  explicit PythonTableMaker(const Assignment& assignment)
      : assignment_(assignment), decisions_(eager_decisions(assignment, findings_)) {}

  PythonTables run() {
    const formats::Format low = nearest_dtype(assignment_.policy.low);
    if (!policy::rows(assignment_.policy.base).empty() && low != formats::kFloat32) out_.low = formats::name(low);
    lowers_ = std::any_of(decisions_.sites.begin(), decisions_.sites.end(), [](const Decision& decision) {
      return decision.kind == Decision::Kind::kFormat && decision.format != formats::kFloat32;
    });
    find_rules();
    compare_lists(Base::kCpuAmp, out_.cpu);
    compare_lists(Base::kCudaAmp, out_.cuda);
    take_op_changes();
    take_regions();
    take_sites();
    list_calls();
    out_.findings = findings_.list();
    return std::move(out_);
  }

 private:
  /// What torch.autocast for a device does with an op in the region of the file. Outside of a region, the ops that it
  /// would cast to the low format refuse arguments of different dtypes, which the engine widens.
  std::string native_word(Base device, const SiteKey& key) const {
    if (device == Base::kCudaAmp && is_cudnn_by_list(key)) {
      return rule_word(policy::rule_for(device, policy::kCudnnRnn, {}), out_.low);
    }
    if (!out_.low.empty()) return rule_word(eager_rule(device, key), out_.low);
    const bool refuses =
        eager_rule(Base::kCpuAmp, key) == CastRule::kLower || eager_rule(Base::kCudaAmp, key) == CastRule::kLower;
    return refuses && lowers_ ? "refuse" : "follow";
  }

  /// Whether CUDA's list of the policy names a recurrent layer: on CUDA, it casts the arguments of cuDNN's op inside.
  bool is_cudnn_by_list(const SiteKey& key) const {
    return assignment_.policy.base == Base::kCudaAmp && policy::is_recurrent_layer(key.op);
  }

  /// Whether the base list treats an op call, or a rule that says the same as the list.
  bool goes_by_list(std::size_t site) const { return by_list_.contains(site); }

  std::string list_word(std::size_t site) const {
    const std::string word = treatment_word(decisions_.sites[site]);
    return word == "leave" ? "follow" : word;
  }

  /// Collects the ops that the base list treats otherwise than the device's own list.
  void compare_lists(Base device, PythonTables::Words& differ) {
    for (std::size_t i = 0; i < assignment_.keys.size(); ++i) {
      if (!goes_by_list(i)) continue;
      const std::string word = list_word(i);
      // The list of the policy's own device differs only where a format was replaced.
      if (word != native_word(device, assignment_.keys[i])) differ.emplace(assignment_.keys[i].op, word);
    }
    // An entry applies to all overloads of its op, because Python does not see which one is called.
    const std::optional<Base> home = policy::device_of(assignment_.policy.base);
    const bool at_home = !home || home == device;
    for (std::size_t i = 0; i < assignment_.keys.size(); ++i) {
      const auto entry = differ.find(assignment_.keys[i].op);
      if (entry == differ.end() || !goes_by_list(i) || list_word(i) == entry->second) continue;
      if (at_home) {
        overload_lost(assignment_.keys[i], entry->second);
      } else {
        findings_.add(Finding::Kind::kNote,
                      "on tensors of the other device, all overloads of " + assignment_.keys[i].op + " run as \"" +
                          entry->second + "\": Python does not see which one is called",
                      assignment_.keys[i].name());
      }
    }
  }

  void take_op_changes() {
    for (std::size_t i = 0; i < assignment_.keys.size(); ++i) {
      const Decision& decision = decisions_.sites[i];
      const SiteKey& key = assignment_.keys[i];
      if (decision.rule == policy::kFromOpChange) {
        const auto [known, added] = out_.ops.emplace(key.op, treatment_word(decision));
        if (!added && known->second != treatment_word(decision)) overload_lost(key, known->second);
      } else if (decision.rule == policy::kFromBase) {
        note_opaque(i);
      }
    }
    for (std::size_t i = 0; i < assignment_.keys.size(); ++i) {  // overloads that the change does not name
      const auto changed = out_.ops.find(assignment_.keys[i].op);
      if (decisions_.sites[i].rule == policy::kFromBase && changed != out_.ops.end()) {
        overload_lost(assignment_.keys[i], changed->second);
      }
    }
  }

  void overload_lost(const SiteKey& key, const std::string& word) {
    findings_.add(kPythonLacks,
                  "Python does not see which overload of " + key.op + " is called: all run as \"" + word + "\"",
                  key.name());
  }

  void note_opaque(std::size_t site) {
    const bool apex = assignment_.policy.base == Base::kApexO1;
    if ((assignment_.policy.ops.empty() && !apex) || assignment_.places.empty() || !assignment_.places[site].inside)
      return;
    const SiteKey& key = assignment_.keys[site];
    if (decisions_.sites[site].kind != Decision::Kind::kFollow) return;
    const bool opaque = std::find(kOpaqueOps.begin(), kOpaqueOps.end(), key.op) != kOpaqueOps.end();
    if (!opaque && policy::inner_calls_of(key.op, key.overload) == nullptr) return;
    std::vector<std::string> reaching;
    for (const auto& [changed, change] : assignment_.policy.ops) {
      if (policy::op_change_reaches_inside(changed, key, assignment_.places[site], assignment_.table,
                                           decisions_.sites[site])) {
        reaching.push_back(changed);
      }
    }
    if (reaching.empty() && !(apex && opaque)) return;
    const std::string changes = reaching.empty() ? "" : "changes of ops (" + policy::first_of(reaching) + ")";
    const std::string subject =
        apex ? "Apex's list" + (changes.empty() ? " does" : " and " + changes + " do") : changes + " do";
    findings_.add(kPythonLacks,
                  subject + " not reach the ops that these calls make inside C++: PyTorch's list applies there",
                  key.name());
  }

  /// Finds the op calls that a site rule treats otherwise than base list and op changes do.
  void find_rules() {
    policy::Policy without = assignment_.policy;
    without.sites.clear();
    const policy::Resolved table =
        policy::resolve(without, assignment_.keys, assignment_.table.capabilities, assignment_.places);
    for (std::size_t i = 0; i < assignment_.keys.size(); ++i) {
      const bool by_rule = decisions_.sites[i].rule >= 0 && !assignment_.is_view(i);
      if (by_rule && !same_treatment(decisions_.sites[i], table.sites[i])) ruled_.insert(i);
      const Decision& without_rules = table.sites[i];
      const bool by_list = without_rules.rule == policy::kFromBase && without_rules.block < 0;
      if (by_list && !assignment_.is_view(i) && !ruled_.contains(i)) by_list_.insert(i);
    }
  }

  struct Module {
    std::vector<std::size_t> sites;  ///< its own, without views
    /// Op and line of those that do not write in place: a module called twice has two op calls of the same line.
    std::set<std::pair<std::string, std::string>> data;
    bool blocks = false;  ///< it has autocast blocks of its own
    bool calls = false;   ///< it has rules for single executions
  };
  using Modules = std::map<std::string, Module>;

  Modules modules() const {
    Modules found;
    for (std::size_t i = 0; i < assignment_.keys.size(); ++i) {
      if (assignment_.is_view(i)) continue;
      Module& module = found[assignment_.keys[i].path];
      module.sites.push_back(i);
      const std::string source = assignment_.sources.empty() ? std::string() : assignment_.sources[i];
      if (!is_in_place(assignment_.keys[i].op)) module.data.emplace(assignment_.keys[i].op, source);
      module.blocks = module.blocks || (!assignment_.places.empty() && assignment_.places[i].block != nullptr);
    }
    for (const auto& [place, decision] : decisions_.calls) {
      found[assignment_.keys[static_cast<std::size_t>(place.first)].path].calls = true;
    }
    return found;
  }

  /// Whether a region makes every op call of a module run in `format` and changes nothing else. In float32, the module
  /// casts its inputs once; gradients are then exact if one op takes them. In a lower format, autocast casts for each
  /// op, so every op must be on its lists.
  bool fits_region(const Module& module, bool has_submodules, const formats::Format& format) const {
    if (module.blocks || module.calls) return false;
    if (format == formats::kFloat32 && module.data.size() > (has_submodules ? 0U : 1U)) return false;
    return std::all_of(module.sites.begin(), module.sites.end(), [&](std::size_t site) {
      const Decision& decision = decisions_.sites[site];
      const SiteKey& key = assignment_.keys[site];
      if (decision.kind != Decision::Kind::kFormat || decision.format != format) return false;
      if (format == formats::kFloat32) return true;
      return eager_rule(Base::kCpuAmp, key) == CastRule::kLower && eager_rule(Base::kCudaAmp, key) == CastRule::kLower;
    });
  }

  /// The path of the module around a module; empty for those of the root.
  static std::string parent_of(const std::string& path) {
    const std::size_t dot = path.rfind('.');
    return dot == std::string::npos ? std::string() : path.substr(0, dot);
  }

  /// Gives each largest subtree of modules that run in one dtype a region.
  void take_regions() {
    const Modules all = modules();
    std::set<std::string> paths;  // also those of modules without op calls
    for (const auto& [path, module] : all) {
      for (std::string each = path; !each.empty() && paths.insert(each).second;) each = parent_of(each);
    }
    for (const std::string& path : paths) {  // a module sorts before its submodules
      if (!has_region(path)) try_region(path, all);
    }
  }

  /// Those of a module and its submodules that have op calls. Paths of submodules begin with `path.`, and `/` is the
  /// character after the dot.
  static std::vector<Modules::const_iterator> subtree(const std::string& path, const Modules& all) {
    std::vector<Modules::const_iterator> found;
    if (const auto own = all.find(path); own != all.end()) found.push_back(own);
    const auto end = all.lower_bound(path + "/");
    for (auto each = all.lower_bound(path + "."); each != end; ++each) found.push_back(each);
    return found;
  }

  void try_region(const std::string& path, const Modules& all) {
    const std::vector<Modules::const_iterator> members = subtree(path, all);
    std::optional<formats::Format> format;
    bool deviates = false;
    for (const auto& each : members) {
      for (const std::size_t site : each->second.sites) {
        if (!format) format = decisions_.sites[site].format;
        deviates = deviates || ruled_.contains(site);
      }
    }
    if (!format || !deviates) return;
    for (const auto& each : members) {
      const auto below = all.lower_bound(each->first + ".");
      const bool parent = below != all.end() && below->first.starts_with(each->first + ".");
      if (!fits_region(each->second, parent, *format)) return;
    }
    out_.regions[path] = formats::name(*format);
  }

  /// Whether a module is in a region.
  bool has_region(const std::string& path) const {
    for (std::string each = path; !each.empty(); each = parent_of(each)) {
      if (out_.regions.contains(each)) return true;
    }
    return false;
  }

  /// Names the remaining op calls with rules: all of an op in a module at once where they are treated alike.
  void take_sites() {
    std::map<std::pair<std::string, std::string>, std::vector<std::size_t>> groups;
    for (std::size_t i = 0; i < assignment_.keys.size(); ++i) {
      if (!assignment_.is_view(i)) groups[{assignment_.keys[i].path, assignment_.keys[i].op}].push_back(i);
    }
    for (const auto& entry : groups) {
      const auto& group = entry.first;
      const std::vector<std::size_t>& sites = entry.second;
      if (has_region(group.first)) continue;
      const auto same = [&](std::size_t site) {
        return ruled_.contains(site) && same_treatment(decisions_.sites[site], decisions_.sites[sites.front()]);
      };
      if (std::all_of(sites.begin(), sites.end(), same)) {
        out_.sites[group.first + "/" + group.second] = treatment_word(decisions_.sites[sites.front()]);
        continue;
      }
      for (const std::size_t site : sites) {
        if (ruled_.contains(site)) out_.sites[assignment_.keys[site].name()] = treatment_word(decisions_.sites[site]);
      }
    }
    for (const auto& [place, decision] : decisions_.calls) {
      const std::string name = assignment_.keys[static_cast<std::size_t>(place.first)].name();
      out_.sites[name + "@" + std::to_string(place.second)] = treatment_word(decision);
    }
  }

  void list_calls() {
    std::map<std::string, std::size_t> rows;
    for (std::size_t i = 0; i < assignment_.keys.size(); ++i) {
      if (assignment_.is_view(i)) continue;
      const SiteKey& key = assignment_.keys[i];
      const auto [row, added] = rows.emplace(key.path, out_.calls.size());
      if (added) out_.calls.emplace_back(key.path, std::vector<PythonTables::Call>());
      SiteKey local = key;
      local.path.clear();
      std::string text = local.name();
      if (text.starts_with("::")) text.erase(0, 2);
      if (text.starts_with("/")) text.erase(0, 1);
      out_.calls[row->second].second.push_back(
          {text, call_word(i), assignment_.sources.empty() ? "" : assignment_.sources[i]});
    }
  }

  /// Treatment of an op call, for checks.
  std::string call_word(std::size_t site) const {
    const Decision& decision = decisions_.sites[site];
    if (decision.block >= 0) return "inside";  // the model's own block decides
    const bool inside = !assignment_.places.empty() && assignment_.places[site].inside;
    if (decision.kind == Decision::Kind::kFollow && inside) return "inside";
    return treatment_word(decision);
  }

  const Assignment& assignment_;
  Findings findings_;  // before decisions_, which add to it
  EagerDecisions decisions_;
  bool lowers_ = false;            ///< some op call runs in a format below float32
  std::set<std::size_t> ruled_;    ///< sites that a rule changes
  std::set<std::size_t> by_list_;  ///< sites that go by the base list
  PythonTables out_;
};

}  // namespace

PythonTables python_tables(const Assignment& assignment) {
  return PythonTableMaker(assignment).run();
}

}  // namespace binade::targets
