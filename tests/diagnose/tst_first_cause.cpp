// SPDX-License-Identifier: Apache-2.0
#include "engine/autocast/autocast.h"
#include "engine/autocast/resolve_executions.h"
#include "engine/diagnose/cause.h"
#include "engine/graph/flat_graph.h"
#include "tests/support/suite.h"

#include <ATen/Context.h>
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>

#include <limits>

using namespace binade;
using diagnose::Cause;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// One traced step of a text whose result is the loss.
struct Traced {
  graph::FlatGraph flat;
  autocast::Autocast casts;
  diagnose::Trace trace;

  explicit Traced(const std::string& text, policy::Base base = policy::Base::kCudaAmp,
                  formats::Format low = formats::kFloat16)
      : flat(graph::FlatGraph::from_text(text, "f", "m", 0)) {
    policy::Policy wanted;
    wanted.base = base;
    wanted.low = low;
    wanted.execution = policy::Execution::kEmulated;
    std::vector<policy::SiteKey> keys;
    std::vector<const graph::Site*> sites;
    for (const auto& site : flat.sites()) {
      keys.push_back(site->key);
      sites.push_back(site.get());
    }
    auto resolved = std::make_shared<policy::Resolved>(policy::resolve(wanted, keys, {}));
    autocast::resolve_executions(*resolved, sites);
    casts.set_policy(resolved);
  }

  /// A further micro-batch: forward, and backward from the loss times `scale`.
  void step(std::vector<c10::IValue> inputs, double scale = 1) {
    trace.begin_batch();
    casts.begin();
    graph::SiteHook* hooks[] = {trace.hook(), &casts};
    const at::Tensor loss = flat.run(std::move(inputs), hooks).toTensor();
    trace.loss(loss);
    casts.end();
    if (!loss.requires_grad()) return;
    const at::Tensor root = loss.mul(scale);
    trace.before_backward(root);
    root.backward();
  }

  at::Tensor parameter(const std::string& name, at::Tensor value) {
    value.requires_grad_(true);
    trace.name(value, diagnose::TracedValue::Origin::kParameter, name);
    return value;
  }

  /// `log#0`, `linear#0.1` (call 1), `<- sqrt#0` of backward, or what came from outside.
  std::string roots() const {
    std::string text;
    for (const Cause& cause : diagnose::find_causes(trace).roots) text += (text.empty() ? "" : ", ") + text_of(cause);
    return text;
  }
  std::string chain() const {
    std::string text;
    for (const diagnose::CauseLink& link : diagnose::find_causes(trace).chain) {
      text += (text.empty() ? "" : " ") + call_text(link.call, link.backward);
    }
    return text;
  }

  std::string text_of(const Cause& cause) const {
    switch (cause.fault) {
      case Cause::Fault::kData:
      case Cause::Fault::kParameter:
      case Cause::Fault::kBuffer:
      case Cause::Fault::kUnknown:
        return cause.what;
      case Cause::Fault::kCast:
        return "cast of " + cause.what + " at " + call_text(cause.call, cause.backward);
      case Cause::Fault::kSum:
        return "sum at " + (cause.call < 0 ? cause.what : call_text(cause.call, cause.backward));
      case Cause::Fault::kInvalid:
        return "invalid " + call_text(cause.call, cause.backward);
      case Cause::Fault::kLost:
        return "lost at " + call_text(cause.call, cause.backward);
      case Cause::Fault::kOverflow:
        break;
    }
    return call_text(cause.call, cause.backward);
  }
  std::string call_text(int call, bool backward) const {
    const diagnose::TracedCall& traced = trace.calls()[static_cast<std::size_t>(call)];
    const std::string index = traced.index > 0 ? "." + std::to_string(traced.index) : "";
    return (backward ? "<- " : "") + traced.site->op.substr(6) + "#" + std::to_string(traced.site->key.ordinal) + index;
  }
};

}  // namespace

