// SPDX-License-Identifier: Apache-2.0
#include "tests/planted/planted_case.h"

#include "engine/formats/error.h"
#include "engine/graph/model.h"
#include "tests/planted/insert.h"
#include "tests/planted/piece.h"
#include "tests/support/places.h"

#include <algorithm>
#include <cstdint>
#include <random>
#include <utility>

namespace binade::test {

namespace {

/// A model that something is planted in, and the data that it trains on.
struct Host {
  const char* name;
  const char* model;
  const char* inputs;
  std::int64_t batch;
  std::int64_t classes = 10;
  const char* output = "";
  bool shrinks = false;  ///< its last values are too small for a factor to matter
  double learning_rate = 0.02;
};

constexpr Host kMlp{"mlp", "sample:mlp", "float32[4,1,28,28]", 4};
constexpr Host kCnn{"cnn", "sample:cnn", "float32[4,1,28,28]", 4};
constexpr Host kResNet{"resnet", "sample:resnet", "float32[2,3,16,16]", 2};
constexpr Host kTransformer{"transformer", "sample:transformer", "int64[4,8]<1000", 4};
constexpr Host kLstm{"lstm", "sample:lstm", "float32[4,1,28,28]", 4};
constexpr Host kControlFlow{
    "control-flow", "sample:control-flow", "dict(\"x\": float32[4,16], \"context\": float32[4,8])", 4, 10, "[0]"};
constexpr Host kDeep{"deep", "sample:deep", "float32[4,1,28,28]", 4, 10, "", /*shrinks=*/true};
// Its scores are large, so it diverges at the usual rate in float32 too.
constexpr Host kAttention{"attention", "sample:attention", "float32[4,24,64]", 4, 10, "", false, 1e-5};
constexpr Host kScripted{"scripted.pt", BINADE_TEST_DATA "/models/scripted.pt", "float32[4,3,12,12]", 4, 4};
constexpr Host kRecurrent{"recurrent.pt", BINADE_TEST_DATA "/models/recurrent.pt", "float32[4,6,8]", 4, 4};
constexpr Host kCalledTwice{"called_twice.pt", BINADE_TEST_DATA "/models/called_twice.pt", "float32[4,4]", 4, 4};

/// What is planted: drawn pieces at drawn places, or the weights of layers before a norm, scaled by 2^18. The norm
/// undoes the factor, but the layer's results overflow float16.
struct Plan {
  const Host& host;
  bool float16 = true;
  std::size_t pieces = 0;  ///< at most; fewer where the model has not as many places
  std::uint64_t seed = 0;
  std::vector<const char*> layers{};
};

constexpr bool kFloat16 = true;
constexpr bool kBFloat16 = false;

const std::vector<Plan>& plans() {
  static const std::vector<Plan> all{
      {kMlp, kFloat16, 1, 1},
      {kMlp, kFloat16, 3, 2},
      {kMlp, kBFloat16, 2, 3},
      {kCnn, kFloat16, 2, 4},
      {kCnn, kBFloat16, 1, 5},
      {kCnn, kFloat16, 0, 0, {"conv1"}},
      {kCnn, kFloat16, 0, 0, {"conv1", "conv2"}},
      {kResNet, kFloat16, 4, 6},
      {kResNet, kBFloat16, 2, 7},
      {kResNet, kFloat16, 0, 0, {"layer1.conv2"}},
      {kResNet, kFloat16, 0, 0, {"stem", "layer2.down", "layer3.conv1"}},
      {kTransformer, kFloat16, 1, 8},
      {kTransformer, kFloat16, 4, 9},
      {kTransformer, kBFloat16, 3, 10},
      {kTransformer, kBFloat16, 1, 11},
      {kLstm, kFloat16, 1, 12},
      {kLstm, kFloat16, 2, 13},
      {kLstm, kBFloat16, 1, 14},
      {kControlFlow, kFloat16, 1, 15},
      {kControlFlow, kFloat16, 2, 16},
      {kControlFlow, kBFloat16, 2, 17},
      {kDeep, kBFloat16, 2, 18},
      {kDeep, kBFloat16, 4, 19},
      {kAttention, kBFloat16, 1, 20},
      {kCnn, kBFloat16, 3, 21},
      {kScripted, kFloat16, 2, 22},
      {kScripted, kBFloat16, 3, 23},
      {kRecurrent, kFloat16, 1, 24},
      {kRecurrent, kBFloat16, 1, 25},
      {kCalledTwice, kFloat16, 1, 26},
  };
  return all;
}

wire::RunConfig runOn(const Host& host, bool float16) {
  wire::RunConfig config;
  config.name = "planted";
  config.model = host.model;
  config.data.inputs = {host.inputs};
  config.data.classes = host.classes;
  config.data.prefetch = 0;
  config.batch = host.batch;
  config.output = host.output;
  config.optimizer.learning_rate = host.learning_rate;
  config.policy.base = float16 ? policy::Base::kCudaAmp : policy::Base::kCpuAmp;
  config.policy.low = float16 ? formats::kFloat16 : formats::kBFloat16;
  config.policy.execution = policy::Execution::kEmulated;  // the same results on every machine
  config.scaler.enabled = float16;
  config.scaler.init_scale = 1024;
  config.observe.level = "off";
  config.seed = 7;
  return config;
}

/// The case before anything is planted.
PlantedCase start(const Plan& plan) {
  PlantedCase made{plan.host.name, runOn(plan.host, plan.float16), {}};
  made.name += " " + formats::name(made.run.policy.low);
  return made;
}

/// Pieces and places drawn until each piece is one op call of the flat graph: a place in a module that is called twice
/// gives two.
PlantedCase drawn(const Plan& plan, const std::string& file) {
  constexpr int kDraws = 40;
  PlantedCase made = start(plan);
  const std::vector<Piece>& known = pieces(made.run.policy.low);
  const std::vector<std::string> low = lowResults(made.run);
  std::mt19937_64 random(plan.seed);
  for (int draw = 0; draw < kDraws; ++draw) {
    const graph::Model model = openHost(made.run);
    std::vector<Place> places = placesOf(model, low);
    if (places.empty()) break;
    const std::size_t count = std::min(plan.pieces, places.size());
    while (places.size() > count) {
      places.erase(places.begin() + static_cast<std::ptrdiff_t>(random() % places.size()));
    }
    std::vector<const Piece*> chosen;
    while (chosen.size() < count) {
      const Piece& piece = known[random() % known.size()];
      const bool at_end = chosen.size() + 1 == count && places.back().is_last && !plan.host.shrinks;
      if (!piece.at_end || at_end) chosen.push_back(&piece);
    }
    for (std::size_t i = 0; i < count; ++i) insert(places[i], *chosen[i]);
    save(model, file);
    made.known = plantedCalls(file, chosen);
    if (made.known.size() != count) continue;
    made.run.model = file;
    for (std::size_t i = 0; i < count; ++i) made.name += (i == 0 ? ": " : "; ") + chosen[i]->name;
    return made;
  }
  throw Error(ErrorCode::kInternal, std::string(plan.host.name) + " has no place for what is planted");
}

PlantedCase scaled(const Plan& plan, const std::string& file) {
  constexpr double kFactor = 0x1p18;
  PlantedCase made = start(plan);
  const graph::Model model = openHost(made.run);
  made.name += ": range: weights of ";
  for (const char* layer : plan.layers) {
    scaleLayer(model, layer, kFactor);
    made.known.push_back(std::string(layer) + "/aten::conv2d#0");
    made.name += (made.known.size() > 1 ? ", " : "") + std::string(layer);
  }
  save(model, file);
  made.run.model = file;
  return made;
}

}  // namespace

std::size_t plantedCases() {
  return plans().size();
}

PlantedCase plantedCase(std::size_t number, const std::string& folder) {
  const Plan& plan = plans().at(number);
  const std::string file = folder + "/planted-" + std::to_string(number) + ".pt";
  return plan.layers.empty() ? drawn(plan, file) : scaled(plan, file);
}

policy::Policy withFloat32(policy::Policy policy, const std::vector<std::string>& calls) {
  for (const std::string& call : calls) {
    policy::SiteRule& rule = policy.sites.emplace_back();
    rule.match = call;
    rule.format = formats::kFloat32;
  }
  return policy;
}

}  // namespace binade::test
