// SPDX-License-Identifier: Apache-2.0
#include "engine/autocast/region.h"
#include "engine/autocast/rounding.h"
#include "tests/autocast/casting_run.h"
#include "tests/formats/format_metatype.h"
#include "tests/support/suite.h"

#include <ATen/Context.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/batch_norm.h>
#include <ATen/ops/full.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/native_layer_norm.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/scaled_dot_product_attention.h>
#include <ATen/ops/zeros.h>

using namespace binade;
using formats::Format;
using formats::Overflow;
using formats::Rounder;

namespace {

/// Every listed op of cuda-amp in one format.
policy::Policy low(const Format& format) {
  policy::Policy policy;
  policy.base = policy::Base::kCudaAmp;
  policy.low = format;
  return policy;
}

/// Nothing cast but what `sites` say.
policy::Policy rules(std::initializer_list<std::pair<const char*, Format>> sites) {
  policy::Policy policy;
  policy.base = policy::Base::kAllFloat32;
  for (const auto& [match, format] : sites) {
    policy::SiteRule rule;
    rule.match = match;
    rule.format = format;
    policy.sites.push_back(rule);
  }
  return policy;
}

at::Tensor in(const at::Tensor& tensor, const Format& format) {
  return autocast::round_values(tensor.detach(), Rounder(format, formats::default_overflow(format)));
}

at::Tensor backIn(const at::Tensor& tensor, const Format& format) {
  return in(tensor, formats::default_backward(format));
}

bool holds(const at::Tensor& tensor, const Format& format) {
  return in(tensor, format).equal(tensor.detach());
}

Format named(const char* name) {
  return *formats::parse(name);
}

at::Tensor leaf(at::IntArrayRef sizes) {
  return at::randn(sizes).requires_grad_(true);
}

/// `text` under float16 stored in halves and under float16 that saturates, which is logical: alike to the bit.
void compareWithStored(const QString& text, bool gradients) {
  const at::Tensor x = at::randn({8, 8});
  const at::Tensor w = at::randn({8, 8});
  const at::Tensor v = at::randn({8, 8});
  const at::Tensor gradient = at::randn({256}).to(at::kHalf);
  std::vector<std::vector<at::Tensor>> results;
  for (const bool logical : {false, true}) {
    policy::Policy policy = rules({{"m", formats::kFloat16}});
    policy.sites[0].execution = policy::Execution::kEmulated;
    if (logical) policy.sites[0].overflow = Overflow::kSaturate;
    std::vector<at::Tensor> leaves;
    for (const at::Tensor& tensor : {x, w, v}) leaves.push_back(tensor.clone().requires_grad_(gradients));
    test::CastingRun run(text.toStdString(), policy);
    const at::Tensor y = run.run({leaves[0], leaves[1], leaves[2]}).toTensor();
    QVERIFY(y.scalar_type() == (logical ? at::kFloat : at::kHalf));
    if (gradients) y.backward(gradient.slice(0, 0, y.numel()).view_as(y).to(y.scalar_type()));
    results.push_back({y.detach().to(at::kFloat), leaves[0].grad(), leaves[1].grad(), leaves[2].grad()});
  }
  const char* names[] = {"output", "gradient of x", "gradient of w", "gradient of v"};
  for (std::size_t i = 0; i < results[0].size(); ++i) {
    if (results[0][i].defined()) QVERIFY2(results[0][i].equal(results[1][i]), names[i]);
  }
}

}  // namespace

