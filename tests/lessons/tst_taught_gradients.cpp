// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/tensor_stats.h"
#include "engine/lessons/scaled_tail.h"
#include "tests/lessons/computed.h"
#include "tests/support/suite.h"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace binade::test {

// The numbers that lessons teach about gradients and the loss scale, from the computation that draws their figures.
class TaughtGradients : public Suite {
  Q_OBJECT

 private Q_SLOTS:
  void aChainReachesZeroAtTheEighthLayer();
  void theScaledChainStaysInTheWindow();
  void aTooLargeScaleOverflowsAtTheLoss();
  void smallGradientsSideBySide();
  void aScaledGradientComesBack();
  void dividingInFloat16LosesItAgain();
  void powersOfTwoAreExactInsideTheWindow();
  void anOverflowRuinsAnUncheckedWeight();
  void scalingMovesATailIntoTheWindow();
  void aMeasuredGradientHasTheSameFigure();
  void aGradientMeasuredAtAScaleIsDividedByIt();
  void whatWasLostBeforeItWasMeasuredDoesNotCount();
  void unscalingMattersToSgdAndSeemsNotToMatterToAdam();
  void quotedFiguresAreLabelled();
  void theBarsOfTheBaseline();
};

void TaughtGradients::aChainReachesZeroAtTheEighthLayer() {
  const auto chain = computed("chain");
  QCOMPARE(fact(chain, "zero_layer"), 8.0);
  QCOMPARE(fact(chain, "subnormal_layer"), 5.0);
  QCOMPARE(fact(chain, "overflow_layer"), -1.0);
  QCOMPARE(fact(chain, "kept"), 7.0);
  QCOMPARE(fact(chain, "lost"), 3.0);
  QCOMPARE(fact(chain, "last_unscaled"), 0.0);
}

void TaughtGradients::theScaledChainStaysInTheWindow() {
  const auto lowest = fact(computed("chain"), "lowest_exponent");
  const auto chain = computed("chain", {}, 15);
  QCOMPARE(fact(chain, "lost"), 0.0);
  QVERIFY(std::fabs(fact(chain, "last_unscaled") / 1e-10 - 1) < 0.5);
  QVERIFY(fact(computed("chain", {}, lowest), "lost") == 0);
  QVERIFY(fact(computed("chain", {}, lowest - 1), "lost") > 0);
  // Six layers stay normal at 2^15, so they have the bits of a format without limits.
  QCOMPARE(fact(computed("chain", {{"layers", "6"}}, 15), "exact"), 6.0);
}

void TaughtGradients::aTooLargeScaleOverflowsAtTheLoss() {
  QCOMPARE(fact(computed("chain", {}, 16), "overflow_layer"), 0.0);
  QCOMPARE(fact(computed("chain"), "highest_exponent"), 15.0);
}

void TaughtGradients::smallGradientsSideBySide() {
  const auto gradient = computed("small_gradient");
  QVERIFY(fact(gradient, "held") == 0x1.5p-17);
  QCOMPARE(fact_text(gradient, "held_bits"), std::string("0x00a8"));
  QCOMPARE(fact_text(gradient, "held_error"), std::string("0.136 %"));
  QCOMPARE(fact(gradient, "flushed"), 0.0);
  QCOMPARE(fact(gradient, "beside_held"), 0.0);
  QCOMPARE(fact(gradient, "update"), 0.0);  // 1e-5 x 1e-3
  const auto normal = computed("small_gradient", {{"gradient", "1e-3"}});
  QCOMPARE(fact(normal, "flushed"), fact(normal, "held"));
}

void TaughtGradients::aScaledGradientComesBack() {
  const auto gradient = computed("small_gradient");
  QVERIFY(std::fabs(fact(gradient, "scaled") - 0.65536) < 1e-12);
  QCOMPARE(fact(gradient, "scaled_held"), 0.6552734375);
  QCOMPARE(fact_text(gradient, "unscaled"), std::string("9.998679e-6"));
  QCOMPARE(fact_text(gradient, "unscaled_error"), std::string("0.0132 %"));
  QCOMPARE(fact_text(gradient, "beside_unscaled"), std::string("9.997166e-9"));
  QCOMPARE(fact_text(gradient, "overflow_gradient"), std::string("0.99975586"));
}

