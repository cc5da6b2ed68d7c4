// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/effect.h"
#include "engine/formats/tensor_stats.h"
#include "tests/run/small_run.h"
#include "tests/support/suite.h"

#include <algorithm>
#include <cmath>
#include <map>

using namespace binade;
using test::Listening;
using test::runToEnd;
using test::smallRun;
using Kind = wire::WatchedTensor::Kind;

namespace {

const wire::ObserveConfig kAll{.level = "histogram", .every = 1, .inputs = true, .parameters = true};

/// What one step showed, by kind, op call and name.
class Shown {
 public:
  Shown(const Listening& heard, std::size_t step) : sites_(heard.started.front().model.sites) {
    for (const wire::StepRecord& each : heard.steps) {
      tensors_.insert(tensors_.end(), each.new_tensors.begin(), each.new_tensors.end());
    }
    observations_ = heard.steps[step].observations;
  }
  const wire::Observation* find(Kind kind, const std::string& path, const std::string& argument) const {
    for (const wire::Observation& each : observations_) {
      const wire::WatchedTensor& tensor = tensorOf(each);
      if (tensor.kind != kind || tensor.argument != argument) continue;
      if (tensor.site >= 0 && sites_[static_cast<std::size_t>(tensor.site)].key.path == path) return &each;
    }
    return nullptr;
  }
  std::size_t count(Kind kind) const {
    return static_cast<std::size_t>(std::count_if(observations_.begin(), observations_.end(),
                                                  [&](const auto& each) { return tensorOf(each).kind == kind; }));
  }
  const wire::WatchedTensor& tensorOf(const wire::Observation& seen) const {
    return tensors_[static_cast<std::size_t>(seen.tensor)];
  }

 private:
  const std::vector<wire::SiteInfo>& sites_;
  std::vector<wire::WatchedTensor> tensors_;
  std::vector<wire::Observation> observations_;
};

wire::RunConfig runOf(const std::string& body, std::int64_t steps) {
  wire::RunConfig config = test::lineRun(body, steps);
  config.observe = kAll;
  return config;
}

}  // namespace

