// SPDX-License-Identifier: Apache-2.0
#include "engine/policy_tools/effect.h"

#include "engine/policy_tools/inner_reach.h"

#include <set>
#include <utility>

namespace binade::policy_tools {

namespace {

using policy::Base;
using policy::Decision;
using policy::Policy;
using Kind = Decision::Kind;

std::array<policy::Capabilities, kDevices> devices() {
  return {policy::Capabilities{
              .native_bfloat16 = false, .native_float16 = false, .native_tfloat32 = false, .list = Base::kCpuAmp},
          policy::Capabilities{
              .native_bfloat16 = true, .native_float16 = true, .native_tfloat32 = false, .list = Base::kCpuAmp},
          policy::Capabilities{
              .native_bfloat16 = true, .native_float16 = true, .native_tfloat32 = true, .list = Base::kCudaAmp},
          policy::Capabilities{
              .native_bfloat16 = true, .native_float16 = true, .native_tfloat32 = true, .list = std::nullopt}};
}

bool by_base(const Decision& decision) {
  return decision.rule == policy::kFromBase;
}

bool same_decision(const Decision& a, const Decision& b, bool guarded) {
  if (a.kind != b.kind || a.format != b.format || a.backward != b.backward || a.execution != b.execution ||
      a.overflow != b.overflow || a.products != b.products) {
    return false;
  }
  // A cast to a format needs no lists; every other kind looks further into those that it came from.
  if (a.kind != Kind::kFormat && a.block != b.block) return false;
  if (by_base(a) == by_base(b)) return true;
  return !guarded && (a.kind == Kind::kFormat || a.kind == Kind::kPromote);
}

bool is_pytorchs(Base base) {
  return base == Base::kCudaAmp || base == Base::kCpuAmp;
}

/// PyTorch 2.11's behaviour depends on whether a policy has any edit at all.
bool is_edited(const policy::Resolved& table) {
  if (!table.ops.empty() || !table.calls.empty()) return true;
  for (const Decision& decision : table.sites) {
    if (!by_base(decision)) return true;
  }
  return false;
}

class Comparison {
 public:
  Comparison(const Policy& a, const Policy& b, const ModelCalls& model)
      : a_(a), b_(b), model_(model), in_a_(resolve_everywhere(a, model)), in_b_(resolve_everywhere(b, model)) {}

  std::vector<Deviation> run() {
    header();
    ops();
    calls();
    return std::move(found_);
  }

 private:
  void note(std::string what) { found_.push_back({std::nullopt, std::nullopt, std::move(what)}); }

  void header() {
    if (a_.behaviour != b_.behaviour) note("behaviour");
    if (a_.base != b_.base) note("base");
    if (a_.low != b_.low) note("low");
    if (a_.execution != b_.execution) note("execution");
    const bool depends = a_.behaviour == policy::Behaviour::kPyTorch211;
    if (depends && is_edited(in_a_[0]) != is_edited(in_b_[0])) note("behaviour pytorch-2.11 without any edit");
    if (!is_pytorchs(a_.base) && a_.ops.empty() != b_.ops.empty()) note("whether there are op changes");
  }

  void ops() {
    std::set<std::string> keys;
    for (const Policy* each : {&a_, &b_}) {
      for (const auto& [key, change] : each->ops) keys.insert(key);
    }
    for (const std::string& key : keys) {
      const auto in_a = a_.ops.find(key);
      const auto in_b = b_.ops.find(key);
      if (in_a != a_.ops.end() && in_b != b_.ops.end() && in_a->second == in_b->second) continue;
      if (same_inside(key)) continue;
      const std::string op = key.substr(0, key.find('.'));
      if (may_run_inside(op, model_, in_a_) || may_run_inside(op, model_, in_b_)) note(key + " inside composite ops");
    }
  }

  /// Whether an op change of one overload only repeats that of the whole op.
  bool same_inside(const std::string& key) const {
    const std::size_t dot = key.find('.');
    if (dot == std::string::npos) return false;
    const auto change = [&](const Policy& policy) {
      auto found = policy.ops.find(key);
      if (found == policy.ops.end()) found = policy.ops.find(key.substr(0, dot));
      return found == policy.ops.end() ? std::nullopt : std::optional(found->second);
    };
    const auto in_a = change(a_);
    return in_a && in_a == change(b_);
  }

  void calls() {
    for (std::size_t i = 0; i < model_.keys.size(); ++i) {
      if (rules_have_no_effect(model_, i)) continue;
      const int site = static_cast<int>(i);
      compare(i, std::nullopt);
      std::set<int> single;
      for (const policy::Resolved* each : {&in_a_[0], &in_b_[0]}) {
        for (auto at = each->calls.lower_bound({site, 0}); at != each->calls.end() && at->first.first == site; ++at) {
          single.insert(at->first.second);
        }
      }
      for (const int call : single) compare(i, call);
    }
  }

  void compare(std::size_t i, std::optional<int> call) {
    const auto effect = [&](const Tables& tables) {
      Effect of;
      for (std::size_t device = 0; device < kDevices; ++device) {
        of[device] = call ? tables[device].decision_for(static_cast<int>(i), *call) : tables[device].sites[i];
      }
      return of;
    };
    if (same_effect(effect(in_a_), effect(in_b_), model_.is_guarded(i))) return;
    found_.push_back({i, call, model_.keys[i].name() + (call ? ", call " + std::to_string(*call) : "")});
  }

  const Policy& a_;
  const Policy& b_;
  const ModelCalls& model_;
  Tables in_a_;
  Tables in_b_;
  std::vector<Deviation> found_;
};

}  // namespace

Tables resolve_everywhere(const Policy& policy, const ModelCalls& model) {
  Tables tables;
  const auto all = devices();
  for (std::size_t i = 0; i < kDevices; ++i) tables[i] = policy::resolve(policy, model.keys, all[i], model.places);
  return tables;
}

Effect effect_of(const policy::SiteRule& rule, const Policy& policy) {
  Policy alone;
  alone.behaviour = policy.behaviour;
  alone.base = policy.base;
  alone.low = policy.low;
  alone.execution = policy.execution;
  alone.sites.push_back(rule);
  alone.sites.back().match = std::string(1, '*');
  alone.sites.back().call.reset();
  ModelCalls any;
  any.keys.resize(1);
  any.keys[0].op = rule.products.empty() ? "aten::any" : "aten::mm";  // only products have formats of their own
  const Tables tables = resolve_everywhere(alone, any);
  Effect effect;
  for (std::size_t i = 0; i < kDevices; ++i) effect[i] = tables[i].sites[0];
  return effect;
}

bool same_effect(const Effect& a, const Effect& b, bool guarded) {
  for (std::size_t i = 0; i < kDevices; ++i) {
    if (!same_decision(a[i], b[i], guarded)) return false;
  }
  return true;
}

std::vector<Deviation> deviations(const Policy& a, const Policy& b, const ModelCalls& model) {
  return Comparison(a, b, model).run();
}

bool equal_tables(const Policy& a, const Policy& b, const ModelCalls& model) {
  return deviations(a, b, model).empty();
}

}  // namespace binade::policy_tools
