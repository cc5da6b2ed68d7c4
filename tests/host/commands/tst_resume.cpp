// SPDX-License-Identifier: Apache-2.0
#include "engine/files/safetensors.h"
#include "engine/graph/model.h"
#include "engine/graph/samples.h"
#include "engine/wire/run_config.h"
#include "tests/host/run_engine.h"
#include "tests/support/places.h"
#include "tests/support/suite.h"

#include <ATen/core/jit_type.h>
#include <ATen/ops/linspace.h>
#include <ATen/ops/zeros.h>
#include <QFile>
#include <QProcess>
#include <torch/csrc/jit/api/module.h>

#include <cmath>
#include <filesystem>
#include <random>

using namespace binade;

namespace {

constexpr std::int64_t kHalf = 50;

struct Optimizer {
  const char* kind;
  bool fused;
};
constexpr Optimizer kOptimizers[] = {{"sgd", false},     {"adam", false}, {"adamw", false}, {"rmsprop", false},
                                     {"adagrad", false}, {"sgd", true},   {"adam", true},   {"adamw", true}};

/// A model whose forward depends on what it keeps beside parameters: a count of its calls, a text, and a hidden state
/// that each call replaces. With dropout, in whose mask a wrong random state would show.
constexpr const char* kCounting = "counting";
std::string countingModel(const std::string& folder) {
  torch::jit::Module module("__torch__.Counting");
  module.register_attribute("training", c10::BoolType::get(), true);
  module.register_attribute("calls", c10::IntType::get(), 0);
  module.register_attribute("said", c10::StringType::get(), std::string("even"));
  module.register_parameter("weight", at::linspace(-1, 1, 32).reshape({4, 8}).requires_grad_(true), false);
  module.register_buffer("hidden", at::zeros({4}));
  module.define(
      "def forward(self, x: Tensor) -> Tensor:\n"
      "    self.calls = self.calls + 1\n"
      "    y = torch.linear(torch.dropout(x, 0.2, self.training), self.weight) + self.hidden\n"
      "    if self.said == \"odd\":\n"
      "        y = y * 0.5\n"
      "    self.said = \"odd\" if self.calls % 2 == 1 else \"even\"\n"
      "    self.hidden = self.hidden * 0.9 + y.detach().float().mean(0) * 0.1\n"
      "    return y + 1.0 / float(self.calls)\n");
  const std::string file = folder + "/counting.pt";
  module.save(file);
  return file;
}

/// With dropout where the model has any, accumulation, skipped steps, a schedule, evaluations that do not fall on the
/// half, and a growth tracker that stands in mid-window there.
wire::RunConfig runOf(const std::string& model, const Optimizer& optimizer) {
  wire::RunConfig config;
  config.model = "sample:" + model;
  if (model == kCounting) {
    config.model = countingModel(test::temporaryFolder().toStdString());
    config.data.inputs = {"float32[2,8]"};
    config.data.classes = 4;
  }
  config.evaluate_every = 7;
  if (model == "control-flow") {  // it returns a pair, and no classes
    config.loss = "mse";
    config.output = "[0]";
  }
  config.batch = 2;
  config.accumulate = 2;
  config.steps = 2 * kHalf;
  config.observe.level = "off";
  config.optimizer.kind = optimizer.kind;
  config.optimizer.fused = optimizer.fused;
  config.optimizer.learning_rate = 0.002;
  config.optimizer.momentum = 0.9;
  config.schedule.kind = "cosine";
  config.schedule.warmup = 5;
  config.clip.norm = 10;
  config.scaler.init_scale = std::ldexp(1.0, 30);
  config.scaler.growth_interval = 13;
  config.policy.execution = policy::Execution::kEmulated;
  config.checkpoint.every = kHalf;
  return config;
}

/// Trains in a process of its own; what it said on standard error where it failed.
QString train(const wire::RunConfig& config) {
  const QString file = test::temporaryFolder() + QStringLiteral("/run.json");
  QFile out(file);
  if (!out.open(QIODevice::WriteOnly)) return QStringLiteral("no file");
  out.write(QByteArray::fromStdString(wire::to_json(config)));
  out.close();
  QProcess process;
  process.start(
      QStringLiteral(BINADE_BIN_DIR "/binade-engine"),
      {QStringLiteral("train"), file, QStringLiteral("--run-file"), QStringLiteral("none"), QStringLiteral("--json")});
  if (!process.waitForFinished(600000)) return QStringLiteral("it did not end");
  if (process.exitStatus() == QProcess::NormalExit && process.exitCode() == 0) return {};
  return QString::fromUtf8(process.readAllStandardError() + process.readAllStandardOutput());
}

std::string stepFile(const std::string& folder, std::int64_t step) {
  return folder + "/" + QString::asprintf("step-%08lld.safetensors", static_cast<long long>(step)).toStdString();
}

/// What differs between two checkpoints, but for where they are kept; empty where nothing does.
std::string difference(const std::string& a, const std::string& b) {
  const auto one = files::read_safetensors(a);
  const auto two = files::read_safetensors(b);
  if (one.tensors.size() != two.tensors.size()) return "number of tensors";
  for (const auto& [name, tensor] : one.tensors) {
    const auto other = two.tensors.find(name);
    if (other == two.tensors.end()) return name;
    const bool same = tensor.scalar_type() == other->second.scalar_type() && tensor.sizes() == other->second.sizes() &&
                      std::memcmp(tensor.const_data_ptr(), other->second.const_data_ptr(), tensor.nbytes()) == 0;
    if (!same) return name;
  }
  for (const char* key : {"scalers", "data", "optimizer", "attributes", "step", "policy"}) {
    if (one.metadata.at(key) != two.metadata.at(key)) return key;
  }
  return {};
}

void addRow(const std::string& model, const Optimizer& optimizer) {
  QTest::addRow("%s, %s%s", model.c_str(), optimizer.kind, optimizer.fused ? ", fused" : "")
      << QString::fromStdString(model) << QString::fromLatin1(optimizer.kind) << optimizer.fused;
}

void addColumns() {
  QTest::addColumn<QString>("model");
  QTest::addColumn<QString>("kind");
  QTest::addColumn<bool>("fused");
}

void compareHalvesWithWhole() {
  QFETCH(const QString, model);
  QFETCH(const QString, kind);
  QFETCH(const bool, fused);
  const std::string kind_text = kind.toStdString();
  wire::RunConfig config = runOf(model.toStdString(), {kind_text.c_str(), fused});
  const std::string folder = test::temporaryFolder().toStdString();
  config.checkpoint.folder = folder + "/straight";
  QString failed = train(config);
  QVERIFY2(failed.isEmpty(), qPrintable(failed));
  config.resume = stepFile(config.checkpoint.folder, kHalf);
  config.checkpoint.folder = folder + "/resumed";
  failed = train(config);
  QVERIFY2(failed.isEmpty(), qPrintable(failed));
  const std::string whole = stepFile(folder + "/straight", 2 * kHalf);
  QCOMPARE(difference(whole, stepFile(folder + "/resumed", 2 * kHalf)), std::string());
  // That the comparison can fail, and the run was not over at the half.
  QVERIFY(!difference(whole, config.resume).empty());
}

}  // namespace

