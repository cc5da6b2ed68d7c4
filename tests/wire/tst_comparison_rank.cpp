// SPDX-License-Identifier: Apache-2.0
#include "engine/wire/comparison_rank.h"
#include "tests/support/suite.h"

#include <limits>

using namespace binade;
using wire::SiteDifference;

namespace {

SiteDifference site(int id, double added, double becomes = 0, int becomes_at = -1) {
  SiteDifference site;
  site.site = id;
  site.added = added;
  site.becomes = becomes;
  site.becomes_at = becomes_at;
  return site;
}

/// Four calls: a product, an addition of a large number, its subtraction, a product of what is left.
std::vector<SiteDifference> cancellation() {
  std::vector<SiteDifference> sites{site(0, 0.003, 0.003), site(1, 0.00035, 0.98, 2), site(2, 0), site(3, 0.002)};
  sites[2].arrived = 0.00036;
  sites[2].inherited = 1;
  sites[3].arrived = 1;
  sites[3].inherited = 0.8;
  return sites;
}

std::vector<int> order(const std::vector<SiteDifference>& sites) {
  std::vector<int> ids;
  for (const SiteDifference& each : wire::ranked(sites)) ids.push_back(each.site);
  return ids;
}

}  // namespace

/// Whom a comparison with float32 blames.
class ComparisonRank : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void anErrorWeighsWhatItBecomes() {
    QVERIFY((order(cancellation()) == std::vector{2, 1, 0, 3}));
    QCOMPARE(wire::origin_of(cancellation(), 2)->site, 1);
    QVERIFY(wire::origin_of(cancellation(), 3) == nullptr);
  }

  void whatPassesAnErrorOnEnlargesNone() {
    const auto sites = cancellation();
    QVERIFY(wire::enlarges(sites[2]));
    QVERIFY(!wire::enlarges(sites[3]) && !wire::enlarges(sites[0]));
    SiteDifference tiny = sites[2];
    tiny.inherited = 0.009;  // many times what arrived, and nothing beside the rounding of any short format
    QVERIFY(!wire::enlarges(tiny));
    SiteDifference infinite = sites[2];  // behind an overflow
    infinite.arrived = infinite.inherited = std::numeric_limits<double>::infinity();
    QVERIFY(!wire::enlarges(infinite));
    QVERIFY(wire::ranked({infinite}).empty());
  }

  void whatAddsNothingIsLeftOut() {
    auto sites = cancellation();
    sites[2].inherited = 0;
    sites[3].added = 0;
    sites[3].gradient_added = 0.004;
    QVERIFY((order(sites) == std::vector{1, 3, 0}));
  }
};

BINADE_SUITE(ComparisonRank);
#include "tst_comparison_rank.moc"
