// SPDX-License-Identifier: Apache-2.0
#include "engine/numbers/ruler_marks.h"
#include "tests/numbers/pattern_value.h"
#include "tests/support/suite.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace binade::test {

using numbers::RulerMarks;

// Marks of a ruler, against a search in all values of a format.
class MarksBetween : public Suite {
  Q_OBJECT

 private Q_SLOTS:
  void everyNumberInTheIntervalIsMarked_data();
  void everyNumberInTheIntervalIsMarked();
  void spansHaveTheDistanceOfNeighbours_data() { everyNumberInTheIntervalIsMarked_data(); }
  void spansHaveTheDistanceOfNeighbours();
  void spansAreCutToTheInterval();
  void tooManyNumbersAreOnlyCounted();
  void nothingIsMarkedBeyondTheEnds();
};

namespace {

struct Interval {
  double low, high;
};

/// Random intervals, small and large, and some with ends on numbers of the format.
std::vector<Interval> intervalsFor(const std::vector<double>& values) {
  std::vector<Interval> intervals = {
      {-1e30, 1e30}, {0, 1}, {-0.0, 2}, {-1, 0}, {-1e-3, 1e-3}, {values.front(), values.back()}, {1.0001, 1.0002}};
  RandomBits random(values.size());
  while (intervals.size() < 60) {
    double a = random.between(-20, 17);
    double b = intervals.size() % 3 == 0 ? a * 1.001 : random.between(-20, 17);
    if (intervals.size() % 3 == 1) {
      a = values[random.next() % values.size()];
      b = values[random.next() % values.size()];
    }
    if (a != b) intervals.push_back({std::min(a, b), std::max(a, b)});
  }
  return intervals;
}

std::vector<double> within(const std::vector<double>& values, const Interval& interval) {
  const auto from = std::lower_bound(values.begin(), values.end(), interval.low);
  const auto to = std::upper_bound(values.begin(), values.end(), interval.high);
  return {from, std::max(from, to)};
}

}  // namespace

void MarksBetween::everyNumberInTheIntervalIsMarked_data() {
  QTest::addColumn<QString>("name");
  for (const char* name : {"float16", "bfloat16", "float8_e4m3fn", "float8_e5m2", "e4m3", "e2m1", "e8m1"}) {
    QTest::newRow(name) << name;
  }
}

void MarksBetween::everyNumberInTheIntervalIsMarked() {
  QFETCH(QString, name);
  const formats::Format format = formats::parse(name.toStdString()).value();
  const std::vector<double> values = finiteValues(format);
  for (const Interval& interval : intervalsFor(values)) {
    const std::vector<double> expected = within(values, interval);
    const RulerMarks marks = numbers::marks_between(interval.low, interval.high, format, 65536);
    QCOMPARE(marks.count, static_cast<double>(expected.size()));
    QCOMPARE(marks.numbers.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      QVERIFY(patternValue(marks.numbers[i].bits, format) == expected[i]);
      QVERIFY(marks.numbers[i].format == format);
    }
  }
}

void MarksBetween::spansHaveTheDistanceOfNeighbours() {
  QFETCH(QString, name);
  const formats::Format format = formats::parse(name.toStdString()).value();
  const std::vector<double> values = finiteValues(format);
  for (const Interval& interval : intervalsFor(values)) {
    const RulerMarks marks = numbers::marks_between(interval.low, interval.high, format, 0);
    const double low = std::max(interval.low, values.front());
    const double high = std::min(interval.high, values.back());
    if (low >= high) {
      QVERIFY(marks.spans.empty());
      continue;
    }
    QVERIFY(marks.spans.front().from == low && marks.spans.back().to == high);
    for (std::size_t i = 0; i < marks.spans.size(); ++i) {
      const RulerMarks::Span& span = marks.spans[i];
      QVERIFY(span.from < span.to);
      if (i > 0) QVERIFY(marks.spans[i - 1].to == span.from);
      QCOMPARE(span.subnormal, std::max(std::fabs(span.from), std::fabs(span.to)) <= format.smallest_normal());
      const std::vector<double> inside = within(values, {span.from, span.to});
      for (std::size_t j = 1; j < inside.size(); ++j) QVERIFY(inside[j] - inside[j - 1] == span.spacing);
      // The neighbours around a span without two numbers are as far apart.
      const double middle = (span.from + span.to) / 2;
      const auto above = std::upper_bound(values.begin(), values.end(), middle);
      QVERIFY(*above - *(above - 1) == span.spacing);
    }
  }
}

void MarksBetween::spansAreCutToTheInterval() {
  const RulerMarks marks = numbers::marks_between(-0x1p-15, 3, formats::kFloat16, 0);
  QCOMPARE(marks.spans.size(), std::size_t{18});  // subnormals on both sides, 2^-14 to 2, and a part of 2 to 4
  QVERIFY(marks.spans[0].from == -0x1p-15 && marks.spans[0].to == 0 && marks.spans[0].subnormal);
  QVERIFY(!std::signbit(marks.spans[0].to));
  QVERIFY(marks.spans[1].from == 0 && marks.spans[1].to == 0x1p-14 && marks.spans[1].spacing == 0x1p-24);
  QVERIFY(marks.spans[17].from == 2 && marks.spans[17].to == 3 && marks.spans[17].spacing == 0x1p-9);
  QVERIFY(numbers::marks_between(0, 1e9, formats::kFloat8E4M3fn, 0).spans.back().to == 448);
  QVERIFY(numbers::marks_between(0, 1e9, kE4M3, 0).spans.back().to == 240);
}

void MarksBetween::tooManyNumbersAreOnlyCounted() {
  QCOMPARE(numbers::marks_between(1, 2, formats::kFloat16, 1025).numbers.size(), std::size_t{1025});
  const RulerMarks marks = numbers::marks_between(1, 2, formats::kFloat16, 1024);
  QVERIFY(marks.numbers.empty());
  QCOMPARE(marks.count, 1025.0);
  QCOMPARE(marks.spans.size(), std::size_t{1});
  // All finite numbers of float32: 255 exponents of 2^23 numbers, on two sides, 0 once.
  QVERIFY(numbers::marks_between(-1e39, 1e39, formats::kFloat32, 1000).count == 2.0 * 255 * 8388608 - 1);
}

void MarksBetween::nothingIsMarkedBeyondTheEnds() {
  for (const formats::Format& format : {formats::kFloat16, formats::kFloat8E4M3fn, kE4M3}) {
    for (const Interval& interval : {Interval{70000, 80000}, Interval{-1e300, -70000}}) {
      const RulerMarks marks = numbers::marks_between(interval.low, interval.high, format, 100);
      QVERIFY(marks.numbers.empty() && marks.spans.empty() && marks.count == 0);
    }
  }
}

BINADE_SUITE(MarksBetween);

}  // namespace binade::test

#include "tst_marks_between.moc"
