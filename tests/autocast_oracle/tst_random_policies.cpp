// SPDX-License-Identifier: Apache-2.0
#include "engine/graph/samples.h"
#include "tests/autocast/casting_run.h"
#include "tests/support/native_lstm.h"
#include "tests/support/suite.h"

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/randint.h>

#include <array>
#include <random>

using namespace binade;

namespace {

void collect(const c10::IValue& value, std::vector<at::Tensor>& into) {
  if (value.isTensor()) {
    into.push_back(value.toTensor());
  } else if (value.isTuple()) {
    for (const c10::IValue& each : value.toTupleRef().elements()) collect(each, into);
  } else if (value.isList()) {
    for (const c10::IValue& each : value.toListRef()) collect(each, into);
  } else if (value.isGenericDict()) {
    for (const auto& each : value.toGenericDict()) collect(each.value(), into);
  }
}

std::vector<c10::IValue> inputOf(const std::string& model) {
  if (model == "transformer") return {at::randint(1000, {2, 32}, at::kLong)};
  if (model == "resnet") return {at::rand({4, 3, 32, 32})};
  if (model == "control-flow") {
    c10::Dict<std::string, at::Tensor> dict;
    dict.insert("x", at::rand({8, 16}));
    dict.insert("context", at::rand({8, 8}));
    return {dict};
  }
  return {at::rand({8, 1, 28, 28})};
}

/// Every site of its own: unlisted, or one of these formats, drawn from `seed`.
policy::Policy drawn(const graph::FlatGraph& flat, unsigned seed) {
  static const std::array<formats::Format, 4> formats{formats::kFloat32, formats::kBFloat16, formats::kFloat16,
                                                      formats::kTFloat32};
  policy::Policy policy;
  policy.base = policy::Base::kCpuAmp;
  policy.low = seed % 2 == 0 ? formats::kBFloat16 : formats::kFloat16;
  std::mt19937 random(seed);
  for (const auto& site : flat.sites()) {
    const auto pick = random() % (formats.size() + 1);
    if (pick == formats.size()) continue;  // what the list says
    policy::SiteRule rule;
    rule.match = site->key.name();
    rule.format = formats[pick];
    policy.sites.push_back(rule);
  }
  return policy;
}

}  // namespace

/// Whatever a person chooses site by site, a training step runs: no operands that disagree, no statistics that stop.
class TestRandomPolicies : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() { at::set_num_threads(1); }

  void aStepRunsUnderAnyMixOfFormats_data() {
    QTest::addColumn<QString>("model");
    for (const graph::Sample& sample : graph::samples()) {
      if (sample.faulty) continue;  // its values are not finite in float16
      QTest::newRow(sample.name.c_str()) << QString::fromStdString(sample.name);
    }
  }
  void aStepRunsUnderAnyMixOfFormats() {
    QFETCH(const QString, model);
    if (model == QLatin1String("lstm")) BINADE_NEEDS_BFLOAT16_LSTM();
    for (unsigned seed = 1; seed <= 6; ++seed) {
      try {
        step(model.toStdString(), seed);
      } catch (const std::exception& error) {
        QFAIL(qPrintable(QStringLiteral("seed %1: %2").arg(seed).arg(QString::fromUtf8(error.what()))));
      }
      if (QTest::currentTestFailed()) return;
    }
  }

 private:
  static void step(const std::string& model, unsigned seed) {
    at::manual_seed(seed);
    const graph::Model module = graph::make_sample(model, seed);
    std::vector<std::pair<std::string, at::Tensor>> before;
    for (const auto& [name, buffer] : module.buffers()) before.emplace_back(name, buffer.clone());
    graph::FlatGraph flat(module);
    const policy::Policy policy = drawn(flat, seed);
    test::CastingRun run(std::move(flat), policy);
    std::vector<at::Tensor> outputs;
    collect(run.run(inputOf(model)), outputs);
    at::Tensor loss;
    for (const at::Tensor& output : outputs) {
      if (!output.is_floating_point() || !output.requires_grad()) continue;
      QVERIFY(output.isfinite().all().item<bool>());
      const at::Tensor part = output.to(at::kFloat).square().mean();
      loss = loss.defined() ? loss.add(part) : part;
    }
    QVERIFY(loss.defined());
    loss.backward();
    int gradients = 0;
    for (const auto& [name, parameter] : module.parameters()) {
      if (!parameter.grad().defined()) continue;
      ++gradients;
      QCOMPARE(parameter.grad().scalar_type(), parameter.scalar_type());
    }
    QVERIFY(gradients > 0);
    const auto after = module.buffers();
    for (std::size_t i = 0; i < before.size(); ++i) {
      QCOMPARE(after[i].second.scalar_type(), before[i].second.scalar_type());
      if (before[i].first.find("running_") == std::string::npos) continue;
      QVERIFY2(!after[i].second.equal(before[i].second), before[i].first.c_str());
      QVERIFY2(after[i].second.isfinite().all().item<bool>(), before[i].first.c_str());
    }
  }
};

BINADE_SUITE(TestRandomPolicies);
#include "tst_random_policies.moc"
