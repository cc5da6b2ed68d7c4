// SPDX-License-Identifier: Apache-2.0
#include "engine/scaler/scale_rule.h"
#include "engine/scaler/scale_watch.h"
#include "tests/support/suite.h"

#include <algorithm>

using namespace binade::scaler;

class TestScaleWatch : public binade::test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void comingDownFromTheFirstScaleIsByDesign();
  void oneOverflowInEachIntervalIsByDesign();
  void aScaleThatCannotFallIsNoDescent();
  void repeatedSkipsAreToldOnce();
  void aCollapsingScaleIsTold();
  void frequentSkipsAreTold();
  void frequentSkipsAreToldOnceOfACollapse();
  void frequentSkipsAreCountedWithThoseToldBefore();
  void theLikelyCauseFollowsWhatIsKnown();
  void aScaleSetByHandMayComeDownAgain();
};

namespace {

/// Runs the scaler's own rule over steps that overflow where `overflows(step, scale)` says so.
template <class Overflows>
std::vector<ScaleWarning> watch(ScaleWatch& watch, State state, int steps, const Overflows& overflows) {
  std::vector<ScaleWarning> said;
  for (int step = 0; step < steps; ++step) {
    const bool found = overflows(step, state.scale);
    if (auto warning = watch.step({.step = step, .scale = state.scale, .found_inf = found})) {
      said.push_back(std::move(*warning));
    }
    state = after_update(state, found);
  }
  return said;
}

}  // namespace

void TestScaleWatch::comingDownFromTheFirstScaleIsByDesign() {
  ScaleWatch fresh;
  // From 2^24 to where a largest gradient of 100 fits into a float16: 15 skips in a row.
  QVERIFY(watch(fresh, State{.scale = 16777216}, 3000, [](int, double scale) { return scale * 100 >= 65520; }).empty());
}

void TestScaleWatch::oneOverflowInEachIntervalIsByDesign() {
  for (const int interval : {1, 2, 10, 100, 2000}) {
    ScaleWatch fresh({.growth_interval = interval});
    const State state{.growth_interval = interval};
    const auto said = watch(fresh, state, 6000, [](int, double scale) { return scale * 3.7 >= 65520; });
    QVERIFY2(said.empty(), qPrintable(QString::number(interval)));
  }
}

void TestScaleWatch::aScaleThatCannotFallIsNoDescent() {
  ScaleWatch fresh;
  std::vector<ScaleWarning> said;
  for (int step = 0; step < 100; ++step) {
    if (auto warning = fresh.step({.step = step, .scale = 1e30, .found_inf = true, .held_by = "it is a fixed scale"})) {
      said.push_back(std::move(*warning));
    }
  }
  QCOMPARE(said.size(), 1u);
  QCOMPARE(said[0].trouble, Trouble::kRepeatedSkips);
  QCOMPARE(said[0].step, 4);
  QCOMPARE(
      said[0].message,
      std::string("5 steps in a row were skipped; the loss scale is 1e+30, and cannot fall: it is a fixed scale."));
  QVERIFY(said[0].cause.find("lower first scale") != std::string::npos);
}

void TestScaleWatch::repeatedSkipsAreToldOnce() {
  ScaleWatch fresh;
  const auto said = watch(fresh, State{}, 120, [](int step, double) { return step >= 100 && step < 112; });
  QCOMPARE(said.size(), 1u);
  QCOMPARE(said[0].trouble, Trouble::kRepeatedSkips);
  QCOMPARE(said[0].step, 104);
  QCOMPARE(said[0].skips, 5);
  QVERIFY(said[0].message.find("5 steps in a row") == 0);
  // After it was over it may be told again.
  const auto again = watch(fresh, State{}, 320, [](int step, double) { return step >= 300 && step < 306; });
  QCOMPARE(again.size(), 1u);
}

void TestScaleWatch::aCollapsingScaleIsTold() {
  ScaleWatch fresh;
  const auto said = watch(fresh, State{}, 40, [](int, double) { return true; });
  QCOMPARE(said.size(), 1u);  // no step ever succeeded: still coming down until here
  QCOMPARE(said[0].trouble, Trouble::kCollapsingScale);
  QCOMPARE(said[0].scale, 0.5);
  QCOMPARE(said[0].step, 17);
  QVERIFY2(said[0].message.find("below 1, to 2^-1, after") != std::string::npos, said[0].message.c_str());
}

