// SPDX-License-Identifier: Apache-2.0
#include "engine/compare/compare_float32.h"
#include "engine/run/float32_question.h"
#include "engine/train/training.h"
#include "engine/wire/comparison_rank.h"
#include "tests/run/small_run.h"
#include "tests/support/places.h"
#include "tests/support/suite.h"

#include <ATen/ops/full.h>

#include <algorithm>
#include <cmath>

using namespace binade;
using Kind = wire::ReferenceNote::Kind;

namespace {

wire::RunConfig described(const std::string& model) {
  wire::RunConfig config = test::smallRun(4);
  config.policy = {};
  config.policy.base = policy::Base::kAllFloat32;
  config.model = model;
  config.data.inputs = {"float32[6,8]"};
  config.data.classes = 4;
  config.batch = 6;
  return config;
}

/// A model of tests/data/models, in float32 but for its own casts.
wire::RunConfig kept(const std::string& name) {
  return described(QStringLiteral(BINADE_TEST_DATA "/models/%1.pt").arg(QString::fromStdString(name)).toStdString());
}

/// A model whose forward is `body`.
/// TorchScript without Python has numbers for dtypes: 5 is float16, 15 bfloat16.
wire::RunConfig lines(const std::string& body) {
  return described(test::saveModel(test::folder(), "def forward(self, x: Tensor) -> Tensor:\n" + body));
}

std::string nameOf(const train::Training& training, int site) {
  return training.sites[static_cast<std::size_t>(site)]->key.name();
}

const wire::SiteDifference* find(const wire::Float32Comparison& compared, const train::Training& training,
                                 const std::string& name) {
  for (const wire::SiteDifference& site : compared.sites) {
    if (nameOf(training, site.site) == name) return &site;
  }
  return nullptr;
}

/// What is told of the run in float32: op calls and tensors by name, their format behind it.
QStringList told(const wire::Float32Comparison& compared, const train::Training& training, Kind kind) {
  QStringList names;
  for (const wire::ReferenceNote& note : compared.reference) {
    if (note.kind != kind) continue;
    const QString name = QString::fromStdString(note.site < 0 ? note.name : nameOf(training, note.site));
    names << QStringList{name, QString::fromStdString(note.format)}.join(u' ').trimmed();
  }
  return names;
}

}  // namespace

