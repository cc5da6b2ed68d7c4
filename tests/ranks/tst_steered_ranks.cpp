// SPDX-License-Identifier: Apache-2.0
// Requests to rank 0 of a run: they take effect on all ranks at the same step.
#include "engine/graph/model.h"
#include "engine/run/trainer.h"
#include "tests/ranks/plain_model.h"
#include "tests/ranks/rank_copies.h"
#include "tests/run/small_run.h"
#include "tests/support/suite.h"

#include <nlohmann/json.hpp>

#include <QTest>

#include <chrono>
#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <thread>
#include <vector>

using namespace binade;
using nlohmann::json;
using std::chrono::milliseconds;

namespace {

constexpr int kSteps = 10;
constexpr milliseconds kPatience{4000};  // of the ranks, less than the pause

/// Returns the time by a clock that all processes of a computer share.
std::int64_t now() {
  return std::chrono::steady_clock::now().time_since_epoch().count();
}

/// What the person at rank 0 does: sets functions of the listener that make requests.
using Person = std::function<void(run::Control& control, test::Listening& listening, json& notes)>;

/// One rank's steps of a run, its parameters after it, and the notes of the person.
std::string steered(const wire::RunConfig& config, ranks::Group* group, const Person& person) {
  run::Control control;
  test::Listening listening;
  json result;
  json notes;
  if (group == nullptr || group->rank() == 0) person(control, listening, notes);
  const auto requests = listening.at_step;
  listening.at_step = [&](const wire::StepRecord& step) {
    result["steps"].push_back({{"step", step.step},
                               {"revision", step.policy_revision},
                               {"scale", step.scale},
                               {"loss", step.loss},
                               {"stepped", step.stepped},
                               {"ended", now()}});
    if (requests) requests(step);
  };
  run::Trainer trainer(config, listening, {}, group);
  const wire::Finished finished = trainer.run(control);
  if (finished.outcome != wire::Outcome::kCompleted) throw std::runtime_error(finished.message);
  for (const auto& [name, parameter] : trainer.model().parameters()) {
    const at::Tensor values = parameter.detach().to(at::kDouble).contiguous();
    result["parameters"][name] =
        std::vector<double>(values.const_data_ptr<double>(), values.const_data_ptr<double>() + values.numel());
  }
  result["notes"] = notes;
  return result.dump();
}

std::vector<json> ranksWith(int count, const wire::RunConfig& config, const Person& person,
                            milliseconds timeout = test::kTimeout) {
  std::vector<json> all;
  const auto body = [&](ranks::Group* group) { return steered(config, group, person); };
  for (const std::string& text : test::onRanks(count, body, timeout)) {
    if (!text.starts_with("{")) throw std::runtime_error(text.empty() ? "a rank gave nothing" : text);
    all.push_back(json::parse(text));
  }
  return all;
}

/// A float16 run of a model whose examples do not depend on each other.
wire::RunConfig halfRun() {
  wire::RunConfig config = test::smallRun(kSteps);
  config.model = test::plainModel();
  config.scaler.init_scale = 1024;
  config.observe.level = "finite";
  return config;
}

/// The values of a field, by step. Fails if the steps are not 0 to the last.
std::vector<double> fieldOf(const json& rank, const char* field) {
  std::vector<double> values;
  for (const json& step : rank["steps"]) {
    if (step["step"].get<std::size_t>() != values.size()) throw std::runtime_error("steps out of order");
    values.push_back(step[field].get<double>());
  }
  return values;
}

/// `before` in the steps until `step`, and `after` from then on.
std::vector<double> changedAt(std::size_t step, double before, double after) {
  std::vector<double> values(kSteps, after);
  std::fill_n(values.begin(), step, before);
  return values;
}

/// All ranks end with the same parameters, and had the losses of one process with the same requests, up to the rounding
/// of gradients in float16.
void compareWithOneProcess(const std::vector<json>& all, const json& alone) {
  const std::vector<double> wanted = fieldOf(alone, "loss");
  for (const json& rank : all) {
    QVERIFY(rank["parameters"] == all.front()["parameters"]);
    const std::vector<double> losses = fieldOf(rank, "loss");
    QCOMPARE(losses.size(), wanted.size());
    for (std::size_t step = 0; step < losses.size(); ++step) {
      QVERIFY2(std::abs(losses[step] - wanted[step]) <= 1e-3 * wanted[step], std::to_string(step).c_str());
    }
  }
}

}  // namespace

