// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/error.h"
#include "engine/scaled/delayed_scale.h"
#include "tests/formats/by_definition.h"
#include "tests/support/suite.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>

using namespace binade;
using scaled::DelayedScale;
using scaled::DelayedSettings;
using scaled::Element;

// Delayed scaling against a history that is kept whole.
class DelayedScaling : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void firstStepHasNoHistory();
  void followsTheHistory_data();
  void followsTheHistory();
  void infinityFreezesTheScale();
  void partsOfAStepCountAsOne();
  void stateContinuesExactly();
  void rejectsAForeignState();
};

void DelayedScaling::firstStepHasNoHistory() {
  DelayedScale scale;
  QCOMPARE(scale.scale(), scaled::Scale{});
  scale.end_step();
  QCOMPARE(scale.scale(), scaled::Scale{});  // no magnitude above 0 yet
  scale.observe(7);
  scale.end_step();
  QCOMPARE(scale.scale().multiply, 64.0F);
  QCOMPARE(scale.capacity(), 7.0F);
}

void DelayedScaling::followsTheHistory_data() {
  QTest::addColumn<int>("history");
  QTest::addColumn<int>("margin");
  QTest::addColumn<bool>("newest");
  QTest::newRow("16 steps") << 16 << 0 << false;
  QTest::newRow("1 step") << 1 << 0 << false;
  QTest::newRow("margin") << 16 << 2 << false;
  QTest::newRow("newest") << 16 << 0 << true;
}

void DelayedScaling::followsTheHistory() {
  QFETCH(int, history);
  QFETCH(int, margin);
  QFETCH(bool, newest);
  DelayedScale scale(Element::kE5M2, {.history = history, .margin = margin, .newest = newest});
  std::deque<float> all;
  test::Patterns patterns(3);
  for (int step = 0; step < 100; ++step) {
    const float largest = static_cast<float>(1 + patterns.next() % 1000);
    scale.observe(largest);
    scale.end_step();
    all.push_front(largest);
    if (all.size() > static_cast<std::size_t>(history)) all.pop_back();
    const float a = newest ? largest : *std::max_element(all.begin(), all.end());
    QCOMPARE(scale.scale().multiply, 57344.0F / static_cast<float>(1 << margin) / a);
    QCOMPARE(scale.scale().restore, 1 / scale.scale().multiply);
  }
}

void DelayedScaling::infinityFreezesTheScale() {
  DelayedScale scale(Element::kE4M3, {.history = 4});
  scale.observe(2);
  scale.end_step();
  scale.observe(std::numeric_limits<float>::infinity());
  scale.end_step();
  for (int step = 0; step < 3; ++step) {
    scale.observe(100);
    scale.end_step();
    QCOMPARE(scale.scale().multiply, 224.0F);
  }
  scale.observe(100);
  scale.end_step();  // infinity has left the history
  QCOMPARE(scale.scale().multiply, 4.48F);
  scale.observe(std::numeric_limits<float>::quiet_NaN());
  scale.end_step();
  QCOMPARE(scale.scale().multiply, 4.48F);
}

void DelayedScaling::partsOfAStepCountAsOne() {
  DelayedScale scale(Element::kE4M3, {.history = 2});
  for (const float part : {1.0F, 8.0F, 2.0F}) scale.observe(part);
  scale.end_step();
  scale.observe(1);
  scale.end_step();
  QCOMPARE(scale.scale().multiply, 56.0F);
}

void DelayedScaling::stateContinuesExactly() {
  for (const int steps : {0, 1, 3, 5, 8, 17}) {
    DelayedScale first(Element::kE4M3, {.history = 5});
    for (int step = 0; step < steps; ++step) {
      first.observe(static_cast<float>(100 - 5 * step));
      first.end_step();
    }
    first.observe(3);
    DelayedScale second(Element::kE4M3, {.history = 5});
    second.restore(first.state());
    QCOMPARE(second.state(), first.state());
    for (int step = 0; step < 12; ++step) {
      QCOMPARE(second.scale(), first.scale());
      for (DelayedScale* each : {&first, &second}) {
        each->observe(static_cast<float>(1 + step));
        each->end_step();
      }
    }
  }
}

void DelayedScaling::rejectsAForeignState() {
  const auto rejects = [](const std::vector<float>& state, const char* part) {
    DelayedScale scale(Element::kE4M3, {.history = 2});
    try {
      scale.restore(state);
    } catch (const Error& error) {
      return error.code == ErrorCode::kBadFile && std::string(error.what()).find(part) != std::string::npos;
    }
    return false;
  };
  QVERIFY(rejects({}, "2 to 4 are possible"));
  QVERIFY(rejects({1, 0, 1, 2, 3}, "has 5 numbers"));
  QVERIFY(rejects({0, 0}, "not a positive number"));
  QVERIFY(rejects({1, -1}, "magnitude -1"));
  QVERIFY(rejects({1, 0, std::numeric_limits<float>::quiet_NaN()}, "magnitude nan"));
}

BINADE_SUITE(DelayedScaling);
#include "tst_delayed_scale.moc"
