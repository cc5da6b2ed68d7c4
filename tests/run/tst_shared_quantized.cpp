// SPDX-License-Identifier: Apache-2.0
#include "engine/run/shared_quantized.h"
#include "tests/support/suite.h"

using namespace binade;
using silent::QuantizedSeen;

namespace {

QuantizedSeen seen(int site, policy::Operand operand, std::uint64_t values, float largest) {
  QuantizedSeen made;
  made.operand.site = site;
  made.operand.operand = operand;
  made.operand.format = "mxfp8";
  made.operand.executions = 1;
  made.operand.stats.values = values;
  made.operand.stats.largest = largest;
  return made;
}

}  // namespace

class SharedQuantized : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void whatIsOfExamplesIsAdded() {
    std::vector<QuantizedSeen> own{seen(1, policy::Operand::kInput, 10, 2), seen(1, policy::Operand::kWeight, 7, 1)};
    run::add_quantized(own, {seen(1, policy::Operand::kInput, 5, 4), seen(1, policy::Operand::kWeight, 7, 1)});
    QCOMPARE(own.size(), std::size_t{2});
    QCOMPARE(own[0].operand.stats.values, std::uint64_t{15});
    QCOMPARE(own[0].operand.stats.largest, 4.0F);
    QCOMPARE(own[0].operand.executions, 1);
    QCOMPARE(own[1].operand.stats.values, std::uint64_t{7});
  }

  // A model may branch by its data.
  void whatOnlyAnotherRankHasQuantizedStandsAtItsPlace() {
    std::vector<QuantizedSeen> own{seen(3, policy::Operand::kInput, 10, 2)};
    run::add_quantized(own, {seen(1, policy::Operand::kInput, 5, 4)});
    QCOMPARE(own.size(), std::size_t{2});
    QCOMPARE(own[0].operand.site, 1);
    QCOMPARE(own[0].operand.stats.values, std::uint64_t{5});
    run::add_quantized(own, {});
    QCOMPARE(own.size(), std::size_t{2});
  }

  void theStalestScaleCounts() {
    std::vector<QuantizedSeen> own{seen(1, policy::Operand::kGradient, 1, 1)};
    auto other = own;
    other[0].operand.stale = -3;
    run::add_quantized(own, other);
    QCOMPARE(own[0].operand.stale, std::optional(-3.0));
    other[0].operand.stale = 2;
    run::add_quantized(own, other);
    QCOMPARE(own[0].operand.stale, std::optional(2.0));
    other[0].operand.stale.reset();
    run::add_quantized(own, other);
    QCOMPARE(own[0].operand.stale, std::optional(2.0));
  }

  // It is compared with the statistics of the same values.
  void anAlternativeNeedsTheValuesOfAllRanks() {
    scaled::BlockStats measured;
    measured.values = 10;
    std::vector<QuantizedSeen> own{seen(1, policy::Operand::kGradient, 10, 1)};
    own[0].stochastic = own[0].transformed = measured;
    auto other = own;
    other[0].transformed.reset();
    run::add_quantized(own, other);
    QVERIFY(own[0].stochastic.has_value());
    QCOMPARE(own[0].stochastic->values, std::uint64_t{20});
    QVERIFY(!own[0].transformed);
  }
};

BINADE_SUITE(SharedQuantized);
#include "tst_shared_quantized.moc"
