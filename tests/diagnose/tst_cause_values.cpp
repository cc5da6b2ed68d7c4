// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/error.h"
#include "engine/run/step.h"
#include "engine/words/diagnosis_text.h"
#include "engine/words/fix_text.h"
#include "tests/run/small_run.h"
#include "tests/support/suite.h"

#include <ATen/core/grad_mode.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/serialization/import.h>

#include <algorithm>

using namespace binade;
using wire::Verdict;

namespace {

struct NamedDiagnosis : wire::Diagnosis {
  std::vector<wire::SiteInfo> sites;
  std::int64_t step = 0;

  std::string root() const {
    if (roots.empty()) return "nothing";
    return roots[0].site < 0 ? roots[0].what : sites.at(static_cast<std::size_t>(roots[0].site)).key.name();
  }
  std::string why() const { return roots.empty() ? "" : roots[0].why.value_or(""); }
  QString sentence() const { return QString::fromStdString(words::sentence_of(*this, sites, step, 1024)); }
  QString said() const { return QString::fromStdString(words::explanation_of(*this, sites)); }
  std::string all() const {
    return root() + ": " + wire::name(verdict) + "; " + sentence().toStdString() + " " + said().toStdString();
  }
  std::vector<std::string> ruled() const {
    std::vector<std::string> names;
    for (const policy::SiteRule& rule : fix.rules) names.push_back(rule.match);
    return names;
  }
};

/// The first diagnosis of a run's first steps.
NamedDiagnosis firstDiagnosis(const wire::RunConfig& config, std::int64_t steps = 1) {
  const auto training = train::set_up(config);
  run::Stepper stepper(*training);
  NamedDiagnosis found;
  for (std::int64_t step = 0; step < steps && found.roots.empty(); ++step) {
    static_cast<wire::Diagnosis&>(found) = stepper.run(step).diagnosis.value_or(wire::Diagnosis{});
    found.step = step;
  }
  found.sites = training->info.sites;
  return found;
}

NamedDiagnosis firstDiagnosis(const std::string& body, std::int64_t steps = 1) {
  return firstDiagnosis(test::lineRun(body, steps), steps);
}

}  // namespace

/// A cast that the model's own code asks for is a cast, not an operation without an answer.
class OwnCasts : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void theirOverflowIsNamed_data() {
    QTest::addColumn<QString>("cast");
    QTest::addColumn<QString>("site");
    QTest::addColumn<QString>("format");
    const auto row = [](const char* cast, const char* site, const char* format) {
      QTest::newRow(cast) << QString::fromLatin1(cast) << QString::fromLatin1(site) << QString::fromLatin1(format);
    };
    row("y.half()", "aten::to#1", "float16");
    row("y.to(5)", "aten::to#1", "float16");
    row("y.to(h)", "aten::to#1", "float16");
    row("y.type_as(h)", "aten::type_as#0", "float16");
    row("torch.zeros_like(h).copy_(y)", "aten::copy_#0", "float16");
    row("y.to(23)", "aten::to#1", "float8_e5m2");
    row("y.to(24)", "aten::to#1", "float8_e4m3fn");
  }
  void theirOverflowIsNamed() {
    QFETCH(QString, cast);
    QFETCH(QString, site);
    QFETCH(QString, format);
    const NamedDiagnosis found = firstDiagnosis(
        "    h = torch.linear(x, self.weight, self.bias)\n"
        "    y = h.float() * 0.0 + 345000.0\n"
        "    z = " +
        cast.toStdString() +
        "\n"
        "    return z.float() + h.float()\n");
    QCOMPARE(QString::fromStdString(found.root()), site);
    QVERIFY2(found.verdict == Verdict::kCastOverflow, found.all().c_str());
    QVERIFY(found.roots[0].fault == wire::Root::Fault::kCast);
    QCOMPARE(QString::fromStdString(formats::name(found.roots[0].format)), format);
    QVERIFY2(found.sentence().contains(QStringLiteral("The model's own cast")), found.all().c_str());
    QVERIFY2(found.sentence().contains(QStringLiteral("345000")), found.all().c_str());
    QVERIFY2(!found.sentence().contains(QStringLiteral("no finite result")), found.all().c_str());
    if (cast.contains(QStringLiteral("copy_"))) return;  // what it writes tells the dtype, and a rule reaches that
    QVERIFY(found.fix.rules.empty());
    QVERIFY2(words::fix_of(found.fix).starts_with("Without the model's own cast"), found.all().c_str());
    QVERIFY(found.evidence.back().finite);
  }

  /// A tanh leaves 1 of the infinity: loss and gradients stay finite.
  void oneThatVanishesIsSeen() {
    const wire::RunConfig config = test::lineRun(
        "    h = torch.linear(x, self.weight, self.bias)\n"
        "    return torch.tanh((h.float() * 0.0 + 345000.0).half()) + h\n",
        2);
    const auto training = train::set_up(config);
    const run::StepOutcome outcome = run::Stepper(*training).run(0);
    const bool seen = std::any_of(
        outcome.record.observations.begin(), outcome.record.observations.end(),
        [](const wire::Observation& each) { return each.stats.positive_infinity > 0 && each.stats.count == 24; });
    QVERIFY(seen);
  }
};

