// SPDX-License-Identifier: Apache-2.0
#include "engine/policy/rebase.h"

#include "engine/formats/error.h"
#include "engine/policy/finding_text.h"
#include "engine/policy/op_lists.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

namespace binade::policy {

namespace {

constexpr std::string_view kAnyOverload = "*";

/// A list's treatment of an op. Apex's O1 bans only float16 arguments, a policy's ban covers all.
struct Treated {
  CastRule rule = CastRule::kNone;
  bool float16_only = false;

  friend bool operator==(const Treated&, const Treated&) = default;
};

Treated treated_by(Base base, std::string_view op, std::string_view overload) {
  const CastRule rule = rule_for(base, op, overload);
  return {rule, rule == CastRule::kBanned && base == Base::kApexO1};
}

void refuse_whole_models(Base base) {
  if (base != Base::kApexO2 && base != Base::kApexO3) return;
  throw Error(ErrorCode::kUsage,
              name(base) + " is more than a list of ops: it stores weights in float16 and computes the loss in float32",
              "Supported are cuda-amp, cpu-amp, apex-o0, apex-o1 and all-float32. With float16 weights, change the "
              "base yourself.");
}

class Rebase {
 public:
  Rebase(const Policy& policy, Base base) : from_(policy.base), to_(base) {
    out_.policy = policy;
    out_.policy.base = base;
    for (const auto& [key, change] : policy.ops) said_.insert(key);
  }

  Rebased run() {
    refuse_whole_models(from_);
    refuse_whole_models(to_);
    const bool edited = !out_.policy.ops.empty() || !out_.policy.sites.empty();
    std::map<std::string_view, std::set<std::string_view>> overloads;
    for (const Base base : {from_, to_}) {
      for (const OpRow& row : rows(base)) {
        auto& of_op = overloads[row.op];
        if (row.overload != kAnyOverload) of_op.insert(row.overload);
      }
    }
    for (const auto& [op, named] : overloads) change(op, named);
    keep_loss();
    tell();
    if (out_.policy.behaviour == Behaviour::kPyTorch211 && !edited && !out_.added.empty()) {
      out_.inexact.push_back(
          "behaviour pytorch-2.11 leaves unlisted ops unchanged only if the policy changes nothing. Now they use the "
          "widest dtype of their arguments.");
    }
    return std::move(out_);
  }

 private:
  void change(std::string_view op, const std::set<std::string_view>& named) {
    // The two ops that make up the loss under cuda-amp give float32 results, as do the lists that name
    // cross_entropy_loss.
    if (op == "cross_entropy_loss" && from_ == Base::kCudaAmp) return;
    const std::string key = "aten::" + std::string(op);
    if (said_.contains(key)) return;  // the policy's own change, for all overloads
    const Treated others = treated_by(from_, op, kAnyOverload);
    const bool whole = others != treated_by(to_, op, kAnyOverload);
    if (whole) add(key, others);
    for (const std::string_view overload : named) {
      const Treated wanted = treated_by(from_, op, overload);
      if (wanted == (whole ? others : treated_by(to_, op, overload))) continue;
      add(key + "." + (overload.empty() ? "default" : std::string(overload)), wanted);
    }
  }

  void add(const std::string& key, Treated treated) {
    const OpChange change = change_for(key, treated);
    if (!out_.policy.ops.try_emplace(key, change).second) return;  // the policy's own change stays
    out_.added.push_back(key);
  }

  OpChange change_for(const std::string& key, Treated treated) {
    switch (treated.rule) {
      case CastRule::kLower:
        return Treatment::kLow;
      case CastRule::kCustom:  // _cudnn_rnn: float16 upstream, whatever the low format
        if (out_.policy.behaviour == Behaviour::kPyTorch211) return formats::kFloat16;
        return Treatment::kLow;
      case CastRule::kFloat32:
        return formats::kFloat32;
      case CastRule::kSetDtype:
      case CastRule::kAppendDtype:
        told_dtype_.push_back(key);
        return formats::kFloat32;
      case CastRule::kPromote:
        return Treatment::kPromote;
      case CastRule::kBanned:
        if (!treated.float16_only) return Treatment::kBanned;
        bans_float16_.push_back(key);
        return Treatment::kFollow;
      case CastRule::kNone:
        break;
    }
    return Treatment::kFollow;
  }

  /// cpu-amp casts a cross entropy as a whole. Under any other list a run composes it of two ops (train::loss_text),
  /// and cpu-amp does not name the first. Its path is `loss` in a run with one loss, otherwise `loss.0` and so on.
  void keep_loss() {
    SiteRule rule;
    rule.format = formats::kFloat32;
    rule.why = "cpu-amp casts a cross entropy as a whole";
    auto& sites = out_.policy.sites;
    // Drops the rules that an earlier conversion added; under cpu-amp they would match nothing.
    std::erase_if(sites, [&](const SiteRule& each) {
      return each.why == rule.why && each.match.starts_with("loss") && each.match.ends_with("/aten::log_softmax#*");
    });
    if (from_ != Base::kCpuAmp || to_ == Base::kCpuAmp || said_.contains("aten::cross_entropy_loss")) return;
    for (const char* match : {"loss.*/aten::log_softmax#*", "loss/aten::log_softmax#*"}) {
      rule.match = match;
      sites.insert(sites.begin(), rule);  // the policy's own rules come later and so win
    }
  }

  void tell() {
    if (!told_dtype_.empty()) {
      out_.inexact.push_back(
          name(from_) +
          " gives these ops dtype float32 and does not cast their arguments. Now the arguments are cast to float32: " +
          first_of(told_dtype_) + ".");
    }
    if (!bans_float16_.empty()) {
      out_.inexact.push_back(
          name(from_) + " refuses float16 arguments of these ops. Now they compute in the dtype of their arguments: " +
          first_of(bans_float16_) + ".");
    }
  }

  const Base from_;
  const Base to_;
  Rebased out_;
  std::set<std::string> said_;  ///< keys of the policy's own op changes
  std::vector<std::string> told_dtype_;
  std::vector<std::string> bans_float16_;
};

/// Op and overload of a key such as `aten::sum.dim_IntList`; the overload is `*` if the key is for all.
struct KeyParts {
  explicit KeyParts(std::string_view key)
      : op(key.substr(0, key.find('.'))), overload(op.size() == key.size() ? kAnyOverload : key.substr(op.size() + 1)) {
    if (overload == "default") overload = {};
  }
  bool is_of(const SiteKey& site) const {
    return site.op == op && (overload == kAnyOverload || site.overload == overload);
  }
  std::string_view op;
  std::string_view overload;
};

}  // namespace

Rebased rebase(const Policy& policy, Base base) {
  return Rebase(policy, base).run();
}

std::size_t keep_called(Rebased& converted, std::span<const SiteKey> sites) {
  return std::erase_if(converted.added, [&](const std::string& key) {
    const KeyParts parts(key);
    if (std::any_of(sites.begin(), sites.end(), [&parts](const SiteKey& site) { return parts.is_of(site); })) {
      return false;
    }
    converted.policy.ops.erase(key);
    return true;
  });
}

std::string reason_of(const std::string& key, Base from, Base to) {
  const auto on = [parts = KeyParts(key)](Base base) {
    const CastRule rule = rule_for(base, parts.op, parts.overload);
    return rule == CastRule::kNone ? "not on " + name(base) : std::string(name(rule)) + " on " + name(base);
  };
  return on(from) + ", " + on(to);
}

}  // namespace binade::policy
