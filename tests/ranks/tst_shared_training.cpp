// SPDX-License-Identifier: Apache-2.0
// A training on several ranks beside one process on whole batches.
#include "engine/batches/open_data.h"
#include "engine/checkpoint/checkpoint.h"
#include "engine/diagnose/replay.h"
#include "engine/policy/recipes.h"
#include "engine/ranks/label_shares.h"
#include "engine/ranks/sameness.h"
#include "engine/ranks/shared_training.h"
#include "engine/run/step.h"
#include "engine/train/training_state_guard.h"
#include "tests/ranks/plain_model.h"
#include "tests/ranks/rank_copies.h"
#include "tests/run/small_run.h"
#include "tests/support/suite.h"

#include <nlohmann/json.hpp>

#include <QTest>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

using namespace binade;
using nlohmann::json;

namespace {

/// Takes steps as one rank, or alone. The result has the gradients of the last step and, on rank 0, its record.
std::string trained(const wire::RunConfig& config, ranks::Group* group, int steps,
                    const std::string& level = "histogram") {
  train::Seat seat;
  if (group != nullptr) seat.shard = {group->rank(), group->size()};
  wire::RunConfig own = config;
  if (group != nullptr && group->rank() != 0) own.run_file.clear();  // as run::Trainer
  const auto training = train::set_up(own, {}, seat);
  std::unique_ptr<ranks::SharedTraining> shared;
  if (group != nullptr) {
    shared = std::make_unique<ranks::SharedTraining>(*group, *training);
    shared->check_same();
  }
  run::Stepper stepper(*training, true, shared.get());
  json result;
  const auto observed = level == "histogram" ? observe::Level::kHistogram : observe::Level::kOff;
  for (int step = 0; step < steps; ++step) {
    const std::uint64_t before = group != nullptr ? group->bytes_beside_gradients() : 0;
    const run::StepOutcome outcome = stepper.run(step, observed);
    json each;
    each["loss"] = std::isfinite(outcome.record.loss) ? outcome.record.loss : -1;
    each["found_inf"] = outcome.record.found_inf;
    each["stepped"] = outcome.record.stepped;
    each["scale"] = training->scalers.scale(0);
    each["diagnosed"] = outcome.diagnosis.has_value();
    if (outcome.diagnosis) {
      each["bundle"] = outcome.diagnosis->bundle;
      each["notes"] = outcome.diagnosis->notes;
    }
    for (const wire::RankFacts& facts : outcome.record.ranks) {
      each["ranks"].push_back({{"rank", facts.rank}, {"found_inf", facts.found_inf}, {"rows", facts.rows}});
    }
    if (group != nullptr) each["beside"] = group->bytes_beside_gradients() - before;
    result["steps"].push_back(each);
    if (step + 1 < steps) continue;
    for (const wire::QuantizedOperand& operand : outcome.quantized) {
      const std::string place = std::to_string(operand.site) + " " + policy::name(operand.product) + " " +
                                std::to_string(static_cast<int>(operand.operand));
      const scaled::BlockStats& stats = operand.stats;
      result["quantized"][place] = {{"executions", operand.executions}, {"values", stats.values},
                                    {"non_zero", stats.non_zero},       {"to_zero", stats.to_zero},
                                    {"saturated", stats.saturated},     {"blocks", stats.blocks},
                                    {"scales", stats.scales},           {"largest", stats.largest},
                                    {"signal", stats.signal},           {"noise", stats.noise}};
    }
    const auto& watched = stepper.watched();
    for (const wire::Observation& observation : outcome.record.observations) {
      const wire::WatchedTensor& tensor = watched[static_cast<std::size_t>(observation.tensor)];
      json stats;
      stats["count"] = observation.stats.count;
      stats["zero"] = observation.stats.zero;
      stats["overflow"] = observation.stats.overflow;
      stats["largest"] = observation.stats.largest;
      stats["binades"] = observation.stats.binades;
      result["stats"][std::to_string(tensor.site) + " " + wire::name(tensor.kind) + " " + tensor.argument] = stats;
    }
  }
  for (const auto& each : training->autocast.products().delayed()) {
    const std::string place = std::to_string(each.site) + " " + std::to_string(static_cast<int>(each.operand));
    result["scales"][place] = each.state;
  }
  for (const auto& [name, parameter] : training->trainable) {
    const at::Tensor gradient = parameter.grad().to(at::kDouble).contiguous();
    const at::Tensor values = parameter.detach().to(at::kDouble).contiguous();
    const auto list = [](const at::Tensor& of) {
      return std::vector<double>(of.const_data_ptr<double>(), of.const_data_ptr<double>() + of.numel());
    };
    result["gradients"][name] = list(gradient.nan_to_num());
    result["parameters"][name] = list(values);
  }
  for (const auto& [name, buffer] : training->model.buffers()) {
    const at::Tensor values = buffer.to(at::kDouble).contiguous();
    result["buffers"][name] =
        std::vector<double>(values.const_data_ptr<double>(), values.const_data_ptr<double>() + values.numel());
  }
  return result.dump();
}

std::vector<json> ranksOf(int count, const wire::RunConfig& config, int steps, const std::string& level = "histogram") {
  std::vector<json> all;
  const auto texts = test::onRanks(count, [&](ranks::Group* group) { return trained(config, group, steps, level); });
  for (const std::string& text : texts) {
    if (!text.starts_with("{")) throw std::runtime_error(text.empty() ? "a rank gave nothing" : text);
    all.push_back(json::parse(text));
  }
  return all;
}

/// The largest difference of two lists of tensors beside the largest value of each tensor.
double relativeDifference(const json& a, const json& b) {
  double worst = 0;
  for (const auto& [name, values] : a.items()) {
    const auto one = values.get<std::vector<double>>();
    const auto other = b.at(name).get<std::vector<double>>();
    double largest = 0;
    double difference = 0;
    for (std::size_t i = 0; i < one.size(); ++i) {
      largest = std::max(largest, std::abs(one[i]));
      difference = std::max(difference, std::abs(one[i] - other[i]));
    }
    if (largest > 0) worst = std::max(worst, difference / largest);
  }
  return worst;
}

wire::RunConfig inFloat32(const std::string& model, std::vector<std::string> inputs, std::int64_t batch) {
  wire::RunConfig config = test::smallRun(10);
  config.model = model;
  config.data.inputs = std::move(inputs);
  config.batch = batch;
  config.policy = {};
  config.policy.base = policy::Base::kAllFloat32;
  config.observe.level = "histogram";
  return config;
}

/// A model whose examples do not depend on each other.
wire::RunConfig plain(std::int64_t batch) {
  return inFloat32(test::plainModel(), {"float32[16,1,28,28]"}, batch);
}

/// A model with batch norms.
wire::RunConfig normed(const std::string& batch_norm, std::int64_t batch) {
  wire::RunConfig config = inFloat32("sample:cnn", {"float32[12,1,28,28]"}, batch);
  config.batch_norm = batch_norm;
  return config;
}

/// The model with scaled operands of its products.
wire::RunConfig byRecipe(const std::string& name) {
  wire::RunConfig config = plain(16);
  config.policy = *policy::recipe(name);
  return config;
}

/// Rows of files, of which row `bad` overflows in float16, and the labels of the rows `ignored` are ignored.
wire::RunConfig withBadRow(int bad, const std::set<int>& ignored = {}) {
  const std::string folder = test::folder();
  const std::string file = folder + "/rows.csv";
  std::ofstream table(file);
  table << "c0,c1,c2,c3,c4,c5,c6,c7,label\n";
  for (int row = 0; row < 8; ++row) {
    for (int i = 0; i < 8; ++i) table << (row == bad ? "1e30" : "0.5") << ',';
    table << (ignored.contains(row) ? -100 : row % 4) << '\n';
  }
  table.close();
  wire::RunConfig config = test::lineRun("    return torch.linear(x, self.weight, self.bias)\n", 10);
  config.data = {};
  config.data.kind = "files";
  config.data.files = {file};
  config.data.columns["x"].from.values = {"c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7"};
  config.data.targets["label"].from.values = {"label"};
  config.data.shuffle = false;
  config.batch = 8;
  return config;
}

}  // namespace

