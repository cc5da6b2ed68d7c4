// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/error.h"
#include "engine/scaled/scaled_format.h"
#include "tests/run/small_run.h"
#include "tests/support/suite.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <exception>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <utility>

using namespace binade;
using policy::Operand;
using policy::Product;
using test::Listening;
using test::runToEnd;

namespace {

/// A run that is asked about an operand after its first step, and its answer.
struct Asked {
  Listening heard;
  test::Done done;
  std::optional<wire::WhatIf> answer;
  std::string refused;
};

int site_of(const wire::RunStarted& started, const std::string& name) {
  for (const wire::SiteInfo& site : started.model.sites)
    if (site.key.name() == name) return site.id;
  return -1;
}

void ask(Asked& asked, const wire::RunConfig& config, const std::string& site, Product product, Operand operand,
         const std::string& format = {}) {
  run::Control control;
  asked.heard.at_step = [&](const wire::StepRecord& step) {
    if (step.step > 0) return;
    wire::AskWhatIf question{site_of(asked.heard.started.front(), site), product, operand, format};
    control.measure_what_if({question, [&](const auto& answer, std::exception_ptr failed) {
                               asked.answer = answer;
                               try {
                                 if (failed) std::rethrow_exception(failed);
                               } catch (const Error& error) {
                                 asked.refused = error.what();
                               }
                             }});
  };
  asked.done = runToEnd(config, asked.heard, control);
}

const scaled::BlockStats* effect(const wire::WhatIf& answer, const std::string& format) {
  for (const wire::FormatEffect& each : answer.effects)
    if (each.format == format) return &each.stats;
  return nullptr;
}

const wire::QuantizedOperand* recorded(const Listening& heard, std::int64_t step, Product product, Operand operand) {
  for (const wire::QuantizedStep& each : heard.quantized) {
    if (each.step != step) continue;
    for (const wire::QuantizedOperand& seen : each.operands)
      if (seen.product == product && seen.operand == operand) return &seen;
  }
  return nullptr;
}

constexpr const char* kFirst = "aten::linear#0";

}  // namespace

