// SPDX-License-Identifier: Apache-2.0
#include "engine/graph/samples.h"
#include "tests/autocast/casting_run.h"
#include "tests/support/suite.h"

#include <ATen/Context.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/zeros.h>

using namespace binade;

namespace {

/// Every site asked for one format, the unlisted ones too.
policy::Policy all_in(formats::Format format, policy::Execution execution) {
  policy::Policy policy = test::stock(policy::Base::kCudaAmp, format, execution);
  policy.behaviour = policy::Behaviour::kFixed;
  policy::SiteRule rule;
  rule.match = "*";
  rule.format = format;
  policy.sites.push_back(rule);
  return policy;
}

}  // namespace

class TestWritten : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void runningStatisticsKeepLearningInEveryFormat_data() {
    QTest::addColumn<QString>("model");
    QTest::addColumn<QString>("format");
    for (const char* model : {"cnn", "resnet"}) {
      for (const char* format : {"float32", "bfloat16", "float16"}) {
        QTest::addRow("%s %s", model, format) << QString::fromLatin1(model) << QString::fromLatin1(format);
      }
    }
  }
  void runningStatisticsKeepLearningInEveryFormat() {
    QFETCH(QString, model);
    QFETCH(QString, format);
    const at::Tensor x = model == QLatin1String("cnn") ? at::rand({8, 1, 28, 28}) : at::rand({4, 3, 16, 16});
    const graph::Model plain = graph::make_sample(model.toStdString(), 1);
    plain.forward({x});
    const graph::Model cast = graph::make_sample(model.toStdString(), 1);
    test::CastingRun run(graph::FlatGraph(cast),
                         all_in(*formats::parse(format.toStdString()), policy::Execution::kEmulated));
    run.run({x});
    const auto expected = plain.buffers();
    const auto got = cast.buffers();
    QVERIFY(!got.empty());
    for (std::size_t i = 0; i < got.size(); ++i) {
      const at::Tensor& buffer = got[i].second;
      QCOMPARE(buffer.scalar_type(), expected[i].second.scalar_type());
      // A cast of the statistics would leave them at their start, without an error.
      const bool fresh =
          got[i].first.ends_with("running_var") ? buffer.eq(1).all().item<bool>() : buffer.eq(0).all().item<bool>();
      QVERIFY2(!fresh, got[i].first.c_str());
      QVERIFY2(buffer.allclose(expected[i].second, 0.1, 0.05), got[i].first.c_str());
    }
  }

  void inPlaceOpsWriteTheirArgument() {
    test::CastingRun run(
        "def f(x: Tensor, y: Tensor) -> Tensor:\n    z = x.clone()\n    z.add_(y)\n    z.relu_()\n    return z\n",
        all_in(formats::kFloat16, policy::Execution::kNative));
    const at::Tensor x = at::ones({3}) * -1;
    const at::Tensor y = at::ones({3}) * 3;
    QVERIFY(run.run({x, y}).toTensor().to(at::kFloat).equal(at::ones({3}) * 2));
    QVERIFY(x.equal(at::ones({3}) * -1));
  }

  void aViewKeepsSharingItsMemory() {
    test::CastingRun run("def f(x: Tensor) -> Tensor:\n    y = x.view([-1])\n    y[0] = 7.0\n    return x\n",
                         all_in(formats::kFloat16, policy::Execution::kNative));
    const at::Tensor x = at::zeros({2, 2});
    QCOMPARE(run.run({x}).toTensor()[0][0].item<float>(), 7.0F);
    QCOMPARE(x[0][0].item<float>(), 7.0F);
  }
};

BINADE_SUITE(TestWritten);
#include "tst_written.moc"
