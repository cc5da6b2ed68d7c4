// SPDX-License-Identifier: Apache-2.0
#include "tests/targets/assigned.h"

#include <cstdio>
#include <cstdlib>
#include <utility>

namespace binade::test {

namespace {

using policy::Base;
using policy::Policy;
using policy::SiteRule;
using policy::Treatment;

constexpr formats::Format kFp8Forward = formats::kFloat8E4M3fn;
constexpr formats::Format kFp8Backward = formats::kFloat8E5M2;

SiteRule ruleFor(const char* match, formats::Format format, std::optional<int> call = std::nullopt) {
  SiteRule rule;
  rule.match = match;
  rule.format = format;
  rule.call = call;
  return rule;
}

Policy withOps(Base base, std::map<std::string, policy::OpChange> ops) {
  Policy made = startingFrom(base, formats::kBFloat16);
  made.ops = std::move(ops);
  return made;
}

Policy withRules(Base base, std::vector<SiteRule> rules) {
  Policy made = startingFrom(base, formats::kBFloat16);
  made.sites = std::move(rules);
  return made;
}

Policy withGradients() {
  Policy made = withRules(Base::kCudaAmp, {ruleFor("fc", kFp8Forward), ruleFor("layer1.conv", formats::kFloat16)});
  made.sites[0].backward = kFp8Backward;
  made.sites[1].backward = formats::kBFloat16;
  return made;
}

Policy withOverflow() {
  Policy made = withRules(Base::kCudaAmp, {ruleFor("fc", formats::kFloat16), ruleFor("head", kFp8Forward)});
  made.sites[0].overflow = formats::Overflow::kSaturate;
  made.sites[1].overflow = formats::Overflow::kInfinity;
  return made;
}

Policy withTexts() {
  Policy made = withRules(Base::kCpuAmp, {ruleFor("head/aten::softmax#0", formats::kFloat32)});
  made.name = "tuned, \"as is\" <b>& 'more' \xc3\xa4";
  made.sites[0].why = "first line\nsecond, with | and */ and --> and \"\"\"";
  return made;
}

}  // namespace

const std::vector<policy::SiteKey>& madeUpModel() {
  static const std::vector<policy::SiteKey> keys{
      {"layer1.conv", "_conv_forward", "aten::conv2d", "", 0},
      {"layer1.norm", "", "aten::batch_norm", "", 0},
      {"layer1", "", "aten::relu_", "", 0},
      {"layer1", "", "aten::add", "Tensor", 0},
      {"layer1", "", "aten::add", "Tensor", 1},
      {"cell", "", "aten::linear", "", 0},
      {"cell", "", "aten::tanh", "", 0},
      {"fc", "", "aten::linear", "", 0},
      {"head.norm", "", "aten::layer_norm", "", 0},
      {"head", "", "aten::softmax", "int", 0},
      {"head", "", "aten::sum", "dim_IntList", 0},
      {"", "", "aten::mul", "Tensor", 0},
      {"", "", "aten::matmul", "", 0},
  };
  return keys;
}

targets::Assignment assigned(const Policy& policy, const std::vector<policy::SiteKey>& keys,
                             const std::optional<wire::ScalerConfig>& scaler) {
  targets::Assignment made;
  made.model = "model.pt";
  made.policy = policy;
  made.keys = keys;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    policy::SitePlace place;
    place.repeats = keys[i].path == "cell";
    made.places.push_back(place);
    made.sources.push_back(keys[i].path.empty() ? "" : "model.py:" + std::to_string(10 + i));
  }
  const policy::Capabilities every{.native_bfloat16 = true, .native_float16 = true, .native_tfloat32 = true};
  made.table = policy::resolve(policy, made.keys, every, made.places);
  made.scaler = scaler;
  return made;
}

Policy startingFrom(Base base, formats::Format low) {
  Policy made;
  made.base = base;
  made.low = low;
  return made;
}

const std::vector<NamedPolicy>& policiesOfEveryKind() {
  static const std::vector<NamedPolicy> list{
      {"cuda-amp float16", startingFrom(Base::kCudaAmp, formats::kFloat16)},
      {"cuda-amp bfloat16", startingFrom(Base::kCudaAmp, formats::kBFloat16)},
      {"cpu-amp bfloat16", startingFrom(Base::kCpuAmp, formats::kBFloat16)},
      {"apex-o0", startingFrom(Base::kApexO0, formats::kFloat16)},
      {"apex-o1", startingFrom(Base::kApexO1, formats::kFloat16)},
      {"apex-o2", startingFrom(Base::kApexO2, formats::kFloat16)},
      {"apex-o3", startingFrom(Base::kApexO3, formats::kFloat16)},
      {"all-float32", startingFrom(Base::kAllFloat32, formats::kFloat16)},
      {"low of 8 bits", startingFrom(Base::kCudaAmp, kFp8Forward)},
      {"an op in float32", withOps(Base::kCudaAmp, {{"aten::linear", formats::kFloat32}})},
      {"an op in a low format", withOps(Base::kCudaAmp, {{"aten::softmax", Treatment::kLow}})},
      {"an overload only", withOps(Base::kCudaAmp, {{"aten::add.Tensor", formats::kFloat32}})},
      {"treatments",
       withOps(Base::kCudaAmp, {{"aten::mul", Treatment::kPromote}, {"aten::linear", Treatment::kFollow}})},
      {"a banned op", withOps(Base::kCudaAmp, {{"aten::sum", Treatment::kBanned}})},
      {"one op call", withRules(Base::kCudaAmp, {ruleFor("fc/aten::linear#0", formats::kFloat32)})},
      {"a module's subtree", withRules(Base::kCudaAmp, {ruleFor("layer1", formats::kFloat32)})},
      {"a pattern", withRules(Base::kCudaAmp, {ruleFor("*/aten::add#1", formats::kFloat16)})},
      {"a later rule wins", withRules(Base::kAllFloat32, {ruleFor("head", formats::kBFloat16),
                                                          ruleFor("head/aten::softmax#0", formats::kFloat32)})},
      {"a call in a loop", withRules(Base::kCudaAmp, {ruleFor("cell/aten::linear#0", formats::kFloat32, 2)})},
      {"a loop and one of its calls",
       withRules(Base::kCudaAmp, {ruleFor("cell", formats::kFloat16), ruleFor("cell", formats::kFloat32, 0)})},
      {"8 bits", withRules(Base::kCudaAmp, {ruleFor("fc", kFp8Forward)})},
      {"a custom format", withRules(Base::kCudaAmp, {ruleFor("fc", formats::Format{5, 7})})},
      {"gradients of another format", withGradients()},
      {"treatment of overflow", withOverflow()},
      {"texts to escape", withTexts()},
  };
  return list;
}

const targets::Target& targetOf(const char* name) {
  const targets::Target* const target = targets::find_target(name);
  if (target == nullptr) {
    std::fprintf(stderr, "no target has the name %s\n", name);
    std::abort();
  }
  return *target;
}

}  // namespace binade::test