/// A buffer is poisoned where it changed in training, whatever its name; what it came with is a mask.
class KeptBuffers : public test::Suite {
  Q_OBJECT

  /// A model whose buffer `mean` holds `value` in its first place from the start.
  static wire::RunConfig startingWith(const std::string& body, double value) {
    wire::RunConfig config = test::lineRun(body, 3);
    torch::jit::Module module = torch::jit::load(config.model);
    const at::NoGradGuard no_history;
    module.attr("mean").toTensor()[0].fill_(value);
    module.save(config.model);
    return config;
  }

 private Q_SLOTS:
  void whatChangedInTrainingIsPoisoned_data() {
    QTest::addColumn<QString>("value");
    QTest::newRow("+inf") << QStringLiteral("(x.abs() + 1000.0).exp().mean([0])");
    QTest::newRow("-inf") << QStringLiteral("-(x.abs() + 1000.0).exp().mean([0])");
    QTest::newRow("NaN") << QStringLiteral("(x.abs() * 0.0 - 1.0).log().mean([0])");
  }
  void whatChangedInTrainingIsPoisoned() {
    QFETCH(QString, value);
    const NamedDiagnosis found = firstDiagnosis(
        "    out = torch.linear(x, self.weight, self.bias).float() + self.mean[:4]\n"
        "    self.mean.copy_(" +
            value.toStdString() +
            ")\n"
            "    return out\n",
        3);
    QVERIFY2(found.verdict == Verdict::kPoisonedBuffer, found.all().c_str());
    QCOMPARE(found.step, std::int64_t{1});
    QCOMPARE(found.roots[0].what, std::string("mean"));
    QVERIFY2(!found.said().contains(QStringLiteral("signs")), found.all().c_str());
    QVERIFY2(found.said().contains(QStringLiteral("earlier step")), found.all().c_str());
  }

  /// Written once, in the first forward, and kept: a mask. The fault stands beside it.
  void aMaskThatIsMadeOnceIsNone() {
    const wire::RunConfig config = test::lineRun(
        "    first = bool((self.mean == 0.0).all())\n"
        "    if first:\n"
        "        self.mean[:2].fill_(float('-inf'))\n"
        "    y = torch.linear(x, self.weight, self.bias)\n"
        "    p = torch.softmax(y + self.mean[:4], 1)\n"
        "    return p + (y * (1.0 if first else 100000000.0))\n",
        3);
    const NamedDiagnosis found = firstDiagnosis(config, 3);
    QCOMPARE(found.step, std::int64_t{1});
    QVERIFY2(found.verdict == Verdict::kForwardOverflow, found.all().c_str());
    QCOMPARE(found.root(), std::string("aten::mul#0"));
  }

