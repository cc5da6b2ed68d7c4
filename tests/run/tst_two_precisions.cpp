// SPDX-License-Identifier: Apache-2.0
#include "engine/run/step.h"
#include "tests/files/idx_files.h"
#include "tests/run/small_run.h"
#include "tests/support/suite.h"

#include <torch/optim/optimizer.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

using namespace binade;
using policy::Base;
using test::Listening;

namespace {

wire::RunConfig on(const char* sample, Base base, std::int64_t steps = 2) {
  wire::RunConfig config = test::smallRun(steps);
  config.model = std::string("sample:") + sample;
  config.policy.base = base;
  config.observe.level = "off";
  return config;
}

constexpr int kClasses = 4;

/// Pictures of noise with a bright bar; which quarter of the height has it is the class.
std::string bars(std::uint32_t count, unsigned seed, std::string& labels) {
  std::mt19937 random(seed);
  std::string pixels;
  for (std::uint32_t i = 0; i < count; ++i) {
    const unsigned label = random() % kClasses;
    labels.push_back(static_cast<char>(label));
    for (unsigned row = 0; row < 28; ++row) {
      for (unsigned column = 0; column < 28; ++column) {
        pixels.push_back(static_cast<char>((row / 7 == label ? 100 : 0) + random() % 150));
      }
    }
  }
  return pixels;
}

std::string folderOfBars() {
  const std::string folder = test::temporaryFolder().toStdString();
  const auto write = [&folder](const std::string& name, std::uint32_t count, unsigned seed) {
    std::string labels;
    const std::string pixels = bars(count, seed, labels);
    test::writeFile(folder + "/" + name + "-images-idx3-ubyte", test::idxBytes(0x08, {count, 28, 28}, pixels));
    test::writeFile(folder + "/" + name + "-labels-idx1-ubyte", test::idxBytes(0x08, {count}, labels));
  };
  write("train", 256, 1);
  write("t10k", 128, 2);
  return folder;
}

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// Half the width of the 95 % interval of the mean of three values, by Student's t with two degrees of freedom.
double halfWidth(const std::vector<double>& three) {
  constexpr double kStudent = 4.303;
  double squares = 0;
  for (const double value : three) squares += (value - mean(three)) * (value - mean(three));
  return kStudent * std::sqrt(squares / 2) / std::sqrt(3.0);
}

double spread(const std::vector<double>& values) {
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  return *most - *least;
}

}  // namespace