class SteeredRanks : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void anEditOfThePolicyTakesEffectAtTheSameStep() {
    const wire::RunConfig config = halfRun();
    const Person person = [&config](run::Control& control, test::Listening& listening, json&) {
      listening.at_step = [&config, &control](const wire::StepRecord& step) {
        if (step.step != 3) return;
        wire::PolicySet set{.revision = 7, .policy = config.policy};
        set.policy.base = policy::Base::kAllFloat32;
        control.set_policy(set);
      };
    };
    const json alone = ranksWith(1, config, person).front();
    const auto all = ranksWith(3, config, person);
    for (const json& rank : all) QCOMPARE(fieldOf(rank, "revision"), changedAt(4, 0, 7));
    compareWithOneProcess(all, alone);
  }

  void aScaleSetByHandTakesEffectAtTheSameStep() {
    const wire::RunConfig config = halfRun();
    const Person person = [](run::Control& control, test::Listening& listening, json&) {
      listening.at_step = [&control](const wire::StepRecord& step) {
        if (step.step == 5) control.set_scale(64);
      };
    };
    const json alone = ranksWith(1, config, person).front();
    const auto all = ranksWith(3, config, person);
    for (const json& rank : all) QCOMPARE(fieldOf(rank, "scale"), changedAt(6, 1024, 64));
    compareWithOneProcess(all, alone);
  }

  void settingsOfTheScalerTakeEffectAtTheSameStep() {
    const wire::RunConfig config = halfRun();
    const Person person = [&config](run::Control& control, test::Listening& listening, json&) {
      listening.at_step = [&config, &control](const wire::StepRecord& step) {
        if (step.step != 1) return;
        wire::ScalerConfig scaler = config.scaler;
        scaler.growth_interval = 3;
        scaler.growth_factor = 4;
        control.tune(scaler);
      };
    };
    const json alone = ranksWith(1, config, person).front();
    QVERIFY(fieldOf(alone, "scale") != changedAt(kSteps, 1024, 0));
    const auto all = ranksWith(3, config, person);
    for (const json& rank : all) QCOMPARE(fieldOf(rank, "scale"), fieldOf(alone, "scale"));
    compareWithOneProcess(all, alone);
  }

  /// The others wait for a paused rank 0 longer than for a step, and an edit in the pause is one on all ranks.
  void aPauseHoldsAllRanks() {
    const Person person = [](run::Control& control, test::Listening& listening, json& notes) {
      listening.at_step = [&control](const wire::StepRecord& step) {
        if (step.step == 3) control.pause();
      };
      listening.at_state = [&](const wire::StateChanged& state) {
        if (state.state != wire::RunState::kPaused) return;
        notes["paused"] = state.step;
        std::thread([&] {
          std::this_thread::sleep_for(kPatience + kPatience / 2);
          notes["resumed"] = now();
          control.set_scale(256);
          control.resume();
        }).detach();  // ends before the run does, which it resumes
      };
    };
    const auto all = ranksWith(2, halfRun(), person, kPatience);
    const json& notes = all.front()["notes"];
    QCOMPARE(notes["paused"].get<int>(), 4);
    for (const json& rank : all) {
      QCOMPARE(fieldOf(rank, "scale"), changedAt(4, 1024, 256));
      QVERIFY(rank["steps"][4]["ended"].get<std::int64_t>() > notes["resumed"].get<std::int64_t>());
    }
    QVERIFY(all[0]["parameters"] == all[1]["parameters"]);
  }
};

BINADE_SUITE(SteeredRanks);
#include "tst_steered_ranks.moc"