// What a model casts itself is not float32 beside which it could be compared.
class ComparedOwnCasts : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void aCastThatOverflowsIsTheCallWhereTheRunsDiffer() {
    const auto training = train::set_up(kept("half_logits"));
    const wire::Float32Comparison compared = compare::compare_with_float32(*training, 0);
    QVERIFY(std::isfinite(compared.float32_loss));
    QVERIFY(!std::isfinite(compared.loss));
    const wire::SiteDifference* cast = find(compared, *training, "aten::to#0");
    QVERIFY(cast != nullptr && cast->measured);
    QVERIFY(std::isinf(cast->added));
    const wire::SiteDifference* product = find(compared, *training, "aten::matmul#0");
    QVERIFY(product != nullptr);
    QCOMPARE(product->forward, 0.0);
    // What loses no bits is no call of its own.
    QVERIFY(find(compared, *training, "aten::to#1") == nullptr);
    QCOMPARE(wire::ranked(compared.sites).front().site, cast->site);
    QCOMPARE(told(compared, *training, Kind::kLiftedCast), QStringList{QStringLiteral("aten::to#0")});
    QVERIFY(!wire::not_float32(compared));
  }

  void whatIsZeroInTheModelsOwnFormatIsFound() {
    const auto training = train::set_up(kept("half_log"));
    const wire::Float32Comparison compared = compare::compare_with_float32(*training, 0);
    QVERIFY(std::isfinite(compared.float32_loss));
    QVERIFY(!std::isfinite(compared.loss));
    const wire::SiteDifference* cast = find(compared, *training, "aten::to#0");
    QVERIFY(cast != nullptr);
    QVERIFY2(cast->added > 0 && cast->added < 1e-2, qPrintable(QString::number(cast->added)));
    const wire::SiteDifference* log = find(compared, *training, "aten::log#0");
    QVERIFY(log != nullptr && std::isinf(log->forward));
  }

  /// Of the cast's roundings, the gradient's too.
  void aCastIsMeasuredAsAnyCall() {
    const auto training =
        train::set_up(lines("    y = torch.linear(x, self.weight, self.bias)\n"
                            "    return y.to(15) * 3.0\n"));
    const wire::Float32Comparison compared = compare::compare_with_float32(*training, 0);
    const wire::SiteDifference* cast = find(compared, *training, "aten::to#0");
    QVERIFY(cast != nullptr && cast->measured);
    QVERIFY2(cast->added > 1e-4 && cast->added < 4e-3, qPrintable(QString::number(cast->added)));
    QCOMPARE(cast->forward, cast->added);
    QVERIFY(cast->gradient.has_value());
    QVERIFY2(*cast->gradient > 1e-5, qPrintable(QString::number(*cast->gradient)));
    const wire::SiteDifference* linear = find(compared, *training, "aten::linear#0");
    QVERIFY(linear != nullptr);
    QCOMPARE(linear->forward, 0.0);
  }

  void everyFormOfACastIsLifted_data() {
    QTest::addColumn<QString>("cast");
    QTest::newRow("half") << QStringLiteral("y.half()");
    QTest::newRow("bfloat16") << QStringLiteral("y.to(15)");
    QTest::newRow("dtype") << QStringLiteral("y.to(5)");
    QTest::newRow("device") << QStringLiteral("y.to(torch.device('cpu'), 5)");
    QTest::newRow("keyword") << QStringLiteral("y.to(dtype=15, copy=True)");
    QTest::newRow("memory format") << QStringLiteral("y.t().to(5, memory_format=0).t()");
    QTest::newRow("other") << QStringLiteral("y.to(torch.zeros(1, dtype=5))");
    QTest::newRow("type_as") << QStringLiteral("y.type_as(torch.zeros(1, dtype=5))");
    QTest::newRow("float64") << QStringLiteral("y.double().half()");
    QTest::newRow("twice") << QStringLiteral("y.half().to(15)");
  }
  void everyFormOfACastIsLifted() {
    QFETCH(QString, cast);
    const QString body = QStringLiteral(
                             "    y = torch.linear(x, self.weight, self.bias) * 1e-9\n"
                             "    z = %1\n"
                             "    return z.float() * 1e9\n")
                             .arg(cast);
    const auto training = train::set_up(lines(body.toStdString()));
    const wire::Float32Comparison compared = compare::compare_with_float32(*training, 0);
    const auto plain = train::set_up(lines("    return torch.linear(x, self.weight, self.bias) * 1e-9 * 1e9\n"));
    const double wanted = compare::compare_with_float32(*plain, 0).float32_loss;
    QCOMPARE(compared.float32_loss, wanted);
    QVERIFY(compared.loss != compared.float32_loss);
    const auto lifted = told(compared, *training, Kind::kLiftedCast);
    QVERIFY2(!lifted.isEmpty(), qPrintable(cast));
    QVERIFY(!wire::ranked(compared.sites).empty());
  }

  /// What is written to a lifted cast is not written to what was cast.
  void aLiftedCastIsATensorOfItsOwn() {
    const auto training =
        train::set_up(lines("    y = torch.linear(x, self.weight, self.bias)\n"
                            "    z = y.detach().half()\n"
                            "    z.add_(1000.0)\n"
                            "    return y + 0.0 * z.float()\n"));
    const auto plain = train::set_up(lines("    return torch.linear(x, self.weight, self.bias)\n"));
    QCOMPARE(compare::compare_with_float32(*training, 0).float32_loss,
             compare::compare_with_float32(*plain, 0).float32_loss);
  }

  /// A cast in an autocast policy's run: to what the policy's dtype happens to be.
  void aCastToTheDtypeOfAnotherIsNamedWhereThePolicyMakesItNarrow() {
    wire::RunConfig config = lines(
        "    y = torch.linear(x, self.weight, self.bias)\n"
        "    z = torch.exp(torch.linear(x, self.weight, self.bias).float())\n"
        "    return y * z.type_as(y)\n");
    config.policy.base = policy::Base::kCpuAmp;
    config.policy.low = formats::kBFloat16;
    config.policy.execution = policy::Execution::kNative;
    const auto training = train::set_up(config);
    const wire::Float32Comparison compared = compare::compare_with_float32(*training, 0);
    const wire::SiteDifference* cast = find(compared, *training, "aten::type_as#0");
    QVERIFY(cast != nullptr && cast->measured);
    QVERIFY2(cast->added > 1e-4 && cast->added < 4e-3, qPrintable(QString::number(cast->added)));
    QVERIFY(compared.reference.empty());  // in float32 there is nothing to lift
  }

  void whatIsHalfAllTheSameIsTold() {
    wire::RunConfig config = kept("half_parameter");
    config.scaler.enabled = false;  // gradients in float16 are not unscaled
    config.scaler_given = true;
    const auto training = train::set_up(config);
    const wire::Float32Comparison compared = compare::compare_with_float32(*training, 0);
    QVERIFY(std::isfinite(compared.float32_loss));
    QVERIFY(wire::not_float32(compared));
    QVERIFY(told(compared, *training, Kind::kLiftedCast).contains(QStringLiteral("aten::to#0")));
    QCOMPARE(told(compared, *training, Kind::kParameter), QStringList{QStringLiteral("first float16")});
    QCOMPARE(told(compared, *training, Kind::kBuffer), QStringList{QStringLiteral("kept float16")});
    const QStringList low = told(compared, *training, Kind::kLowResult);
    QVERIFY2(low.contains(QStringLiteral("aten::copy_#0 float16")), qPrintable(low.join(u',')));
    QVERIFY2(low.contains(QStringLiteral("aten::add_#0 float16")), qPrintable(low.join(u',')));
    // A matrix product with that parameter is computed in float32.
    QVERIFY2(!low.contains(QStringLiteral("aten::matmul#0 float16")), qPrintable(low.join(u',')));
  }

  void anExplicitDtypeAndAnInputAreTold() {
    wire::RunConfig config = lines(
        "    y = torch.linear(x.float(), self.weight, self.bias)\n"
        "    return torch.softmax(y, 1, dtype=5).float()\n");
    config.data.inputs = {"float16[6,8]"};
    const auto training = train::set_up(config);
    const wire::Float32Comparison compared = compare::compare_with_float32(*training, 0);
    QCOMPARE(told(compared, *training, Kind::kLowResult), QStringList{QStringLiteral("aten::softmax#0 float16")});
    QCOMPARE(told(compared, *training, Kind::kInput), QStringList{QStringLiteral("x float16")});
  }

  void aModelThatInsistsOnItsDtypeKeepsItsCasts() {
    const auto training = train::set_up(kept("asserts_half"));
    const wire::Float32Comparison compared = compare::compare_with_float32(*training, 0);
    const QStringList kept = told(compared, *training, Kind::kCastsKept);
    QCOMPARE(kept.size(), 1);
    QVERIFY2(kept.first().contains(QStringLiteral("half it must be")), qPrintable(kept.first()));
    QVERIFY(told(compared, *training, Kind::kLiftedCast).isEmpty());
    QVERIFY(wire::not_float32(compared));
    QCOMPARE(compared.loss, compared.float32_loss);
    // What the cast adds is measured against float32 on the same values all the same.
    const wire::SiteDifference* cast = find(compared, *training, "aten::to#0");
    QVERIFY(cast != nullptr && cast->added > 0);
  }

  void nothingIsToldOfAModelWithoutCasts() {
    const auto training = train::set_up(lines("    return torch.linear(x, self.weight, self.bias)\n"));
    QVERIFY(compare::compare_with_float32(*training, 0).reference.empty());
  }

  /// The format that the model casts to is to blame, and no learning rate.
  void float32IsAskedWithoutTheModelsOwnCasts() {
    const wire::RunConfig config = kept("half_logits");
    run::Float32Question question;
    question.step = 1;
    question.usual_loss = 2;
    question.first_norm = 850;
    const run::Float32Answer answer = run::ask_float32(config, question);
    QVERIFY2(answer.diverges.has_value(), answer.why.c_str());
    QVERIFY(!*answer.diverges);
  }

  void whereFloat32CannotBeHadItIsNotKnown() {
    // float16 that is written in place overflows in both.
    wire::RunConfig config = lines(
        "    y = torch.linear(x, self.weight, self.bias)\n"
        "    z = torch.zeros([6, 4], dtype=5)\n"
        "    z.copy_(y * 1e6)\n"
        "    return z.float()\n");
    run::Float32Question question;
    question.step = 1;
    question.usual_loss = 1;
    question.first_norm = 1;
    const run::Float32Answer written = run::ask_float32(config, question);
    QVERIFY(!written.diverges.has_value());
    QVERIFY2(written.why.find("float16 at aten::copy_#0") != std::string::npos, written.why.c_str());

    config = kept("opaque_half");
    const run::Float32Answer opaque = run::ask_float32(config, question);
    QVERIFY(!opaque.diverges.has_value());
    QVERIFY2(opaque.why.find("the model chooses a call while it runs") != std::string::npos, opaque.why.c_str());

    config = kept("asserts_half");
    const run::Float32Answer refused = run::ask_float32(config, question);
    QVERIFY(!refused.diverges.has_value());
    QVERIFY2(refused.why.find("without its own casts the model does not run") != std::string::npos,
             refused.why.c_str());
  }
};

BINADE_SUITE(ComparedOwnCasts);
#include "tst_own_casts.moc"
