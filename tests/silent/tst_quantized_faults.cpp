// SPDX-License-Identifier: Apache-2.0
#include "engine/scaled/quantizer.h"
#include "engine/silent/quantized.h"
#include "engine/silent/silent_fault_detector.h"
#include "engine/words/silent_text.h"
#include "tests/silent/seen_steps.h"
#include "tests/support/suite.h"

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

using namespace binade;
using policy::Operand;
using policy::Product;
using FaultKind = silent::Symptom::Kind;

namespace {

constexpr std::int64_t kRows = 64;
constexpr std::int64_t kColumns = 64;

/// Statistics of values that are really quantized, [64, 64], by one scale for the tensor if `scale` is given.
scaled::BlockStats quantized(const std::vector<float>& values, const char* format, const scaled::Scale& scale = {}) {
  scaled::BlockStats stats;
  std::vector<float> to(values.size());
  const scaled::Quantizer quantizer(*scaled::parse(format), scaled::RandomBits(1, 2), 3);
  const scaled::InputView in{.data = values.data(),
                             .storage = scaled::Storage::kFloat32,
                             .rows = kRows,
                             .columns = kColumns,
                             .row_stride = kColumns,
                             .column_stride = 1,
                             .first = 0};
  const scaled::OutputView out{
      .data = to.data(), .storage = scaled::Storage::kFloat32, .row_stride = kColumns, .column_stride = 1};
  if (scaled::parse(format)->needs_largest()) {
    quantizer.whole(in, out, {.codes = nullptr, .stats = &stats});
  } else {
    quantizer(in, out, {0, kRows}, scale, {.codes = nullptr, .stats = &stats});
  }
  return stats;
}

silent::QuantizedSeen seen(Product product, Operand operand, const char* format, const scaled::BlockStats& stats) {
  silent::QuantizedSeen all;
  all.operand = {1, product, operand, format, 1, stats, {}};
  all.decided.kind = policy::Decision::Kind::kFormat;
  all.decided.format = formats::kBFloat16;
  auto& products = all.decided.products;
  products.forward = products.grad_input = products.grad_weight = policy::parse_operand(format);
  return all;
}

std::vector<silent::Symptom> symptoms_of(const silent::QuantizedSeen& one) {
  silent::Evidence evidence;
  evidence.observed = true;
  evidence.quantized = {one};
  const auto sites = test::someSites(2);
  return silent::quantized_symptoms(evidence, sites);
}

std::string sentence(const silent::Symptom& symptom) {
  return words::silent_sentence(silent::fault_of(symptom), test::someSites(2));
}

/// The one rule of the fix; an empty one if there are more or none.
policy::SiteRule rule_of(const silent::Symptom& symptom) {
  return symptom.fix.rules.size() == 1 ? symptom.fix.rules.front() : policy::SiteRule{};
}

std::vector<float> all_equal(float value) {
  return std::vector<float>(kRows * kColumns, value);
}

}  // namespace

