// SPDX-License-Identifier: Apache-2.0
#include "engine/report/axis.h"
#include "tests/support/suite.h"

#include <cmath>
#include <limits>

using namespace binade;
using report::Axis;

namespace {

class Axes : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void everyPairOfExtremesHasFewMarksAndAPlace_data() {
    QTest::addColumn<double>("lowest");
    QTest::addColumn<double>("highest");
    const double largest = std::numeric_limits<double>::max();
    QTest::newRow("unit") << 0.0 << 1.0;
    QTest::newRow("both signs") << -3.0 << 7.5;
    QTest::newRow("a constant") << 4.0 << 4.0;
    QTest::newRow("neighbours") << 1.0 << std::nextafter(1.0, 2.0);
    QTest::newRow("negative neighbours") << std::nextafter(-1.0, -2.0) << -1.0;
    QTest::newRow("three steps apart") << 3.0 << 3.0 + 3 * (std::nextafter(3.0, 4.0) - 3.0);
    QTest::newRow("far from 0") << 1e9 << 1e9 + 1e-2;
    QTest::newRow("large neighbours") << std::nextafter(largest, 0.0) << largest;
    QTest::newRow("the smallest number") << 0.0 << std::numeric_limits<double>::denorm_min();
    QTest::newRow("beyond a double's range") << -largest << largest;
  }
  void everyPairOfExtremesHasFewMarksAndAPlace() {
    QFETCH(double, lowest);
    QFETCH(double, highest);
    const Axis axis(Axis::Scale::kLinear, lowest, highest);
    QVERIFY(axis.marks().size() <= 12);
    QVERIFY(axis.place(lowest) <= axis.place(highest) || std::isnan(axis.place(highest)));
  }

  void marksEncloseTheExtremes() {
    const Axis axis(Axis::Scale::kLinear, -3, 7.5);
    QCOMPARE(axis.marks().front().value, -4.0);
    QCOMPARE(axis.marks().back().value, 8.0);
    QCOMPARE(axis.marks().size(), std::size_t{7});
    QCOMPARE(axis.place(-4), 0.0);
    QCOMPARE(axis.place(8), 1.0);
  }

  void neighboursAreDrawnAsAConstantFarFromTheEdges() {
    const Axis axis(Axis::Scale::kLinear, 1, std::nextafter(1.0, 2.0));
    QVERIFY(std::abs(axis.place(1) - 0.5) < 0.2);
    QVERIFY(axis.place(std::nextafter(1.0, 2.0)) - axis.place(1) < 1e-6);
  }
};
BINADE_SUITE(Axes);

}  // namespace

#include "tst_axis.moc"
