// SPDX-License-Identifier: Apache-2.0
#include "tests/support/suite.h"
#include "views/plot/line_plot.h"
#include "views/values/running_mean.h"

#include <cmath>
#include <limits>
#include <random>

namespace binade::views {

namespace {

bool near(double found, double expected) {
  if (std::isnan(expected)) return std::isnan(found);
  return std::fabs(found - expected) <= 1e-12 * std::max(1.0, std::fabs(expected));
}

double noisySample(std::mt19937& random) {
  if (random() % 40 == 0) return std::numeric_limits<double>::quiet_NaN();
  if (random() % 60 == 0) return std::numeric_limits<double>::infinity();
  return static_cast<double>(random() % 100'000) / 7 - 5000;
}

}  // namespace

class RunningMeans : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void theyEqualThePlainMeans_data() {
    QTest::addColumn<int>("of");
    QTest::addColumn<int>("samples");
    for (const int of : {2, 3, 41}) {
      for (const int samples : {0, 1, 2, 20, 21, 40, 41, 42, 83, 2000}) {
        QTest::addRow("%d of %d", of, samples) << of << samples;
      }
    }
  }
  void theyEqualThePlainMeans() {
    QFETCH(const int, of);
    QFETCH(const int, samples);
    std::mt19937 random(4);
    Series values;
    RunningMean mean(of);
    for (int i = 0; i < samples; ++i) {
      values.append(3 + i, noisySample(random));
      // In portions of any size.
      if (random() % 9 == 0) mean.follow(values);
    }
    mean.follow(values);
    const int half = of / 2;
    QCOMPARE(static_cast<int>(mean.complete().size()), std::max(0, samples - half));
    const Series tail = mean.tail(values);
    for (int i = 0; i < samples; ++i) {
      const int after = samples - 1 - i;
      const int right = std::min({half, i, after});
      const int left = std::min({half, i, std::max(after, half / 2)});
      double sum = 0;
      int finite = 0;
      for (int k = i - left; k <= i + right; ++k) {
        const double sample = values.valueAt(static_cast<std::size_t>(k));
        if (!std::isfinite(sample)) continue;
        sum += sample;
        ++finite;
      }
      const double expected = finite > 0 ? sum / finite : std::numeric_limits<double>::quiet_NaN();
      const auto at = static_cast<std::size_t>(i);
      QVERIFY2(near(mean.at(values, at).value, expected), qPrintable(QString::number(i)));
      QCOMPARE(mean.at(values, at).of, left + right + 1);
      const bool complete = at < mean.complete().size();
      const Series& drawn = complete ? mean.complete() : tail;
      const auto index = drawn.at(3 + i);
      QVERIFY(index && drawn.stepAt(*index) == 3 + i);
      QVERIFY2(near(drawn.valueAt(*index), expected), qPrintable(QString::number(i)));
    }
  }

  void oneSampleDoesNotBendTheEnd() {
    Series values;
    for (int i = 0; i < 100; ++i) values.append(i, i == 99 ? 2.0 : 1.0);
    const RunningMean mean(41);
    QCOMPARE(mean.at(values, 99).of, 11);
    QVERIFY(mean.at(values, 99).value < 1.1);
    QCOMPARE(mean.at(values, 0).of, 1);
  }

  void aHugeValueLeavesNoTrace() {
    Series values;
    for (int i = 0; i < 1000; ++i) values.append(i, i == 500 ? 1e300 : 0.5);
    RunningMean mean(41);
    mean.follow(values);
    for (int i = 30; i < 900; ++i) {
      const double found = mean.complete().valueAt(static_cast<std::size_t>(i));
      if (std::abs(i - 500) > 20) QCOMPARE(found, 0.5);
      if (std::abs(i - 500) <= 20) QVERIFY(found > 1e298);
    }
  }

  // A chart of another's samples shows the same as one with a copy.
  void aSourceIsDrawnLikeACopy() {
    std::mt19937 random(8);
    Series run;
    LinePlot copy(nullptr);
    LinePlot plot(nullptr);
    for (LinePlot* each : {&copy, &plot}) {
      each->addSeries({.name = QStringLiteral("loss"), .unit = {}, .meanOf = 41});
      each->resize(500, 300);
    }
    plot.setSource(0, &run);
    const auto grow = [&](int samples) {
      for (int i = 0; i < samples; ++i) {
        const std::int64_t step = run.empty() ? 10 : run.lastStep() + 1;
        const double value = noisySample(random);
        run.append(step, value);
        copy.append(0, step, value);
      }
      plot.followSource(0);
    };
    const auto compare = [&] {
      QCOMPARE(plot.stepAxis()->range().low, copy.stepAxis()->range().low);
      QCOMPARE(plot.stepAxis()->range().high, copy.stepAxis()->range().high);
      QCOMPARE(plot.valueRange().high, copy.valueRange().high);
      QCOMPARE(plot.valuesAt(300), copy.valuesAt(300));
      QCOMPARE(plot.csv(), copy.csv());
      QCOMPARE(plot.toImage(), copy.toImage());
    };
    grow(5000);
    compare();
    grow(777);
    compare();
    // The run is rewound and goes on in another way.
    copy.clear();
    plot.clear();
    run.truncate(1200);
    for (std::size_t i = 0; i < run.size(); ++i) copy.append(0, run.stepAt(i), run.valueAt(i));
    for (LinePlot* each : {&copy, &plot}) each->stepAxis()->reset();
    for (std::size_t i = 0; i < run.size(); ++i) copy.stepAxis()->extend(run.stepAt(i));
    grow(400);
    compare();
  }
};

BINADE_SUITE(RunningMeans);

}  // namespace binade::views

#include "tst_running_mean.moc"
