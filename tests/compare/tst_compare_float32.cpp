// SPDX-License-Identifier: Apache-2.0
#include "engine/compare/compare_float32.h"
#include "engine/formats/error.h"
#include "engine/run/step.h"
#include "engine/train/training.h"
#include "engine/wire/comparison_rank.h"
#include "tests/run/small_run.h"
#include "tests/support/failing_allocator.h"
#include "tests/support/suite.h"

#include <ATen/core/grad_mode.h>

#include <cmath>
#include <optional>

using namespace binade;

namespace {

wire::RunConfig described(policy::Base base) {
  wire::RunConfig config = test::smallRun(8);
  config.policy = {};
  config.policy.base = base;
  return config;
}

/// The name of the n-th call of an op.
std::string siteOf(const train::Training& training, const std::string& op, int n) {
  for (const graph::Site* site : training.sites) {
    if (site->op == op && n-- == 0) return site->key.name();
  }
  return {};
}

const wire::SiteDifference* find(const std::vector<wire::SiteDifference>& sites, const train::Training& training,
                                 const std::string& name) {
  for (const wire::SiteDifference& site : sites) {
    if (training.sites[static_cast<std::size_t>(site.site)]->key.name() == name) return &site;
  }
  return nullptr;
}

wire::RunConfig withRule(const std::string& match, const formats::Format& format,
                         const formats::Format& backward = formats::kFloat32) {
  wire::RunConfig config = described(policy::Base::kAllFloat32);
  policy::SiteRule rule;
  rule.match = match;
  rule.format = format;
  rule.backward = backward;
  rule.execution = policy::Execution::kEmulated;
  config.policy.sites.push_back(rule);
  return config;
}

/// A run of a model with this forward over eight rows, all of its values in `low`.
wire::RunConfig modelRun(const std::string& body, const formats::Format& low) {
  wire::RunConfig config = described(policy::Base::kCudaAmp);
  config.policy.low = low;
  config.policy.execution = policy::Execution::kEmulated;
  config.model =
      test::saveModel(test::temporaryFolder().toStdString(), "def forward(self, x: Tensor) -> Tensor:\n" + body);
  config.data.inputs = {"float32[8,8]"};
  config.data.classes = 4;
  config.batch = 8;
  return config;
}

std::string lastLinear() {
  const auto training = train::set_up(described(policy::Base::kAllFloat32));
  std::string name;
  for (const graph::Site* site : training->sites) {
    if (site->op == "aten::linear") name = site->key.name();
  }
  return name;
}

}  // namespace