/// 50 + 50 steps through a checkpoint and a new process are 100 steps, bit for bit: a seeded tenth of all pairs of a
/// sample and an optimizer.
class TestResume : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void halvesInTwoProcessesAreTheWhole_data();
  void halvesInTwoProcessesAreTheWhole() { compareHalvesWithWhole(); }

  void theCheckpointAndItsStepAreNamed() {
    const QString folder = test::temporaryFolder() + QStringLiteral("/named");
    const QString run = test::runFile({{QStringLiteral("checkpoint"), QJsonObject{{QStringLiteral("folder"), folder},
                                                                                  {QStringLiteral("every"), 2}}}});
    const auto trained = [&run](const QStringList& more) {
      return test::engine(
          QStringList{QStringLiteral("train"), run, QStringLiteral("--run-file"), QStringLiteral("none")} + more);
    };
    const test::EngineResult first = trained({QStringLiteral("--steps"), QStringLiteral("2")});
    QVERIFY2(first.code == 0, qPrintable(first.err));
    QVERIFY2(!first.out.contains(QLatin1String("Resumed")), qPrintable(first.out));
    const QString file = folder + QStringLiteral("/step-00000002.safetensors");
    const test::EngineResult text =
        trained({QStringLiteral("--steps"), QStringLiteral("4"), QStringLiteral("--resume"), folder});
    QVERIFY2(text.out.contains(QStringLiteral("\nResumed from step 2 of %1\n").arg(file)), qPrintable(text.out));
    const test::EngineResult lines = trained({QStringLiteral("--json"), QStringLiteral("--resume"), file});
    QVERIFY2(lines.code == 0, qPrintable(lines.err));
    const QJsonObject started = lines.lines().first();
    QCOMPARE(started.value(QLatin1String("resumed_from")).toString(), file);
    QCOMPARE(started.value(QLatin1String("first_step")).toInt(), 2);
  }
};

/// The same for every pair.
class TestResumeAll : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void halvesInTwoProcessesAreTheWhole_data();
  void halvesInTwoProcessesAreTheWhole() { compareHalvesWithWhole(); }
};

void TestResume::halvesInTwoProcessesAreTheWhole_data() {
  addColumns();
  std::vector<std::pair<std::string, Optimizer>> all;
  for (const auto& sample : graph::samples()) {
    if (sample.faulty) continue;
    for (const Optimizer& optimizer : kOptimizers) all.emplace_back(sample.name, optimizer);
  }
  std::mt19937 random(20);
  for (std::size_t left = (all.size() + 9) / 10; left > 0; --left) {
    const std::size_t pick = random() % all.size();
    addRow(all[pick].first, all[pick].second);
    all.erase(all.begin() + static_cast<std::ptrdiff_t>(pick));
  }
  addRow(kCounting, {"sgd", false});
}

void TestResumeAll::halvesInTwoProcessesAreTheWhole_data() {
  addColumns();
  for (const auto& sample : graph::samples()) {
    if (sample.faulty) continue;
    for (const Optimizer& optimizer : kOptimizers) addRow(sample.name, optimizer);
  }
  for (const Optimizer& optimizer : kOptimizers) addRow(kCounting, optimizer);
}

BINADE_SUITE(TestResume);
BINADE_SUITE(TestResumeAll);
#include "tst_resume.moc"