/// What is watched on request: arguments before their cast, parameters, and their gradients once these are unscaled.
class WatchedOnRequest : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void aRunThatIsWatchedEqualsTheRunThatIsNot() {
    for (const char* execution : {"emulated", "native"}) {
      wire::RunConfig config = smallRun(24);
      config.scaler.init_scale = std::ldexp(1.0, 24);  // with skipped steps, and their replays, among them
      config.policy.low = formats::kBFloat16;
      if (std::string(execution) == "emulated") config.policy.low = formats::kFloat16;
      config.policy.execution =
          std::string(execution) == "emulated" ? policy::Execution::kEmulated : policy::Execution::kNative;
      config.observe.level = "off";
      Listening unseen;
      const auto without = runToEnd(config, unseen);
      for (const char* level : {"finite", "histogram", "what-if"}) {
        config.observe = kAll;
        config.observe.level = level;
        Listening seen;
        const auto with = runToEnd(config, seen);
        QCOMPARE(seen.losses(), unseen.losses());
        QCOMPARE(test::firstDifference(with.tensors, without.tensors), std::string());
      }
    }
  }

  void onlyWhatIsAskedForIsSeen() {
    for (const bool inputs : {false, true}) {
      for (const bool parameters : {false, true}) {
        wire::RunConfig config = smallRun(1);
        config.scaler.init_scale = 1024;
        config.observe = {.level = "histogram", .every = 1, .inputs = inputs, .parameters = parameters};
        Listening heard;
        runToEnd(config, heard);
        const Shown shown(heard, 0);
        QCOMPARE(shown.count(Kind::kInput) > 0, inputs);
        QCOMPARE(shown.count(Kind::kParameter) > 0, parameters);
        QCOMPARE(shown.count(Kind::kParameterGradient), shown.count(Kind::kParameter));
      }
    }
  }

  // A finite float32 argument that the low format does not hold: seen as it was, with what its cast does to it.
  void anArgumentThatItsCastMakesInfiniteIsSeenAsItWas() {
    Listening heard;
    runToEnd(runOf("    return torch.linear(x * 0.0 + 1e6, self.weight, self.bias)\n", 1), heard);
    QVERIFY(!heard.steps.front().stepped);
    const Shown shown(heard, 0);
    const wire::Observation* input = shown.find(Kind::kInput, "", "input");
    QVERIFY(input != nullptr);
    QCOMPARE(input->stats.count, std::uint64_t{48});
    QCOMPARE(input->stats.overflow, std::uint64_t{48});
    QCOMPARE(input->stats.non_finite(), std::uint64_t{0});
    QCOMPARE(input->stats.largest, 1e6F);
    QVERIFY(shown.tensorOf(*input).format == formats::kFloat16);
    QVERIFY(formats::effect_of(input->stats, formats::kBFloat16).overflow.count == (formats::CountRange{0, 0}));
  }

  // Nothing fails, and half of the argument is gone: the run says so with its counts.
  void anArgumentThatItsCastMakesZeroIsCounted() {
    Listening heard;
    runToEnd(runOf("    y = torch.cat([x[:, :4] * 1e-9, x[:, 4:] * 0.0 + 1e-3], 1)\n"
                   "    return torch.linear(y, self.weight, self.bias)\n",
                   1),
             heard);
    QVERIFY(heard.steps.front().stepped);
    const Shown shown(heard, 0);
    const wire::Observation* input = shown.find(Kind::kInput, "", "input");
    QVERIFY(input != nullptr);
    QCOMPARE(input->stats.underflow, std::uint64_t{24});
    QCOMPARE(formats::effect_of(input->stats, formats::kFloat16).zero.count, (formats::CountRange{24, 24}));
  }

  void aParametersGradientIsSeenUnscaled() {
    wire::RunConfig config = smallRun(2);
    config.scaler.init_scale = 1024;
    config.observe = kAll;
    config.clip.norm = 1e-6;  // what comes after it is much smaller
    Listening heard;
    runToEnd(config, heard);
    const Shown shown(heard, 1);
    const wire::Observation* scaled = shown.find(Kind::kInputGradient, "fc1", "weight");
    const wire::Observation* plain = shown.find(Kind::kParameterGradient, "fc1", "fc1.weight");
    QVERIFY(scaled != nullptr && plain != nullptr);
    QVERIFY(shown.tensorOf(*plain).format == formats::kFloat32);
    QVERIFY(wire::is_gradient(shown.tensorOf(*plain)) && !wire::is_scaled(shown.tensorOf(*plain)));
    // Before rounding and after it: float16 has eleven bits.
    QVERIFY(std::fabs(scaled->stats.largest / 1024 / plain->stats.largest - 1) < 1e-3);
    QCOMPARE(plain->stats.count, scaled->stats.count);
    const wire::Observation* weight = shown.find(Kind::kParameter, "fc1", "fc1.weight");
    QVERIFY(weight != nullptr);
    QCOMPARE(weight->stats.count, plain->stats.count);
  }

  // They are no gradients of the scaled loss: no band of safe scales, and no event, is made of them.
  void whatIsWatchedBesidesMovesNoBandAndMakesNoEvent() {
    const auto ran = [](const wire::ObserveConfig& observe) {
      wire::RunConfig config = smallRun(12);
      config.scaler.init_scale = std::ldexp(1.0, 24);
      config.observe = observe;
      Listening heard;
      runToEnd(config, heard);
      std::vector<std::string> said;
      for (wire::Event& event : heard.events) said.push_back(heard.said(event));
      return std::pair(said, heard.silent.back().faults.size());
    };
    QVERIFY(ran(kAll) == ran({.level = "histogram", .every = 1}));
  }

  void theReplayBringsThemWhereSamplingLeftThemOut() {
    const auto failed = [](std::int64_t every) {
      wire::RunConfig config = smallRun(8);
      config.scaler.init_scale = 1024;
      config.observe = kAll;
      config.observe.every = every;
      run::Control control;
      Listening heard;
      heard.at_step = [&](const wire::StepRecord& step) {
        if (step.step == 4) control.set_scale(std::ldexp(1.0, 40));
      };
      runToEnd(config, heard, control);
      // Ids are given as tensors are met: by name, then.
      std::map<std::string, wire::Observation> seen;
      std::vector<wire::WatchedTensor> tensors;
      for (const wire::StepRecord& step : heard.steps) {
        tensors.insert(tensors.end(), step.new_tensors.begin(), step.new_tensors.end());
        if (step.stepped) continue;
        for (wire::Observation each : step.observations) {
          const wire::WatchedTensor& of = tensors[static_cast<std::size_t>(each.tensor)];
          each.tensor = 0;
          seen.emplace(wire::name(of.kind) + std::to_string(of.site) + of.argument + formats::name(of.format), each);
        }
        break;
      }
      return seen;
    };
    const auto all = failed(1);
    QVERIFY(all.size() > 10);
    QVERIFY(all == failed(1000));
  }

  void itIsSwitchedWhileTheRunGoesOn() {
    wire::RunConfig config = smallRun(9);
    config.scaler.init_scale = 1024;
    config.observe = {.level = "histogram", .every = 1, .parameters = false};
    run::Control control;
    Listening heard;
    heard.at_step = [&](const wire::StepRecord& step) {
      if (step.step == 2) control.set_observe(kAll);
      if (step.step == 5) control.set_observe({.level = "histogram", .every = 1, .sites = "fc2", .parameters = true});
    };
    runToEnd(config, heard, control);
    for (std::size_t step = 0; step < 9; ++step) {
      const Shown shown(heard, step);
      QCOMPARE(shown.count(Kind::kInput) > 0, step >= 3 && step < 6);
      QCOMPARE(shown.count(Kind::kParameter) > 0, step >= 3);
      // With a filter only the parameters of the op calls that it lets through.
      if (step >= 6) QVERIFY(shown.find(Kind::kParameter, "fc1", "fc1.weight") == nullptr);
      if (step >= 6) QVERIFY(shown.find(Kind::kParameter, "fc2", "fc2.weight") != nullptr);
    }
  }
};

BINADE_SUITE(WatchedOnRequest);
#include "tst_observe_more.moc"