  void whatItCameWithIsSaidSo() {
    const NamedDiagnosis found = firstDiagnosis(
        startingWith("    return torch.linear(x, self.weight, self.bias) + self.mean[:4]\n", test::kInfinity), 2);
    QVERIFY2(found.verdict == Verdict::kPoisonedBuffer, found.all().c_str());
    QVERIFY2(found.said().contains(QStringLiteral("from the start")), found.all().c_str());
  }

  void aMaskThatItCameWithIsNone() {
    const NamedDiagnosis found = firstDiagnosis(startingWith("    y = torch.linear(x, self.weight, self.bias)\n"
                                                             "    p = torch.softmax(y + self.mean[:4], 1)\n"
                                                             "    return p + y * 100000000.0\n",
                                                             -test::kInfinity),
                                                2);
    QVERIFY2(found.verdict == Verdict::kForwardOverflow, found.all().c_str());
    QCOMPARE(found.root(), std::string("aten::mul#0"));
  }
};

/// A constant that is 0 in its format is where a division by it began.
class LostConstants : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void areNamedWithTheirLine_data() {
    QTest::addColumn<QString>("body");
    QTest::addColumn<QString>("site");
    QTest::newRow("inside a root") << QStringLiteral("(h / torch.sqrt((h * h).mean([-1], True) + 1e-8))")
                                   << QStringLiteral("aten::add#0");
    QTest::newRow("behind a root") << QStringLiteral("(h / (torch.sqrt((h * h).mean([-1], True)) + 1e-8))")
                                   << QStringLiteral("aten::add#0");
    QTest::newRow("clamp") << QStringLiteral("(h / torch.clamp(h, 1e-8))") << QStringLiteral("aten::clamp#0");
    QTest::newRow("logarithm") << QStringLiteral("torch.log(h + 1e-8)") << QStringLiteral("aten::add#0");
    QTest::newRow("a cast of its own") << QStringLiteral("(h / (h.float() + 1e-8).half())")
                                       << QStringLiteral("aten::to#1");
  }
  void areNamedWithTheirLine() {
    QFETCH(QString, body);
    QFETCH(QString, site);
    const NamedDiagnosis found = firstDiagnosis(
        "    y = torch.linear(x, self.weight, self.bias)\n"
        "    h = torch.relu(y - 1000.0).detach()\n"
        "    return y + " +
        body.toStdString() + "\n");
    QVERIFY2(found.verdict == Verdict::kLostValue, found.all().c_str());
    QCOMPARE(QString::fromStdString(found.root()), site);
    QVERIFY(found.roots[0].fault == wire::Root::Fault::kLost);
    QVERIFY2(found.sentence().contains(QStringLiteral("became 0 in float16")), found.all().c_str());
    QVERIFY2(found.fix.known(), found.all().c_str());
    QVERIFY2(found.fix.rules.size() <= 1, found.all().c_str());
    if (!found.fix.rules.empty()) QCOMPARE(QString::fromStdString(found.fix.rules[0].match), site);
    QVERIFY(found.chain.size() >= 2);
  }

  void theConstantIsSaid() {
    const NamedDiagnosis found = firstDiagnosis(
        "    y = torch.linear(x, self.weight, self.bias)\n"
        "    h = torch.relu(y - 1000.0)\n"
        "    return y + h / (torch.sqrt((h * h).mean([-1], True)) + 1e-8)\n");
    QVERIFY2(found.why() == "the constant 1e-08 is 0 there", found.all().c_str());
    QVERIFY2(found.said().contains(QStringLiteral("at least 1e-06")), found.all().c_str());
    QVERIFY2(found.said().contains(QStringLiteral("inside the root")), found.all().c_str());
  }

  /// Only one of the two logarithms meets a 0 in this batch; the other one has the same constant.
  void theSameConstantElsewhereIsWidenedToo() {
    const NamedDiagnosis found = firstDiagnosis(
        "    y = torch.linear(x, self.weight, self.bias)\n"
        "    p = torch.sigmoid(y.abs() + 30.0).detach()\n"
        "    return y * (torch.log(p + 1e-9) - torch.log(1.0 - p + 1e-9) + (p + 1e-3))\n");
    QVERIFY2(found.verdict == Verdict::kLostValue, found.all().c_str());
    QCOMPARE(QString::fromStdString(found.root()), QStringLiteral("aten::add#3"));
    std::vector<std::string> rules;
    for (const policy::SiteRule& rule : found.fix.rules) rules.push_back(rule.match);
    QVERIFY2((rules == std::vector<std::string>{"aten::add#3", "aten::add#1"}), found.all().c_str());
  }

  /// Overflow after overflow is replayed once, and nothing is looked for: that no format has an answer is not known.
  void whatWasNotLookedForIsNotClaimed() {
    const auto training =
        train::set_up(test::lineRun("    y = torch.linear(x, self.weight, self.bias)\n"
                                    "    h = torch.relu(y - 1000.0)\n"
                                    "    return y + h / (torch.sqrt((h * h).mean([-1], True)) + 1e-8)\n",
                                    60));
    run::Stepper stepper(*training);
    wire::Diagnosis first, last;
    for (std::int64_t step = 0; step < 52; ++step) {
      const auto diagnosis = stepper.run(step).diagnosis;
      QVERIFY(diagnosis.has_value());
      (step == 0 ? first : last) = *diagnosis;
    }
    QVERIFY2(first.verdict == Verdict::kLostValue, words::explanation_of(first, {}).c_str());
    QVERIFY2(last.verdict == Verdict::kUndetermined, words::explanation_of(last, {}).c_str());
    QVERIFY2(words::explanation_of(last, {}).ends_with("Binade searched for no verdict and no fix."),
             words::explanation_of(last, {}).c_str());
  }

  /// Zeros that float32 has too are nobody's loss.
  void aTrueZeroIsNotLost() {
    const NamedDiagnosis found = firstDiagnosis(
        "    y = torch.linear(x, self.weight, self.bias)\n"
        "    h = torch.relu(y - 1000.0)\n"
        "    return y + h / h\n");
    QVERIFY2(found.verdict == Verdict::kInvalidOperation, found.all().c_str());
    QVERIFY(!found.fix.known());
    QVERIFY2(found.said().contains(QStringLiteral("Float32 everywhere does not help")), found.all().c_str());
  }
};

