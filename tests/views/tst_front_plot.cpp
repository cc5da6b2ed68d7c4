// SPDX-License-Identifier: Apache-2.0
// Cost against loss gap: places of points, choosing by mouse and keyboard, and what a screen reader is told.
#include "tests/support/suite.h"
#include "tests/support/warnings.h"
#include "views/plot/front_plot.h"
#include "views/values/colors.h"

#include <QImage>
#include <QSignalSpy>
#include <QTest>

#include <limits>
#include <memory>
#include <optional>
#include <vector>

namespace {

using namespace binade;
using views::FrontPlot;
using views::FrontPoint;
using views::FrontVerdict;

QString plainCost(double cost) {
  return QString::number(cost);
}

/// Two of the front, one that holds and is beaten, and one whose loss runs away; not in the order of cost.
std::vector<FrontPoint> fourPoints() {
  return {{7, 30, 0.001, FrontVerdict::kFront, QStringLiteral("seven")},
          {2, 10, 0.02, FrontVerdict::kFront, QStringLiteral("two")},
          {5, 25, 0.015, FrontVerdict::kBeaten, QStringLiteral("five")},
          {9, 20, 50, FrontVerdict::kRejected, QStringLiteral("nine")}};
}

class FrontPlots : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void init() {
    test::failOnWarnings();
    plot_ = std::make_unique<FrontPlot>();
    plot_->resize(400, 200);
    plot_->show();
    plot_->setPoints(fourPoints(), QStringLiteral("Casts"), plainCost);
  }
  void cleanup() { plot_.reset(); }

  void cheaperIsLeftAndALowerLossIsBelow() {
    QVERIFY(plot_->place(2).x() < plot_->place(7).x());
    QVERIFY(plot_->place(2).y() < plot_->place(7).y());
    QCOMPARE(plot_->place(1), QPointF(-1, -1));
  }

  void aLossThatRunsAwayDoesNotFlattenTheOthers() {
    const double apart = plot_->place(7).y() - plot_->place(2).y();
    QVERIFY2(apart > 20, qPrintable(QString::number(apart)));
    QVERIFY(plot_->place(9).y() >= 0 && plot_->place(9).y() < plot_->place(2).y());
  }

  void aPointWithoutAPlaceIsLeftOut() {
    std::vector<FrontPoint> points = fourPoints();
    points.push_back({11, 12, std::numeric_limits<double>::infinity(), FrontVerdict::kRejected, {}});
    points.push_back({12, std::numeric_limits<double>::quiet_NaN(), 0, FrontVerdict::kRejected, {}});
    plot_->setPoints(points, QStringLiteral("Casts"), plainCost);
    QCOMPARE(plot_->count(), 4);
  }

  void aClickChoosesAPointAndOneBesideThemNone() {
    QSignalSpy chosen(plot_.get(), &FrontPlot::pointChosen);
    QTest::mouseClick(plot_.get(), Qt::LeftButton, {}, plot_->place(5).toPoint());
    QCOMPARE(chosen.count(), 1);
    QCOMPARE(plot_->chosen(), 5);
    QTest::mouseClick(plot_.get(), Qt::LeftButton, {}, QPoint(3, 3));
    QCOMPARE(chosen.count(), 1);
    QCOMPARE(plot_->chosen(), 5);
  }

  void keysWalkInTheOrderOfCost() {
    QList<qlonglong> walked;
    connect(plot_.get(), &FrontPlot::pointChosen, this, [&](qlonglong id) { walked << id; });
    QTest::keyClick(plot_.get(), Qt::Key_Right);
    for (int i = 0; i < 4; ++i) QTest::keyClick(plot_.get(), Qt::Key_Right);
    QTest::keyClick(plot_.get(), Qt::Key_Left);
    QTest::keyClick(plot_.get(), Qt::Key_Home);
    QTest::keyClick(plot_.get(), Qt::Key_End);
    QCOMPARE(walked, (QList<qlonglong>{2, 9, 5, 7, 7, 5, 2, 7}));
  }

  void theChosenPointIsDescribed() {
    QVERIFY(plot_->accessibleDescription().contains(QStringLiteral("4 policies")));
    plot_->setChosen(9);
    QCOMPARE(plot_->accessibleDescription(), QStringLiteral("nine"));
    plot_->setChosen(1);
    QCOMPARE(plot_->chosen(), -1);
  }

