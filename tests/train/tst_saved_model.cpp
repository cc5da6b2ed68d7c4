// SPDX-License-Identifier: Apache-2.0
#include "engine/graph/model.h"
#include "engine/run/trainer.h"
#include "engine/train/model_state.h"
#include "tests/run/small_run.h"
#include "tests/support/suite.h"

#include <ATen/core/jit_type.h>
#include <ATen/ops/ones.h>
#include <torch/csrc/jit/api/module.h>

using namespace binade;
using test::firstDifference;
using test::Listening;
using test::smallRun;

namespace {

using Kind = run::Control::FileRequest::Kind;

test::Tensors detached(const graph::Model& model) {
  test::Tensors all = train::model_tensors(model);
  for (auto& [name, tensor] : all) tensor = tensor.detach();
  return all;
}

}  // namespace

/// What `train --save` leaves behind.
class TestSavedModel : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void trainedWeightsAreSavedAsTorchScript() {
    wire::RunConfig config = smallRun(4);
    config.model = "sample:cnn";
    Listening heard;
    run::Trainer trainer(config, heard);
    run::Control control;
    trainer.run(control);
    const std::string file = test::temporaryFolder().toStdString() + "/trained.pt";
    trainer.save_model(file);
    const test::Tensors saved = detached(graph::Model::load(file));
    QCOMPARE(firstDifference(saved, detached(trainer.model())), std::string());
    QVERIFY(!saved.empty());
  }

  void float16WeightsAreSavedSoThatTheyRunWithoutCasts_data() {
    QTest::addColumn<QString>("base");
    QTest::addColumn<bool>("while_it_runs");
    QTest::newRow("master weights") << "apex-o2" << false;
    QTest::newRow("master weights, as a window asks") << "apex-o2" << true;
    QTest::newRow("float16 alone") << "apex-o3" << false;
    QTest::newRow("float16 alone, as a window asks") << "apex-o3" << true;
  }
  void float16WeightsAreSavedSoThatTheyRunWithoutCasts() {
    QFETCH(QString, base);
    wire::RunConfig config = smallRun(8);  // the first few overflow and are skipped
    config.model = "sample:cnn";
    config.policy =
        policy::parse_policy(QStringLiteral(R"({"binade_policy": 1, "base": "%1"})").arg(base).toStdString(), "test");
    config.policy.execution = policy::Execution::kEmulated;
    Listening heard;
    run::Trainer trainer(config, heard);
    const std::string file = test::temporaryFolder().toStdString() + "/trained.pt";
    run::Control control;
    QFETCH(const bool, while_it_runs);
    if (while_it_runs) {
      heard.at_step = [&](const wire::StepRecord& step) {
        if (step.step == config.steps - 1) control.request({Kind::kSaveModel, file, {}, {}});
      };
    }
    trainer.run(control);
    if (!while_it_runs) trainer.save_model(file);

    const graph::Model loaded = graph::Model::load(file);
    const test::Tensors trained = detached(trainer.model());
    for (const auto& [name, tensor] : loaded.parameters()) QVERIFY2(tensor.requires_grad(), name.c_str());
    bool finer = false;  // the masters hold what float16 cannot
    int half = 0;
    test::Tensors saved = detached(loaded);
    for (std::size_t i = 0; i < saved.size(); ++i) {
      auto& [name, tensor] = saved[i];
      if (trained[i].second.scalar_type() != at::kHalf) continue;
      ++half;
      QVERIFY2(tensor.scalar_type() == at::kFloat, name.c_str());
      finer = finer || !tensor.equal(tensor.to(at::kHalf).to(at::kFloat));
      tensor = tensor.to(at::kHalf);
    }
    QVERIFY(half > 0);  // what is in training stays as it is
    QCOMPARE(finer, base == QStringLiteral("apex-o2"));
    QCOMPARE(firstDifference(saved, trained), std::string());
    loaded.train(false);
    QVERIFY(loaded.forward({at::ones({2, 1, 28, 28})}).toTensor().scalar_type() == at::kFloat);
  }
};

BINADE_SUITE(TestSavedModel);
#include "tst_saved_model.moc"
