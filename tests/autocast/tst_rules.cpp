// SPDX-License-Identifier: Apache-2.0
//
// Rules that a cast engine over TorchScript needs to agree with native autocast; several fail in silence when missed.
#include "engine/autocast/region.h"
#include "engine/graph/samples.h"
#include "tests/autocast/casting_run.h"
#include "tests/support/native_lstm.h"
#include "tests/support/suite.h"

#include <ATen/Context.h>
#include <ATen/TensorOperators.h>
#include <ATen/autocast_mode.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/full.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>

using namespace binade;

namespace {

constexpr const char* kLstmTwice =
    "def f(x: Tensor, target: Tensor, h: Tensor, w: List[Tensor]) -> Tensor:\n"
    "    y, h1, c1 = torch.lstm(x, [h, h], w, True, 1, 0.0, True, False, False)\n"
    "    z, h2, c2 = torch.lstm(x * 0.5, [h1, c1], w, True, 1, 0.0, True, False, False)\n"
    "    return torch.mse_loss(y + z, target)\n";

constexpr const char* kLayerInALoop =
    "def f(x: Tensor, target: Tensor, h: Tensor, w: List[Tensor]) -> Tensor:\n"
    "    y = x\n"
    "    for i in range(3):\n"
    "        y = torch.tanh(torch.linear(y, w[0], w[1]))\n"
    "    return torch.mse_loss(y, target)\n";

constexpr const char* kEinsumBesideLinear =
    "def f(x: Tensor, target: Tensor, h: Tensor, w: List[Tensor]) -> Tensor:\n"
    "    y = torch.einsum('tbi,oi->tbo', [x, w[0]]) + torch.linear(x, w[0], w[1])\n"
    "    return torch.mse_loss(y, target)\n";

std::vector<at::Tensor> weights_of(const QString& model) {
  at::manual_seed(3);
  constexpr std::int64_t kSize = 8;
  if (model == QLatin1String("lstm")) {
    return {at::randn({4 * kSize, kSize}).requires_grad_(true), at::randn({4 * kSize, kSize}).requires_grad_(true),
            at::randn({4 * kSize}).requires_grad_(true), at::randn({4 * kSize}).requires_grad_(true)};
  }
  return {at::randn({kSize, kSize}).requires_grad_(true), at::randn({kSize}).requires_grad_(true)};
}

/// Every site asked for float16.
policy::Policy all_float16() {
  policy::Policy policy = test::stock(policy::Base::kAllFloat32, formats::kFloat16);
  policy::SiteRule rule;
  rule.match = "*";
  rule.format = formats::kFloat16;
  rule.execution = policy::Execution::kNative;
  policy.sites.push_back(rule);
  return policy;
}

}  // namespace