/// What is said to be the reason stands in the values.
class Reasons : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void areOfTheValues_data() {
    QTest::addColumn<QString>("expression");
    QTest::addColumn<QString>("why");
    const auto row = [](const char* expression, const char* why) {
      QTest::newRow(expression) << QString::fromLatin1(expression) << QString::fromLatin1(why);
    };
    row("torch.log(z)", "the logarithm of 0: 24 of 24 are 0");
    row("torch.log(z - 1.0)", "the logarithm of a number below 0: 24 of 24 are below 0");
    row("(z + 1.0) / z", "a division by 0: 24 of 24 are 0");
    row("z / z", "0 divided by 0: 24 of 24 divisors are 0");
    row("torch.sqrt(z - 1.0)", "the root of a number below 0: 24 of 24 are below 0");
    row("torch.acos(z + 2.0)", "values outside of where the op is defined: 24 of 24");
    row("torch.softmax(y.masked_fill(y == y, float('-inf')), 1)", "values that are all masked, with -inf: 6 of 6 rows");
    row("torch.full_like(y, float('inf')) * z", "an infinity times 0");
    row("torch.full_like(y, float('inf')) - torch.full_like(y, float('inf'))", "infinities of both signs added");
    row("torch.matmul(torch.full_like(y, float('inf')), z.transpose(0, 1))[:, :4]", "an infinity times 0");
    row("torch.matmul(torch.full_like(y, float('inf')), (y * y + 1.0).transpose(0, 1))[:, :4] * 0.0",
        "an infinity times 0");
    // Nothing but +inf went in: whatever is said, it is not "both signs".
    row("torch.full_like(y, float('inf')) + 1.0", "a softmax over a row that holds +inf: 6 of 6 rows");
  }
  void areOfTheValues() {
    QFETCH(QString, expression);
    QFETCH(QString, why);
    const NamedDiagnosis found = firstDiagnosis(
        "    y = torch.linear(x, self.weight, self.bias)\n"
        "    z = y * 0.0\n"
        "    return y + " +
        expression.toStdString() + "\n");
    QCOMPARE(QString::fromStdString(found.why()), why);
    QVERIFY2(found.verdict == Verdict::kInvalidOperation, found.all().c_str());
  }

  /// The loss is infinite, and no NaN: the mask was asked for, and so was the class that it hides.
  void aMaskOverTheRightClassIsTheLosssReason() {
    const NamedDiagnosis found = firstDiagnosis(
        "    y = torch.linear(x, self.weight, self.bias)\n"
        "    return y.masked_fill(torch.arange(4, device=x.device) < 3, float('-inf'))\n");
    QCOMPARE(QString::fromStdString(found.root()), QStringLiteral("loss/aten::nll_loss_nd#0"));
    QVERIFY2(
        QString::fromStdString(found.why()).startsWith(QStringLiteral("the logit of the right class is -inf: of ")),
        found.all().c_str());
    QVERIFY2(found.verdict == Verdict::kInvalidOperation && found.fix.rules.empty(), found.all().c_str());
  }
};

