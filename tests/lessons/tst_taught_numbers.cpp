// SPDX-License-Identifier: Apache-2.0
#include "tests/lessons/computed.h"
#include "tests/support/suite.h"

#include <cmath>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace binade::test {

// The numbers that lessons teach about formats, sums and updates, from the computation that draws their figures.
class TaughtNumbers : public Suite {
  Q_OBJECT

 private Q_SLOTS:
  void aRulersLengthIsRangeAndItsMarksArePrecision();
  void theDistanceOfMarksDoublesFromBinadeToBinade();
  void formatsEndWhereTheyEnd();
  void bothEightBitFormatsOfThreeFractionBits();
  void tfloat32KeepsFloat32sRangeAndFloat16sPrecision();
  void squareAndExponentialLeaveFloat16();
  void halfTheBytes();
  void aSumOf4096SixteensHasThreeResults();
  void theEdgeOfOverflowOfASum();
  void aBFloat16SumEndsAtHalf();
  void anOddNumberOfValuesIsAddedInPairs();
  void tensorCoresAccumulateInFloat32();
  void theMultiplyShowsBothInputsAndBothSums();
  void aStepMarksItsRowItsColumnAndItsSums();
  void elementsThatDifferAreMarkedInBothSums();
  void theErrorOfAFloat16SumGrowsWithItsLength();
  void aSmallUpdateIsLostInFloat16();
  void tenTimesTheUpdateIsNotLost();
  void theRatioLimits();
  void adamsStateDoesNotFitFloat16();
};

void TaughtNumbers::aRulersLengthIsRangeAndItsMarksArePrecision() {
  const auto ruler = computed("ruler");
  QCOMPARE(fact(ruler, "float16_binades"), 30.0);
  QCOMPARE(fact(ruler, "float32_binades"), 254.0);
  QCOMPARE(fact(ruler, "bfloat16_binades"), 254.0);
  QCOMPARE(fact(ruler, "float16_marks"), 1024.0);
  QCOMPARE(fact(ruler, "bfloat16_marks"), 128.0);
  QVERIFY(fact(ruler, "float16_ulp") == 0x1p-10);
  QVERIFY(fact(ruler, "bfloat16_ulp") == 0x1p-7);
  QVERIFY(fact(ruler, "float32_ulp") == 0x1p-23);
  QCOMPARE(fact_text(ruler, "float16_ulp"), std::string("2^-10"));
}

void TaughtNumbers::theDistanceOfMarksDoublesFromBinadeToBinade() {
  for (int binade = -14; binade <= 15; ++binade) {
    QVERIFY(fact(computed("ruler", {}, binade), "float16_ulp") == std::ldexp(1.0, binade - 10));
  }
  QVERIFY(fact(computed("ruler", {}, -20), "float16_ulp") == 0x1p-24);  // subnormals keep one distance
  const auto beyond = computed("ruler", {}, 16);
  QCOMPARE(fact(beyond, "float16_ulp"), 0.0);
  QCOMPARE(fact_text(beyond, "float16_ulp"), std::string("none"));
}

void TaughtNumbers::formatsEndWhereTheyEnd() {
  const auto limits = computed("limits");
  QCOMPARE(fact(limits, "float16_largest"), 65504.0);
  QCOMPARE(fact_text(limits, "float16_largest_bits"), std::string("0x7bff"));
  QCOMPARE(fact_text(limits, "float16_last"), std::string("65519.996"));
  QCOMPARE(fact(limits, "float16_overflow"), 65520.0);
  QVERIFY(std::isinf(fact(limits, "float16_beyond")));
  QVERIFY(fact(limits, "float16_normal") == 0x1p-14);
  QVERIFY(fact(limits, "float16_smallest") == 0x1p-24);
  QVERIFY(fact(limits, "float16_zero") == 0x1p-25);
  const auto rounding = computed("rounding", {{"values", "65519.996 65520 2^-25 1e-8"}});
  QCOMPARE(fact(rounding, "float16_1"), 65504.0);
  QVERIFY(std::isinf(fact(rounding, "float16_2")));
  QCOMPARE(fact(rounding, "float16_3"), 0.0);
  QCOMPARE(fact(rounding, "float16_4"), 0.0);
  QCOMPARE(fact_text(rounding, "float16_2_bits"), std::string("0x7c00"));
  QCOMPARE(rounding.panels.size(), std::size_t{1});
  const lessons::Panel& errors = rounding.panels.front();
  QCOMPARE(errors.bar_labels.size(), std::size_t{4});
  QVERIFY(std::fabs(errors.bars[0].to - 100 * 15.996 / 65519.996) < 1e-6);
  QVERIFY(errors.bars[1].role == lessons::Role::kOverflow && errors.bars[2].role == lessons::Role::kZero);
  QCOMPARE(errors.bars[2].to, 100.0);
  const auto whole = computed("rounding", {{"values", "1 3 1e-3"}});
  QCOMPARE(whole.panels.front().bars[1].text, std::string("exact"));
  QCOMPARE(whole.panels.front().bars[1].to, whole.panels.front().x.low);
  QVERIFY(computed("rounding", {{"values", "1 2 3 4 5 6"}, {"formats", "float16 bfloat16 tfloat32"}}).panels.empty());
}

