// SPDX-License-Identifier: Apache-2.0
#include "engine/silent/book.h"
#include "engine/silent/low_scale.h"
#include "tests/support/suite.h"

using namespace binade;
using silent::Book;
using silent::Sign;
using wire::Direction;

namespace {

Sign sign(int site, double amount, Sign::Kind kind = Sign::Kind::kUnderflow,
          Direction direction = Direction::kBackward) {
  Sign made;
  made.kind = kind;
  made.direction = direction;
  made.site = site;
  made.what = "weight";
  made.amount = amount;
  made.facts.share = amount;
  return made;
}

}  // namespace

/// Signs of many steps: which are faults, and in which order.
class SilentBook : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void whatShowsOnceIsNoFault();
  void whatShowsNowAndThenIsNoFault();
  void stepsThatWereNotLookedAtDoNotCount();
  void faultsAreRankedByTheirMean();
  void ofEqualFaultsTheFirstInTheStepIsFirst();
  void deadIsWhatStaysDead();
  void whatLivesAgainIsNoFaultAnyMore();
  void aLossThatAScaleMendsStandsBeforeDeadCalls();
  void zerosBehindALossAreNoFaultOfTheirOwn();
  void aSpikeIsOneAtOnce();
  void whatWasMeasuredIsOneAtOnce();
  void newsIsToldOnce();
  void anotherPolicyBeginsAnew();
  void anOverflowThatVanishesIsOneWhileItLasts();
  void itIsCountedWhereOutputsWereScanned();
  void zerosBehindItAreNoFaultOfTheirOwn();
  void aScaleThatSettlesBelowOneIsOne();
  void aScaleThatGoesOnFallingIsNotSettled();
  void aScaleThatWasMeantSoOrComesBackIsNone();
};

void SilentBook::whatShowsOnceIsNoFault() {
  Book book;
  book.step(0, true, {sign(1, 1)});
  book.step(1, true, {sign(1, 1)});
  QVERIFY(book.faults().empty());
  book.step(2, true, {sign(1, 1)});
  QCOMPARE(book.faults().size(), std::size_t{1});
}

void SilentBook::whatShowsNowAndThenIsNoFault() {
  Book book;
  for (int i = 0; i < 100; ++i) {
    book.step(i, true, i % 10 == 0 ? std::vector{sign(1, 1)} : std::vector<Sign>());
  }
  QVERIFY(book.faults().empty());
}

void SilentBook::stepsThatWereNotLookedAtDoNotCount() {
  Book book;
  for (int i = 0; i < 301; ++i) {
    const bool looked = i % 100 == 0;
    book.step(i, looked, looked ? std::vector{sign(1, 0.5)} : std::vector<Sign>());
  }
  const auto faults = book.faults();
  QCOMPARE(faults.size(), std::size_t{1});
  QCOMPARE(faults[0].seen, std::int64_t{4});
  QCOMPARE(faults[0].looked, std::int64_t{4});
  QCOMPARE(faults[0].first_step, std::int64_t{0});
  QCOMPARE(faults[0].last_step, std::int64_t{300});
  QCOMPARE(faults[0].amount, 0.5);
  QCOMPARE(book.looked(), std::int64_t{4});
}

void SilentBook::faultsAreRankedByTheirMean() {
  Book book;
  for (int i = 0; i < 8; ++i) {
    std::vector<Sign> signs{sign(1, 0.25)};
    if (i % 2 == 0) signs.push_back(sign(2, 0.4));  // more, and half as often
    book.step(i, true, signs);
  }
  const auto faults = book.faults();
  QCOMPARE(faults.size(), std::size_t{2});
  QCOMPARE(faults[0].site, 1);
  QCOMPARE(faults[0].amount, 0.25);
  QCOMPARE(faults[1].amount, 0.2);
  QCOMPARE(faults[1].seen, std::int64_t{4});
  QCOMPARE(faults[1].looked, std::int64_t{8});
}

void SilentBook::ofEqualFaultsTheFirstInTheStepIsFirst() {
  Book book;
  const auto kind = Sign::Kind::kUnderflow;
  for (int i = 0; i < 3; ++i) {
    book.step(i, true, {sign(1, 1), sign(4, 1), sign(3, 1, kind, Direction::kForward)});
  }
  std::vector<int> order;
  for (const auto& fault : book.faults()) order.push_back(fault.site);
  QVERIFY((order == std::vector{3, 4, 1}));  // forward, then backward from the end
}