/// What is advised names the op that the model should call.
class ModelCures : public test::Suite {
  Q_OBJECT

  /// A model that adds `body` to a linear layer's y; or lines that return something else.
  static std::string ofLine(const QString& body) {
    const bool lines = body.contains(QStringLiteral("return"));
    return "    y = torch.linear(x, self.weight, self.bias)\n    " + std::string(lines ? "" : "return y + ") +
           body.toStdString() + "\n";
  }

 private Q_SLOTS:
  void areNamed_data() {
    QTest::addColumn<QString>("body");
    QTest::addColumn<QString>("cure");
    const auto row = [](const char* name, const char* body, const char* cure) {
      QTest::newRow(name) << QString::fromLatin1(body) << QString::fromLatin1(cure);
    };
    row("binary cross entropy", "torch.log(1.0 - torch.sigmoid(y * 0.0 + 30.0) + 1e-8)",
        "binary_cross_entropy_with_logits");
    row("log of a sigmoid", "torch.log(torch.sigmoid(y * 0.0 - 30.0))", "binary_cross_entropy_with_logits");
    row("log of a softmax", "torch.log(torch.softmax(y * 1000.0, 1))", "log_softmax");
    row("scaled behind the product",
        "torch.matmul(torch.softmax(torch.matmul(y * 0.0 + 300.0, (y * 0.0 + 300.0).transpose(0, 1)) / 8.0, 1), y)",
        "scale the query before the product, (q / 8) @ k");
    row("no attention", "(torch.matmul(y * 0.0 + 300.0, (y * 0.0 + 300.0).transpose(0, 1)) / 8.0)[:, :4]",
        "scale one of its factors before the product, (a / 8) @ b");
    row("softplus", "torch.log(1.0 + torch.exp(y * 0.0 + 100.0))", "softplus");
    row("the inverse of softplus", "torch.log(torch.exp(y * 0.0 + 100.0) - 1.0)", "x + log(-expm1(-x))");
    row("log of a hyperbolic cosine", "torch.log(torch.cosh(y * 0.0 + 100.0))", "softplus(-2 * x.abs())");
    row("log of a product", "torch.log(torch.sigmoid(y.float() * 0.0 - 60.0).prod(1, True))", "logsigmoid(x).sum(...)");
    row("a softmax of its own", "e = torch.exp(y * 0.0 + 100.0)\n    return e / e.sum(1, True)",
        "torch.softmax subtracts");
    row("masks that add up",
        "torch.softmax(y + (torch.ones_like(y) * -65504.0 + torch.ones_like(y).masked_fill(y == y, -65504.0)), 1)",
        "exceeds the format");
    row("the slope of a root", "torch.sqrt(y * 0.0)", "sqrt(x + 1e-06)");
    row("a mask of -1e9", "torch.softmax(y + torch.ones_like(y) * -1e9, 1)", "torch.finfo(scores.dtype).min");
    row("a row that is all masked", "torch.softmax(y.masked_fill(y == y, float('-inf')), 1)",
        "torch.finfo(scores.dtype).min");
  }
  void areNamed() {
    QFETCH(QString, body);
    QFETCH(QString, cure);
    const NamedDiagnosis found = firstDiagnosis(ofLine(body));
    QVERIFY2(found.said().contains(cure), found.all().c_str());
  }