void TaughtNumbers::bothEightBitFormatsOfThreeFractionBits() {
  const auto limits = computed("limits");
  QCOMPARE(fact(limits, "float8_e4m3fn_largest"), 448.0);
  QVERIFY(std::isnan(fact(limits, "float8_e4m3fn_beyond")));
  QCOMPARE(fact(limits, "e4m3_largest"), 240.0);
  QVERIFY(std::isinf(fact(limits, "e4m3_beyond")));
  QCOMPARE(fact(limits, "float8_e5m2_largest"), 57344.0);
}

void TaughtNumbers::tfloat32KeepsFloat32sRangeAndFloat16sPrecision() {
  const auto rounding = computed("rounding", {{"values", "1+2^-12 1+2^-10 1e38"}, {"formats", "tfloat32 float16"}});
  QCOMPARE(fact(rounding, "tfloat32_1"), 1.0);
  QCOMPARE(fact(rounding, "tfloat32_2"), 1 + 0x1p-10);
  QVERIFY(std::fabs(fact(rounding, "tfloat32_3") / 1e38 - 1) < 0x1p-11);
  QVERIFY(std::isinf(fact(rounding, "float16_3")));
}

void TaughtNumbers::squareAndExponentialLeaveFloat16() {
  const auto rounding = computed("rounding", {{"values", "90000 66171 59874"}});  // 300^2, exp(11.1), exp(11)
  QVERIFY(std::isinf(fact(rounding, "float16_1")) && std::isinf(fact(rounding, "float16_2")));
  QVERIFY(std::isfinite(fact(rounding, "float16_3")));
}

void TaughtNumbers::halfTheBytes() {
  const auto storage = computed("storage", {{"count", "1000"}, {"formats", "float32 float16 tfloat32 float8_e5m2"}});
  QCOMPARE(fact(storage, "float32_bytes"), 4000.0);
  QCOMPARE(fact(storage, "float16_bytes"), 2000.0);
  QCOMPARE(fact(storage, "float16_share"), 0.5);
  QCOMPARE(fact(storage, "float16_fit"), 2000.0);
  QCOMPARE(fact(storage, "tfloat32_bytes"), 4000.0);
  QCOMPARE(fact(storage, "float8_e5m2_bytes"), 1000.0);
}

void TaughtNumbers::aSumOf4096SixteensHasThreeResults() {
  const auto sum = computed("sum");
  QCOMPARE(fact(sum, "exact"), 65536.0);
  QCOMPARE(fact(sum, "sequential"), 32768.0);
  QCOMPARE(fact_text(sum, "sequential_bits"), std::string("0x7800"));
  QVERIFY(std::isinf(fact(sum, "tree")));
  QCOMPARE(fact(sum, "wide"), 65536.0);
  QVERIFY(std::isinf(fact(sum, "stored")));
  QCOMPARE(fact_text(sum, "stored_bits"), std::string("0x7c00"));
  QCOMPARE(fact(sum, "changed"), 2048.0);
  QCOMPARE(fact(sum, "stuck"), 2049.0);
  QCOMPARE(fact(sum, "step"), 32.0);
}

void TaughtNumbers::theEdgeOfOverflowOfASum() {
  QCOMPARE(fact(computed("sum", {{"count", "4094"}}), "stored"), 65504.0);
  const auto edge = computed("sum", {{"count", "4095"}});
  QCOMPARE(fact(edge, "wide"), 65520.0);
  QVERIFY(std::isinf(fact(edge, "stored")));
}