/// Formats measured on an operand of the next step.
class TestWhatIfFormats : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void theOperandsOwnFormatHasTheFiguresThatTheStepThenRecords() {
    const std::pair<Product, Operand> operands[] = {
        {Product::kForward, Operand::kInput},       {Product::kForward, Operand::kWeight},
        {Product::kGradInput, Operand::kGradient},  {Product::kGradInput, Operand::kWeight},
        {Product::kGradWeight, Operand::kGradient}, {Product::kGradWeight, Operand::kInput}};
    for (const auto& [product, operand] : operands) {
      Asked asked;
      ask(asked, test::quantizingRun("mxfp4", 2), kFirst, product, operand);
      QVERIFY2(asked.answer, asked.refused.c_str());
      QCOMPARE(asked.answer->step, 1);
      QCOMPARE(asked.answer->present, std::string("mxfp4"));
      const wire::QuantizedOperand* step = recorded(asked.heard, 1, product, operand);
      const scaled::BlockStats* what_if = effect(*asked.answer, "mxfp4");
      QVERIFY(step != nullptr && what_if != nullptr);
      QVERIFY(*what_if == step->stats);
    }
  }

  void theOperandsOwnFormatComesFirst() {
    // With an option, and with a scale of earlier steps: formats that no other operand is measured in.
    for (const char* own : {"mxfp8+rceil", "fp8_delayed"}) {
      Asked asked;
      ask(asked, test::quantizingRun(own, 2), kFirst, Product::kForward, Operand::kWeight);
      QVERIFY2(asked.answer, asked.refused.c_str());
      QCOMPARE(asked.answer->present, std::string(own));
      QCOMPARE(asked.answer->format, std::string(own));
      const wire::FormatEffect& first = asked.answer->effects.front();
      QCOMPARE(first.format, std::string(own));
      const wire::QuantizedOperand* step = recorded(asked.heard, 1, Product::kForward, Operand::kWeight);
      QVERIFY(step != nullptr && first.stats == step->stats);
      const auto named = [&](const wire::FormatEffect& each) { return each.format == own; };
      QCOMPARE(std::ranges::count_if(asked.answer->effects, named), 1);
      double signal = 0;
      double noise = 0;
      for (const wire::QuantizedBlock& block : asked.answer->blocks) {
        for (std::size_t i = 0; i < block.values.size(); ++i) {
          signal += std::pow(double{block.values[i]}, 2);
          noise += std::pow(double{block.quantized[i]} - double{block.values[i]}, 2);
        }
      }
      // The weight is small enough that its blocks are all shown.
      QVERIFY(std::abs(10 * std::log10(signal / noise) - first.stats.snr_db()) < 1e-6);
    }
  }

  void anOperandThatTwoProductsShareIsThatOfEither() {
    // One scale for the tensor: forward and grad_input multiply one copy of the weight, and the gradient has one too.
    const std::pair<Product, Operand> shared[] = {{Product::kGradInput, Operand::kWeight},
                                                  {Product::kGradWeight, Operand::kGradient}};
    for (const auto& [product, operand] : shared) {
      Asked asked;
      ask(asked, test::quantizingRun("fp8_current", 2), kFirst, product, operand);
      QVERIFY2(asked.answer, asked.refused.c_str());
      QCOMPARE(asked.answer->present, std::string("fp8_current"));
      const Product reported = operand == Operand::kWeight ? Product::kForward : Product::kGradInput;
      const wire::QuantizedOperand* step = recorded(asked.heard, 1, reported, operand);
      QVERIFY(step != nullptr);
      QCOMPARE(asked.answer->effects.front().stats.values, step->stats.values);
      QCOMPARE(asked.answer->effects.front().stats.to_zero, step->stats.to_zero);
      QVERIFY(std::abs(asked.answer->effects.front().stats.snr_db() - step->stats.snr_db()) < 1e-9);
    }
  }

  void anOpCallInAnOrdinaryFormatIsMeasuredToo() {
    Asked asked;
    ask(asked, test::quantizingRun("", 2), kFirst, Product::kGradInput, Operand::kGradient);
    QVERIFY2(asked.answer, asked.refused.c_str());
    QVERIFY(asked.answer->present.empty());
    QCOMPARE(asked.answer->format, std::string("mxfp8"));
    const scaled::BlockStats* eight = effect(*asked.answer, "mxfp8");
    const scaled::BlockStats* four = effect(*asked.answer, "mxfp4");
    QVERIFY(eight != nullptr && four != nullptr && effect(*asked.answer, "mxfp4+stochastic") != nullptr);
    QCOMPARE(eight->values, four->values);
    QVERIFY(eight->snr_db() > four->snr_db());
    QVERIFY(effect(*asked.answer, "fp8_delayed") == nullptr);
  }

  void aProductInAnOrdinaryFormatIsMeasuredBesideOnesWithScales() {
    wire::RunConfig config = test::quantizingRun("mxfp8", 2);
    config.policy.sites[0].products.grad_input.reset();
    config.policy.sites[0].products.grad_weight = policy::parse_operand("bfloat16");
    for (const Product product : {Product::kGradInput, Product::kGradWeight}) {
      Asked asked;
      ask(asked, config, kFirst, product, Operand::kGradient);
      QVERIFY2(asked.answer, asked.refused.c_str());
      QVERIFY(asked.answer->present.empty());
      QVERIFY(effect(*asked.answer, "mxfp4") != nullptr);
    }
  }

  void aWeightHasTheSquareBlocksOfWeights() {
    Asked asked;
    ask(asked, test::quantizingRun("", 2), kFirst, Product::kForward, Operand::kWeight, "nvfp4_16x16");
    QVERIFY2(asked.answer, asked.refused.c_str());
    QVERIFY(effect(*asked.answer, "nvfp4_16x16") != nullptr && effect(*asked.answer, "nvfp4") == nullptr);
    QCOMPARE(asked.answer->blocks.size(), std::size_t{1});
    const wire::QuantizedBlock& block = asked.answer->blocks.front();
    QCOMPARE(block.rows, 4);
    QCOMPARE(block.values.size(), std::size_t{32});
  }

  void blocksShowWhatTheirValuesBecome() {
    Asked asked;
    ask(asked, test::quantizingRun("mxfp8", 2), kFirst, Product::kForward, Operand::kInput, "mxfp4");
    QVERIFY2(asked.answer, asked.refused.c_str());
    const auto& blocks = asked.answer->blocks;
    QCOMPARE(asked.answer->format, std::string("mxfp4"));
    QCOMPARE(blocks.size(), std::size_t{6});  // one for each row of 8 values
    std::set<std::int64_t> rows;
    for (const wire::QuantizedBlock& block : blocks) {
      rows.insert(block.row);
      QCOMPARE(block.values.size(), std::size_t{8});
      for (std::size_t i = 0; i < block.values.size(); ++i) {
        // Every result is an element of E2M1 times the scale.
        const double element = std::abs(block.quantized[i] / block.scale);
        const double known[] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};
        QVERIFY(std::find(std::begin(known), std::end(known), element) != std::end(known));
      }
    }
    QCOMPARE(rows.size(), std::size_t{6});
    QVERIFY(
        std::is_sorted(blocks.begin(), blocks.end(), [](const auto& a, const auto& b) { return a.snr_db < b.snr_db; }));
  }

  void aQuestionLeavesTheTrainingAlone() {
    Asked asked;
    ask(asked, test::quantizingRun("nvfp4", 3), kFirst, Product::kGradWeight, Operand::kGradient);
    QVERIFY2(asked.answer, asked.refused.c_str());
    Listening heard;
    const test::Done plain = runToEnd(test::quantizingRun("nvfp4", 3), heard);
    QCOMPARE(heard.losses(), asked.heard.losses());
    QCOMPARE(test::firstDifference(plain.tensors, asked.done.tensors), std::string());
  }

  void whatHasNoAnswerIsRefusedByName() {
    Asked other;
    ask(other, test::quantizingRun("", 2), "aten::mul#0", Product::kForward, Operand::kInput);
    QVERIFY(!other.answer);
    QVERIFY2(other.refused.find("aten::mul#0 has no products") != std::string::npos, other.refused.c_str());
    Asked format;
    ask(format, test::quantizingRun("", 2), kFirst, Product::kForward, Operand::kInput, "mxfp9");
    QVERIFY2(format.refused.find("mxfp9") != std::string::npos, format.refused.c_str());
    Asked unknown;
    ask(unknown, test::quantizingRun("", 2), "no such call", Product::kForward, Operand::kInput);
    QVERIFY2(unknown.refused.find("-1 is no op call") != std::string::npos, unknown.refused.c_str());
  }
};

BINADE_SUITE(TestWhatIfFormats);
#include "tst_what_if_formats.moc"