void TaughtGradients::dividingInFloat16LosesItAgain() {
  const auto gradient = computed("small_gradient");
  QCOMPARE(fact(gradient, "beside_unscaled_narrow"), 0.0);
  QVERIFY(fact(gradient, "unscaled_narrow") == 0x1.5p-17);
}

void TaughtGradients::powersOfTwoAreExactInsideTheWindow() {
  const auto reference = fact(computed("small_gradient", {{"gradient", "3.3e-4"}}, 0), "unscaled");
  for (int exponent = 0; exponent <= 24; ++exponent) {
    QVERIFY(fact(computed("small_gradient", {{"gradient", "3.3e-4"}}, exponent), "unscaled") == reference);
  }
  const auto bounds = computed("small_gradient", {{"gradient", "3.3e-4"}});
  QCOMPARE(fact(bounds, "exact_lowest"), 0.0);
  QCOMPARE(fact(bounds, "exact_highest"), 27.0);  // 1.35 x 2^-12 reaches the top binade 2^15 there
}

void TaughtGradients::anOverflowRuinsAnUncheckedWeight() {
  const auto gradient = computed("small_gradient", {{"gradient", "1"}});
  QVERIFY(std::isinf(fact(gradient, "scaled_held")));
  QVERIFY(std::isinf(fact(gradient, "weight_unprotected")));
  QCOMPARE(fact(gradient, "weight_checked"), 1.0);
  const auto below = computed("small_gradient", {{"gradient", "0.9995"}});
  QCOMPARE(fact(below, "scaled_held"), 65504.0);
}

void TaughtGradients::scalingMovesATailIntoTheWindow() {
  const auto before = computed("scaled_tail", {}, 0);
  const auto after = computed("scaled_tail", {}, 8);
  QVERIFY(fact(before, "zero") > 1 && fact(after, "zero") < fact(before, "zero") / 10);
  QCOMPARE(fact(after, "zero_at_1"), fact(before, "zero"));
  for (const auto& data : {before, after}) {
    const double all = fact(data, "zero") + fact(data, "subnormal") + fact(data, "normal") + fact(data, "overflow");
    QVERIFY(std::fabs(all - 100) < 1e-9);
  }
  const double smallest = fact(before, "smallest_exponent");
  QVERIFY(fact(computed("scaled_tail", {}, smallest), "zero") < 0.1);
  QVERIFY(fact(computed("scaled_tail", {}, smallest - 1), "zero") >= 0.1);
  QVERIFY(fact(computed("scaled_tail", {{"center", "-4"}}, 24), "overflow") > 50);
}

void TaughtGradients::aMeasuredGradientHasTheSameFigure() {
  // 2^-26 becomes 0, 2^-24 is subnormal, 1 is normal, and 2 overflows at 2^15.
  const std::vector<float> values = {0x1p-26f, 0x1p-24f, 1, 2, 0};
  const auto stats = formats::measure(values, formats::kFloat16, formats::Depth::kWhatIf);
  const auto plain = lessons::scaled_tail_of(stats, formats::kFloat16, 0, 0.001);
  QCOMPARE(fact(plain, "zero"), 25.0);
  QCOMPARE(fact(plain, "subnormal"), 25.0);
  QCOMPARE(fact(plain, "normal"), 50.0);
  const auto scaled = lessons::scaled_tail_of(stats, formats::kFloat16, 15, 0.001);
  QCOMPARE(fact(scaled, "zero"), 0.0);
  QCOMPARE(fact(scaled, "overflow"), 25.0);
  QCOMPARE(fact(scaled, "smallest_exponent"), 2.0);  // 2^-25 is a tie and becomes 0
  QCOMPARE(fact(scaled, "highest_exponent"), 14.0);
  const auto nothing = lessons::scaled_tail_of({}, formats::kFloat16, 0, 0.001);
  QCOMPARE(fact(nothing, "zero"), 0.0);
}

