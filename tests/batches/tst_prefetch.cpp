// SPDX-License-Identifier: Apache-2.0
#include "engine/batches/prefetch.h"
#include "engine/batches/synthetic_data.h"
#include "tests/files/arrays.h"
#include "tests/support/suite.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

using binade::Error;
using binade::ErrorCode;
using binade::test::refusal;
using binade::test::says;
using namespace binade::batches;

namespace {

std::unique_ptr<SyntheticData> synthetic() {
  return std::make_unique<SyntheticData>(std::vector<std::string>{"float32[4,3]"}, 4, 10, 7);
}

/// What was asked of a source, and an error at one of its batches.
class Watched : public SyntheticData {
 public:
  explicit Watched(std::int64_t bad) : SyntheticData({"float32[4,3]"}, 4, 10, 7), bad_(bad) { ++alive; }
  ~Watched() override { --alive; }
  Batch next() override {
    if (cursor() == bad_) throw Error(ErrorCode::kBadData, "row 17 is damaged");
    if (slow) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    ++made;
    return SyntheticData::next();
  }
  static inline std::atomic<int> alive = 0;
  static inline std::atomic<int> made = 0;
  static inline std::atomic<bool> slow = false;

 private:
  std::int64_t bad_;
};

bool same(const Batch& a, const Batch& b) {
  return a.inputs[0].toTensor().equal(b.inputs[0].toTensor()) && a.target().equal(b.target());
}

}  // namespace

class TestPrefetch : public binade::test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void batchesAreThoseOfTheSource_data();
  void batchesAreThoseOfTheSource();
  void theCursorCountsOnlyWhatWasTaken();
  void seekingGivesTheBatchesOfThatPlace();
  void noMoreIsMadeThanAskedFor();
  void anErrorComesAtItsBatchAndAgain();
  void destroyingOneThatIsBusyEnds();
  void testBatchesMayBeTakenMeanwhile();
  void lookingAheadTakesAndThrowsAwayNothing_data();
  void lookingAheadTakesAndThrowsAwayNothing();
  void lookingAtABatchThatFailsGivesItsError();
};

void TestPrefetch::batchesAreThoseOfTheSource_data() {
  QTest::addColumn<int>("ahead");
  for (const int ahead : {1, 2, 7}) QTest::addRow("%d ahead", ahead) << ahead;
}

void TestPrefetch::batchesAreThoseOfTheSource() {
  QFETCH(const int, ahead);
  Prefetched data(synthetic(), ahead);
  const auto source = synthetic();
  for (int i = 0; i < 50; ++i) QVERIFY(same(data.next(), source->next()));
}

void TestPrefetch::theCursorCountsOnlyWhatWasTaken() {
  Prefetched data(synthetic(), 4);
  QCOMPARE(data.cursor(), 0);
  for (int i = 1; i < 6; ++i) {
    data.next();
    QCOMPARE(data.cursor(), i);
  }
  auto begun = synthetic();
  begun->seek(3);
  QCOMPARE(Prefetched(std::move(begun), 2).cursor(), 3);
}

void TestPrefetch::seekingGivesTheBatchesOfThatPlace() {
  Prefetched data(synthetic(), 3);
  std::vector<Batch> seen;
  for (int i = 0; i < 10; ++i) seen.push_back(data.next());
  for (const int place : {4, 9, 0, 0, 7}) {
    data.seek(place);
    QCOMPARE(data.cursor(), place);
    QVERIFY(same(data.next(), seen[static_cast<std::size_t>(place)]));
    QCOMPARE(data.cursor(), place + 1);
  }
}

void TestPrefetch::noMoreIsMadeThanAskedFor() {
  Watched::made = 0;
  Prefetched data(std::make_unique<Watched>(-1), 3);
  data.next();
  data.seek(0);
  QCOMPARE(Watched::made.load(), 1);  // a look at one batch makes one
  Watched::made = 0;
  for (int i = 1; i < 20; ++i) {
    data.next();
    QVERIFY(Watched::made.load() <= i + 4);  // three wait, one is being made
  }
}

void TestPrefetch::anErrorComesAtItsBatchAndAgain() {
  Prefetched data(std::make_unique<Watched>(3), 2);
  for (int i = 0; i < 3; ++i) data.next();
  for (int again = 0; again < 2; ++again) {
    const Error error = refusal([&] { data.next(); });
    QVERIFY2(says(error, QStringLiteral("row 17")), error.what());
    QCOMPARE(data.cursor(), 3);
  }
  data.seek(4);  // past it
  const auto source = synthetic();
  source->seek(4);
  QVERIFY(same(data.next(), source->next()));
}

void TestPrefetch::destroyingOneThatIsBusyEnds() {
  Watched::slow = true;
  for (int i = 0; i < 20; ++i) {
    Prefetched data(std::make_unique<Watched>(-1), 8);
    QCOMPARE(Watched::alive.load(), 1);
    for (int k = 0; k < i % 4; ++k) data.next();
  }
  QCOMPARE(Watched::alive.load(), 0);
  Watched::slow = false;
}

void TestPrefetch::testBatchesMayBeTakenMeanwhile() {
  Prefetched data(synthetic(), 4);
  const auto source = synthetic();
  for (int i = 0; i < 40; ++i) {
    QVERIFY(same(data.test_batch(i % 4), source->test_batch(i % 4)));
    QVERIFY(same(data.next(), source->next()));
  }
}

void TestPrefetch::lookingAheadTakesAndThrowsAwayNothing_data() {
  QTest::addColumn<int>("taken");  // before the first look
  for (const int taken : {0, 1, 2, 5}) QTest::addRow("after %d", taken) << taken;
}

void TestPrefetch::lookingAheadTakesAndThrowsAwayNothing() {
  QFETCH(const int, taken);
  Watched::made = 0;
  constexpr int kAhead = 2;
  Prefetched data(std::make_unique<Watched>(-1), kAhead);
  const auto source = synthetic();
  for (int i = 0; i < taken; ++i) QVERIFY(same(data.next(), source->next()));
  int most = 0;
  for (int i = taken; i < taken + 20; ++i) {
    const int far = i % 5;  // farther than what is made ahead, too
    most = std::max({most, i + far + 1, i + kAhead + 2});
    QCOMPARE(data.cursor(), i);
    const Batch seen = data.peek(far);
    QVERIFY(same(seen, source->peek(far)));
    seen.inputs[0].toTensor().zero_();  // a model that writes its inputs
    seen.targets[0].second.zero_();
    QVERIFY(same(data.peek(0), source->peek(0)));
    QVERIFY(same(data.next(), source->next()));
    QVERIFY2(Watched::made.load() <= most, "a batch was made twice");
  }
}

void TestPrefetch::lookingAtABatchThatFailsGivesItsError() {
  for (const int taken : {0, 1, 3}) {
    Prefetched data(std::make_unique<Watched>(3), 2);
    const auto source = synthetic();
    for (int i = 0; i < taken; ++i) data.next(), source->next();
    QVERIFY(says(refusal([&] { data.peek(5 - taken); }), QStringLiteral("row 17")));
    for (int i = taken; i < 3; ++i) QVERIFY(same(data.next(), source->next()));
    QVERIFY(says(refusal([&] { data.peek(0); }), QStringLiteral("row 17")));
    QVERIFY(says(refusal([&] { data.next(); }), QStringLiteral("row 17")));
    QCOMPARE(data.cursor(), 3);
  }
}

BINADE_SUITE(TestPrefetch);
#include "tst_prefetch.moc"
