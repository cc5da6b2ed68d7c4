// SPDX-License-Identifier: Apache-2.0
#include "engine/graph/samples.h"
#include "tests/autocast/casting_run.h"
#include "tests/support/suite.h"

#include <ATen/Context.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/tensor.h>
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
      QVERIFY(buffer.scalar_type() == expected[i].second.scalar_type());
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

  void operandsDoNotFollowADestinationThatIsNotFloat_data() {
    QTest::addColumn<policy::Base>("base");
    QTest::addColumn<QString>("format");
    QTest::newRow("a rule for the op") << policy::Base::kAllFloat32 << "bfloat16";
    QTest::newRow("a rule with a logical format") << policy::Base::kAllFloat32 << "e5m6";
    QTest::newRow("apex-o2's row for every op") << policy::Base::kApexO2 << "";
    QTest::newRow("apex-o3's row for every op") << policy::Base::kApexO3 << "";
  }
  void operandsDoNotFollowADestinationThatIsNotFloat() {
    QFETCH(policy::Base, base);
    QFETCH(QString, format);
    policy::Policy policy;
    policy.base = base;
    for (const char* op : {"*/aten::gt#0", "*/aten::argmax#0", "*/aten::index_put_#0"}) {
      if (format.isEmpty()) break;
      policy::SiteRule rule;
      rule.match = op;
      rule.format = *formats::parse(format.toStdString());
      policy.sites.push_back(rule);
    }
    test::CastingRun run(
        "def f(a: Tensor, b: Tensor, i: Tensor) -> Tuple[Tensor, Tensor, Tensor]:\n"
        "    more = torch.zeros([3], dtype=11)\n"
        "    torch.gt(a, b, out=more)\n"
        "    largest = torch.zeros([], dtype=4)\n"
        "    torch.argmax(a, out=largest)\n"
        "    places = torch.zeros([4], dtype=4)\n"
        "    places[i] = torch.ones([2], dtype=4)\n"
        "    return more, largest, places\n",
        policy);
    const at::Tensor a = at::tensor({2.25, 2.75, 0.5}, at::kFloat);
    const at::Tensor b = at::tensor({2.0, 3.0, 0.25}, at::kFloat);
    const auto got = run.run({a, b, at::tensor({1, 3}, at::kLong)}).toTupleRef().elements().vec();
    QVERIFY(got[0].toTensor().equal(at::tensor({1, 0, 1}).to(at::kBool)));
    QCOMPARE(got[1].toTensor().item<std::int64_t>(), std::int64_t{1});
    QVERIFY(got[2].toTensor().equal(at::tensor({0, 1, 0, 1}, at::kLong)));
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