class SharedTrainings : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void gradientsEqualThoseOfOneProcess_data() {
    QTest::addColumn<int>("count");
    QTest::addColumn<int>("batch");
    QTest::addColumn<int>("accumulate");
    QTest::newRow("2 ranks") << 2 << 16 << 1;
    QTest::newRow("4 ranks") << 4 << 16 << 1;
    QTest::newRow("4 ranks, uneven") << 4 << 10 << 1;
    QTest::newRow("2 ranks, accumulated") << 2 << 16 << 3;
  }

  void gradientsEqualThoseOfOneProcess() {
    QFETCH(int, count);
    QFETCH(int, batch);
    QFETCH(int, accumulate);
    wire::RunConfig config = plain(batch);
    config.accumulate = accumulate;
    const json alone = ranksOf(1, config, 1).front();
    const auto all = ranksOf(count, config, 1);
    const double difference = relativeDifference(alone["gradients"], all[0]["gradients"]);
    QVERIFY2(difference <= 1e-6, std::to_string(difference).c_str());
    for (const json& rank : all) {
      QVERIFY(rank["gradients"] == all[0]["gradients"]);
      QVERIFY(rank["parameters"] == all[0]["parameters"]);
    }
    const double loss = alone["steps"][0]["loss"].get<double>();
    QVERIFY(std::abs(all[0]["steps"][0]["loss"].get<double>() - loss) <= 1e-6 * loss);
  }

  void parametersStayEqual() {
    const wire::RunConfig config = plain(16);
    const json alone = ranksOf(1, config, 8).front();
    const auto all = ranksOf(2, config, 8);
    QVERIFY(all[0]["parameters"] == all[1]["parameters"]);
    const double difference = relativeDifference(alone["parameters"], all[0]["parameters"]);
    QVERIFY2(difference <= 1e-5, std::to_string(difference).c_str());
  }

  void histogramsAreThoseOfOneProcess() {
    const wire::RunConfig config = plain(16);
    const json alone = ranksOf(1, config, 1).front();
    const json merged = ranksOf(2, config, 1).front();
    QVERIFY(!alone["stats"].empty());
    int compared = 0;
    for (const auto& [tensor, stats] : alone["stats"].items()) {
      QVERIFY2(merged["stats"].contains(tensor), tensor.c_str());
      const json& other = merged["stats"][tensor];
      // Gradients of weights are sums over rows, of which each rank has its own.
      if (tensor.find("output") == std::string::npos || tensor.starts_with("-1")) continue;
      if (stats["count"] == 1) continue;  // the loss, a mean
      ++compared;
      QCOMPARE(other["count"].get<std::uint64_t>(), stats["count"].get<std::uint64_t>());
      QCOMPARE(other["zero"].get<std::uint64_t>(), stats["zero"].get<std::uint64_t>());
      std::int64_t moved = 0;  // a value beside a power of two may round to the other side
      for (std::size_t i = 0; i < stats["binades"].size(); ++i) {
        moved += std::abs(stats["binades"][i].get<std::int64_t>() - other["binades"][i].get<std::int64_t>());
      }
      QVERIFY2(moved <= 2, (tensor + ": " + std::to_string(moved)).c_str());
    }
    QVERIFY(compared >= 4);
  }

  void normsOverAllExamplesEqualThoseOfOneProcess() {
    const json alone = ranksOf(1, normed("local", 12), 1).front();
    const auto synchronised = ranksOf(2, normed("synchronised", 12), 1);
    const auto local = ranksOf(2, normed("local", 12), 1);
    json wanted = alone["gradients"];
    // A norm removes the bias of the convolution before it, whose gradient is 0 but for rounding.
    for (const char* name : {"conv1.bias", "conv2.bias"}) QCOMPARE(wanted.erase(name), std::size_t{1});
    const double same = relativeDifference(wanted, synchronised[0]["gradients"]);
    QVERIFY2(same <= 2e-5, std::to_string(same).c_str());
    QVERIFY(relativeDifference(alone["buffers"], synchronised[0]["buffers"]) <= 1e-5);
    QVERIFY(relativeDifference(wanted, local[0]["gradients"]) > 1e-3);
    QVERIFY(local[0]["buffers"] == local[1]["buffers"]);
    QVERIFY(synchronised[0]["parameters"] == synchronised[1]["parameters"]);
  }

  void scalesOfDelayedScalingFollowAllExamples() {
    const wire::RunConfig config = byRecipe("fp8-delayed");
    const json alone = ranksOf(1, config, 3, "off").front();
    const auto all = ranksOf(2, config, 3, "off");
    QVERIFY(!alone["scales"].empty());
    QCOMPARE(all[0]["scales"].size(), alone["scales"].size());
    QVERIFY(all[0]["scales"] == all[1]["scales"]);
    for (const auto& [place, state] : alone["scales"].items()) {
      const auto wanted = state.get<std::vector<float>>();
      const auto found = all[0]["scales"][place].get<std::vector<float>>();
      QCOMPARE(found.size(), wanted.size());
      for (std::size_t i = 0; i < wanted.size(); ++i) {
        QVERIFY2(std::abs(found[i] - wanted[i]) <= 1e-2F * std::abs(wanted[i]), place.c_str());
      }
    }
    for (const json& rank : all) QVERIFY(rank["parameters"] == all[0]["parameters"]);
  }

  void statisticsOfQuantizedOperandsAreThoseOfOneProcess() {
    const wire::RunConfig config = byRecipe("mxfp8");
    const json alone = ranksOf(1, config, 1).front();
    const json merged = ranksOf(2, config, 1).front();
    QVERIFY(!alone["quantized"].empty());
    QCOMPARE(merged["quantized"].size(), alone["quantized"].size());
    int compared = 0;
    for (const auto& [place, stats] : alone["quantized"].items()) {
      const json& other = merged["quantized"][place];
      QVERIFY2(other["executions"] == stats["executions"] && other["values"] == stats["values"], place.c_str());
      // In the gradient of a weight, the examples of each rank have blocks of their own.
      if (place.find(policy::name(policy::Product::kForward)) == std::string::npos) continue;
      ++compared;
      QVERIFY2(other["blocks"] == stats["blocks"] && other["saturated"] == stats["saturated"], place.c_str());
      std::int64_t moved = 0;  // a value beside a power of two may round to the other side
      for (std::size_t i = 0; i < stats["scales"].size(); ++i) {
        moved += std::abs(stats["scales"][i].get<std::int64_t>() - other["scales"][i].get<std::int64_t>());
      }
      moved += std::abs(stats["to_zero"].get<std::int64_t>() - other["to_zero"].get<std::int64_t>());
      QVERIFY2(moved <= 3, (place + ": " + std::to_string(moved)).c_str());
      for (const char* name : {"largest", "signal", "noise"}) {
        const double wanted = stats[name].get<double>();
        QVERIFY2(std::abs(other[name].get<double>() - wanted) <= 1e-2 * wanted, (place + ": " + name).c_str());
      }
    }
    QVERIFY(compared >= 2);
  }

  void anOverflowOnOneRankIsOneForAll() {
    const auto all = ranksOf(2, withBadRow(6), 1);
    for (const json& rank : all) {
      const json& step = rank["steps"][0];
      QVERIFY(!step["stepped"].get<bool>());
      QCOMPARE(step["scale"].get<double>(), 512.0);
    }
    const json& step = all[0]["steps"][0];
    QVERIFY(step["diagnosed"].get<bool>());
    QVERIFY(!step["ranks"][0]["found_inf"].get<bool>());
    QVERIFY(step["ranks"][1]["found_inf"].get<bool>());
    QVERIFY(step["ranks"][0]["rows"].empty());
    QVERIFY((step["ranks"][1]["rows"] == json{4, 5, 6, 7}));
  }

  // Rank 0 keeps the state of a step that rank 1 explains, from which one process replays the part of rank 1.
  void aStepOfAnotherRankCanBeReplayed() {
    wire::RunConfig config = withBadRow(6);
    config.run_file = test::folder() + "/kept.binade";
    const auto all = ranksOf(2, config, 1);
    const auto bundle = all[0]["steps"][0]["bundle"].get<std::string>();
    QCOMPARE(bundle, std::string("kept.step-0.safetensors"));
    QVERIFY(all[1]["steps"][0]["bundle"].get<std::string>().empty());
    const std::string file = (std::filesystem::path(config.run_file).parent_path() / bundle).string();
    config.run_file.clear();
    const auto replayed = [&](const batches::Shard& shard) {
      return test::onRanks(1, [&](ranks::Group*) {
        train::Seat seat;
        seat.shard = shard;
        const auto training = train::set_up(config, {}, seat);
        checkpoint::load_checkpoint(*training, file);
        ranks::seed_step(config.seed, shard.index, 0);
        training->buffers.keep();
        diagnose::Replay replay(*training);
        replay.begin(training->data->cursor(), train::RandomState::of(training->device));
        replay.add(training->data->next());
        const train::TrainingStateGuard guard(*training);
        return std::string(replay.run({}).finite() ? "finite" : "not finite");
      });
    };
    QCOMPARE(replayed({0, 2}), std::vector<std::string>{"finite"});
    QCOMPARE(replayed({1, 2}), std::vector<std::string>{"not finite"});
  }

  // Rank 0 has one label of the four that count, so its loss counts by a quarter.
  void aReplayWeighsIgnoredLabelsAsTheStepDid() {
    const wire::RunConfig config = withBadRow(6, {0, 1, 3, 5});
    const auto shares = test::onRanks(2, [&](ranks::Group* group) {
      train::Seat seat;
      seat.shard = {group->rank(), group->size()};
      const auto training = train::set_up(config, {}, seat);
      ranks::SharedTraining shared(*group, *training);
      batches::Batch of_step = training->data->next();
      batches::Batch of_replay = of_step;
      shared.weigh(of_step);
      const auto whole = batches::open_data(config, training->forward.schema());
      const ranks::LabelCounts all = ranks::count_labels(*training, whole->next());
      ranks::set_label_shares(*training, of_replay, ranks::count_labels(*training, of_replay), all);
      return std::to_string(of_step.share_of(0)) + ' ' + std::to_string(of_replay.share_of(0));
    });
    QCOMPARE(shares, (std::vector<std::string>{"0.250000 0.250000", "0.750000 0.750000"}));
  }

  // A replay on one rank cannot have the norms of the step.
  void aReplayWithSynchronisedNormsSaysWhatItLacks() {
    for (const std::string norm : {"synchronised", "local"}) {
      wire::RunConfig config = normed(norm, 12);
      config.policy.base = policy::Base::kCudaAmp;
      config.scaler.enabled = true;
      config.scaler.init_scale = 0x1p100;
      const auto all = ranksOf(2, config, 1);
      const json& step = all[0]["steps"][0];
      QVERIFY(step["diagnosed"].get<bool>());
      const bool said = step["notes"].dump().find("Batch norms are synchronised") != std::string::npos;
      QCOMPARE(said, norm == "synchronised");
    }
  }

  void littleIsSentBesideGradients() {
    const auto all = ranksOf(2, plain(16), 4, "off");
    for (const json& step : all[1]["steps"]) QVERIFY(step["beside"].get<int>() <= 256);
  }

  void aRankWithAnotherModelIsNamed() {
    const wire::RunConfig described = plain(16);
    const auto texts = test::onRanks(3, [&](ranks::Group* group) {
      wire::RunConfig config = described;
      if (group->rank() == 2) config.policy.base = policy::Base::kCudaAmp;
      if (group->rank() == 1) config.seed = 8;
      return trained(config, group, 1);
    });
    const std::string& text = texts.front();
    QVERIFY2(text.starts_with("error: Rank 1 (host "), text.c_str());
    QVERIFY2(
        text.find(") differs from rank 0 in the run description's seed (8, not 7). Rank 2 (host ") != std::string::npos,
        text.c_str());
    QVERIFY2(text.ends_with(") differs from rank 0 in the policy table"), text.c_str());
    // It is said once.
    for (const std::size_t rank : {1U, 2U}) {
      QCOMPARE(texts[rank], std::string("error: The ranks differ in their files or settings, so none trains"));
    }
  }

  void differencesNameTheFilesAndTheirHashesLast() {
    const ranks::Contents first{{"the version of LibTorch", "2.11.0"},
                                {"the model file cnn.pt", "9ab1cdef0123"},
                                {"the data file a.csv", "11112222aaaa"},
                                {"the policy table", "aa"},
                                {"the device", "cuda"}};
    ranks::Contents second = first;
    QVERIFY(ranks::difference(second, first).what.empty());
    QVERIFY(!ranks::why_unlike({{"Rank 0 (host a)", {}}}));
    second[1].second = "3f02abcd4567";
    second[2].first = "the data file b.csv";
    second[3].second = "bb";  // follows from another model
    ranks::Contents third = first;
    third[4].second = "cpu";
    const auto unlike = ranks::why_unlike({{"Rank 0 (host a)", {}},
                                           {"Rank 1 (host b)", ranks::difference(second, first)},
                                           {"Rank 2 (host c)", ranks::difference(third, first)}});
    QVERIFY(unlike);
    QCOMPARE(
        std::string(unlike->what()),
        std::string("Rank 1 (host b) differs from rank 0 in the model file cnn.pt, the data file b.csv (which rank "
                    "0 does not read) and the data file a.csv (which only rank 0 reads). Rank 2 (host c) differs "
                    "from rank 0 in the device (cpu, not cuda). Hashes: Rank 1 (host b): the model file cnn.pt "
                    "3f02abcd, not 9ab1cdef"));
    QVERIFY2(unlike->hint.starts_with("Copy these files from the computer of rank 0"), unlike->hint.c_str());
  }

  void differencesNameTheFieldsOfTheDescription() {
    const std::string long_value(64, 'a');
    const ranks::Contents first{{"the run description's batch", "8"}, {"the run description's data", long_value}};
    const ranks::Contents second{{"the run description's batch", "16"}, {"the run description's data", "{}"}};
    QCOMPARE(ranks::difference(second, first).what,
             std::string("the run description's batch (16, not 8) and the run description's data"));
    QCOMPARE(ranks::difference({}, {{"the run description's losses", "[]"}}).what,
             std::string("the run description's losses (given only on rank 0)"));
    QCOMPARE(ranks::difference({{"the run description's losses", "[]"}}, {}).what,
             std::string("the run description's losses (not given on rank 0)"));
  }

  void contentsAreFieldByField() {
    const std::string what = test::inCopies(1, [](int, int) {
      const auto training = train::set_up(plain(4));
      wire::RunConfig other = training->config;
      other.batch = 9;
      other.clip.norm = 3;
      const auto changed = train::set_up(other);
      return ranks::difference(ranks::contents_of(*changed), ranks::contents_of(*training)).what;
    })[0];
    QVERIFY2(what.find("the run description's batch (9, not ") != std::string::npos, what.c_str());
    QVERIFY2(what.find("the run description's clip") != std::string::npos, what.c_str());
    QVERIFY2(what.find("optimizer") == std::string::npos, what.c_str());
  }

  void aBatchSmallerThanTheRanksIsRefused() {
    const wire::RunConfig config = plain(3);
    const auto texts = test::onRanks(4, [&](ranks::Group* group) { return trained(config, group, 1); });
    for (const std::string& text : texts) QVERIFY2(text.find("batch is 3") != std::string::npos, text.c_str());
  }
};

BINADE_SUITE(SharedTrainings);
#include "tst_shared_training.moc"
