// SPDX-License-Identifier: Apache-2.0
// A weight with two names, such as an embedding that is also the last layer, is one weight.
#include "engine/run/trainer.h"
#include "engine/train/training.h"
#include "tests/run/small_run.h"
#include "tests/support/suite.h"

#include <ATen/ops/linspace.h>
#include <torch/csrc/jit/api/module.h>

using namespace binade;
using test::folder;
using test::Listening;
using test::runToEnd;
using test::smallRun;

namespace {

/// Saves a network that uses one weight in two layers: under two names, or under one.
std::string twoLayers(const std::string& file, bool two_names) {
  torch::jit::Module module("__torch__.TwoLayers");
  module.register_attribute("training", c10::BoolType::get(), true);
  const at::Tensor weight = at::linspace(-1, 1, 64).sin().reshape({8, 8}).requires_grad_(true);
  module.register_parameter("first", weight, false);
  if (two_names) module.register_parameter("second", weight, false);
  module.define(std::string("def forward(self, x: Tensor) -> Tensor:\n") +
                "    return torch.linear(torch.tanh(torch.linear(x, self.first)), self." +
                (two_names ? "second" : "first") + ")\n");
  const std::string path = folder() + "/" + file;
  module.save(path);
  return path;
}

wire::RunConfig tiedRun(const std::string& model, const std::string& optimizer) {
  wire::RunConfig config = smallRun(6);
  config.model = model;
  config.data.inputs = {"float32[16,8]"};
  config.data.classes = 8;
  config.optimizer.kind = optimizer;
  config.optimizer.learning_rate = 0.01;
  config.clip.norm = 0.05;  // the norm counts the weight once, too
  return config;
}

}  // namespace

class TestTiedWeights : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void aWeightWithTwoNamesTrainsAsOneWithOneName_data();
  void aWeightWithTwoNamesTrainsAsOneWithOneName();
};

void TestTiedWeights::aWeightWithTwoNamesTrainsAsOneWithOneName_data() {
  QTest::addColumn<QString>("optimizer");
  QTest::newRow("sgd") << QStringLiteral("sgd");
  QTest::newRow("adamw") << QStringLiteral("adamw");
}

void TestTiedWeights::aWeightWithTwoNamesTrainsAsOneWithOneName() {
  QFETCH(const QString, optimizer);
  std::vector<double> losses[2];
  for (const bool two_names : {false, true}) {
    Listening heard;
    const std::string model = twoLayers(two_names ? "two.pt" : "one.pt", two_names);
    runToEnd(tiedRun(model, optimizer.toStdString()), heard);
    losses[two_names ? 1 : 0] = heard.losses();
  }
  QCOMPARE(losses[0].size(), std::size_t{6});
  QVERIFY(losses[0].front() != losses[0].back());
  QCOMPARE(losses[1], losses[0]);
}

BINADE_SUITE(TestTiedWeights);
#include "tst_tied_weights.moc"