/// The same training in float32 and in mixed precision, and what of the two belongs to which.
class TestTwoPrecisions : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void theOptimizerStepsTheModelsOwnParameters_data() {
    QTest::addColumn<int>("base");
    QTest::newRow("cuda-amp") << static_cast<int>(Base::kCudaAmp);
    QTest::newRow("cpu-amp") << static_cast<int>(Base::kCpuAmp);
    QTest::newRow("apex-o1") << static_cast<int>(Base::kApexO1);
  }
  /// No copies of the weights: what the optimizer holds are the model's leaves, in float32.
  void theOptimizerStepsTheModelsOwnParameters() {
    QFETCH(const int, base);
    const auto training = train::set_up(on("cnn", static_cast<Base>(base)));
    QVERIFY(!training->masters);
    std::vector<at::Tensor> stepped;
    for (const auto& group : training->optimizer->param_groups()) {
      stepped.insert(stepped.end(), group.params().begin(), group.params().end());
    }
    const auto own = training->model.parameters();
    QCOMPARE(stepped.size(), own.size());
    std::vector<at::Tensor> before;
    for (std::size_t i = 0; i < own.size(); ++i) {
      QVERIFY2(stepped[i].is_same(own[i].second) && own[i].second.is_leaf(), own[i].first.c_str());
      before.push_back(own[i].second.detach().clone());
    }
    run::Stepper stepper(*training);
    int step = 0;
    while (!stepper.run(step).record.stepped) QVERIFY(++step < 20);
    int changed = 0;
    for (std::size_t i = 0; i < own.size(); ++i) changed += own[i].second.equal(before[i]) ? 0 : 1;
    QCOMPARE(changed, static_cast<int>(own.size()));
  }

  /// Which op runs in what: products and convolutions in float16, the loss in float32; weights, their gradients and
  /// the update in float32.
  void productsRunInFloat16AndTheUpdateInFloat32() {
    const auto training = train::set_up(on("cnn", Base::kCudaAmp));
    int products = 0;
    int losses = 0;
    for (std::size_t i = 0; i < training->sites.size(); ++i) {
      const std::string& op = training->sites[i]->op;
      const policy::Decision& decision = training->policy->sites[i];
      if (op == "aten::conv2d" || op == "aten::linear") {
        ++products;
        QVERIFY(decision.kind == policy::Decision::Kind::kFormat && decision.format == formats::kFloat16);
      }
      if (op == "aten::cross_entropy_loss" || op == "aten::log_softmax") {
        ++losses;
        QVERIFY(decision.format == formats::kFloat32);
      }
    }
    QCOMPARE(products, 4);
    QVERIFY(losses > 0);
    run::Stepper(*training).run(0);
    QVERIFY(!training->model.parameters().empty() && !training->trainable.empty());
    for (const auto& [name, parameter] : training->model.parameters()) {
      QVERIFY2(parameter.scalar_type() == at::kFloat, name.c_str());
    }
    for (const auto& [name, parameter] : training->trainable) {
      QVERIFY2(parameter.scalar_type() == at::kFloat, name.c_str());
    }
  }

  void neitherCastsNorTheScalerBringTheOther_data() {
    QTest::addColumn<bool>("casts");
    QTest::addColumn<bool>("scaler");
    for (const bool casts : {false, true}) {
      for (const bool scaler : {false, true}) {
        QTest::addRow("%s, %s", casts ? "casts" : "no casts", scaler ? "a scaler" : "no scaler") << casts << scaler;
      }
    }
  }
  void neitherCastsNorTheScalerBringTheOther() {
    QFETCH(const bool, casts);
    QFETCH(const bool, scaler);
    wire::RunConfig config = on("mlp", casts ? Base::kCudaAmp : Base::kAllFloat32);
    config.scaler.enabled = scaler;
    config.scaler.init_scale = 256;
    const auto training = train::set_up(config);
    QCOMPARE(training->scalers.any_enabled(), scaler);
    int low = 0;
    for (const policy::Decision& decision : training->policy->sites) {
      low += decision.kind == policy::Decision::Kind::kFormat && decision.format == formats::kFloat16 ? 1 : 0;
    }
    QCOMPARE(low > 0, casts);
    const wire::StepRecord record = run::Stepper(*training).run(0).record;
    QCOMPARE(record.scale, scaler ? 256.0 : 1.0);
    QVERIFY(record.stepped && std::isfinite(record.loss));
  }

  /// float16 throughout has no room for the square of 300; at O1 the same op runs in float32.
  void halfThroughoutDivergesWhereCastsDoNot() {
    wire::RunConfig config = test::smallRun(1);
    config.model = test::saveModel(test::temporaryFolder().toStdString(),
                                   "def forward(self, x):\n"
                                   "    y = torch.linear(x, self.weight, self.bias)\n"
                                   "    return torch.pow(y + 300.0, 2) * 0.001\n");
    config.data.inputs = {"float32[16,8]"};
    config.data.classes = 4;
    config.observe.level = "off";
    const auto lossAt = [&config](Base base) {
      config.policy.base = base;
      const auto training = train::set_up(config);
      return run::Stepper(*training).run(0).record.loss;
    };
    const double float32 = lossAt(Base::kApexO0);
    QVERIFY(std::isfinite(float32));
    QVERIFY(std::abs(lossAt(Base::kApexO1) - float32) < 0.1);
    QVERIFY(!std::isfinite(lossAt(Base::kApexO3)));
  }

  void mixedPrecisionEndsWhereFloat32Does_data() {
    QTest::addColumn<QString>("sample");
    QTest::addColumn<int>("steps");
    QTest::addColumn<double>("rate");
    QTest::newRow("fully connected") << QStringLiteral("mlp") << 48 << 0.02;
    QTest::newRow("convolutional") << QStringLiteral("cnn") << 32 << 0.02;
    QTest::newRow("recurrent") << QStringLiteral("lstm") << 48 << 0.05;
  }
  /// The same description, but for the precision: after training, the mean of three seeds differs by no more than the
  /// seeds do, and the interval of the three differences holds 0.
  void mixedPrecisionEndsWhereFloat32Does() {
    QFETCH(const QString, sample);
    QFETCH(const int, steps);
    QFETCH(const double, rate);
    static const std::string folder = folderOfBars();
    const auto losses = [&](Base base) {
      std::vector<double> ends;
      for (const std::uint64_t seed : {1U, 2U, 3U}) {
        wire::RunConfig config = on(qPrintable(sample), base, steps);
        config.data.inputs.clear();
        config.data.kind = "idx";
        config.data.folder = folder;
        config.optimizer.learning_rate = rate;
        config.scaler.init_scale = 1024;
        config.seed = seed;
        Listening heard;
        const test::Done done = test::runToEnd(config, heard);
        if (done.finished.outcome != wire::Outcome::kCompleted) return std::vector<double>{NAN};
        ends.push_back(heard.evaluations.back().loss);
      }
      return ends;
    };
    const std::vector<double> float32 = losses(Base::kAllFloat32);
    const std::vector<double> mixed = losses(Base::kCudaAmp);
    QCOMPARE(float32.size(), std::size_t{3});
    QCOMPARE(mixed.size(), std::size_t{3});
    std::vector<double> differences;
    for (std::size_t seed = 0; seed < float32.size(); ++seed) differences.push_back(mixed[seed] - float32[seed]);
    qInfo("float32 %.4f (spread %.4f), mixed %.4f, difference %.4f ± %.4f", mean(float32), spread(float32), mean(mixed),
          mean(differences), halfWidth(differences));
    QVERIFY(mean(float32) < 0.8 * std::log(10.0));  // it learned: the model has ten outputs
    QVERIFY(std::abs(mean(mixed) - mean(float32)) <= std::max(spread(float32), 0.02));
    // A difference of 0.02 is no loss of accuracy, however sure it is.
    QVERIFY(std::abs(mean(differences)) <= std::max(halfWidth(differences), 0.02));
    // An interval as wide as what was learned would hold 0 for any two trainings.
    QVERIFY(halfWidth(differences) < std::log(10.0) - mean(float32));
    // Two trainings that end on the same bits would be one training: nothing was rounded to float16.
    for (std::size_t seed = 0; seed < float32.size(); ++seed) QVERIFY(mixed[seed] != float32[seed]);
  }
};

BINADE_SUITE(TestTwoPrecisions);
#include "tst_two_precisions.moc"