// Formats that no dtype holds: float32 in memory, rounded where the format says.
class TestLogical : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() { at::manual_seed(7); }

  void aSiteRoundsOperandsResultAndGradients_data() {
    QTest::addColumn<Format>("format");
    for (const char* name : {"tfloat32", "float8_e4m3fn", "float8_e5m2", "e4m3", "e6m9", "e2m1", "e8m3"}) {
      QTest::newRow(name) << named(name);
    }
  }
  void aSiteRoundsOperandsResultAndGradients() {
    QFETCH(Format, format);
    const at::Tensor x = leaf({5, 16});
    const at::Tensor w = leaf({7, 16});
    test::CastingRun run("def f(x: Tensor, w: Tensor) -> Tensor:\n    return torch.linear(x, w)\n", low(format));
    const at::Tensor y = run.run({x, w}).toTensor();
    QVERIFY(run.decision(0).execution == policy::Execution::kEmulated);
    QVERIFY(y.scalar_type() == at::kFloat);
    QVERIFY(y.detach().equal(in(at::linear(in(x, format), in(w, format)), format)));

    const at::Tensor gradient = at::randn({5, 7});
    y.backward(gradient);
    const at::Tensor g = backIn(gradient, format);
    QVERIFY(x.grad().equal(backIn(g.mm(in(w, format)), format)));
    QVERIFY(w.grad().equal(backIn(g.t().mm(in(x, format)), format)));
  }

  void anOpThatGivesItsArgumentBackSharesItsHistory_data() {
    QTest::addColumn<QString>("given");
    QTest::addColumn<bool>("own");
    QTest::newRow("dropout at rest") << "torch.dropout(y, 0.5, False)" << false;
    QTest::newRow("contiguous") << "y.contiguous()" << false;
    QTest::newRow("to its own dtype") << "y.to(6)" << true;
  }
  void anOpThatGivesItsArgumentBackSharesItsHistory() {
    QFETCH(QString, given);
    QFETCH(bool, own);  // as where a dtype holds the format: float32 is then another one, and `to` copies
    const at::Tensor x = leaf({3, 8});
    const at::Tensor w = leaf({8, 4});
    test::CastingRun run(QStringLiteral("def f(x: Tensor, w: Tensor) -> Tuple[Tensor, Tensor]:\n"
                                        "    y = torch.mm(x, w)\n"
                                        "    z = %1\n"
                                        "    z.mul_(0.0)\n"
                                        "    return y, z\n")
                             .arg(given)
                             .toStdString(),
                         rules({{"*/aten::mm#0", named("float8_e4m3fn")}}));
    const auto got = run.run({x, w}).toTupleRef().elements().vec();
    const at::Tensor y = got[0].toTensor();
    QCOMPARE(y.eq(0).all().item<bool>(), !own);
    QVERIFY(got[1].toTensor().eq(0).all().item<bool>());
    y.sum().backward();
    // What was multiplied by zero gets none.
    QCOMPARE(x.grad().eq(0).all().item<bool>(), !own);
  }

  void aRegionRoundsACompositeAtItsBoundaryAsAGraphDoes() {
    const policy::Policy policy = low(named("e5m3"));
    const at::Tensor x = leaf({2, 3, 4, 8});
    test::CastingRun run(
        "def f(x: Tensor) -> Tensor:\n"
        "    return torch.scaled_dot_product_attention(x, x, x, None, 0.0, False)\n",
        policy);
    const at::Tensor graph = run.run({x}).toTensor();
    at::Tensor eager;
    {
      const autocast::Region region(autocast::PolicyRegionArguments{autocast::table_for(policy), "cpu"});
      eager = at::scaled_dot_product_attention(x, x, x);
    }
    QVERIFY(holds(eager, named("e5m3")));
    QVERIFY(eager.equal(graph));
  }

  void aSaturatingHalfClampsWhereTheDtypeOverflows() {
    policy::Policy policy = rules({{"m", formats::kFloat16}});
    policy.sites[0].overflow = Overflow::kSaturate;
    test::CastingRun run("def f(x: Tensor, w: Tensor) -> Tensor:\n    return torch.mm(x, w)\n", policy);
    const at::Tensor y = run.run({at::full({1, 1}, 300.0), at::full({1, 1}, -300.0)}).toTensor();
    QCOMPARE(y.item<float>(), -65504.0F);
    QVERIFY(y.scalar_type() == at::kFloat);
  }

  void gradientsTakeTheFormatThatARuleGivesThem() {
    policy::Policy policy = rules({{"m", formats::kFloat16}});
    policy.sites[0].backward = named("e4m2");
    const at::Tensor x = leaf({3, 8});
    const at::Tensor w = leaf({8, 4});
    test::CastingRun run("def f(x: Tensor, w: Tensor) -> Tensor:\n    return torch.mm(x, w)\n", policy);
    const at::Tensor y = run.run({x, w}).toTensor();
    QVERIFY(holds(y, formats::kFloat16) && !holds(y, named("e4m2")));
    y.backward(at::ones({3, 4}));
    QVERIFY(x.grad().equal(in(at::ones({3, 4}).mm(in(w, formats::kFloat16).t()), named("e4m2"))));
    QVERIFY(!holds(in(x.grad(), formats::kFloat16), named("e3m1")));
  }

  void opsThatFollowAreRoundedToWhatTheyFollow() {
    const Format format = named("e5m4");
    test::CastingRun run(
        "def f(x: Tensor, w: Tensor) -> List[Tensor]:\n    h = torch.mm(x, w)\n    t = torch.tanh(h)\n"
        "    return [h, t, torch.mul(t, h)]\n",
        low(format));
    const std::vector<at::Tensor> y = run.run({at::randn({4, 8}), at::randn({8, 4})}).toTensorVector();
    QVERIFY(y[1].equal(in(y[0].tanh(), format)));
    QVERIFY(y[2].equal(in(y[1] * y[0], format)));
    QVERIFY(!y[1].equal(y[0].tanh()));
  }

  void aFormatIsCarriedThroughViewsListsAndTuples() {
    const Format format = named("e4m4");
    test::CastingRun run(
        "def f(x: Tensor, w: Tensor) -> List[Tensor]:\n"
        "    a, b = torch.chunk(torch.mm(x, w).t().unsqueeze(0), 2, 1)\n"
        "    c = torch.cat([torch.relu(a), b.contiguous()], 1).view([-1])\n"
        "    top, at = torch.max(c.view([4, 4]), 1)\n"
        "    return [c, torch.exp(top), torch.exp(torch.split(c, 8)[1])]\n",
        low(format));
    const std::vector<at::Tensor> y = run.run({at::randn({4, 8}), at::randn({8, 4})}).toTensorVector();
    QVERIFY(holds(y[0], format));
    // exp is on the list: float32, of values that were in the format.
    QVERIFY(y[2].equal(y[0].slice(0, 8, 16).exp()));
    test::CastingRun followed(
        "def f(x: Tensor, w: Tensor) -> Tensor:\n"
        "    return torch.tanh(torch.split(torch.mm(x, w).view([-1]), 8)[1][2:5])\n",
        low(format));
    QVERIFY(holds(followed.run({at::randn({4, 8}), at::randn({8, 4})}).toTensor(), format));
  }

  void theSumOfGradientsAtAFanOutIsRounded() {
    const Format format = named("e5m3");
    const at::Tensor x = leaf({4, 4});
    const at::Tensor w = leaf({4, 4});
    test::CastingRun run(
        "def f(x: Tensor, w: Tensor) -> Tensor:\n    h = torch.mm(x, w)\n"
        "    return torch.mul(torch.tanh(h), torch.sigmoid(h))\n",
        low(format));
    run.run({x, w}).toTensor().backward(at::ones({4, 4}));

    const at::NoGradGuard no_history;
    const at::Tensor h = in(in(x, format).mm(in(w, format)), format);
    const at::Tensor t = in(h.tanh(), format);
    const at::Tensor s = in(h.sigmoid(), format);
    const at::Tensor to_tanh = in(s, format);
    const at::Tensor to_sigmoid = in(t, format);
    const at::Tensor one = in(to_tanh * (1 - t * t), format);
    const at::Tensor other = in(to_sigmoid * (1 - s) * s, format);
    const at::Tensor sum = in(one + other, format);
    QVERIFY(!sum.equal(one + other));  // or the test would show nothing
    QVERIFY(x.grad().equal(in(sum.mm(in(w, format).t()), format)));
  }

  /// float16 that saturates is logical; nothing here overflows, so it must be what float16 stored in halves is.
  void aLogicalHalfIsBitForBitAStoredOne_data() {
    QTest::addColumn<QString>("text");
    const QString head = QStringLiteral("def f(x: Tensor, w: Tensor, v: Tensor) -> Tensor:\n");
    QTest::newRow("chain") << head + QStringLiteral("    return torch.mm(torch.relu(torch.mm(x, w)), v)\n");
    QTest::newRow("residual")
        << head + QStringLiteral("    h = torch.mm(x, w)\n    return torch.mm(torch.relu(torch.mm(h, v) + h), v)\n");
    QTest::newRow("shared weight") << head + QStringLiteral(
                                                 "    return torch.mm(torch.mm(torch.mm(x, w), w), v) * 0.37\n");
    QTest::newRow("fan-out of a view") << head +
                                              QStringLiteral(
                                                  "    h = torch.mm(x, w).t()\n    return torch.mm(h, v) + h * 0.7\n");
    QTest::newRow("expand") << head +
                                   QStringLiteral(
                                       "    h = torch.mm(x, w)[0:1].expand([8, 8])\n    return torch.mm(h, v) + h\n");
    QTest::newRow("addition in place")
        << head + QStringLiteral("    h = torch.mm(x, w)\n    h.add_(torch.mm(x, v))\n    return torch.mm(h, v)\n");
    QTest::newRow("relu in place") << head + QStringLiteral(
                                                 "    h = torch.mm(x, w)\n    return torch.mm(torch.relu_(h), v)\n");
    QTest::newRow("pooling") << head + QStringLiteral(
                                           "    h = torch.mm(x, w).view([1, 1, 8, 8])\n"
                                           "    p = torch.max_pool2d(h, [2, 2], [2, 2])\n"
                                           "    return torch.mm(p.view([2, 8]), v)\n");
    QTest::newRow("concatenation") << head + QStringLiteral(
                                                 "    h = torch.mm(x, w)\n    g = torch.cat([h, torch.mm(h, v)], 1)\n"
                                                 "    return torch.mm(g[:, 4:12], v)\n");
  }
  void aLogicalHalfIsBitForBitAStoredOne() {
    QFETCH(QString, text);
    compareWithStored(text, /*gradients=*/true);
  }

  void whatIsWrittenInPlaceIsBitForBitAStoredHalfToo_data() {
    QTest::addColumn<QString>("statement");
    // Not where LibTorch's backward rounds between the steps of one formula, and never with `out=`.
    QTest::addColumn<bool>("gradients");
    QTest::newRow("multiplication by a number") << QStringLiteral("h.mul_(0.300048828125)") << true;
    QTest::newRow("addition of a number") << QStringLiteral("h.add_(0.300048828125)") << true;
    QTest::newRow("subtraction with a factor") << QStringLiteral("h.sub_(torch.mm(x, v), alpha=2)") << true;
    QTest::newRow("division") << QStringLiteral("h.div_(1.7)") << true;
    QTest::newRow("clamping") << QStringLiteral("h.clamp_(-1.1, 0.9)") << true;
    QTest::newRow("sigmoid") << QStringLiteral("torch.sigmoid_(h)") << false;
    QTest::newRow("broadcast operand") << QStringLiteral("h.mul_(torch.mm(x, v)[0])") << false;
    QTest::newRow("filling where a mask says") << QStringLiteral("h.masked_fill_(h > 0, 0.3)") << true;
    QTest::newRow("writing rows by index") << QStringLiteral("h[torch.tensor([1, 3])] = torch.mm(x, v)[0:2]") << true;
    QTest::newRow("adding rows by index")
        << QStringLiteral("h.index_put_([torch.tensor([1, 3])], torch.mm(x, v)[0:2], True)") << true;
    QTest::newRow("zeros, then an addition") << QStringLiteral("h.zero_()\n    h.add_(torch.mm(x, v))") << true;
    QTest::newRow("a view") << QStringLiteral("h[2:6].mul_(0.300048828125)") << true;
    QTest::newRow("a view of a view") << QStringLiteral("h.t()[2:6].div_(1.7)") << true;
    QTest::newRow("a view, then used twice") << QStringLiteral("h[2:6].div_(1.7)\n    h = torch.mm(h, v) + h") << true;
    QTest::newRow("a copy into a view") << QStringLiteral("h[:, 0:4] = torch.mm(x, v)[:, 4:8]") << true;
    QTest::newRow("out= is an argument") << QStringLiteral("torch.mul(h, torch.mm(x, v), out=h)") << false;
    QTest::newRow("out= is a view of an argument")
        << QStringLiteral("torch.div(h[0:4], torch.mm(x, v)[0:4], out=h[0:4])") << false;
  }
  void whatIsWrittenInPlaceIsBitForBitAStoredHalfToo() {
    QFETCH(QString, statement);
    QFETCH(bool, gradients);
    const QString text = QStringLiteral(
        "def f(x: Tensor, w: Tensor, v: Tensor) -> Tensor:\n    h = torch.mm(x, w)\n    %1\n"
        "    return torch.mm(h, v)\n");
    compareWithStored(text.arg(statement), gradients);
  }

  /// LibTorch's own kernel rounds the number to the tensor's dtype before it multiplies in place; a logical format
  /// multiplies by the number itself.
  void aNumberIsNoTensorAndIsNotRounded() {
    policy::Policy policy = rules({{"m", formats::kFloat16}});
    policy.sites[0].overflow = Overflow::kSaturate;
    test::CastingRun run("def f(x: Tensor, w: Tensor) -> Tensor:\n    return torch.mm(x, w).mul_(0.3)\n", policy);
    const at::Tensor x = at::randn({16, 16});
    const at::Tensor w = at::randn({16, 16});
    const at::Tensor h = in(in(x, formats::kFloat16).mm(in(w, formats::kFloat16)), formats::kFloat16);
    const at::Tensor y = run.run({x, w}).toTensor();
    QVERIFY(y.equal(in(h * 0.3, formats::kFloat16)));
    QVERIFY(!y.equal(in(h * 0.300048828125, formats::kFloat16)));  // the half next to 0.3
  }

  void theWidestFormatByContainmentIsFollowed_data() {
    QTest::addColumn<QString>("one");
    QTest::addColumn<QString>("other");
    QTest::addColumn<QString>("result");
    QTest::newRow("one holds the other") << "e4m3"
                                         << "e5m7"
                                         << "e5m7";
    QTest::newRow("neither") << "e4m6"
                             << "e8m3"
                             << "float32";
    QTest::newRow("stored half holds it") << "float8_e4m3fn"
                                          << "float16"
                                          << "float16";
    QTest::newRow("it holds stored bfloat16") << "tfloat32"
                                              << "bfloat16"
                                              << "tfloat32";
    QTest::newRow("neither, one stored") << "float8_e4m3fn"
                                         << "bfloat16"
                                         << "bfloat16";
    QTest::newRow("range against precision") << "e8m2"
                                             << "float16"
                                             << "float32";
    QTest::newRow("float32 holds all") << "e5m3"
                                       << "float32"
                                       << "float32";
  }
  void theWidestFormatByContainmentIsFollowed() {
    QFETCH(QString, one);
    QFETCH(QString, other);
    QFETCH(QString, result);
    const Format expected = named(result.toUtf8().constData());
    test::CastingRun run(
        "def f(x: Tensor, w: Tensor) -> List[Tensor]:\n    a = torch.mm(x, w)\n    b = torch.matmul(x, w)\n"
        "    return [a, b, torch.mul(a, b)]\n",
        rules({{"m/aten::mm#0", named(one.toUtf8().constData())},
               {"m/aten::matmul#0", named(other.toUtf8().constData())}}));
    const std::vector<at::Tensor> y = run.run({at::randn({8, 8}), at::randn({8, 8})}).toTensorVector();
    const at::Tensor product = y[0].to(at::kFloat) * y[1].to(at::kFloat);
    QVERIFY(y[2].to(at::kFloat).equal(in(product, expected)));
    const bool stored = expected == formats::kFloat16 || expected == formats::kBFloat16;
    QCOMPARE(y[2].scalar_type() == at::kFloat, !stored);
  }

  void whatTheModelAsksForInFloat32IsFloat32() {
    const Format format = named("e4m2");
    test::CastingRun run(
        "def f(x: Tensor, w: Tensor) -> List[Tensor]:\n    h = torch.mm(x, w)\n"
        "    s = torch.softmax(h, 1, dtype=6)\n    t = h.to(6)\n"
        "    return [h, torch.tanh(s), torch.tanh(t), torch.tanh(h)]\n",
        rules({{"m/aten::mm#0", format}}));
    const std::vector<at::Tensor> y = run.run({at::randn({8, 8}), at::randn({8, 8})}).toTensorVector();
    QVERIFY(y[1].equal(y[0].softmax(1).tanh()));
    QVERIFY(y[2].equal(y[0].tanh()));
    QVERIFY(y[3].equal(in(y[0].tanh(), format)));
  }

  /// As it is where a dtype holds the format: the result is of the format that the other tensor shows.
  void whatIsMadeAsAnotherTensorTakesItsFormat() {
    const Format format = named("e4m2");
    test::CastingRun run(
        "def f(x: Tensor, w: Tensor) -> List[Tensor]:\n    h = torch.mm(x, w)\n"
        "    return [h, torch.tanh(h.type_as(x)), x.type_as(h)]\n",
        rules({{"m/aten::mm#0", format}}));
    const at::Tensor x = at::randn({8, 8});
    const std::vector<at::Tensor> y = run.run({x, at::randn({8, 8})}).toTensorVector();
    QVERIFY(y[1].equal(y[0].tanh()));  // x is float32: what is computed of it is no longer rounded
    QVERIFY(y[2].equal(in(x, format)));
  }

  /// What a norm leaves to its backward is float32, as beside a half.
  void theStatisticsThatANormSavesAreNotRounded() {
    const Format format = named("e4m2");
    test::CastingRun run(
        "def f(x: Tensor) -> List[Tensor]:\n"
        "    y, mean, deviation = torch.native_layer_norm(x, [8], None, None, 1e-05)\n"
        "    return [y, mean, deviation]\n",
        rules({{"m", format}}));
    const at::Tensor x = in(at::randn({4, 8}), format);
    const std::vector<at::Tensor> y = run.run({x}).toTensorVector();
    const auto [normed, mean, deviation] = at::native_layer_norm(x, {8}, {}, {}, 1e-05);
    QVERIFY(y[0].equal(in(normed, format)));
    QVERIFY(y[1].equal(mean) && y[2].equal(deviation));
    QVERIFY(!holds(mean, format));
  }

  void runningStatisticsKeepUpdatingInFloat32() {
    const Format format = named("e5m2");
    const at::Tensor mean = at::zeros({4});
    const at::Tensor variance = at::ones({4});
    test::CastingRun run(
        "def f(x: Tensor, w: Tensor, m: Tensor, v: Tensor) -> List[Tensor]:\n    h = torch.conv2d(x, w)\n"
        "    return [h, torch.batch_norm(h, None, None, m, v, True, 0.1, 1e-05, False)]\n",
        low(format));
    const std::vector<at::Tensor> y =
        run.run({at::randn({8, 3, 5, 5}), at::randn({4, 3, 3, 3}), mean, variance}).toTensorVector();
    const at::Tensor expected_mean = at::zeros({4});
    const at::Tensor expected_variance = at::ones({4});
    const at::Tensor normed = at::batch_norm(y[0], {}, {}, expected_mean, expected_variance, true, 0.1, 1e-05, false);
    QVERIFY(mean.equal(expected_mean) && variance.equal(expected_variance));
    QVERIFY(!mean.equal(at::zeros({4})));
    QVERIFY(y[1].equal(in(normed, format)));
  }

  void anLstmIsRoundedAtItsBoundaryAndTheTableSaysSo() {
    const std::string text =
        "def f(x: Tensor, h: List[Tensor], w: List[Tensor]) -> List[Tensor]:\n"
        "    a, b, c = torch.lstm(x, h, w, True, 1, 0.0, False, False, True)\n    return [a, b, c]\n";
    const Format format = named("e5m3");
    test::CastingRun run(text, low(format));
    QVERIFY(run.decision(0).format == format && run.decision(0).execution == policy::Execution::kEmulated);
    const c10::List<at::Tensor> state({at::zeros({1, 2, 6}), at::zeros({1, 2, 6})});
    const c10::List<at::Tensor> weights({at::randn({24, 5}), at::randn({24, 6}), at::randn({24}), at::randn({24})});
    const std::vector<at::Tensor> y = run.run({at::randn({2, 3, 5}), state, weights}).toTensorVector();
    QCOMPARE(y.size(), std::size_t{3});
    for (const at::Tensor& each : y) QVERIFY(holds(each, format));
    int told = 0;
    for (const policy::Finding& finding : run.findings()) {
      told += finding.message.find("rounded as one, at the boundary: m/aten::lstm#0 to e5m3") != std::string::npos;
    }
    QCOMPARE(told, 1);
  }

  void ruledOutSitesAreFloat32AmongFloat8() {
    policy::Policy policy = low(formats::kFloat8E4M3fn);
    policy.sites = rules({{"m/aten::mm#1", formats::kFloat32}}).sites;
    test::CastingRun run(
        "def f(x: Tensor, w: Tensor) -> List[Tensor]:\n    h = torch.mm(x, w)\n"
        "    return [h, torch.mm(h, w)]\n",
        policy);
    const at::Tensor w = at::randn({8, 8});
    const std::vector<at::Tensor> y = run.run({at::randn({8, 8}), w}).toTensorVector();
    QVERIFY(y[1].equal(y[0].mm(w)));
  }

  void deadTensorsAreForgotten() {
    autocast::LogicalFormats formats;
    autocast::Precision precision;
    precision.format = precision.backward = named("e4m3");
    precision.logical = true;
    const at::Tensor kept = at::ones({1});
    formats.mark(kept, precision);
    for (int i = 0; i < 20000; ++i) formats.mark(at::ones({1}), precision);
    QVERIFY(formats.size() < 10000);
    QVERIFY(formats.of(kept) != nullptr);
  }

  void aWriteAfterUseIsStillNoticed() {
    test::CastingRun run(
        "def f(x: Tensor, w: Tensor) -> Tensor:\n    h = torch.mm(x, w)\n    y = torch.mul(h, h)\n"
        "    h.mul_(2)\n    return torch.mul(y, h)\n",
        low(named("e5m4")));
    const at::Tensor y = run.run({leaf({4, 4}), leaf({4, 4})}).toTensor();
    QVERIFY_EXCEPTION_THROWN(y.sum().backward(), std::exception);
  }

  void withoutGradientsTheValuesAreTheSame() {
    const at::Tensor x = leaf({6, 6});
    const at::Tensor w = leaf({6, 6});
    test::CastingRun run(
        "def f(x: Tensor, w: Tensor) -> Tensor:\n    h = torch.mm(x, w)\n"
        "    return torch.tanh(h + torch.mm(h, w))\n",
        low(formats::kFloat8E5M2));
    const at::Tensor with = run.run({x, w}).toTensor();
    const at::NoGradGuard no_history;
    const at::Tensor without = run.run({x, w}).toTensor();
    QVERIFY(with.detach().equal(without));
    QVERIFY(!without.requires_grad());
  }
};

BINADE_SUITE(TestLogical);
#include "tst_logical.moc"