class TestRules : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void oneCacheSpansCompositesAndSitesAndTheLoss_data() {
    QTest::addColumn<QString>("model");
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("asPyTorch");
    for (const bool as_pytorch : {true, false}) {
      const char* const behaviour = as_pytorch ? "pytorch-2.11" : "fixed";
      QTest::addRow("R1 an LSTM called twice, %s", behaviour) << "lstm" << kLstmTwice << as_pytorch;
      QTest::addRow("R1 a layer in a loop, %s", behaviour) << "loop" << kLayerInALoop << as_pytorch;
      QTest::addRow("R1 a weight in and out of a composite, %s", behaviour)
          << "mixed" << kEinsumBesideLinear << as_pytorch;
    }
  }
  void oneCacheSpansCompositesAndSitesAndTheLoss() {
    QFETCH(QString, model);
    QFETCH(QString, text);
    QFETCH(bool, asPyTorch);
    if (model == QLatin1String("lstm")) BINADE_NEEDS_BFLOAT16_LSTM();
    const std::vector<at::Tensor> weights = weights_of(model);
    const at::Tensor h = at::zeros({1, 3, 8});
    const at::Tensor x = at::randn({5, 3, 8});
    const at::Tensor target = at::randn({5, 3, 8});
    policy::Policy policy = test::stock(policy::Base::kCpuAmp, formats::kBFloat16);
    policy.behaviour = asPyTorch ? policy::Behaviour::kPyTorch211 : policy::Behaviour::kFixed;
    test::CastingRun run(text.toStdString(), policy);

    const auto gradients_after = [&](const at::Tensor& loss) {
      for (const at::Tensor& weight : weights) weight.mutable_grad() = at::Tensor();
      loss.backward();
      std::vector<at::Tensor> gradients;
      for (const at::Tensor& weight : weights) gradients.push_back(weight.grad().clone());
      return gradients;
    };
    const std::vector<c10::IValue> inputs{x, target, h, c10::List<at::Tensor>(weights)};
    at::Tensor native;
    {
      const autocast::Region region("cpu", at::kBFloat16);
      native = run.flat().run_native(inputs).toTensor();
    }
    const auto expected = gradients_after(native);
    const at::Tensor ours = run.run(inputs).toTensor();
    const auto got = gradients_after(ours);
    QVERIFY(ours.scalar_type() == native.scalar_type());
    QVERIFY(ours.equal(native));
    for (std::size_t i = 0; i < got.size(); ++i) {
      QVERIFY2(got[i].equal(expected[i]), qPrintable(QStringLiteral("gradient of weight %1").arg(i)));
    }
  }

  void theModelsQuestionsAboutAutocastAreAnswered_data() {
    QTest::addColumn<policy::Base>("base");
    QTest::addColumn<QString>("answers");
    QTest::newRow("R2 CUDA lists") << policy::Base::kCudaAmp << "yes no";
    QTest::newRow("R2 CPU lists") << policy::Base::kCpuAmp << "no yes";
    QTest::newRow("R2 no lists") << policy::Base::kAllFloat32 << "no no";
  }
  void theModelsQuestionsAboutAutocastAreAnswered() {
    QFETCH(policy::Base, base);
    QFETCH(QString, answers);
    test::CastingRun run(
        "def f(x: Tensor) -> Tuple[bool, bool]:\n"
        "    return torch.is_autocast_enabled(), torch.is_autocast_cpu_enabled()\n",
        test::stock(base, formats::kFloat16));
    const auto answer = [](const c10::IValue& value) { return value.toBool() ? "yes" : "no"; };
    const auto got = run.run({at::rand({2})}).toTupleRef().elements().vec();
    QCOMPARE(QStringLiteral("%1 %2").arg(QLatin1String(answer(got[0])), QLatin1String(answer(got[1]))), answers);
  }

  /// A transformer's layer asks, and takes its fast path where CUDA's autocast is off; the fast path is one kernel that
  /// calls listed ops. Under the CPU lists engine and LibTorch take the same way, to the bit.
  void theFastPathOfATransformerIsTakenAsNativeTakesIt() {  // R2 with R1
    const std::string fast =
        "def f(x: Tensor, w: List[Tensor]) -> Tensor:\n"
        "    if torch.is_autocast_enabled():\n"
        "        return x\n"
        "    return torch._transformer_encoder_layer_fwd(x, 16, 2, w[0], w[1], w[2], w[3], False, False, 1e-05,\n"
        "        w[4], w[5], w[6], w[7], w[8], w[9], w[10], w[11], None, None)\n";
    at::manual_seed(5);
    std::vector<at::Tensor> weights{at::randn({48, 16}), at::randn({48}), at::randn({16, 16}), at::randn({16}),
                                    at::randn({16}),     at::randn({16}), at::randn({16}),     at::randn({16}),
                                    at::randn({32, 16}), at::randn({32}), at::randn({16, 32}), at::randn({16})};
    const at::Tensor x = at::randn({3, 5, 16});
    const at::NoGradGuard no_history;
    test::CastingRun cpu(fast, test::stock(policy::Base::kCpuAmp, formats::kBFloat16));
    const at::Tensor ours = cpu.run({x, weights}).toTensor();
    at::Tensor native;
    {
      const autocast::Region region("cpu", at::kBFloat16);
      native = cpu.flat().run_native({x, weights}).toTensor();
    }
    QVERIFY(ours.scalar_type() == native.scalar_type());
    QVERIFY(ours.equal(native));
    // In bfloat16 for true: in float32 the same layer gives something else.
    test::CastingRun uncast(fast, test::stock(policy::Base::kAllFloat32, formats::kBFloat16));
    QVERIFY(!uncast.run({x, weights}).toTensor().equal(ours.to(at::kFloat)));
    // Under CUDA's lists the question is answered yes, and the other way is gone.
    test::CastingRun cuda(fast, test::stock(policy::Base::kCudaAmp, formats::kFloat16));
    QVERIFY(cuda.run({x, weights}).toTensor().equal(x));
  }

  void anUnlistedOpFollowsTheWidestOfItsArguments() {  // R3
    policy::Policy policy = test::stock(policy::Base::kAllFloat32, formats::kFloat16);
    policy::SiteRule rule;
    rule.match = "m/aten::mm#0";
    rule.format = formats::kBFloat16;
    policy.sites.push_back(rule);
    // A linear layer refuses a bfloat16 input beside a float32 weight; nothing but the first product was asked for.
    test::CastingRun run("def f(x: Tensor, w: Tensor) -> Tensor:\n    return torch.linear(torch.mm(x, w), w)\n",
                         policy);
    const at::Tensor y = run.run({at::rand({2, 2}), at::rand({2, 2})}).toTensor();
    QVERIFY(y.scalar_type() == at::kFloat);
  }

  void aBatchNormLearnsItsStatisticsByValue() {  // R4
    const char* const text =
        "def f(x: Tensor, w: Tensor, b: Tensor, mean: Tensor, var: Tensor) -> Tensor:\n"
        "    return torch.batch_norm(x, w, b, mean, var, True, 0.1, 1e-5, False)\n";
    at::manual_seed(5);
    const at::Tensor x = at::randn({16, 3, 4, 4}) + 2;
    const auto statistics_after = [&](const policy::Policy& policy) {
      test::CastingRun run(text, policy);
      const at::Tensor mean = at::zeros({3});
      const at::Tensor var = at::zeros({3}) + 1;
      run.run({x, at::rand({3}), at::rand({3}), mean, var});
      return std::pair(mean, var);
    };
    const auto plain = statistics_after(test::stock(policy::Base::kAllFloat32, formats::kFloat16));
    const auto cast = statistics_after(all_float16());
    QVERIFY(plain.first.min().item<float>() > 0.1F);
    QVERIFY(cast.first.allclose(plain.first, 1e-2, 1e-3));
    QVERIFY(cast.second.allclose(plain.second, 1e-2, 1e-3));
  }

  /// Apex's O3 keeps statistics in float16, and nothing can cast what is learnt in place: a rule gives way.
  void dataGoesByStatisticsThatAreHeldInAHalf() {
    policy::Policy policy = test::stock(policy::Base::kApexO3, formats::kFloat16);
    policy::SiteRule rule;
    rule.match = "*";
    rule.format = formats::kFloat32;
    policy.sites.push_back(rule);
    test::CastingRun run(
        "def f(x: Tensor, w: Tensor, b: Tensor, mean: Tensor, var: Tensor) -> Tensor:\n"
        "    return torch.batch_norm(torch.mul(x, 2), w, b, mean, var, True, 0.1, 1e-5, False)\n",
        policy);
    const auto half = [](float value) { return at::full({3}, value, at::kHalf); };
    const at::Tensor mean = half(0);
    const at::Tensor y = run.run({at::rand({4, 3, 2, 2}).to(at::kHalf), half(1), half(0), mean, half(1)}).toTensor();
    QVERIFY(y.scalar_type() == at::kHalf);
    QVERIFY(mean.min().item<float>() > 0);
  }

  void listsAreCastElementByElementAndIndicesAreNot() {  // R9
    test::CastingRun run(
        "def f(a: Tensor, b: Tensor, i: Tensor) -> Tuple[Tensor, Tensor, Tensor]:\n"
        "    both = [a, b]\n"
        "    c = torch.cat(both)\n"
        "    return c, c[i], both[0]\n",
        all_float16());
    const at::Tensor a = at::rand({2});
    const auto got = run.run({a, at::rand({2}), at::tensor({3, 0}, at::kLong)}).toTupleRef().elements().vec();
    QVERIFY(got[0].toTensor().scalar_type() == at::kHalf);
    QVERIFY(got[1].toTensor().scalar_type() == at::kHalf);
    QVERIFY(got[1].toTensor()[1].equal(got[0].toTensor()[0]));
    QVERIFY(got[2].toTensor().is_same(a));  // the model's own list keeps its tensors
  }

  void bannedOpsRefuseOnlyWhatTheirListRefuses_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("said");
    QTest::newRow("an op that writes") << "def f(x: Tensor) -> Tensor:\n    return torch.relu(x).exp_()\n"
                                       << "m/aten::exp_#0: Cannot call in-place function aten::exp_ with fp16";
    QTest::newRow("binary_cross_entropy")
        << "def f(x: Tensor) -> Tensor:\n    return torch.binary_cross_entropy(x, x)\n"
        << "m/aten::binary_cross_entropy#0: torch.nn.functional.binary_cross_entropy and torch.nn.BCELoss are unsafe";
  }
  void bannedOpsRefuseOnlyWhatTheirListRefuses() {
    QFETCH(QString, text);
    QFETCH(QString, said);
    policy::Policy policy;
    policy.base = policy::Base::kApexO1;
    policy.execution = policy::Execution::kNative;
    test::CastingRun run(text.toStdString(), policy);
    const at::Tensor x = at::rand({4, 4});
    const at::Tensor y = run.run({x}).toTensor();
    QVERIFY(y.scalar_type() == at::kFloat);
    QVERIFY(y.equal(run.flat().run_native({x}).toTensor()));
    try {
      run.run({x.to(at::kHalf)});
      QFAIL("no error");
    } catch (const std::exception& error) {
      QVERIFY2(QString::fromUtf8(error.what()).contains(said), error.what());
    }
    QCOMPARE(run.findings().size(), std::size_t{1});
    QVERIFY2(run.findings()[0].message.find("refuses float16 arguments") != std::string::npos,
             run.findings()[0].message.c_str());
  }

  void aBanOfTheCudaListsLetsOtherDevicesPass() {
    test::CastingRun run("def f(x: Tensor) -> Tensor:\n    return torch.binary_cross_entropy(x, x)\n",
                         test::stock(policy::Base::kCudaAmp, formats::kFloat16), at::kCUDA);
    QVERIFY(run.run({at::rand({2, 2})}).toTensor().scalar_type() == at::kFloat);
  }

  void eachBranchOfAnIfFollowsItsOwnRule() {
    policy::Policy policy = test::stock(policy::Base::kAllFloat32, formats::kFloat16);
    for (const auto& [match, format] :
         {std::pair("*/aten::mm#0", formats::kFloat16), std::pair("*/aten::mm#1", formats::kBFloat16)}) {
      policy::SiteRule rule;
      rule.match = match;
      rule.format = format;
      rule.execution = policy::Execution::kNative;
      policy.sites.push_back(rule);
    }
    test::CastingRun run(
        "def f(x: Tensor, first: bool) -> Tensor:\n"
        "    if first:\n"
        "        y = torch.mm(x, x)\n"
        "    else:\n"
        "        y = torch.mm(x, x)\n"
        "    return y\n",
        policy);
    const at::Tensor x = at::rand({2, 2});
    for (int step = 0; step < 2; ++step) {
      QVERIFY(run.run({x, true}).toTensor().scalar_type() == at::kHalf);
      QVERIFY(run.run({x, false}).toTensor().scalar_type() == at::kBFloat16);
    }
  }

  void theLedgerCountsCastsBySiteAndArgument() {
    test::CastingRun run("def f(x: Tensor, w: Tensor) -> Tensor:\n    return torch.linear(torch.linear(x, w), w)\n",
                         test::stock(policy::Base::kCudaAmp, formats::kFloat16));
    autocast::CastLedger ledger;
    run.casts().set_ledger(&ledger);
    const at::Tensor x = at::rand({4, 8});
    const at::Tensor w = at::rand({8, 8}).requires_grad_(true);
    for (int step = 0; step < 2; ++step) run.run({x, w});
    const auto rows = ledger.rows();
    QCOMPARE(rows.size(), std::size_t{3});
    const auto expect = [&rows](std::size_t row, int site, int argument, std::uint64_t made, std::uint64_t saved,
                                std::uint64_t bytes) {
      QCOMPARE(rows[row].site, site);
      QCOMPARE(rows[row].argument, argument);
      QCOMPARE(rows[row].count.made, made);
      QCOMPARE(rows[row].count.saved, saved);
      QCOMPARE(rows[row].count.bytes, bytes);
    };
    expect(0, 0, 0, 2, 0, 2 * 4 * 8 * 2);  // x, once a step
    expect(1, 0, 1, 2, 0, 2 * 8 * 8 * 2);  // w, once a step
    expect(2, 1, 1, 0, 2, 0);              // w again: kept. The other input is float16 already
    QVERIFY(ledger.total().nanoseconds > 0);
    ledger.reset();
    QVERIFY(ledger.rows().empty());
    run.casts().set_ledger(nullptr);
    run.run({x, w});
    QVERIFY(ledger.rows().empty());
  }

  void theLedgerCountsCastsInsideACompositeForItsSite() {
    test::CastingRun run("def f(x: Tensor, w: Tensor) -> Tensor:\n    return torch.einsum('ij,jk->ik', [x, w])\n",
                         test::stock(policy::Base::kCpuAmp, formats::kBFloat16));
    autocast::CastLedger ledger;
    run.casts().set_ledger(&ledger);
    run.run({at::rand({4, 8}), at::rand({8, 8})});
    const auto rows = ledger.rows();
    QCOMPARE(rows.size(), std::size_t{1});
    QCOMPARE(rows[0].argument, autocast::CastLedger::kInside);
    QCOMPARE(rows[0].count.made, std::uint64_t{2});
    run.casts().set_ledger(nullptr);
  }

  void onlyTensorsOfTheRunsDeviceAreCast() {
    // As a CPU scalar beside CUDA tensors: here meta tensors stand for the other device.
    test::CastingRun run("def f(x: Tensor, w: Tensor) -> Tensor:\n    return torch.mm(x, w)\n",
                         test::stock(policy::Base::kCudaAmp, formats::kFloat16), at::kCPU);
    const auto meta = at::TensorOptions(at::kMeta);
    QVERIFY(run.run({at::rand({2, 2}, meta), at::rand({2, 2}, meta)}).toTensor().scalar_type() == at::kFloat);
    QVERIFY(run.run({at::rand({2, 2}), at::rand({2, 2})}).toTensor().scalar_type() == at::kHalf);
  }
};

BINADE_SUITE(TestRules);
#include "tst_rules.moc"