class TestFirstCause : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void theOverflowOfAnOutputIsFoundBehindItsRounding() {
    Traced run("def f(x: Tensor, w: Tensor) -> Tensor:\n    return torch.relu(torch.linear(x, w)).sum()\n");
    run.step({at::full({2, 4}, 300.0), run.parameter("w", at::full({3, 4}, 100.0))});
    QCOMPARE(run.roots(), std::string("linear#0"));
    QCOMPARE(run.chain(), std::string("linear#0 relu#0 sum#0"));
    QCOMPARE(diagnose::find_causes(run.trace).ends, std::string("loss"));
  }

  void anArgumentThatTheFormatDoesNotHoldIsACastOverflow() {
    Traced run("def f(x: Tensor, w: Tensor) -> Tensor:\n    return torch.linear(x, w).sum()\n");
    run.step({at::full({2, 4}, 1e5), run.parameter("w", at::full({3, 4}, 1e-5))});
    QCOMPARE(run.roots(), std::string("cast of input at linear#0"));
  }

  void float64TellsAPoleFromWhatIsTooLarge_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<double>("value");
    QTest::addColumn<QString>("root");
    QTest::newRow("log 0") << "torch.log(x)" << 0.0 << "invalid log#0";
    QTest::newRow("1/0") << "1.0 / x" << 0.0 << "invalid reciprocal#0";
    QTest::newRow("0/0") << "x / x" << 0.0 << "invalid div#0";
    QTest::newRow("sqrt -1") << "torch.sqrt(x)" << -1.0 << "invalid sqrt#0";
    QTest::newRow("exp 100") << "torch.exp(x)" << 100.0 << "exp#0";
    QTest::newRow("exp 1000") << "torch.exp(x)" << 1000.0 << "exp#0";
    QTest::newRow("square") << "x * x" << 1e30 << "mul#0";
  }
  void float64TellsAPoleFromWhatIsTooLarge() {
    QFETCH(QString, text);
    QFETCH(double, value);
    QFETCH(QString, root);
    Traced run("def f(x: Tensor) -> Tensor:\n    return (" + text.toStdString() + ").sum()\n",
               policy::Base::kAllFloat32);
    run.step({at::full({4}, value)});
    QCOMPARE(QString::fromStdString(run.roots()), root);
  }

  void masksAreInheritedAndNeverReported() {
    Traced run(
        "def f(x: Tensor, w: Tensor, mask: Tensor, bias: Tensor) -> Tensor:\n"
        "    scores = torch.linear(x, w)\n"
        "    scores = scores.masked_fill(mask, float(\"-inf\")) + bias\n"
        "    return torch.softmax(scores, -1)[0].sum()\n");
    const at::Tensor mask = at::ones({4, 4}).triu(1).to(at::kBool);
    const at::Tensor bias = at::zeros({4, 4}).masked_fill(mask, -kInfinity);
    run.trace.name(bias, diagnose::TracedValue::Origin::kBuffer, "mask");
    run.step({at::ones({4, 4}), run.parameter("w", at::ones({4, 4})), mask, bias});
    const diagnose::Causes causes = diagnose::find_causes(run.trace);
    QVERIFY(causes.loss_finite && causes.gradients_finite);
    QVERIFY(causes.roots.empty());
  }

  /// A mask among a call's arguments asks for its own infinities, not for those that the format adds to them.
  void anOverflowBesideAMaskIsTheCallsOwn_data() {
    QTest::addColumn<double>("size");
    QTest::addColumn<QString>("roots");
    QTest::newRow("too large") << 100.0 << QStringLiteral("add#1");
    QTest::newRow("held") << 10.0 << QString();
  }
  void anOverflowBesideAMaskIsTheCallsOwn() {
    QFETCH(double, size);
    QFETCH(QString, roots);
    Traced run(
        "def f(x: Tensor, w: Tensor, mask: Tensor) -> Tensor:\n"
        "    h = torch.linear(x, w)\n"
        "    return torch.softmax(h + (h.detach() + mask.to(h.dtype)), 1).sum()\n");
    run.step({at::full({2, 4}, size), run.parameter("w", at::full({3, 4}, size)),
              at::tensor({-kInfinity, 0.0, 0.0}, at::kFloat)});
    QCOMPARE(QString::fromStdString(run.roots()), roots);
  }

  void aNaNMadeOfAMaskCountsAndTheMaskDoesNot() {
    Traced run(
        "def f(x: Tensor, w: Tensor, mask: Tensor) -> Tensor:\n"
        "    scores = torch.linear(x, w).masked_fill(mask, float(\"-inf\"))\n"
        "    return torch.softmax(scores, -1).sum()\n");
    const at::Tensor mask = at::zeros({4, 4}).to(at::kBool);
    mask[2].fill_(true);
    run.step({at::ones({4, 4}), run.parameter("w", at::ones({4, 4})), mask});
    QCOMPARE(run.roots(), std::string("invalid softmax#0"));
  }

  void rootsThatStandSideBySideAreAllNamed() {
    Traced run(
        "def f(x: Tensor, w: Tensor) -> Tensor:\n"
        "    return torch.log(x).sum() + torch.linear(x + 300.0, w).sum()\n");
    run.step({at::zeros({2, 4}), run.parameter("w", at::full({3, 4}, 100.0))});
    QCOMPARE(run.roots(), std::string("invalid log#0, linear#0"));
  }

  void aCallInALoopHasItsNumber() {
    Traced run(
        "def f(x: Tensor, w: Tensor) -> Tensor:\n"
        "    for i in range(6):\n"
        "        x = torch.linear(x, w)\n"
        "    return x.sum()\n");
    run.step({at::ones({1, 2}), run.parameter("w", at::full({2, 2}, 8.0))});  // 16^n: 65536 in the fourth
    QCOMPARE(run.roots(), std::string("linear#0.3"));
  }

  void whatIsNotOnTheWayToTheLossIsNotNamed() {
    Traced run(
        "def f(x: Tensor, w: Tensor) -> Tensor:\n"
        "    aside = torch.log(x - x)\n"
        "    return torch.linear(x, w).sum() + torch.where(torch.isinf(aside), torch.zeros_like(aside), "
        "aside).sum()\n");
    run.step({at::ones({2, 4}), run.parameter("w", at::ones({3, 4}))});
    const diagnose::Causes causes = diagnose::find_causes(run.trace);
    QVERIFY(causes.loss_finite && causes.gradients_finite);
    QVERIFY(causes.roots.empty());
  }

  void writesInPlaceAndThroughViewsAreFollowed() {
    Traced run(
        "def f(x: Tensor, w: Tensor) -> Tensor:\n"
        "    y = torch.linear(x, w).float()\n"
        "    y[0].log_()\n"
        "    y = torch.relu_(y)\n"
        "    return (y * 0.0).sum()\n");
    run.step({at::ones({2, 4}), run.parameter("w", at::full({3, 4}, -1.0))});
    QCOMPARE(run.roots(), std::string("invalid log_#0"));
  }

  void whatComesInFromOutsideIsNamed_data() {
    QTest::addColumn<int>("origin");
    using Origin = diagnose::TracedValue::Origin;
    QTest::newRow("data") << static_cast<int>(Origin::kData);
    QTest::newRow("parameter") << static_cast<int>(Origin::kParameter);
    QTest::newRow("buffer") << static_cast<int>(Origin::kBuffer);
    QTest::newRow("constant") << static_cast<int>(Origin::kOutside);
  }
  void whatComesInFromOutsideIsNamed() {
    QFETCH(int, origin);
    Traced run("def f(x: Tensor, y: Tensor, w: Tensor) -> Tensor:\n    return (torch.linear(x, w) + y).sum()\n");
    at::Tensor y = at::ones({2, 3});
    y[1][1].fill_(kNaN);
    run.trace.name(y, static_cast<diagnose::TracedValue::Origin>(origin), "y");
    run.step({at::ones({2, 4}), y, run.parameter("w", at::ones({3, 4}))});
    QCOMPARE(run.roots(), std::string("y"));
  }

  void aBackwardThatOverflowsIsNamedWithTheArgument() {
    Traced run(
        "def f(x: Tensor, v: Tensor, w: Tensor) -> Tensor:\n"
        "    return torch.linear(torch.relu(torch.linear(x, v)), w).sum()\n");
    const at::Tensor v = run.parameter("v", at::full({4, 4}, 0.5));
    run.step({at::ones({2, 4}), v, run.parameter("w", at::full({3, 4}, 100.0))}, 4096);  // 3 x 100 x 4096
    const diagnose::Causes causes = diagnose::find_causes(run.trace);
    QVERIFY(causes.loss_finite && !causes.gradients_finite);
    QCOMPARE(run.roots(), std::string("<- linear#1"));
    QCOMPARE(causes.roots.front().what, std::string("input"));
    QCOMPARE(run.chain(), std::string("<- linear#1 <- relu#0 <- linear#0"));
    QCOMPARE(causes.ends, std::string("v"));
  }

  void aMaskedPoleIsNamedInBackward() {
    Traced run(
        "def f(x: Tensor, w: Tensor) -> Tensor:\n"
        "    y = torch.linear(x, w)\n"
        "    return torch.where(y > 0.0, torch.log(y), torch.zeros_like(y)).sum()\n");
    run.step({at::ones({2, 4}), run.parameter("w", at::zeros({3, 4}))});
    const diagnose::Causes causes = diagnose::find_causes(run.trace);
    QVERIFY(causes.loss_finite && !causes.gradients_finite);
    QCOMPARE(run.roots(), std::string("<- log#0"));
  }

  /// In float32 the gradient of a logarithm has a pole that is masked out, and a value beyond float16. Which of the two
  /// reached the weight is told by whether a lower scale helps.
  void aPoleBesideACastThatOverflowsIsNoMatterOfScale() {
    Traced run(
        "def f(x: Tensor, w: Tensor) -> Tensor:\n"
        "    h = torch.relu(torch.linear(x, w))\n"
        "    return torch.where(h > 0.0, torch.log(h), torch.zeros_like(h)).sum()\n");
    run.step({at::tensor({-1.0, 1.0}, at::kFloat).unsqueeze(1), run.parameter("w", at::full({3, 1}, 0.5))}, 60000);
    const diagnose::Causes causes = diagnose::find_causes_of_scale(run.trace);
    QCOMPARE(causes.roots.size(), std::size_t{1});
    QCOMPARE(run.text_of(causes.roots[0]), std::string("<- log#0"));
    const auto& node = run.trace.nodes()[static_cast<std::size_t>(causes.roots[0].node)];
    QVERIFY(node.part == diagnose::TracedNode::Part::kCast);
    QVERIFY(node.out.at(0).dtype == at::kHalf);
    const Cause other = diagnose::find_causes(run.trace).roots.at(0);
    QVERIFY(run.trace.nodes()[static_cast<std::size_t>(other.node)].part == diagnose::TracedNode::Part::kOp);
  }

  void aGradientThatMeetsAnOverflowOfTheForwardBlamesTheForward() {
    Traced run(
        "def f(x: Tensor, w: Tensor) -> Tensor:\n"
        "    return torch.reciprocal(torch.exp(torch.linear(x, w).float())).sum()\n");
    run.step({at::ones({2, 4}), run.parameter("w", at::full({3, 4}, 50.0))});  // exp(200)
    const diagnose::Causes causes = diagnose::find_causes(run.trace);
    QVERIFY(causes.loss_finite && !causes.gradients_finite);
    QCOMPARE(run.roots(), std::string("exp#0"));
  }

  void gradientsWhoseSumOverflowsAreNamedAsASum() {
    Traced run(
        "def f(x: Tensor, w: Tensor) -> Tensor:\n"
        "    y = torch.linear(x, w)\n"
        "    return torch.relu(y).sum() + torch.relu(y).sum()\n");
    run.step({at::ones({1, 4}), run.parameter("w", at::ones({3, 4}))}, 40000);
    QCOMPARE(run.roots(), std::string("sum at <- linear#0"));
  }

  void microBatchesThatAddUpBeyondFloat32AreASumAtTheParameter() {
    Traced run("def f(x: Tensor, w: Tensor) -> Tensor:\n    return (x * w).sum()\n", policy::Base::kAllFloat32);
    const at::Tensor w = run.parameter("w", at::zeros({3}));
    run.step({at::full({3}, 2e38), w});
    run.step({at::full({3}, 2e38), w});
    QCOMPARE(run.roots(), std::string("sum at w"));
  }

  // What the second batch adds is finite, and so is all that came before but for the first.
  void aFaultOfOneMicroBatchIsNoSumOfBoth() {
    for (const bool both : {false, true}) {
      Traced run("def f(x: Tensor, w: Tensor) -> Tensor:\n    return torch.sqrt(x * w).sum()\n",
                 policy::Base::kAllFloat32);
      const at::Tensor w = run.parameter("w", at::ones({3}));
      run.step({at::zeros({3}), w});
      run.step({at::full({3}, both ? 0.0 : 4.0), w});
      const diagnose::Causes causes = diagnose::find_causes(run.trace);
      QVERIFY(causes.loss_finite && !causes.gradients_finite);
      QCOMPARE(causes.roots.size(), std::size_t{1});
      QVERIFY(causes.roots.front().fault != diagnose::Cause::Fault::kSum);
      QCOMPARE(run.trace.calls()[static_cast<std::size_t>(causes.roots.front().call)].batch, 0);
    }
  }

  void aStepThatIsFiniteHasNoCause() {
    Traced run("def f(x: Tensor, w: Tensor) -> Tensor:\n    return torch.linear(x, w).sum()\n");
    run.step({at::ones({2, 4}), run.parameter("w", at::ones({3, 4}))});
    const diagnose::Causes causes = diagnose::find_causes(run.trace);
    QVERIFY(causes.loss_finite && causes.gradients_finite && causes.roots.empty() && causes.chain.empty());
  }

  void oddTensorsAreTaken_data() {
    QTest::addColumn<QString>("text");
    QTest::newRow("empty") << "torch.linear(x, w).sum() + x[:0].sum()";
    QTest::newRow("expanded") << "torch.linear(x, w).sum() + x[0, 0].expand([5, 5]).sum()";
    QTest::newRow("transposed") << "torch.linear(x, w).t().sum() + x.t().sum()";
    QTest::newRow("complex") << "torch.linear(x, w).sum() + torch.abs(torch.complex(x, x)).sum()";
    QTest::newRow("double") << "torch.linear(x, w).sum() + x.double().sum()";
    QTest::newRow("integers") << "torch.linear(x, w).sum() + x.long().sum()";
    QTest::newRow("sparse") << "torch.linear(x, w).sum() + x.to_sparse().to_dense().sum()";
  }
  void oddTensorsAreTaken() {
    QFETCH(QString, text);
    Traced run("def f(x: Tensor, w: Tensor) -> Tensor:\n    return " + text.toStdString() + "\n");
    run.step({at::ones({2, 4}), run.parameter("w", at::ones({3, 4}))});
    QVERIFY(diagnose::find_causes(run.trace).roots.empty());
    QVERIFY(run.trace.calls().size() >= 3);
  }

  void integersHaveARange() {
    const observe::Values seen = observe::look_at(at::full({8}, -100, at::kLong));
    QCOMPARE(seen.count, std::int64_t{8});
    QCOMPARE(seen.zeros, std::int64_t{0});
    QCOMPARE(seen.smallest, 100.0);
    QCOMPARE(seen.largest, 100.0);
    QVERIFY(seen.dtype == at::kLong);
    QCOMPARE(observe::look_at(at::zeros({0}, at::kLong)).count, std::int64_t{0});
    QCOMPARE(observe::look_at(at::ones({3}, at::kBool)).largest, 0.0);
  }

  void aGraphWithoutAGradientHasForwardCausesOnly() {
    Traced run("def f(x: Tensor) -> Tensor:\n    return torch.log(x).sum()\n");
    run.step({at::zeros({2})});
    QCOMPARE(run.roots(), std::string("invalid log#0"));
    QVERIFY(run.trace.nodes().empty());
  }

  void aTraceKeepsNoTensorAlive() {
    Traced run("def f(x: Tensor, w: Tensor) -> Tensor:\n    return torch.linear(x, w).sum()\n");
    c10::weak_intrusive_ptr<c10::TensorImpl, c10::UndefinedTensorImpl> weak(at::ones({1}).getIntrusivePtr());
    {
      const at::Tensor x = at::ones({2, 4});
      weak = decltype(weak)(x.getIntrusivePtr());
      run.step({x, run.parameter("w", at::ones({3, 4}))});
    }
    QVERIFY(weak.expired());
  }
};

BINADE_SUITE(TestFirstCause);
#include "tst_first_cause.moc"
