// SPDX-License-Identifier: Apache-2.0
#include "tests/policy_tools/made_up.h"

#include <algorithm>
#include <array>

namespace binade::test {

namespace {

using policy::Policy;
using policy::SiteRule;

constexpr std::array kOps{"aten::conv2d",     "aten::linear",  "aten::relu",
                          "aten::layer_norm", "aten::softmax", "aten::add"};
constexpr std::array kFormats{formats::kFloat32, formats::kFloat16, formats::kBFloat16};

class Dice {
 public:
  explicit Dice(std::mt19937& random) : random_(random) {}
  std::size_t below(std::size_t sides) { return random_() % sides; }
  bool one_in(std::size_t sides) { return below(sides) == 0; }

 private:
  std::mt19937& random_;
};

SiteRule random_rule(const policy_tools::ModelCalls& model, Dice& dice) {
  const policy::SiteKey& site = model.keys[dice.below(model.keys.size())];
  SiteRule rule;
  switch (dice.below(7)) {
    case 0:
      rule.match = site.path;
      break;
    case 1:
      rule.match = "*/" + site.op + "#*";
      break;
    case 2:
      rule.match = dice.one_in(2) ? "*" : "gone";
      break;
    case 3:
      rule.match = "loss/aten::mse_loss#0";
      break;
    default:
      rule.match = site.name();
  }
  if (rule.match.empty()) rule.match = "*";
  rule.format = kFormats[dice.one_in(2) ? 0 : dice.below(kFormats.size())];
  if (dice.one_in(6)) rule.call = static_cast<int>(dice.below(2));
  if (dice.one_in(8)) rule.execution = policy::Execution::kEmulated;
  if (dice.one_in(8)) rule.why = "reason " + std::to_string(dice.below(3));
  return rule;
}

}  // namespace

void add_call(policy_tools::ModelCalls& model, const std::string& path, const std::string& op) {
  policy::SiteKey key;
  key.path = path;
  key.op = op;
  key.ordinal = static_cast<int>(std::count_if(model.keys.begin(), model.keys.end(), [&](const policy::SiteKey& other) {
    return other.path == path && other.op == op;
  }));
  model.keys.push_back(key);
  model.places.push_back({});
  model.guarded.push_back(false);
}

policy_tools::ModelCalls model_of(std::initializer_list<std::pair<const char*, const char*>> calls) {
  policy_tools::ModelCalls model;
  for (const auto& [path, op] : calls) add_call(model, path, op);
  return model;
}

policy_tools::ModelCalls random_model(std::mt19937& random) {
  Dice dice(random);
  policy_tools::ModelCalls model;
  const std::size_t layers = 1 + dice.below(4);
  const bool composite = dice.one_in(2);
  for (std::size_t layer = 0; layer < layers; ++layer) {
    for (const char* module : {".conv1", ".norm", ".fc"}) {
      const std::string path = "layer" + std::to_string(layer) + module;
      for (std::size_t call = 0; call <= dice.below(3); ++call) add_call(model, path, kOps[dice.below(kOps.size())]);
    }
  }
  add_call(model, "", "aten::mul");
  for (std::size_t i = 0; i < model.keys.size(); ++i) {
    model.places[i].inside = composite && dice.one_in(8);
    model.places[i].view = dice.one_in(12);
    model.guarded[i] = dice.one_in(6);
  }
  return model;
}

Policy random_policy(const policy_tools::ModelCalls& model, std::mt19937& random) {
  Dice dice(random);
  Policy policy;
  policy.base = static_cast<policy::Base>(dice.below(7));
  policy.low = dice.one_in(2) ? formats::kFloat16 : formats::kBFloat16;
  if (dice.one_in(4)) policy.behaviour = policy::Behaviour::kPyTorch211;
  for (std::size_t rules = dice.below(14); rules > 0; --rules) policy.sites.push_back(random_rule(model, dice));
  for (std::size_t changes = dice.below(4); changes > 0; --changes) {
    const std::string& op = model.keys[dice.below(model.keys.size())].op;
    policy.ops[op] = dice.one_in(2) ? policy::OpChange(kFormats[dice.below(kFormats.size())])
                                    : policy::OpChange(static_cast<policy::Treatment>(dice.below(4)));
  }
  return policy;
}

std::size_t size_of(const Policy& policy) {
  return policy.sites.size() + policy.ops.size();
}

SiteRule rule_for(const std::string& match, const formats::Format& format, const std::string& why) {
  SiteRule rule;
  rule.match = match;
  rule.format = format;
  rule.why = why;
  return rule;
}

}  // namespace binade::test