// One step under the policy beside the same step in float32.
class CompareFloat32 : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void float32BesideItselfDiffersNowhere() {
    const auto training = train::set_up(described(policy::Base::kAllFloat32));
    const wire::Float32Comparison compared = compare::compare_with_float32(*training, 0);
    QVERIFY(!compared.sites.empty());
    QCOMPARE(compared.loss, compared.float32_loss);
    for (const wire::SiteDifference& site : compared.sites) {
      QCOMPARE(site.forward, 0.0);
      QCOMPARE(site.added, 0.0);
      if (site.gradient) QVERIFY(*site.gradient < 1e-12);  // an unscaled gradient times a power of two
      if (site.cosine) QVERIFY(std::abs(*site.cosine - 1) < 1e-9);
    }
    QVERIFY(wire::ranked(compared.sites).empty());
  }

  void theSiteThatLosesPrecisionStandsFirstAndNotThoseBehindIt() {
    const auto plain = train::set_up(described(policy::Base::kAllFloat32));
    const std::string first = siteOf(*plain, "aten::linear", 0);
    const auto training = train::set_up(withRule(first, {5, 3}));
    const wire::Float32Comparison compared = compare::compare_with_float32(*training, 0);
    const auto order = wire::ranked(compared.sites);
    QVERIFY(!order.empty());
    QCOMPARE(training->sites[static_cast<std::size_t>(order[0].site)]->key.name(), first);
    QVERIFY(order[0].measured);
    if (order[0].gradient_added) QVERIFY(*order[0].gradient_added < 0.1);
    // Three bits of mantissa: a relative error of about 2^-5.
    QVERIFY2(order[0].added > 0.01 && order[0].added < 0.1, qPrintable(QString::number(order[0].added)));
    // What comes behind has the error too, and added none of it.
    const wire::SiteDifference* behind = find(compared.sites, *training, lastLinear());
    QVERIFY(behind != nullptr && behind->forward > 0.001);
    QVERIFY2(behind->added < 1e-6, qPrintable(QString::number(behind->added)));
  }

  void aBackwardInFewBitsIsFoundThere() {
    const std::string last = lastLinear();
    const auto training = train::set_up(withRule(last, formats::kFloat32, {5, 2}));
    const wire::Float32Comparison compared = compare::compare_with_float32(*training, 0);
    const wire::SiteDifference* site = find(compared.sites, *training, last);
    QVERIFY(site != nullptr && site->gradient_added.has_value());
    QVERIFY2(*site->gradient_added > 0.01, qPrintable(QString::number(*site->gradient_added)));
    QCOMPARE(site->forward, 0.0);
    for (const wire::SiteDifference& other : compared.sites) {
      // What the call behind sends it is rounded on the way, at the same rule's asking; before it nothing is.
      if (other.site >= site->site || !other.gradient_added) continue;
      QVERIFY2(*other.gradient_added < 1e-6, training->sites[static_cast<std::size_t>(other.site)]->key.name().c_str());
    }
    const auto order = wire::ranked(compared.sites);
    QVERIFY(order.front().site >= site->site);
  }

  void whatIsNotFiniteIsAnInfiniteError() {
    const std::string last = lastLinear();
    wire::RunConfig config = withRule(last, {2, 1});  // beyond 3.5 comes infinity
    config.policy.sites.back().overflow = formats::Overflow::kInfinity;
    const auto training = train::set_up(config);
    {
      const at::NoGradGuard none;
      for (auto& [name, parameter] : training->trainable) parameter.mul_(8);
    }
    const wire::Float32Comparison compared = compare::compare_with_float32(*training, 0);
    QVERIFY(std::isinf(find(compared.sites, *training, last)->added));
    QVERIFY(std::isfinite(compared.float32_loss));
    QVERIFY(!std::isfinite(compared.loss));
  }

  void whatCancelsStandsBesideWhoseErrorItWas() {
    // Next to 1000 bfloat16 numbers are 4 apart: nothing is left of what is added.
    const auto training =
        train::set_up(modelRun("    y = torch.linear(x, self.weight, self.bias)\n"
                               "    big = torch.relu(y + 1000.0)\n"
                               "    return big - 1000.0\n",
                               formats::kBFloat16));
    const wire::Float32Comparison compared = compare::compare_with_float32(*training, 0);
    const wire::SiteDifference* add = find(compared.sites, *training, "aten::add#0");
    const wire::SiteDifference* sub = find(compared.sites, *training, "aten::sub#0");
    QVERIFY(add != nullptr && sub != nullptr);
    QCOMPARE(sub->added, 0.0);
    QVERIFY2(sub->forward > 0.5 && sub->inherited == sub->forward, qPrintable(QString::number(sub->forward)));
    QVERIFY(sub->arrived < 0.002 && wire::enlarges(*sub));
    QVERIFY(add->added < 0.002);
    QCOMPARE(add->becomes_at, sub->site);
    QVERIFY2(add->becomes > 0.5 && add->becomes < 2, qPrintable(QString::number(add->becomes)));  // through the relu
    QCOMPARE(wire::origin_of(compared.sites, sub->site)->site, add->site);
    const auto order = wire::ranked(compared.sites);
    QVERIFY(order[0].site == add->site || order[0].site == sub->site);
    QVERIFY(order[1].site == add->site || order[1].site == sub->site);
    // The linear call adds more to what it gives, of which less arrives.
    const wire::SiteDifference* linear = find(compared.sites, *training, "aten::linear#0");
    QVERIFY(linear->added > add->added && wire::weight(*linear) < add->becomes);
  }

  void aBackwardThatLibTorchRefusesIsNoFaultOfOurs() {
    const auto training =
        train::set_up(modelRun("    y = torch.exp(torch.linear(x, self.weight, self.bias))\n"
                               "    z = torch.relu(y)\n"
                               "    y.add_(1.0)\n"  // what the gradient of exp needs
                               "    return y + z\n",
                               formats::kBFloat16));
    try {
      compare::compare_with_float32(*training, 0);
      QFAIL("was taken");
    } catch (const Error& error) {
      const QString text = QString::fromUtf8(error.what());
      QVERIFY(error.code == ErrorCode::kBadModel);
      QVERIFY2(text.startsWith(QLatin1String("backward failed: one of the variables needed")), qPrintable(text));
      QVERIFY2(!text.contains(QLatin1Char('\n')), qPrintable(text));
    }
  }

  void aBackwardThatDoesNotFitIsOutOfMemory() {
    // The gradient of what is looked up has the size of all that it was looked up in.
    const auto training =
        train::set_up(modelRun("    y = torch.linear(x, self.weight, self.bias)\n"
                               "    many = y.sum().expand([1125899906842624])\n"
                               "    return y + torch.index_select(many, 0, torch.zeros([4], dtype=4))\n",
                               formats::kBFloat16));
    try {
      compare::compare_with_float32(*training, 0);
      QFAIL("fits");
    } catch (const Error& error) {
      QVERIFY2(error.code == ErrorCode::kOutOfMemory, error.what());
      QVERIFY2(std::string(error.what()).starts_with("backward: out of memory: "), error.what());
    }
  }

  // Memory runs out once, at each request in turn. The comparison fails, or it lists every op call, and those that it
  // could not run again as estimated.
  void memoryThatRunsOutLeavesNoOpCallOut() {
    const wire::RunConfig config =
        modelRun("    return torch.relu(torch.linear(x, self.weight, self.bias)) * 0.5\n", formats::kBFloat16);
    const auto complete = compare::compare_with_float32(*train::set_up(config), 0);
    int failures = 0;
    int estimates = 0;
    bool failed = true;
    for (std::int64_t count = 0; failed; ++count) {
      const auto training = train::set_up(config);
      test::FailingAllocator::instance().fail_after(count);
      std::optional<wire::Float32Comparison> compared;
      try {
        compared = compare::compare_with_float32(*training, 0);
      } catch (const std::exception&) {
        ++failures;
      }
      failed = !test::FailingAllocator::instance().disarm();
      if (!compared || compared->sites == complete.sites) continue;
      QCOMPARE(compared->sites.size(), complete.sites.size());
      bool says = false;
      for (std::size_t i = 0; i < complete.sites.size(); ++i) {
        const wire::SiteDifference& site = compared->sites[i];
        const wire::SiteDifference& whole = complete.sites[i];
        QVERIFY2(site.site == whole.site && site.calls == whole.calls, qPrintable(QString::number(count)));
        QVERIFY2(site.forward == whole.forward && site.gradient == whole.gradient, qPrintable(QString::number(count)));
        const bool unmeasured = whole.measured && !site.measured;
        says = says || unmeasured || (whole.gradient_added && !site.gradient_added);
        estimates += unmeasured ? 1 : 0;
      }
      QVERIFY2(says, qPrintable(QString::number(count)));
    }
    QVERIFY(failures > 0);
    QVERIFY(estimates > 0);
  }

  void nanInFloat32ItselfIsNoError() {
    const auto training =
        train::set_up(modelRun("    y = torch.linear(x, self.weight, self.bias)\n"
                               "    keep = (torch.arange(8) > 1).unsqueeze(1)\n"
                               "    masked = torch.where(keep, y, torch.full_like(y, -float('inf')))\n"
                               "    return torch.nan_to_num(torch.softmax(masked, 1))\n",
                               formats::kBFloat16));
    const wire::Float32Comparison compared = compare::compare_with_float32(*training, 0);
    const auto order = wire::ranked(compared.sites);
    QVERIFY(!order.empty());
    for (const wire::SiteDifference& site : order) {
      QVERIFY2(wire::weight(site) < 0.05, training->sites[static_cast<std::size_t>(site.site)]->key.name().c_str());
    }
    QVERIFY(find(compared.sites, *training, "aten::softmax#0")->forward > 0);  // of the rows that are not masked
  }

  void infinitiesThatCameInAreNobodysError() {
    wire::RunConfig config = described(policy::Base::kCudaAmp);
    config.scaler.init_scale = 0x1p40;
    const auto training = train::set_up(config);
    const wire::Float32Comparison compared = compare::compare_with_float32(*training, 0);
    const std::string last = lastLinear();
    const wire::SiteDifference* behind = find(compared.sites, *training, last);
    QVERIFY(behind->gradient && std::isinf(*behind->gradient) && !behind->cosine);
    int infinite = 0;
    for (const wire::SiteDifference& site : compared.sites) {
      if (!std::isinf(wire::weight(site))) continue;
      ++infinite;
      QVERIFY2(site.site > behind->site, training->sites[static_cast<std::size_t>(site.site)]->key.name().c_str());
    }
    QCOMPARE(infinite, 1);  // whose gradient overflows
  }

  void whatBecomesZeroIsCounted() {
    const auto zeroed = [](double scale, const std::string& factor) {
      wire::RunConfig config = modelRun(
          "    y = torch.linear(x, self.weight, self.bias)\n"
          "    return y * " +
              factor + "\n",
          formats::kFloat16);
      config.scaler.init_scale = scale;
      const auto training = train::set_up(config);
      const wire::Float32Comparison compared = compare::compare_with_float32(*training, 0);
      const wire::SiteDifference* mul = find(compared.sites, *training, "aten::mul#0");
      return std::pair(mul->gradient_added.value_or(-1), mul->gradient_zeroed.value_or(-1));
    };
    const auto [error, lost] = zeroed(1, "5e-7");  // gradients of some 2e-8 and 5e-8; 3e-8 and less becomes 0
    QVERIFY2(error > 0.05 && error < 1, qPrintable(QString::number(error)));
    QVERIFY2(lost > 0 && lost < error, qPrintable(QString::number(lost)));
    QVERIFY((zeroed(0x1p-12, "5e-7") == std::pair(1.0, 1.0)));
    QVERIFY(zeroed(65536, "5e-7").first < 0.001 && zeroed(65536, "5e-7").second == 0);
  }

  void eachLossHasItsOwnScalersScale() {
    wire::RunConfig config =
        modelRun("    y = torch.linear(x, self.weight, self.bias)\n    return y * 2.0\n", formats::kFloat16);
    config.losses = {{.kind = "cross_entropy", .scaler = "a"}, {.kind = "cross_entropy", .scaler = "b"}};
    config.scalers = {{.id = "a", .init_scale = 0x1p-40}, {.id = "b", .init_scale = 1024}};
    const auto error = [&](double a, double b) {
      config.losses[0].weight = a;
      config.losses[1].weight = b;
      const auto training = train::set_up(config);
      const wire::Float32Comparison compared = compare::compare_with_float32(*training, 0);
      return find(compared.sites, *training, "aten::linear#0")->gradient.value_or(-1);
    };
    QVERIFY(std::abs(error(1, 1e-20) - 1) < 1e-6);  // under 2^-40 nothing is left
    QVERIFY(error(1e-20, 1) < 0.01);                // under 1024 all of it
  }

  // The second pass has the inputs as the data gives them, and not as the first left them.
  void aModelThatWritesItsInputsIsGivenThemAnew() {
    wire::RunConfig config = described(policy::Base::kAllFloat32);
    config.model = test::saveModel(test::temporaryFolder().toStdString(),
                                   "def forward(self, x: Tensor) -> Tensor:\n"
                                   "    x.mul_(3)\n"
                                   "    return torch.linear(x, self.weight, self.bias)\n");
    config.data.inputs = {"float32[16,8]"};
    config.data.classes = 4;
    const auto training = train::set_up(config);
    for (int again = 0; again < 2; ++again) {
      const wire::Float32Comparison compared = compare::compare_with_float32(*training, 0);
      QCOMPARE(compared.loss, compared.float32_loss);
      QVERIFY(!compared.sites.empty());
      for (const wire::SiteDifference& site : compared.sites) QCOMPARE(site.forward, 0.0);
    }
  }

  // In float16 randn_like draws other numbers than in float32, and leaves the generator elsewhere.
  void bothRunsDrawTheSameNumbers() {
    wire::RunConfig config = modelRun(
        "    h = torch.linear(x, self.weight, self.bias)\n"
        "    h = h + torch.randn_like(h)\n"
        "    h = h + torch.zeros_like(h).uniform_()\n"
        "    return torch.dropout(h, 0.5, True)\n",
        formats::kFloat16);
    config.accumulate = 2;
    const auto training = train::set_up(config);
    run::Stepper stepper(*training);
    const wire::Float32Comparison compared = compare::compare_with_float32(*training, 0);
    for (const char* const name : {"aten::randn_like#0", "aten::uniform_#0", "aten::dropout#0"}) {
      const wire::SiteDifference* const site = find(compared.sites, *training, name);
      QVERIFY2(site != nullptr, name);
      QVERIFY2(site->forward < 0.005, qPrintable(QStringLiteral("%1: %2").arg(name).arg(site->forward)));
    }
    QVERIFY(std::abs(compared.loss - compared.float32_loss) < 0.005 * std::abs(compared.float32_loss));
    const double loss = stepper.run(0).record.loss;  // what the step draws is as it was
    QVERIFY(std::abs(loss - compared.loss) < 1e-6 * loss);
  }

  // normal of tensors computes mean + std * noise: what reaches it counts.
  void aDrawThatDependsOnItsArgumentsIsNotRepeated() {
    const auto training =
        train::set_up(modelRun("    h = torch.linear(x, self.weight, self.bias)\n"
                               "    return torch.normal(h * 100000.0, torch.zeros_like(h))\n",
                               formats::kFloat16));
    const wire::Float32Comparison compared = compare::compare_with_float32(*training, 0);
    const wire::SiteDifference* const site = find(compared.sites, *training, "aten::normal#0");
    QVERIFY(site != nullptr);
    QVERIFY2(!(site->forward < 0.5), qPrintable(QString::number(site->forward)));
  }

  void trainingGoesOnAsIfNothingHadBeen() {
    test::Tensors with, without;
    for (const bool compares : {false, true}) {
      const auto training = train::set_up(test::smallRun(4));
      run::Stepper stepper(*training);
      for (int step = 0; step < 4; ++step) {
        if (compares && step == 2) compare::compare_with_float32(*training, step);
        stepper.run(step);
      }
      test::Tensors& all = compares ? with : without;
      for (const auto& [name, tensor] : training->trainable) all.emplace_back(name, tensor.detach().clone());
      for (const auto& [name, tensor] : training->model.buffers()) all.emplace_back(name, tensor.clone());
    }
    QCOMPARE(test::firstDifference(with, without), std::string());
  }

  void everyKindOfPolicyIsCompared_data() {
    QTest::addColumn<QByteArray>("low");
    for (const char* low : {"float16", "bfloat16", "float8_e4m3fn", "tfloat32"}) QTest::newRow(low) << QByteArray(low);
  }
  void everyKindOfPolicyIsCompared() {
    QFETCH(QByteArray, low);
    wire::RunConfig config = described(policy::Base::kCudaAmp);
    config.policy.low = *formats::parse(low.toStdString());
    config.policy.execution = policy::Execution::kEmulated;
    config.accumulate = 2;
    const auto training = train::set_up(config);
    const wire::Float32Comparison compared = compare::compare_with_float32(*training, 3);
    QCOMPARE(compared.step, std::int64_t{3});
    const auto order = wire::ranked(compared.sites);
    QVERIFY(!order.empty());
    QCOMPARE(QByteArray(training->sites[static_cast<std::size_t>(order[0].site)]->op.c_str()),
             QByteArray("aten::linear"));
    for (const wire::SiteDifference& site : compared.sites) {
      QVERIFY(site.forward < 0.2);
      if (site.cosine) QVERIFY(*site.cosine > 0.9);
    }
  }

  void roundingsOfALongSumAddUp_data() {
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QByteArray>("last");
    QTest::addColumn<double>("least");
    const QByteArray first = "    h = torch.sigmoid(torch.linear(x, self.weight, self.bias))\n    acc = h * 0.0\n";
    const auto row = [&first](const char* name, const QByteArray& lines, const char* last, double least) {
      QTest::newRow(name) << first + lines + "    return acc * 0.02\n" << QByteArray(last) << least;
    };
    row("a loop", "    for i in range(500):\n        acc = acc + h\n", "aten::add#0", 0.01);
    row("a loop in place", "    for i in range(500):\n        acc += h\n", "aten::add_#0", 0.01);
    row("a loop into a part", "    for i in range(500):\n        acc[:, 1:] += h[:, 1:]\n", "aten::add_#0", 0.01);
    row("a loop that takes away", "    for i in range(500):\n        acc = acc - h\n", "aten::sub#0", 0.01);
    row("a running average", "    for i in range(400):\n        acc = acc * 0.999 + h * 0.001\n", "aten::add#0", 0.01);
    row("written out", QByteArray("    acc = acc + h\n").repeated(300), "aten::add#299", 0.005);
  }
  void roundingsOfALongSumAddUp() {
    QFETCH(QByteArray, body);
    QFETCH(QByteArray, last);
    QFETCH(double, least);
    const auto training = train::set_up(modelRun(body.toStdString(), formats::kFloat16));
    const wire::Float32Comparison compared = compare::compare_with_float32(*training, 0);
    const wire::SiteDifference* sum = find(compared.sites, *training, last.toStdString());
    QVERIFY(sum != nullptr);
    // What each execution adds is a fortieth of that at most.
    QVERIFY2(wire::weight(*sum) > least, qPrintable(QString::number(wire::weight(*sum))));
    QVERIFY(wire::weight(*sum) < 1.5 * sum->forward + 1e-3);
    // Nothing else is blamed for it: the worst is one of the chain.
    const auto worst = wire::ranked(compared.sites).front();
    const std::string name = training->sites[static_cast<std::size_t>(worst.site)]->key.name();
    QVERIFY2(name.starts_with("aten::add") || name.starts_with("aten::sub") || name.starts_with("aten::mul"),
             name.c_str());
  }

  void aShortSumIsLeftAsItWas() {
    const auto training =
        train::set_up(modelRun("    h = torch.sigmoid(torch.linear(x, self.weight, self.bias))\n"
                               "    acc = h * 0.0\n"
                               "    for i in range(6):\n        acc = acc + h\n    return acc\n",
                               formats::kFloat16));
    const wire::Float32Comparison compared = compare::compare_with_float32(*training, 0);
    QVERIFY(!compared.sites.empty());
    for (const wire::SiteDifference& site : compared.sites) QVERIFY(wire::weight(site) < 0.003);
  }
};

BINADE_SUITE(CompareFloat32);
#include "tst_compare_float32.moc"