  void aChosenPointStaysChosenWhenOthersCome() {
    plot_->setChosen(5);
    std::vector<FrontPoint> points = fourPoints();
    points.push_back({12, 5, 0, FrontVerdict::kFront, QStringLiteral("twelve")});
    plot_->setPoints(points, QStringLiteral("Casts"), plainCost);
    QCOMPARE(plot_->chosen(), 5);
    plot_->setPoints({}, {}, {});
    QCOMPARE(plot_->chosen(), -1);
    QTest::keyClick(plot_.get(), Qt::Key_Right);  // nothing to choose
    QCOMPARE(plot_->chosen(), -1);
  }

  void pointsOfTheFrontAreFilled() {
    const QImage image = plot_->grab().toImage();
    const auto at = [&](qlonglong id) {
      return image.pixelColor((plot_->place(id) * image.devicePixelRatio()).toPoint());
    };
    QCOMPARE(at(7).rgb(), views::colors().dataLine.rgb());
    QVERIFY(at(5).rgb() != views::colors().dataLine.rgb());
  }

  // Crimson is for a training that came to nothing.
  void onlyALostPolicyIsCrimson() {
    const auto has_crimson = [this](FrontVerdict verdict) {
      plot_->setPoints({{1, 10, 0, FrontVerdict::kFront, {}}, {2, 30, 0.01, verdict, {}}}, QStringLiteral("Casts"),
                       plainCost);
      const QImage image = plot_->grab().toImage();
      for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
          const QColor pixel = image.pixelColor(x, y);
          if (pixel.red() > pixel.green() + 80 && pixel.red() > pixel.blue() + 40) return true;
        }
      }
      return false;
    };
    QVERIFY(has_crimson(FrontVerdict::kLost));
    QVERIFY(!has_crimson(FrontVerdict::kUndecided));
    QVERIFY(!has_crimson(FrontVerdict::kRejected));
  }

  void theLegendNamesTheMarksThatAreShown() {
    QCOMPARE(plot_->legend(), (QStringList{QStringLiteral("front"), QStringLiteral("not on the front"),
                                           QStringLiteral("above the scale")}));
    plot_->setPoints({{1, 10, 0, FrontVerdict::kFront, {}}, {2, 30, 0, FrontVerdict::kRejected, {}}},
                     QStringLiteral("Casts"), plainCost);
    QCOMPARE(plot_->legend(), (QStringList{QStringLiteral("front"), QStringLiteral("rejected")}));
    plot_->setPoints({{1, 10, 0, FrontVerdict::kFront, {}}, {2, 30, 0, FrontVerdict::kUndecided, {}}},
                     QStringLiteral("Casts"), plainCost);
    plot_->setPresent(20);
    QCOMPARE(plot_->legend(),
             (QStringList{QStringLiteral("front"), QStringLiteral("not decided"), QStringLiteral("present policy")}));
    plot_->setPoints({}, {}, {});
    QVERIFY(plot_->legend().isEmpty());
  }

  // In a narrow chart the legend takes lines of its own, above the points.
  void theLegendLiesAboveThePoints() {
    const double wide = plot_->place(9).y();
    plot_->resize(230, 240);
    plot_->setPoints(fourPoints(), QStringLiteral("Casts"), plainCost);
    QCOMPARE(plot_->legend().size(), 3);
    QVERIFY(plot_->place(9).y() > wide);
  }

  void thePresentPolicyIsOnTheLineOfNoGap() {
    QCOMPARE(plot_->presentPlace(), QPointF(-1, -1));
    plot_->setPresent(50);
    const QPointF present = plot_->presentPlace();
    QVERIFY(present.x() > plot_->place(7).x());  // it costs the most, and the axis reaches it
    QVERIFY(present.x() < plot_->width() - 16);
    QVERIFY(present.y() > plot_->place(7).y());  // the gap of the other is 0.001
    QCOMPARE(plot_->count(), 4);                 // it is no point to choose
    plot_->setPresent(std::nullopt);
    QCOMPARE(plot_->presentPlace(), QPointF(-1, -1));
  }

  void onePointAndEqualPointsHaveAPlaceInside() {
    plot_->setPoints({{1, 0, 0, FrontVerdict::kFront, {}}, {2, 0, 0, FrontVerdict::kFront, {}}},
                     QStringLiteral("Casts"), plainCost);
    const QPointF at = plot_->place(1);
    QVERIFY(at.x() > 62 && at.x() < 384 && at.y() > 22 && at.y() < 164);
    QVERIFY(!plot_->grab().isNull());
  }

 private:
  std::unique_ptr<FrontPlot> plot_;
};

BINADE_SUITE(FrontPlots);

}  // namespace

#include "tst_front_plot.moc"