void SilentBook::deadIsWhatStaysDead() {
  const Sign dead = sign(2, 1, Sign::Kind::kDeadSite, Direction::kForward);
  Book begins;
  for (int i = 0; i < 20; ++i) begins.step(i, true, i < 2 || i % 4 == 0 ? std::vector{dead} : std::vector<Sign>());
  QVERIFY(begins.faults().empty());
  Book stays;
  for (int i = 0; i < 4; ++i) stays.step(i, true, {dead});
  QVERIFY(stays.faults().empty());
  stays.step(4, false, {});  // nobody looked
  stays.step(5, true, {dead});
  QCOMPARE(stays.faults().size(), std::size_t{1});
}

void SilentBook::whatLivesAgainIsNoFaultAnyMore() {
  const Sign dead = sign(2, 1, Sign::Kind::kDeadSite, Direction::kForward);
  Book book;
  for (int i = 0; i < 6; ++i) book.step(i, true, {dead});
  QCOMPARE(book.faults().size(), std::size_t{1});
  for (int i = 6; i < 10; ++i) book.step(i, true, {});
  QCOMPARE(book.faults().size(), std::size_t{1});  // a batch or two
  book.step(10, true, {});
  QVERIFY(book.faults().empty());
}

void SilentBook::aLossThatAScaleMendsStandsBeforeDeadCalls() {
  const Sign dead = sign(2, 1, Sign::Kind::kDeadSite, Direction::kForward);
  Sign faint = sign(7, 0.25);
  const Sign other = sign(5, 0.5);
  const auto orderOf = [&] {
    Book book;
    for (int i = 0; i < 6; ++i) book.step(i, true, {dead, faint, other});
    std::vector<int> order;
    for (const auto& fault : book.faults()) order.push_back(fault.site);
    return order;
  };
  QVERIFY((orderOf() == std::vector{2, 5, 7}));  // whatever mends it, a dead call loses all
  faint.fix.scale = 4096;
  QVERIFY((orderOf() == std::vector{5, 7, 2}));
}

void SilentBook::zerosBehindALossAreNoFaultOfTheirOwn() {
  Book book;
  const auto dead = [](int site, Direction direction) { return sign(site, 1, Sign::Kind::kDeadSite, direction); };
  for (int i = 0; i < 6; ++i) {
    book.step(
        i, true,
        {sign(3, 0.95), dead(2, Direction::kBackward), dead(5, Direction::kBackward), dead(4, Direction::kForward)});
  }
  std::vector<int> order;
  for (const auto& fault : book.faults()) order.push_back(fault.site);
  QVERIFY((order == std::vector{4, 5, 3}));  // 2 gets nothing because 3 loses it
}

void SilentBook::aSpikeIsOneAtOnce() {
  Book book;
  for (int i = 0; i < 10; ++i) book.step(i, i % 5 == 0, {});
  book.step(10, false, {sign(-1, 0.75, Sign::Kind::kLossSpike)});
  for (int i = 11; i < 110; ++i) book.step(i, i % 5 == 0, {});
  const auto faults = book.faults();
  QCOMPARE(faults.size(), std::size_t{1});
  QCOMPARE(faults[0].amount, 0.75);  // not the mean over steps that had none
  QCOMPARE(faults[0].seen, std::int64_t{1});
  QCOMPARE(faults[0].looked, std::int64_t{100});
}

void SilentBook::whatWasMeasuredIsOneAtOnce() {
  Book book;
  for (int i = 0; i < 10; ++i) book.step(i, true, {});
  book.confirm(10, {sign(1, 0.3)});
  for (int i = 10; i < 20; ++i) book.step(i, true, {});
  const auto faults = book.faults();
  QCOMPARE(faults.size(), std::size_t{1});
  QCOMPARE(faults[0].amount, 0.3);
}

void SilentBook::newsIsToldOnce() {
  Book book;
  for (int i = 0; i < 3; ++i) book.step(i, true, {sign(1, 0.5)});
  QCOMPARE(book.news().size(), std::size_t{1});
  QVERIFY(book.news().empty());
  for (int i = 3; i < 6; ++i) book.step(i, true, {sign(1, 0.5), sign(2, 0.5)});
  const auto news = book.news();
  QCOMPARE(news.size(), std::size_t{1});
  QCOMPARE(news[0].site, 2);
}

