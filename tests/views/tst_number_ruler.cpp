// SPDX-License-Identifier: Apache-2.0
#include "tests/support/suite.h"
#include "views/numbers/format_ruler.h"
#include "views/values/colors.h"

#include <QLocale>
#include <QMouseEvent>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace binade::views {

using formats::Format;
using Scale = RulerAxis::Scale;

namespace {

constexpr int kHalfLane = 1;
constexpr int kE4m3fnLane = 2;

/// A ruler of float32, float16 and float8_e4m3fn, float16 selected.
struct ShownRuler {
  FormatRuler ruler;

  explicit ShownRuler(double value, Scale scale = Scale::kLinear) {
    ruler.setFormats({formats::kFloat32, formats::kFloat16, formats::kFloat8E4M3fn});
    ruler.setSelected(formats::kFloat16);
    ruler.setScale(scale);
    ruler.resize(900, 300);
    ruler.show();
    set(value);
  }
  void set(double value, formats::Overflow overflow = formats::Overflow::kInfinity) {
    ruler.setShown({{value}, std::nullopt, overflow});
  }
  // Sent to the widget itself: the platform's pointer is elsewhere and would leave at once.
  void hover(double value) {
    const QPointF at(std::round(ruler.xOf(value)), 100);
    QMouseEvent move(QEvent::MouseMove, at, ruler.mapToGlobal(at), Qt::NoButton, Qt::NoButton, Qt::NoModifier);
    QApplication::sendEvent(&ruler, &move);
  }
  void turnWheel(QPointF at, int angle) {
    QWheelEvent event(at, ruler.mapToGlobal(at), {}, {0, angle}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase,
                      false);
    QApplication::sendEvent(&ruler, &event);
  }
};

RulerAxis axisOf(Scale scale, Range range) {
  RulerAxis axis;
  axis.set(scale, range);
  return axis;
}

}  // namespace