  /// What looks like a known formula and is another one has no cure of that formula.
  void areOfThatFormulaAlone_data() {
    QTest::addColumn<QString>("body");
    QTest::addColumn<QString>("never");
    const auto row = [](const char* name, const char* body, const char* never) {
      QTest::newRow(name) << QString::fromLatin1(body) << QString::fromLatin1(never);
    };
    row("an energy is no mask", "(y.abs() + 1.0) * -70000.0", "mask");
    row("one less a softmax", "torch.log(1.0 - torch.softmax(y * 1000.0, 1))", "log_softmax");
    row("twice a sigmoid", "torch.log(2.0 * torch.sigmoid(y * 0.0 - 300.0))", "logits");
    row("one less than an exponential", "torch.log(torch.exp(y * 0.0 + 100.0) - 1.0)", "softplus");
    row("three more than an exponential", "torch.log(torch.exp(y * 0.0 + 100.0) + 3.0)", "softplus");
    row("a mean of exponentials", "torch.exp(y * 0.0 + 100.0).mean(1, True) / 10.0", "softmax of its own");
    row("an exponential alone", "torch.exp(y * 0.0 + 100.0)", "Subtract the largest");
    row("a mean of squares", "d = y * 0.0 + 300.0\n    return y + (d * d).mean([1], True)", "norm of its own");
    row("a product of exponentials", "torch.matmul(torch.exp(y * 0.0 + 14.0).transpose(0, 1), y)[:1]", "query");
    row("a Gram matrix", "(torch.matmul(y * 0.0 + 300.0, (y * 0.0 + 300.0).transpose(0, 1)) / 8.0)[:, :4]", "query");
    row("a product of nothing but zeros", "torch.log(torch.sigmoid(y.float() * 0.0 - 60.0).prod(1, True))", "Clamp");
    row("nothing but zeros", "torch.log(y.float() * 0.0)", "Clamp");
    row("nothing but divisors that are 0", "y / (y * 0.0)", "constant");
    row("a sum in float32", "(y.float() * 0.0 + 3e38).sum(1, True)", "float32 at");
    row("rounded to one value",
        "h = y * 0.1 + 3000.0\n    lo = h.amin(1, True)\n    return (h - lo) / (h.amax(1, True) - lo)", "constant");
  }
  void areOfThatFormulaAlone() {
    QFETCH(QString, body);
    QFETCH(QString, never);
    const NamedDiagnosis found = firstDiagnosis(ofLine(body));
    QVERIFY2(!found.roots.empty(), found.all().c_str());
    QVERIFY2(!found.said().contains(never), found.all().c_str());
  }