/// Faults of quantized operands, from statistics of values that were quantized.
class SilentQuantized : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void aHealthyOperandShowsNothing() {
    std::vector<float> values = all_equal(1);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = 1 + 0.25F * static_cast<float>(i % 5);
    QVERIFY(symptoms_of(seen(Product::kForward, Operand::kInput, "mxfp8", quantized(values, "mxfp8"))).empty());
    QVERIFY(symptoms_of(seen(Product::kForward, Operand::kInput, "mxfp8", {})).empty());
  }

  void aScaleBehindItsTensorIsStale() {
    // Made for values up to 1; they have grown to 4.
    const scaled::BlockStats stats = quantized(all_equal(4), "fp8_delayed", {448, 1.0F / 448});
    silent::QuantizedSeen one = seen(Product::kForward, Operand::kInput, "fp8_delayed", stats);
    one.operand.stale = scaled::stale_doublings(stats, scaled::Element::kE4M3, 448);
    const auto symptoms = symptoms_of(one);
    QCOMPARE(symptoms.size(), std::size_t{1});
    QVERIFY(symptoms[0].kind == FaultKind::kStaleScale);
    QCOMPARE(symptoms[0].facts.stale.value_or(0), 2.0);
    const policy::Products fixed = rule_of(symptoms[0]).products;
    QVERIFY(fixed.forward == policy::parse_operand("fp8_current") && fixed.grad_weight == fixed.forward);
    QCOMPARE(symptoms[0].amount, 1.0);
    QVERIFY2(sentence(symptoms[0]).find("4,096 of 4,096 values saturate") != std::string::npos,
             sentence(symptoms[0]).c_str());
  }

  void aScaleThatLeavesNothingIsStale() {
    // The first step has the scale 1, and E4M3 holds nothing below 2^-10.
    const scaled::BlockStats stats = quantized(all_equal(1e-5F), "fp8_delayed");
    silent::QuantizedSeen one = seen(Product::kGradInput, Operand::kGradient, "fp8_delayed", stats);
    one.operand.stale = scaled::stale_doublings(stats, scaled::Element::kE4M3, 1);
    const auto symptoms = symptoms_of(one);
    QCOMPARE(symptoms.size(), std::size_t{1});  // and no dead block beside it
    QVERIFY(symptoms[0].kind == FaultKind::kStaleScale && symptoms[0].proved);
    QVERIFY(symptoms[0].facts.stale.value_or(0) < -20);
    QCOMPARE(symptoms[0].amount, 1.0);
    QVERIFY(rule_of(symptoms[0]).products.grad_input == policy::parse_operand("fp8_current"));
    QVERIFY2(sentence(symptoms[0]).find("doublings below") != std::string::npos &&
                 sentence(symptoms[0]).find("4,096 of 4,096 values become 0") != std::string::npos,
             sentence(symptoms[0]).c_str());
  }

  void aScaleAboveItsTensorIsStaleWhereCurrentScalingWinsDecibels() {
    const auto with_current = [](float factor) {
      std::vector<float> values = all_equal(0);
      for (std::size_t i = 0; i < values.size(); ++i) values[i] = factor * (1 + static_cast<float>(i % 64) / 64);
      const scaled::BlockStats stats = quantized(values, "fp8_delayed");
      silent::QuantizedSeen one = seen(Product::kForward, Operand::kInput, "fp8_delayed", stats);
      one.operand.stale = scaled::stale_doublings(stats, scaled::Element::kE4M3, 1);
      one.current = quantized(values, "fp8_current");
      return one;
    };
    // Seven of 448's doublings are unused, and no digit is lost.
    silent::QuantizedSeen one = with_current(1);
    QVERIFY(one.operand.stale.value_or(0) < -7);
    QVERIFY(symptoms_of(one).empty());
    // Subnormal numbers of E4M3: multiples of 2^-9.
    one = with_current(0.004F);
    const auto symptoms = symptoms_of(one);
    QCOMPARE(symptoms.size(), std::size_t{1});
    QVERIFY(symptoms[0].kind == FaultKind::kStaleScale && !symptoms[0].proved);
    QCOMPARE(symptoms[0].facts.alternative, std::string("fp8_current"));
    QVERIFY(symptoms[0].facts.alternative_snr_db.value_or(0) > symptoms[0].facts.snr_db.value_or(99) + 3);
    QVERIFY2(sentence(symptoms[0]).find("with fp8_current, measured on the same values") != std::string::npos,
             sentence(symptoms[0]).c_str());
    QVERIFY(words::silent_next(silent::fault_of(symptoms[0]), test::someSites(2)).find("shorter history") !=
            std::string::npos);
    one.current.reset();
    QVERIFY(symptoms_of(one).empty());  // what would help is not known
  }

  void onlyScalesOfMxFormatsCanBeRoundedUp() {
    for (const scaled::NamedScaledFormat& each : scaled::named_formats()) {
      const std::string name(each.name);
      silent::Symptom symptom;
      symptom.kind = FaultKind::kSaturated;
      symptom.site = 1;
      symptom.facts.quantized_format = name;
      const std::string advice = words::silent_next(silent::fault_of(symptom), test::someSites(2));
      QVERIFY(!advice.empty());
      QVERIFY2((advice.find("rceil") != std::string::npos) == scaled::parse(name + "+rceil").has_value(),
               (name + ": " + advice).c_str());
    }
  }

  void valuesThatSaturateAreNamed() {
    // By the rule of OCP the scale of a block up to 7.9 is 1, and 6 the largest element of E2M1.
    std::vector<float> values = all_equal(1);
    for (std::size_t i = 0; i < values.size(); i += 8) values[i] = 7.9F;
    const scaled::BlockStats stats = quantized(values, "mxfp4");
    const auto symptoms = symptoms_of(seen(Product::kForward, Operand::kInput, "mxfp4", stats));
    QCOMPARE(symptoms.size(), std::size_t{1});
    QVERIFY(symptoms[0].kind == FaultKind::kSaturated && symptoms[0].direction == wire::Direction::kForward);
    QCOMPARE(symptoms[0].amount, 0.125);
    // Rounded up, the scale lets none saturate.
    QVERIFY(rule_of(symptoms[0]).format == formats::kBFloat16);
    QVERIFY(rule_of(symptoms[0]).products.forward == policy::parse_operand("mxfp4+rceil"));
    QVERIFY(rule_of(symptoms[0]).products.grad_input == policy::parse_operand("mxfp4"));
    QVERIFY(
        symptoms_of(seen(Product::kForward, Operand::kInput, "mxfp4+rceil", quantized(values, "mxfp4+rceil"))).empty());
  }

  // An E4M3 scale is rounded to nearest, so the largest value of a block may lie up to 1/16 above the largest element.
  void roundingOfScalesSaturatesNothing() {
    std::vector<float> values = all_equal(0);
    std::uint32_t state = 1;
    for (float& value : values) {
      state = state * 1664525U + 1013904223U;
      value = static_cast<float>(state >> 8) / static_cast<float>(1 << 23) - 1;
    }
    for (const char* format : {"nvfp4", "fp8_block", "fp8_current"}) {
      const scaled::BlockStats stats = quantized(values, format);
      QVERIFY2(stats.saturated == 0, format);
      QVERIFY2(symptoms_of(seen(Product::kForward, Operand::kInput, format, stats)).empty(), format);
    }
  }

  void valuesLostBesideOutliersAreNamed() {
    std::vector<float> values = all_equal(0.5F);
    for (std::size_t i = 0; i < values.size(); i += 16) values[i] = 40;
    const scaled::BlockStats stats = quantized(values, "nvfp4");
    silent::QuantizedSeen one = seen(Product::kForward, Operand::kInput, "nvfp4", stats);
    one.transformed = stats;  // it would not help
    const auto symptoms = symptoms_of(one);
    QCOMPARE(symptoms.size(), std::size_t{1});
    QVERIFY(symptoms[0].kind == FaultKind::kOutlierBlocks && symptoms[0].unit == wire::SilentFault::Unit::kValues);
    QCOMPARE(symptoms[0].amount, 15.0 / 16);
    QVERIFY(!rule_of(symptoms[0]).products.forward && rule_of(symptoms[0]).products.grad_input);
    QVERIFY2(sentence(symptoms[0]).find("3,840 of 4,096 values") != std::string::npos, sentence(symptoms[0]).c_str());
    // A gradient of a confident prediction looks the same.
    QVERIFY(symptoms_of(seen(Product::kGradInput, Operand::kGradient, "nvfp4", stats)).empty());
  }

  void blocksThatDieAreCounted() {
    // One huge row sets the scale of the tensor; the smallest scale of a block is then above all other rows.
    std::vector<float> values = all_equal(1e-6F);
    for (std::size_t i = 0; i < kColumns; ++i) values[i] = 1e3F;
    const scaled::BlockStats stats = quantized(values, "nvfp4");
    QVERIFY(stats.dead_blocks > 0);
    const auto symptoms = symptoms_of(seen(Product::kGradInput, Operand::kGradient, "nvfp4", stats));
    QCOMPARE(symptoms.size(), std::size_t{1});
    QVERIFY(symptoms[0].kind == FaultKind::kDeadBlocks && symptoms[0].direction == wire::Direction::kBackward);
    QCOMPARE(symptoms[0].amount, 63.0 / 64);
    QVERIFY(rule_of(symptoms[0]).products.forward && !rule_of(symptoms[0]).products.grad_input);
  }

  void aBiasOfNearestRoundingIsMeasuredBesideStochasticRounding() {
    // Every value but the largest of a block lies below the middle of its neighbours: all errors have one sign.
    std::vector<float> values = all_equal(2.2F);
    for (std::size_t i = 0; i < values.size(); i += 32) values[i] = 4;
    const scaled::BlockStats stats = quantized(values, "mxfp4");
    QVERIFY(silent::is_biased(stats));
    silent::QuantizedSeen one = seen(Product::kGradWeight, Operand::kGradient, "mxfp4", stats);
    QVERIFY(symptoms_of(one).empty());  // what would help is not known
    one.stochastic = quantized(values, "mxfp4+stochastic");
    QVERIFY(!silent::is_biased(*one.stochastic));
    const auto symptoms = symptoms_of(one);
    QCOMPARE(symptoms.size(), std::size_t{1});
    QVERIFY(symptoms[0].kind == FaultKind::kBiasedRounding);
    QCOMPARE(symptoms[0].facts.alternative, std::string("mxfp4+stochastic"));
    QVERIFY(symptoms[0].facts.alternative_share.value_or(1) < symptoms[0].facts.share / 2);
    QVERIFY2(sentence(symptoms[0]).find("measured on the same values") != std::string::npos,
             sentence(symptoms[0]).c_str());
    QVERIFY(rule_of(symptoms[0]).products.rounding == policy::Rounding::kStochastic);
    one.stochastic = stats;  // it would not help
    QVERIFY(symptoms_of(one).empty());
  }

  void outliersCountWhereTheTransformWinsDecibels() {
    std::vector<float> values = all_equal(0);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = (i % 2 == 0 ? 0.11F : -0.13F);
    for (std::size_t i = 0; i < values.size(); i += 16) values[i] = 2;
    const scaled::BlockStats stats = quantized(values, "nvfp4");
    QCOMPARE(stats.outlier_blocks, stats.blocks);
    silent::QuantizedSeen one = seen(Product::kGradWeight, Operand::kInput, "nvfp4", stats);
    QVERIFY(symptoms_of(one).empty());
    scaled::BlockStats better = stats;
    better.noise = stats.noise / 4;  // 6 dB
    one.transformed = better;
    const auto symptoms = symptoms_of(one);
    QCOMPARE(symptoms.size(), std::size_t{1});
    QVERIFY(symptoms[0].kind == FaultKind::kOutlierBlocks);
    QCOMPARE(symptoms[0].facts.alternative, std::string("nvfp4+hadamard"));
    QVERIFY(rule_of(symptoms[0]).products.transform == policy::Transform::kHadamard);
    better.noise = stats.noise / 1.5;  // 1.8 dB
    one.transformed = better;
    QVERIFY(symptoms_of(one).empty());
  }

  void everyKindHasASentenceAndANextStep() {
    for (const FaultKind kind : {FaultKind::kStaleScale, FaultKind::kSaturated, FaultKind::kDeadBlocks,
                                 FaultKind::kBiasedRounding, FaultKind::kOutlierBlocks}) {
      silent::Symptom symptom;
      symptom.kind = kind;
      symptom.site = 1;
      symptom.facts.operand = "forward weight";
      symptom.facts.quantized_format = "nvfp4";
      const wire::SilentFault fault = silent::fault_of(symptom);
      const std::string text = words::silent_sentence(fault, test::someSites(2));
      QVERIFY2(text.find("forward weight") != std::string::npos && text.back() == '.', text.c_str());
      QVERIFY(!words::silent_next(fault, test::someSites(2)).empty());
    }
  }
};

BINADE_SUITE(SilentQuantized);
#include "tst_quantized_faults.moc"