class NumberRulers : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }

  void zoomingKeepsThePlaceAndEndsAtTheLimits() {
    RulerAxis axis = axisOf(Scale::kLinear, {-100, 100});
    axis.zoom(50, 0.5);
    QCOMPARE(axis.range(), (Range{-25, 75}));
    axis = axisOf(Scale::kLinear, {0, 80000});
    for (int i = 0; i < 500; ++i) axis.zoom(65520, 1 / 1.5);
    QVERIFY(axis.range().contains(65520));
    QVERIFY(axis.range().span() < 1e-3);
    QVERIFY(axis.range().span() > 1e-6);
    for (int i = 0; i < 500; ++i) axis.zoom(65520, 1.5);
    QVERIFY(axis.range().high > formats::kFloat32.largest());
    axis = axisOf(Scale::kLog2, {-20, 20});
    for (int i = 0; i < 500; ++i) axis.zoom(3, 1.5);
    QVERIFY(axis.range().low < -149 && axis.range().high > 128);
    axis.pan(1e9);
    QVERIFY(std::isfinite(axis.values().high));
  }

  void ticksAreToldApart_data() {
    QTest::addColumn<bool>("log");
    QTest::addColumn<double>("low");
    QTest::addColumn<double>("high");
    QTest::newRow("float16's limit") << false << 65519.9 << 65520.1;
    QTest::newRow("near 1") << false << 1.0 << 1.000001;
    QTest::newRow("huge") << false << 1e30 << 1.0001e30;
    QTest::newRow("subnormals of float32") << false << -1e-44 << 1e-44;
    QTest::newRow("all") << false << -3.5e38 << 3.5e38;
    QTest::newRow("binades") << true << -30.0 << 20.0;
    QTest::newRow("part of a binade") << true << 15.999 << 16.001;
    QTest::newRow("two binades") << true << 0.0 << 2.0;
  }
  void ticksAreToldApart() {
    QFETCH(const bool, log);
    QFETCH(const double, low);
    QFETCH(const double, high);
    const RulerAxis axis = axisOf(log ? Scale::kLog2 : Scale::kLinear, {low, high});
    const auto ticks = axis.ticks(8);
    QVERIFY(ticks.size() >= 2);
    for (std::size_t i = 1; i < ticks.size(); ++i) {
      QVERIFY(ticks[i].value > ticks[i - 1].value);
      QVERIFY2(ticks[i].label != ticks[i - 1].label, qPrintable(ticks[i].label));
    }
  }

  void thePointerHitsNumbersAndTiesExactly() {
    const RulerAxis axis = axisOf(Scale::kLinear, {65000, 66000});
    QCOMPARE(axis.snapped(65519.8, 0.9), 65520.0);
    const RulerAxis log = axisOf(Scale::kLog2, {-1, 1});
    const double value = log.snapped(0.001, 0.01);
    QCOMPARE(value * 128, std::round(value * 128));
  }

  void marksAreNumbersAndDotsAreTies() {
    const RulerLane lane = rulerLane(axisOf(Scale::kLinear, {65400, 65600}), formats::kFloat16, 1000);
    QCOMPARE(lane.numbers.size(), std::size_t{4});  // 65408, 65440, 65472, 65504
    QCOMPARE(lane.numbers[0].x, 40.0);
    QCOMPARE(lane.numbers[3].x, 520.0);
    QCOMPARE(lane.ties.size(), std::size_t{4});
    QCOMPARE(lane.ties[3], 600.0);  // 65520: the tie from which values overflow
    QVERIFY(lane.dense.empty());
    QVERIFY(!lane.continuesRight && lane.continuesLeft);
  }

  void aTieBetweenTwoHiddenNumbersIsShown() {
    const RulerLane lane = rulerLane(axisOf(Scale::kLinear, {65473, 65503}), formats::kFloat16, 600);
    QVERIFY(lane.numbers.empty());
    QCOMPARE(lane.ties, std::vector<double>{300.0});
  }

  void beyondTheLargestNumberOfAnElementIsNoTie() {
    // Without infinity and NaN, every larger value becomes 6.
    const RulerLane lane = rulerLane(axisOf(Scale::kLinear, {-8, 8}), formats::kFloat4E2M1fn, 1600);
    QCOMPARE(lane.numbers.size(), std::size_t{15});
    QCOMPARE(lane.ties.size(), std::size_t{14});
    for (const double tie : lane.ties) QVERIFY(tie > lane.numbers.front().x && tie < lane.numbers.back().x);
    const RulerLane log = rulerLane(axisOf(Scale::kLog2, {2, 3}), formats::kFloat4E2M1fn, 1000);
    QCOMPARE(log.ties.size(), std::size_t{1});  // 5, between 4 and 6
  }

  void subnormalsAreTheirOwn() {
    const RulerLane lane = rulerLane(axisOf(Scale::kLog2, {-26, -13}), formats::kFloat16, 1300);
    QCOMPARE(lane.bar.left, 200.0);           // 2^-24
    QCOMPARE(lane.subnormals.right, 1200.0);  // 2^-14
    QVERIFY(lane.numbers.front().subnormal);
    QCOMPARE(lane.numbers.front().x, 200.0);
    // 2^-25: from here down, all becomes 0.
    QVERIFY(std::any_of(lane.ties.begin(), lane.ties.end(), [](double tie) { return std::fabs(tie - 100) < 1e-6; }));
    for (const RulerLane::Span& span : lane.dense) QCOMPARE(span.subnormal, span.right <= 1200.001);
    // e4m3fn: 2^-9, 2 and 3 x 2^-9, and so on, up to the smallest normal number 2^-6.
    const RulerLane few = rulerLane(axisOf(Scale::kLog2, {-10, -5}), formats::kFloat8E4M3fn, 1000);
    const auto count =
        std::count_if(few.numbers.begin(), few.numbers.end(), [](const auto& each) { return each.subnormal; });
    QCOMPARE(count, std::ptrdiff_t{7});
  }

  void theGapsDoubleWithEveryBinade() {
    const RulerLane lane = rulerLane(axisOf(Scale::kLinear, {0, 460}), formats::kFloat8E4M3fn, 4600);
    const auto at = [&](double value) {
      return std::any_of(lane.numbers.begin(), lane.numbers.end(),
                         [&](const RulerLane::Mark& mark) { return std::fabs(mark.x - 10 * value) < 1e-6; });
    };
    QVERIFY(at(448) && at(416) && at(256) && at(240) && at(224) && at(128) && at(120));
    QVERIFY(!at(432) && !at(248) && !at(124));
  }

  void marksAreFewAtEveryZoom() {
    for (const Format& format : {formats::kFloat32, formats::kBFloat16, formats::kFloat16, formats::kFloat8E5M2}) {
      RulerAxis linear = axisOf(Scale::kLinear, {-4e38, 4e38});
      RulerAxis log = axisOf(Scale::kLog2, {-156, 132});
      for (int i = 0; i < 400; ++i) {
        for (const RulerAxis& axis : {linear, log}) {
          const RulerLane lane = rulerLane(axis, format, 1000);
          QVERIFY(lane.numbers.size() <= 300);
          QVERIFY(lane.ties.size() <= 100);
          QVERIFY(lane.dense.size() <= 600);
          for (const RulerLane::Mark& mark : lane.numbers) QVERIFY(mark.x >= 0 && mark.x <= 1000);
        }
        linear.zoom(i < 200 ? 0.3 : 1e-6, 1 / 1.5);
        log.zoom(-20.3, 1 / 1.2);
      }
    }
  }

  void anArrowLeadsToTheRoundedNumber() {
    ShownRuler shown(65519.996);
    FormatRuler& ruler = shown.ruler;
    ruler.fitToValue();
    const QLineF down = ruler.arrow(kHalfLane);
    QCOMPARE(down.x1(), ruler.xOf(65519.996));
    QCOMPARE(down.x2(), ruler.xOf(65504));
    QVERIFY(down.x2() < down.x1());
    QCOMPARE(ruler.roundingText(kHalfLane), QStringLiteral("→ 65,504 · down"));
    QCOMPARE(ruler.roundingText(0), QStringLiteral("→ 65,519.9961 · up · gap 2⁻⁸"));
    // float8_e4m3fn has no infinity: overflow is NaN, and the arrow leads out of the picture.
    QCOMPARE(ruler.roundingText(kE4m3fnLane), QStringLiteral("→ NaN · overflows to NaN"));
    QCOMPARE(ruler.arrow(kE4m3fnLane).x2(), ruler.plotArea().right());
    shown.set(65519.996, formats::Overflow::kSaturate);
    QCOMPARE(ruler.roundingText(kE4m3fnLane), QStringLiteral("→ 448 · saturates"));
    QCOMPARE(ruler.arrow(kE4m3fnLane).x2(), ruler.plotArea().left());
  }

  void pointingShowsTheRoundingThere() {
    ShownRuler shown(65504);
    FormatRuler& ruler = shown.ruler;
    ruler.fitToValue();
    QVERIFY(!ruler.pointed());
    shown.hover(65520);
    QCOMPARE(ruler.pointed(), std::optional(65520.0));
    QCOMPARE(ruler.roundingText(kHalfLane), QStringLiteral("→ inf · overflows to infinity (tie)"));
    QCOMPARE(ruler.arrow(kHalfLane).x2(), ruler.plotArea().right());
    shown.hover(65488);  // the pattern of 65472 is even, that of 65504 is odd
    QCOMPARE(ruler.pointed(), std::optional(65488.0));
    const auto rounded = ruler.rounding(kHalfLane);
    QVERIFY(rounded.tie);
    QCOMPARE(numbers::value(rounded.number), 65472.0);
    QVERIFY(ruler.roundingText(kHalfLane).contains(QStringLiteral("tie, down to even")));
    QCOMPARE(ruler.arrow(kHalfLane).x2(), ruler.xOf(65472));
    QVERIFY(ruler.accessibleDescription().contains(QStringLiteral("Pointed at 65488")));
    QVERIFY(ruler.accessibleDescription().contains(QStringLiteral("float16 → 65,472")));
    shown.hover(65472);
    QVERIFY(ruler.roundingText(kHalfLane).contains(QStringLiteral("exact")));
    QEvent leave(QEvent::Leave);
    QApplication::sendEvent(&ruler, &leave);
    QVERIFY(!ruler.pointed());
  }

  void whatBecomesZeroPointsToTheLeftEnd() {
    ShownRuler shown(std::ldexp(1.0, -30), Scale::kLog2);
    const FormatRuler& ruler = shown.ruler;
    QCOMPARE(ruler.roundingText(kHalfLane), QStringLiteral("→ 0 · becomes 0"));
    QCOMPARE(ruler.arrow(kHalfLane).x2(), ruler.plotArea().left());
    QCOMPARE(ruler.roundingText(0), QStringLiteral("→ 2⁻³⁰ · exact"));
    // A negative number is at its magnitude.
    shown.set(-4);
    QCOMPARE(ruler.arrow(kHalfLane).x1(), ruler.xOf(4));
    shown.set(std::nan(""));
    QVERIFY(ruler.arrow(kHalfLane).isNull());
  }

  void theWheelZoomsAtThePointerAndADragPans() {
    ShownRuler shown(1);
    FormatRuler& ruler = shown.ruler;
    const double before = ruler.axis().range().span();
    const double place = ruler.xOf(20000);
    shown.turnWheel({place, 100}, 240);
    QVERIFY(ruler.axis().range().span() < before * 0.6);
    QVERIFY(std::fabs(ruler.xOf(20000) - place) < 1e-6);
    const double moved = ruler.xOf(20000);
    QTest::mousePress(&ruler, Qt::LeftButton, {}, {500, 100});
    QTest::mouseMove(&ruler, {460, 100});
    QTest::mouseMove(&ruler, {400, 100});
    QTest::mouseRelease(&ruler, Qt::LeftButton, {}, {400, 100});
    QVERIFY(std::fabs(ruler.xOf(20000) - (moved - 100)) < 1e-6);
    QVERIFY(!ruler.pointed());  // a drag is no click
    QTest::mouseDClick(&ruler, Qt::LeftButton, {}, {500, 100});
    QVERIFY(std::fabs(ruler.axis().range().span() - before) < before * 1e-9);
  }

  void keysMoveTheCursorAndZoom() {
    ShownRuler shown(65504);
    FormatRuler& ruler = shown.ruler;
    ruler.fitToValue();
    double picked = 0;
    connect(&ruler, &FormatRuler::valuePicked, this, [&](double value) { picked = value; });
    QTest::keyClick(&ruler, Qt::Key_Return);
    QCOMPARE(picked, 0.0);
    QTest::keyClick(&ruler, Qt::Key_Right);
    QVERIFY(*ruler.pointed() > 65504);
    QTest::keyClick(&ruler, Qt::Key_Left);
    QCOMPARE(ruler.pointed(), std::optional(65504.0));
    QTest::keyClick(&ruler, Qt::Key_Left, Qt::ShiftModifier);
    QVERIFY(*ruler.pointed() < 65502);
    QTest::keyClick(&ruler, Qt::Key_Left, Qt::ControlModifier);
    QCOMPARE(ruler.pointed(), std::optional(65472.0));
    QTest::keyClick(&ruler, Qt::Key_Left, Qt::ControlModifier);
    QCOMPARE(ruler.pointed(), std::optional(65440.0));
    QTest::keyClick(&ruler, Qt::Key_Return);
    QCOMPARE(picked, 65440.0);
    const double span = ruler.axis().range().span();
    QTest::keyClick(&ruler, Qt::Key_Plus);
    QVERIFY(ruler.axis().range().span() < span);
    QTest::keyClick(&ruler, Qt::Key_Minus);
    QTest::keyClick(&ruler, Qt::Key_Minus);
    QVERIFY(ruler.axis().range().span() > span);
    QTest::keyClick(&ruler, Qt::Key_Escape);
    QVERIFY(!ruler.pointed());
    QTest::keyClick(&ruler, Qt::Key_F);
    QVERIFY(ruler.axis().range().contains(-65504));
    QTest::keyClick(&ruler, Qt::Key_V);
    QVERIFY(!ruler.axis().range().contains(0));
    QTest::keyClick(&ruler, Qt::Key_Down);
    QTest::keyClick(&ruler, Qt::Key_F);
    QVERIFY(ruler.axis().range().high < 1000);  // fits float8_e4m3fn
  }

  void theCursorStaysInSight() {
    ShownRuler shown(65504);
    FormatRuler& ruler = shown.ruler;
    ruler.fitToValue();
    for (int i = 0; i < 20; ++i) QTest::keyClick(&ruler, Qt::Key_Left, Qt::ControlModifier);
    QCOMPARE(ruler.pointed(), std::optional(65504.0 - 20 * 32));
    QVERIFY(ruler.axis().range().contains(*ruler.pointed()));
  }

  void theScalesShowTheSameValues() {
    ShownRuler shown(1, Scale::kLog2);
    FormatRuler& ruler = shown.ruler;
    QVERIFY(ruler.axis().range().low < -149 && ruler.axis().range().high > 128);  // all formats
    QVERIFY(ruler.xOf(2) - ruler.xOf(1) > 1);
    QVERIFY(std::fabs((ruler.xOf(4) - ruler.xOf(2)) - (ruler.xOf(2) - ruler.xOf(1))) < 1e-6);
    ruler.showValues(1, 4);
    ruler.setScale(Scale::kLinear);
    QVERIFY(std::fabs(ruler.axis().range().low - 1) < 1e-9 && std::fabs(ruler.axis().range().high - 4) < 1e-9);
    QVERIFY(std::fabs((ruler.xOf(4) - ruler.xOf(2)) - 2 * (ruler.xOf(2) - ruler.xOf(1))) < 1e-6);
    ruler.showValues(-3, 3);  // the logarithmic scale has no place for these
    ruler.setScale(Scale::kLog2);
    QVERIFY(ruler.axis().isLog());
    QVERIFY(ruler.axis().range().low < -149);
  }

  void lanesArePaintedAtAnySizeAndZoom() {
    ShownRuler shown(0.1, Scale::kLog2);
    FormatRuler& ruler = shown.ruler;
    for (const QSize size : {QSize(320, 150), QSize(420, 200), QSize(1200, 500)}) {
      ruler.resize(size);
      for (const Scale scale : {Scale::kLinear, Scale::kLog2}) {
        ruler.setScale(scale);
        ruler.fit();
        const QImage image = ruler.grab().toImage();
        const QRectF bar = ruler.barBox(kHalfLane);
        // A pixel where the numbers of float16 are dense, and where no text is.
        const QPointF at(std::floor(ruler.xOf(scale == Scale::kLog2 ? 1000 : 60000)), bar.top() + 2);
        QCOMPARE(image.pixelColor(at.toPoint()), formatColor(formats::kFloat16));
        for (int i = 0; i < 20; ++i) QTest::keyClick(&ruler, Qt::Key_Plus);
        ruler.grab();
        shown.hover(0.1);
        ruler.grab();
      }
    }
  }
};

BINADE_SUITE(NumberRulers);

}  // namespace binade::views

#include "tst_number_ruler.moc"