void TaughtNumbers::aBFloat16SumEndsAtHalf() {
  const auto sum = computed("sum", {{"count", "1000"}, {"value", "1e-3"}, {"format", "bfloat16"}});
  QCOMPARE(fact(sum, "sequential"), 0.5);
  QVERIFY(std::fabs(fact(sum, "wide") - 1) < 0.001);
  QVERIFY(fact(sum, "stuck") > 1 && fact(sum, "stuck") < 1000);
}

void TaughtNumbers::anOddNumberOfValuesIsAddedInPairs() {
  QCOMPARE(fact(computed("sum", {{"count", "7"}, {"value", "3"}}), "tree"), 21.0);
  QCOMPARE(fact(computed("sum", {{"count", "1"}, {"value", "3"}}), "tree"), 3.0);
}

void TaughtNumbers::tensorCoresAccumulateInFloat32() {
  const auto wide = computed("mma");
  QCOMPARE(fact(wide, "steps"), 64.0);
  QCOMPARE(fact(wide, "d21"), 2051.0);  // 2048 + 1 + 1 + 1
  QCOMPARE(fact(wide, "narrow21"), 2048.0);
  QCOMPARE(fact(wide, "d44"), 360000.0);  // four times 300 x 300
  QVERIFY(std::isinf(fact(wide, "narrow44")));
  const auto narrow = computed("mma", {{"accumulator", "float16"}});
  QCOMPARE(fact(narrow, "d21"), 2048.0);
  const auto third = computed("mma", {}, 3);  // 1*1 + 2*1 + 3*1
  QCOMPARE(fact(third, "product"), 3.0);
  QCOMPARE(fact(third, "running"), 6.0);
  QCOMPARE(third.table.rows[12], (std::vector<std::string>{"D float32, 1", "6", "0", "0", "0"}));
}

void TaughtNumbers::theMultiplyShowsBothInputsAndBothSums() {
  using Row = std::vector<std::string>;
  const auto whole = computed("mma");
  const auto& rows = whole.table.rows;
  QCOMPARE(rows.size(), std::size_t{16});
  QCOMPARE(rows[1], (Row{"A, 2", "2048", "1", "1", "1"}));
  QCOMPARE(rows[2], (Row{"A, 3", "0.099975586", "0.19995117", "0.30004883", "0.39990234"}));  // as float16 holds them
  QCOMPARE(rows[4], (Row{"B, 1", "1", "2", "0.5", "300"}));
  for (std::size_t row = 0; row < 4; ++row) {
    for (std::size_t column = 1; column <= 4; ++column) {
      const std::string at = std::to_string(row + 1) + std::to_string(column);
      QCOMPARE(rows[8 + row][column], fact_text(whole, "narrow" + at));
      QCOMPARE(rows[12 + row][column], fact_text(whole, "wide" + at));
    }
  }
  // Another accumulator has rows of its own.
  const auto third = computed("mma", {{"accumulator", "bfloat16"}});
  QCOMPARE(third.table.rows.size(), std::size_t{20});
  QCOMPARE(third.table.rows[17][1], fact_text(third, "d21"));
}

void TaughtNumbers::elementsThatDifferAreMarkedInBothSums() {
  const auto data = computed("mma");
  std::set<std::pair<std::size_t, std::size_t>> marked;
  for (const lessons::CellMark& mark : data.table.marks) QVERIFY(marked.insert({mark.row, mark.column}).second);
  int differ = 0;
  for (std::size_t row = 0; row < 4; ++row) {
    for (std::size_t column = 1; column <= 4; ++column) {
      const bool differs = data.table.rows[8 + row][column] != data.table.rows[12 + row][column];
      const bool last = row == 3 && column == 4;  // the element of the last step
      differ += differs ? 1 : 0;
      QCOMPARE(marked.contains({8 + row, column}), differs || last);
      QCOMPARE(marked.contains({12 + row, column}), differs || last);
    }
  }
  QCOMPARE(static_cast<double>(differ), fact(data, "differ"));
}

