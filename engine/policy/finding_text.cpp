// SPDX-License-Identifier: Apache-2.0
#include "engine/policy/finding_text.h"

#include "engine/policy/decide.h"
#include "engine/policy/near_name.h"

#include <algorithm>
#include <set>

namespace binade::policy {

namespace {

Finding note(int rule, std::string message) {
  return {Finding::Severity::kNote, rule, std::move(message)};
}
Finding warning(int rule, std::string message) {
  return {Finding::Severity::kWarning, rule, std::move(message)};
}

/// `aten::relu_` and `aten::relu` are forms of one op.
std::string without_underscores(std::string op) {
  std::erase(op, '_');
  return op;
}

/// `conv/aten::conv2d#0` of `conv::_conv_forward/aten::conv2d#0`: what the window shows of a name.
std::string without_method(std::string name) {
  const std::size_t slash = name.find('/');
  const std::size_t method = name.find("::");
  if (slash != std::string::npos && method < slash) name.erase(method, slash - method);
  return name;
}

}  // namespace

std::string op_calls(int count) {
  return count == 1 ? "1 op call" : std::to_string(count) + " op calls";
}

std::string short_place(int rule) {
  return "sites[" + std::to_string(rule) + "]";
}

std::string first_of(const std::vector<std::string>& names) {
  constexpr std::size_t kNamed = 3;
  std::string text;
  for (std::size_t i = 0; i < names.size() && i < kNamed; ++i) text += (i == 0 ? "" : ", ") + names[i];
  if (names.size() > kNamed) text += " and " + std::to_string(names.size() - kNamed) + " more";
  return text;
}

std::string place_of(const Policy& policy, int rule) {
  return short_place(rule) + " (" + policy.sites[static_cast<std::size_t>(rule)].match + ")";
}

namespace {

Finding unmatched_op(const std::string& key, std::span<const SiteKey> sites) {
  std::set<std::string> called;
  std::set<std::string> overloads;  // of the same op
  const std::string op = key.substr(0, key.find('.'));
  for (const SiteKey& site : sites) {
    called.insert(site.op);
    if (site.op == op) overloads.insert(site.op + "." + (site.overload.empty() ? "default" : site.overload));
  }
  const std::set<std::string>& candidates = overloads.empty() ? called : overloads;
  std::vector<std::string> names(candidates.begin(), candidates.end());
  // An op of LibTorch's that is spelt right is not another one that looks alike: only its forms are near.
  if (overloads.empty() && op.starts_with("aten::")) {
    std::erase_if(names,
                  [&op](const std::string& name) { return without_underscores(name) != without_underscores(op); });
  }
  std::string message = "ops[\"" + key + "\"]: no op call of this model is one. ";
  if (!overloads.empty()) {
    message += "It has";
    for (const std::string& name : names) message += " `" + name + "`";
    message += ".";
  } else {
    message += did_you_mean(key, names);
  }
  while (message.back() == ' ') message.pop_back();
  return warning(kFromOpChange, message);
}

}  // namespace

std::vector<Finding> unmatched_ops(const std::vector<std::string>& keys, std::size_t all,
                                   std::span<const SiteKey> sites) {
  constexpr std::size_t kMany = 10;
  if (keys.size() > kMany) {
    return {note(kFromOpChange, std::to_string(keys.size()) + " of the policy's " + std::to_string(all) +
                                    " op changes are for ops that this model does not call: " + first_of(keys) + ".")};
  }
  std::vector<Finding> findings;
  for (const std::string& key : keys) findings.push_back(unmatched_op(key, sites));
  return findings;
}

Finding unmatched_rule(const SiteRule& rule, int index, const SiteNames& site_names) {
  std::string message = "sites[" + std::to_string(index) + "] (" + rule.match + "): matches no op call of this model. ";
  if (rule.match.find('*') != std::string::npos) {
    message += "`*` stands for any characters, a bare module path for all inside it.";
  } else if (rule.match.find('/') != std::string::npos) {
    const auto& all = site_names.all();
    const auto full = std::find_if(all.begin(), all.end(),
                                   [&rule](const std::string& name) { return without_method(name) == rule.match; });
    message +=
        full != all.end() ? "Its full name, which a rule needs, is `" + *full + "`." : did_you_mean(rule.match, all);
  } else {
    std::set<std::string> paths;
    for (const std::string& name : site_names.all()) {
      std::string path = name.substr(0, name.find('/'));
      path = path.substr(0, path.find("::"));
      for (std::size_t end = path.size(); end != std::string::npos && end > 0; end = path.rfind('.', end - 1)) {
        paths.insert(path.substr(0, end));
      }
    }
    message += did_you_mean(rule.match, std::vector<std::string>(paths.begin(), paths.end()));
  }
  while (message.back() == ' ') message.pop_back();
  return warning(index, message);
}

Finding refused(const Policy& policy, const std::string& op, const std::vector<std::string>& sites,
                const Decision& decision) {
  const int calls = static_cast<int>(sites.size());
  std::string message = calls == 1 ? sites.front() : op + " at " + op_calls(calls) + " (" + first_of(sites) + ")";
  if (policy.base == Base::kApexO1 && decision.rule == kFromBase) {
    message +=
        " refuses its arguments where they are float16, as Apex does: its results need float32. Use a form that is "
        "safe in the model (with_logits, or without the underscore), or give it a format.";
  } else if (decision.rule == kFromOpChange) {
    message += " will refuse to run: the policy's \"ops\" ban it.";
  } else {
    message += " will refuse to run: " + name(policy.base) +
               " bans it, because its gradients leave float16's range. Use binary_cross_entropy_with_logits in the "
               "model, or set it to float32.";
  }
  return warning(decision.rule, message);
}

std::vector<Finding> apex_notes(const Policy& policy) {
  if (policy.base != Base::kApexO2 && policy.base != Base::kApexO3) return {};
  if (policy.low == formats::kFloat16) return {};
  return {note(kFromBase, name(policy.base) + ": Apex keeps weights in float16 only, and low is " +
                              formats::name(policy.low) + "; the weights stay float32 and are cast in each forward.")};
}

Finding own_block(const BlockCount& count, Base base, const Resolved* inside) {
  const OwnBlock& block = *count.block;
  const std::string calls = std::to_string(count.calls) + (count.calls == 1 ? " op call" : " op calls");
  const std::string device = !block.list ? "" : *block.list == Base::kCpuAmp ? " for cpu" : " for cuda";
  std::string message = "The model's own autocast block" + device;
  if (!block.source.empty()) message += " at " + block.source;
  if (!count.in_force) {
    return note(kFromBase, message + " does nothing to the " + calls +
                               " inside it, as in PyTorch: the tensors are another device's (" + name(base) + ").");
  }
  if (inside->base == Base::kAllFloat32) {
    return note(kFromBase,
                message + " switches casting off for " + calls + ". Site rules and op changes go before it.");
  }
  return note(kFromBase, message + " decides for " + calls + ": the list " + name(inside->base) + " with " +
                             formats::name(inside->low) + ". Site rules and op changes go before it.");
}

namespace {

/// Values of what this table runs in a logical format: one note a format, in the order of the sites.
void note_logical(const Resolved& resolved, std::vector<Finding>& notes) {
  std::vector<const Decision*> seen;
  const auto look = [&seen](const Decision& decision) {
    if (decision.kind != Decision::Kind::kFormat || !is_logical(decision)) return;
    for (const Decision* each : seen) {
      if (each->format == decision.format && each->backward == decision.backward) return;
    }
    seen.push_back(&decision);
  };
  for (const Decision& decision : resolved.sites) look(decision);
  for (const auto& [call, decision] : resolved.calls) look(decision);
  for (const Decision* decision : seen) {
    const std::string format = formats::name(decision->format);
    notes.push_back(note(kFromBase, format +
                                        " runs emulated: its values are kept in float32 and rounded after every "
                                        "op, gradients to " +
                                        formats::name(decision->backward) +
                                        ". Their times say nothing about native speed."));
  }
}

}  // namespace

std::vector<Finding> execution_notes(const Resolved& resolved, const Capabilities& capabilities) {
  std::vector<Finding> notes;
  for (const auto& [format, fast] : {std::pair(formats::kBFloat16, capabilities.native_bfloat16),
                                     std::pair(formats::kFloat16, capabilities.native_float16)}) {
    bool emulated = false;  // how many calls depends on what the ops are, which a key cannot tell
    int slow = 0;
    const auto look = [&, wanted = format, quick = fast](const Decision& decision) {
      if (decision.kind != Decision::Kind::kFormat || decision.format != wanted || is_logical(decision)) return;
      emulated = emulated || decision.execution == Execution::kEmulated;
      if (decision.execution == Execution::kNative && !quick) ++slow;
    };
    for (const Decision& decision : resolved.sites) look(decision);
    for (const auto& [call, decision] : resolved.calls) look(decision);
    if (emulated) {
      notes.push_back(
          note(kFromBase, formats::name(format) +
                              " runs emulated: values are stored in it, matrix and convolution ops compute in float32 "
                              "and round. Their times say nothing about native speed."));
    }
    if (slow > 0) {
      notes.push_back(note(kFromBase, formats::name(format) + " runs native at " + op_calls(slow) +
                                          ", as asked; this device has no fast " + formats::name(format) +
                                          ", so that is slow."));
    }
  }
  note_logical(resolved, notes);
  return notes;
}

}  // namespace binade::policy