// A live run measures the gradient of the scaled loss.
void TaughtGradients::aGradientMeasuredAtAScaleIsDividedByIt() {
  const std::vector<float> values = {0x1p-26f, 0x1p-24f, 1, 2, 0};
  std::vector<float> scaled;
  for (const float value : values) scaled.push_back(value * 0x1p12f);
  const auto stats = formats::measure(values, formats::kFloat32, formats::Depth::kWhatIf);
  const auto measured = formats::measure(scaled, formats::kFloat32, formats::Depth::kWhatIf);
  for (const int exponent : {0, 2, 12, 15, 24}) {
    const auto wanted = lessons::scaled_tail_of(stats, formats::kFloat16, exponent, 0.001);
    const auto got = lessons::scaled_tail_of(measured, formats::kFloat16, exponent, 0.001, 12);
    QCOMPARE(got.text, wanted.text);
    for (std::size_t i = 0; i < wanted.facts.size(); ++i) QCOMPARE(got.facts[i].value, wanted.facts[i].value);
    const auto& points = wanted.panels[0].series[0].points;
    for (std::size_t i = 0; i < points.size(); ++i) QCOMPARE(got.panels[0].series[0].points[i].y, points[i].y);
  }
  const auto undivided = lessons::scaled_tail_of(measured, formats::kFloat16, 0, 0.001);
  QVERIFY(fact(undivided, "zero") < fact(lessons::scaled_tail_of(stats, formats::kFloat16, 0, 0.001), "zero"));
}

// The zeros of a tensor that was measured after rounding are no part of its non-zero values.
void TaughtGradients::whatWasLostBeforeItWasMeasuredDoesNotCount() {
  const float infinite = std::numeric_limits<float>::infinity();
  const std::vector<float> values = {0x1p-26f, 1, 0, 0, 0, 0, infinite};
  auto stats = formats::measure(values, formats::kFloat16, formats::Depth::kWhatIf);
  stats.censored = true;
  const auto figure = lessons::scaled_tail_of(stats, formats::kFloat16, 0, 0.001);
  QCOMPARE(fact(figure, "zero"), 50.0);
  QCOMPARE(fact(figure, "normal"), 50.0);
  QCOMPARE(fact(figure, "overflow"), 0.0);
}

void TaughtGradients::unscalingMattersToSgdAndSeemsNotToMatterToAdam() {
  const auto unscale = computed("unscale");
  QVERIFY(std::fabs(fact(unscale, "sgd_ratio") - 1024) < 0.001);
  QVERIFY(std::fabs(fact(unscale, "adam_ratio") - 1) < 0.001);
  QVERIFY(std::fabs(fact(unscale, "sgd_first") - 0.1) < 1e-7);
  QVERIFY(std::fabs(fact(unscale, "sgd_end") - std::pow(0.9, 10)) < 1e-5);
  QVERIFY(std::fabs(fact(unscale, "sgd_end_missing")) > 1e9);
  QVERIFY(std::fabs(fact(unscale, "adam_end") - fact(unscale, "adam_end_missing")) < 1e-5);
}

void TaughtGradients::quotedFiguresAreLabelled() {
  const auto quotes = computed("quotes");
  QVERIFY(quotes.quoted());
  QCOMPARE(std::round(fact(quotes, "v100_ratio")), 8.0);
  QVERIFY(fact(quotes, "a100_ratio") == 16.0);
  QCOMPARE(fact(quotes, "v100_tflops"), 125.0);
  QCOMPARE(fact(quotes, "bert_low"), 3.0);
  QCOMPARE(fact(quotes, "bert_high"), 4.0);
  QCOMPARE(fact(quotes, "jasper_low"), 2.0);
  QCOMPARE(fact(quotes, "jasper_high"), 3.0);
  QCOMPARE(fact(quotes, "a100_again"), 2.0);
  QCOMPARE(fact(quotes, "retraining"), 0.5);
  for (const auto& row : quotes.table.rows) QVERIFY(row.size() == 3 && row[2].find("NVIDIA") == 0);
  QVERIFY(!computed("sum").quoted());
}

void TaughtGradients::theBarsOfTheBaseline() {
  const auto bars = computed("baseline_bars");
  QCOMPARE(fact(bars, "compute"), 8.0);
  QCOMPARE(fact(bars, "throughput"), 2.0);
  QCOMPARE(fact(bars, "storage"), 0.5);
  QVERIFY(bars.quoted());
}

BINADE_SUITE(TaughtGradients);

}  // namespace binade::test

#include "tst_taught_gradients.moc"