void SilentBook::anotherPolicyBeginsAnew() {
  Book book;
  for (int i = 0; i < 3; ++i) book.step(i, true, {sign(1, 0.5)});
  book.begin();
  QVERIFY(book.faults().empty());
  QCOMPARE(book.looked(), std::int64_t{0});
  for (int i = 3; i < 6; ++i) book.step(i, true, {sign(1, 0.5)});
  QCOMPARE(book.news().size(), std::size_t{1});
}

void SilentBook::anOverflowThatVanishesIsOneWhileItLasts() {
  const Sign vanished = sign(1, 0.5, Sign::Kind::kVanishedOverflow, Direction::kForward);
  Book book;
  book.step(0, true, {vanished}, true);
  QCOMPARE(book.faults().size(), std::size_t{1});  // proved on the step: at once
  for (int i = 1; i < 5; ++i) book.step(i, true, {}, true);
  QCOMPARE(book.faults().size(), std::size_t{1});
  for (int i = 5; i < 60; ++i) book.step(i, true, {}, true);
  QVERIFY(book.faults().empty());
  book.step(60, true, {vanished}, true);
  QCOMPARE(book.faults().size(), std::size_t{1});
  QCOMPARE(book.faults()[0].seen, std::int64_t{2});
  QCOMPARE(book.faults()[0].looked, std::int64_t{61});
}

void SilentBook::itIsCountedWhereOutputsWereScanned() {
  const Sign vanished = sign(1, 0.5, Sign::Kind::kVanishedOverflow, Direction::kForward);
  Book book;
  for (int i = 0; i < 40; ++i)
    book.step(i, false, i % 4 == 0 ? std::vector{vanished} : std::vector<Sign>(), i % 2 == 0);
  QCOMPARE(book.faults().size(), std::size_t{1});
  QCOMPARE(book.faults()[0].seen, std::int64_t{10});
  QCOMPARE(book.faults()[0].looked, std::int64_t{20});
}

void SilentBook::zerosBehindItAreNoFaultOfTheirOwn() {
  Book book;
  for (int i = 0; i < 8; ++i) {
    book.step(i, true,
              {sign(1, 1, Sign::Kind::kVanishedOverflow, Direction::kForward),
               sign(3, 1, Sign::Kind::kDeadSite, Direction::kForward)},
              true);
  }
  QCOMPARE(book.faults().size(), std::size_t{1});
  QCOMPARE(book.faults()[0].site, 1);
}

namespace {

/// Faults of a run whose scale is `scale(step)`.
template <class Scale>
std::vector<wire::SilentFault> faultsOfScales(int steps, const Scale& scale) {
  silent::LowScale low;
  Book book;
  for (int i = 0; i < steps; ++i) {
    wire::StepRecord record;
    record.step = i;
    record.scale = scale(i);
    std::vector<Sign> signs;
    if (auto found = low.step(record)) signs.push_back(*found);
    book.step(i, false, signs);
  }
  return book.faults();
}

}  // namespace

void SilentBook::aScaleThatSettlesBelowOneIsOne() {
  const auto faults = faultsOfScales(100, [](int step) { return step < 30 ? 1024 : 0x1p-6; });
  QCOMPARE(faults.size(), std::size_t{1});
  QVERIFY(faults[0].kind == Sign::Kind::kLowScale);
  QCOMPARE(faults[0].facts.scale, std::optional(0x1p-6));
  QCOMPARE(faults[0].facts.step, std::optional<std::int64_t>(49));
}

// What brings it down once in an epoch is no balance of gradients: the scale has not settled.
void SilentBook::aScaleThatGoesOnFallingIsNotSettled() {
  QVERIFY(faultsOfScales(200, [](int step) { return std::ldexp(1.0, 4 - step / 15); }).empty());
  QCOMPARE(faultsOfScales(200, [](int step) { return std::ldexp(1.0, 2 - step / 40); }).size(), std::size_t{1});
}

void SilentBook::aScaleThatWasMeantSoOrComesBackIsNone() {
  QVERIFY(faultsOfScales(100, [](int) { return 0x1p-12; }).empty());
  QVERIFY(faultsOfScales(100, [](int) { return 1.0; }).empty());
  QVERIFY(faultsOfScales(100, [](int step) { return step % 20 == 10 ? 0.5 : 2.0; }).empty());
}

BINADE_SUITE(SilentBook);
#include "tst_book.moc"