void TaughtNumbers::aStepMarksItsRowItsColumnAndItsSums() {
  QVERIFY(computed("mma", {}, 0).table.marks.empty());
  // Step 19 is the third product of the first element in row 2: a23 times b31.
  const auto data = computed("mma", {}, 19);
  std::set<std::pair<std::size_t, std::size_t>> marked;
  std::set<std::pair<std::size_t, std::size_t>> strong;
  for (const lessons::CellMark& mark : data.table.marks) {
    QVERIFY(marked.insert({mark.row, mark.column}).second);
    if (mark.strong) strong.insert({mark.row, mark.column});
  }
  using Cells = std::set<std::pair<std::size_t, std::size_t>>;
  QVERIFY(strong == (Cells{{1, 3}, {6, 1}, {9, 1}, {13, 1}}));
  QVERIFY(marked == (Cells{{1, 1}, {1, 2}, {1, 3}, {1, 4}, {4, 1}, {5, 1}, {6, 1}, {7, 1}, {9, 1}, {13, 1}}));
  QCOMPARE(data.table.rows[1][3], fact_text(data, "a_step"));
  QCOMPARE(data.table.rows[6][1], fact_text(data, "b_step"));
  QCOMPARE(data.table.rows[13][1], fact_text(data, "running"));
  QCOMPARE(data.table.rows[9][1], std::string("2048"));  // a float16 sum has not moved
  QCOMPARE(data.table.rows[13][1], std::string("2050"));
}

void TaughtNumbers::theErrorOfAFloat16SumGrowsWithItsLength() {
  const auto error = computed("dot_error");
  QVERIFY(fact(error, "stored_error") < fact(error, "one_rounding"));
  QVERIFY(fact(error, "growth") > 10);
  QVERIFY(fact(error, "ratio") > 10);
  QVERIFY(fact(error, "narrow_error") > fact(computed("dot_error", {{"log2_length", "8"}}), "narrow_error"));
}

void TaughtNumbers::aSmallUpdateIsLostInFloat16() {
  const auto update = computed("update");
  QVERIFY(fact(update, "update_held") == static_cast<double>(0.0001000165939f));
  QCOMPARE(fact(update, "once"), 1.0);
  QCOMPARE(fact_text(update, "once_bits"), std::string("0x3c00"));
  QVERIFY(std::fabs(fact(update, "once_wide") - 1.000100017) < 1e-9);
  QCOMPARE(fact(update, "many"), 1.0);
  QCOMPARE(fact_text(update, "many_wide"), std::string("1.1000166"));
  QCOMPARE(fact(update, "lost"), 1000.0);
  QVERIFY(std::fabs(fact(update, "master") - 1.1) < 0.001);
}

void TaughtNumbers::tenTimesTheUpdateIsNotLost() {
  const auto update = computed("update", {{"update", "0.001"}});
  QCOMPARE(fact(update, "once"), 1.0009765625);
  QCOMPARE(fact(update, "lost"), 0.0);
}

void TaughtNumbers::theRatioLimits() {
  const auto update = computed("update");
  QVERIFY(fact(update, "limit") == 0x1p-11);
  QCOMPARE(fact_text(update, "limit"), std::string("2^-11"));
  QCOMPARE(fact_text(update, "above_limit"), std::string("0.0004887581"));
  QCOMPARE(fact(update, "above_result"), 1.0009765625);
  QCOMPARE(fact(update, "odd"), 1.0009765625);
  QCOMPARE(fact(update, "odd_result"), 1.001953125);
  QVERIFY(fact(update, "down_limit") == 0x1p-12);
  QVERIFY(fact(update, "wide_limit") == 0x1p-24);
  QCOMPARE(fact(update, "wide_above_result"), 1 + 0x1p-23);
  QCOMPARE(fact(computed("update", {}, -11), "once"), 1.0);           // 1 + 2^-11
  QCOMPARE(fact(computed("update", {}, -10), "once"), 1.0009765625);  // 1 + 2^-10
}

void TaughtNumbers::adamsStateDoesNotFitFloat16() {
  const auto adam = computed("adam_state");
  QCOMPARE(fact(adam, "eps_held"), 0.0);
  QCOMPARE(fact(adam, "second"), 0.0);
  QVERIFY(std::isinf(fact(adam, "step")));
  QVERIFY(std::isnan(fact(adam, "idle")));
  QVERIFY(std::fabs(fact(adam, "step_wide") - 1e-3) < 1e-6);
  QCOMPARE(fact(adam, "idle_wide"), 0.0);
}

BINADE_SUITE(TaughtNumbers);

}  // namespace binade::test

#include "tst_taught_numbers.moc"