void TestScaleWatch::frequentSkipsAreTold() {
  ScaleWatch fresh;
  const auto said = watch(fresh, State{.scale = 1e30}, 400, [](int step, double) { return step % 10 == 9; });
  QCOMPARE(said.size(), 1u);
  QCOMPARE(said[0].trouble, Trouble::kFrequentSkips);
  QVERIFY(said[0].cause.find("Single batches") == 0);
}

// A collapse is one trouble however often a step succeeds in between, and what is counted is every skipped step.
void TestScaleWatch::frequentSkipsAreToldOnceOfACollapse() {
  ScaleWatch fresh;
  int skipped = 0;
  std::vector<int> by_then;
  const auto said = watch(fresh, State{.scale = 1e30}, 80, [&](int step, double) {
    const bool skips = step % 6 != 0;
    skipped += skips ? 1 : 0;
    by_then.push_back(skipped);
    return skips;
  });
  const auto is_frequent = [](const auto& each) { return each.trouble == Trouble::kFrequentSkips; };
  QVERIFY(std::count_if(said.begin(), said.end(), is_frequent) <= 1);
  ScaleWatch other;
  skipped = 0;
  by_then.clear();
  const auto thrice = watch(other, State{.scale = 1e30}, 80, [&](int step, double) {
    const bool skips = step > 0 && step % 4 != 0;
    skipped += skips ? 1 : 0;
    by_then.push_back(skipped);
    return skips;
  });
  QCOMPARE(std::count_if(thrice.begin(), thrice.end(), is_frequent), 1);
  const auto found = std::find_if(thrice.begin(), thrice.end(), is_frequent);
  QCOMPARE(found->skips, by_then[static_cast<std::size_t>(found->step)]);
}

// Ten skipped steps in a row are told as such; those that follow are frequent among all that were skipped.
void TestScaleWatch::frequentSkipsAreCountedWithThoseToldBefore() {
  ScaleWatch fresh;
  int skipped = 0;
  std::vector<int> by_then;
  const auto said = watch(fresh, State{.scale = 1e30}, 60, [&](int step, double) {
    const bool skips = (step > 0 && step <= 10) || (step > 10 && step % 2 == 1);
    skipped += skips ? 1 : 0;
    by_then.push_back(skipped);
    return skips;
  });
  QCOMPARE(said.size(), 2u);
  QCOMPARE(said[0].trouble, Trouble::kRepeatedSkips);
  QCOMPARE(said[1].trouble, Trouble::kFrequentSkips);
  QCOMPARE(said[1].skips, by_then[static_cast<std::size_t>(said[1].step)]);
}

void TestScaleWatch::theLikelyCauseFollowsWhatIsKnown() {
  const auto cause = [](const WatchedStep& step) {
    ScaleWatch fresh;
    fresh.step({.step = 0});
    std::string said;
    for (int i = 1; i <= 5; ++i) {
      WatchedStep bad = step;
      bad.step = i;
      bad.found_inf = true;
      if (const auto warning = fresh.step(bad)) said = warning->cause;
    }
    return said;
  };
  QVERIFY(cause({.scale = 1024, .finite_loss = false}).find("The loss itself is not finite") == 0);
  QVERIFY(cause({.scale = 1024, .finite_loss = true, .first_parameter = "fc.weight"}).find("gradient of fc.weight") !=
          std::string::npos);
  QVERIFY(cause({.scale = 1024}).find("NaN made from finite values") != std::string::npos);
  QVERIFY(cause({.scale = 0.25}).find("trained in bfloat16") != std::string::npos);
}

void TestScaleWatch::aScaleSetByHandMayComeDownAgain() {
  ScaleWatch fresh;
  QVERIFY(watch(fresh, State{.scale = 256}, 10, [](int, double) { return false; }).empty());
  fresh.scale_was_set();
  QVERIFY(watch(fresh, State{.scale = 16777216}, 60, [](int, double scale) { return scale > 256; }).empty());
}

BINADE_SUITE(TestScaleWatch);
#include "tst_scale_watch.moc"