  /// The scale is to blame, and the scaler lowers it.
  void whatIsByDesignHasNone() {
    wire::RunConfig config = test::lineRun(
        "    y = torch.linear(x, self.weight, self.bias)\n"
        "    return torch.nan_to_num(torch.log(y.clamp(min=0.0)), neginf=0.0)\n",
        1);
    config.scaler.init_scale = 0x1p20;
    const NamedDiagnosis found = firstDiagnosis(config);
    QVERIFY2(found.verdict == Verdict::kBenign, found.all().c_str());
    QVERIFY2(!found.said().contains(QStringLiteral("Clamp")), found.all().c_str());
  }

  /// A number that stands in the model's code is refused, with one by its sign: not every such number is a mask.
  void aNumberBeyondFloat16IsAnsweredByItsSign_data() {
    QTest::addColumn<QString>("body");
    QTest::addColumn<QString>("says");
    QTest::addColumn<QString>("never");
    QTest::newRow("large") << QStringLiteral("y.half().new_full([1, 4], 1e6) * 0.0") << QStringLiteral(".max")
                           << QStringLiteral("mask");
    QTest::newRow("mask") << QStringLiteral("y.half().masked_fill(y > 0, -1e9)") << QStringLiteral(".min")
                          << QStringLiteral(".max");
  }
  void aNumberBeyondFloat16IsAnsweredByItsSign() {
    QFETCH(QString, body);
    QFETCH(QString, says);
    QFETCH(QString, never);
    try {
      firstDiagnosis(ofLine(body));
      QFAIL("it ran");
    } catch (const Error& error) {
      const QString hint = QString::fromStdString(error.hint);
      QVERIFY2(hint.contains(says), qPrintable(hint));
      QVERIFY2(!hint.contains(never), qPrintable(hint));
    }
  }

  /// What is divided by a constant, and its gradient, stay in range.
  void aConstantForADivisorGoesByWhatItDivides() {
    const NamedDiagnosis small =
        firstDiagnosis(ofLine(QStringLiteral("torch.relu(y) * 0.1 / torch.clamp(y - 1e4, 1e-8)")));
    QVERIFY2(small.said().contains(QStringLiteral("at least 0.0001 at")), small.all().c_str());
    const NamedDiagnosis large =
        firstDiagnosis(ofLine(QStringLiteral("(torch.relu(y) + 100.0) / torch.clamp(y - 1e4, 1e-8)")));
    QVERIFY2(large.said().contains(QStringLiteral("at least 0.01 at")), large.all().c_str());
  }

  void aNormIsSquaredInFloat32() {
    const NamedDiagnosis found = firstDiagnosis(
        "    y = torch.linear(x, self.weight, self.bias)\n"
        "    h = y * 0.0 + 300.0\n"
        "    n = torch.sqrt((h * h).mean([1], True) + 1e-5)\n"
        "    return y + h / n + n\n");
    QVERIFY2(found.said().contains(QStringLiteral("computes its own norm")), found.all().c_str());
  }

  /// At every scale the product's own cast is what fails; a gradient that a lower scale mends stands beside it.
  void aCastBehindAnInfinityThatVanishedIsFound() {
    const NamedDiagnosis found = firstDiagnosis(
        "    y = torch.linear(x, self.weight, self.bias)\n"
        "    k = y.float() * 0.0 + 100000.0\n"
        "    z = 1.0 / torch.matmul(y * 0.0 + 1.0, k.transpose(0, 1))\n"
        "    return y + z[:, :4] + (y.float() - y.float().detach()) * 1e9\n");
    QVERIFY2(found.verdict == Verdict::kCastOverflow, found.all().c_str());
    QCOMPARE(found.root(), std::string("aten::matmul#0"));
  }
};

BINADE_SUITE(OwnCasts);
BINADE_SUITE(KeptBuffers);
BINADE_SUITE(LostConstants);
BINADE_SUITE(Reasons);
BINADE_SUITE(ModelCures);
#include "tst_cause_values.moc"
