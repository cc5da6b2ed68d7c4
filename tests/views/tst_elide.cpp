// SPDX-License-Identifier: Apache-2.0
// What is cut never shows another number, and what is drawn stands where it is: means, marks.
#include "tests/support/suite.h"
#include "views/elided_label.h"
#include "views/gradient_view.h"
#include "views/plot/line_plot.h"
#include "views/plot/scale_plot.h"
#include "views/plot/shares.h"
#include "views/table/delegates.h"
#include "views/theme.h"
#include "views/values/elide.h"
#include "views/values/numbers.h"

#include <QApplication>
#include <QLabel>
#include <QRegularExpression>
#include <QStandardItemModel>
#include <QTest>

#include <cmath>

namespace {

using namespace binade;

/// Every number of a text: figures with what groups them, raised figures, a power of ten behind them.
QStringList numbersIn(const QString& text) {
  static const QRegularExpression number(QStringLiteral("\\d(?:[\\d,.]*\\d)?[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]*(?: × 10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)?"));
  QStringList found;
  for (const auto& match : number.globalMatch(text)) found << match.captured();
  return found;
}

class ScaleMarks : public views::ScalePlot {
 public:
  using ScalePlot::markPositions;
  using ScalePlot::ScalePlot;
};

class Elisions : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() { views::applyTheme(*qApp, views::Theme::kLight); }

  void noNumberIsEverCut_data() {
    QTest::addColumn<QString>("text");
    const char* texts[] = {"Lower the scale: at most 2¹⁹ is safe",
                           "Yes: in 12 steps, last at step 1,059",
                           "No: 2¹⁸, one back-off in 1,275 steps",
                           "1.23 × 10⁻⁵ of its norm",
                           "−30.2 kB · −380 µs",
                           "2⁻³ … 2¹⁷ (bounds)",
                           "65,504 overflows from 65,520",
                           "226 casts a step · 2.87 ms, 2.2 % of the step",
                           "layer12.30.conv1/aten::conv2d#10",
                           "16,777,216"};
    for (const char* text : texts) QTest::newRow(text) << QString::fromUtf8(text);
  }
  void noNumberIsEverCut() {
    QFETCH(const QString, text);
    const QFont font = views::textFont(12);
    const QStringList whole = numbersIn(text);
    const double wide = views::textWidth(font, text);
    int cut = 0;
    for (double width = 0; width <= wide + 2; width += 1) {
      for (const QString& shown : {views::elidedRight(text, font, width), views::elidedMiddle(text, font, width)}) {
        for (const QString& number : numbersIn(shown)) QVERIFY2(whole.contains(number), qPrintable(shown));
        // An ellipsis right behind a figure would read as more of its figures.
        QVERIFY2(!shown.contains(QRegularExpression(QStringLiteral("[\\d⁰¹²³⁴⁵⁶⁷⁸⁹]…"))), qPrintable(shown));
        QVERIFY2(shown == QStringLiteral("…") || views::textWidth(font, shown) <= width + 0.5, qPrintable(shown));
        cut += shown == text ? 0 : 1;
      }
    }
    QVERIFY(cut > 10);
    QCOMPARE(views::elidedRight(text, font, wide), text);
    QCOMPARE(views::elidedMiddle(text, font, wide), text);
  }

  void aTextBreaksBetweenItsWordsAndLosesNone() {
    const QFont font = views::textFont(12);
    for (const QString& text : {QStringLiteral("Try: layer1.0.conv1/aten::conv2d#0 in bfloat16"),
                                QStringLiteral("inside the noise · 2.87 ms of 1,040 steps from step 12")}) {
      const QStringList numbers = numbersIn(text);
      const double wide = views::textWidth(font, text);
      QCOMPARE(views::brokenLines(text, font, wide, 2), QStringList{text});
      int broken = 0;
      for (double width = 0; width <= wide + 2; width += 1) {
        const QStringList lines = views::brokenLines(text, font, width, 2);
        QVERIFY(!lines.isEmpty() && lines.size() <= 2);
        for (const QString& line : lines) {
          QVERIFY2(line == QStringLiteral("…") || views::textWidth(font, line) <= width + 0.5, qPrintable(line));
          for (const QString& number : numbersIn(line)) QVERIFY2(numbers.contains(number), qPrintable(line));
        }
        if (lines.join(QString()).contains(u'…')) continue;
        broken += lines.size() == 2 ? 1 : 0;
        QCOMPARE(lines.join(QString()).remove(u' '), QString(text).remove(u' '));
      }
      QVERIFY(broken > wide / 4);
      // One long word is not broken.
      QCOMPARE(views::brokenLines(QStringLiteral("abcdefghijklmnop"), font, 40, 2).size(), 1);
    }
    QCOMPARE(views::brokenLines(QString(), font, 40, 2), QStringList{QString()});
  }

  void aUnitStaysWithItsNumber() {
    const QFont font = views::textFont(12);
    const QString text = QStringLiteral("took 1.42 ms in all");
    for (double width = 0; width < views::textWidth(font, text); width += 1) {
      const QString shown = views::elidedRight(text, font, width);
      QVERIFY2(!shown.contains(QStringLiteral("1.42")) || shown.contains(QStringLiteral("1.42 ms")), qPrintable(shown));
    }
  }

  // A power of two that does not fit leaves its place to the ellipsis, and not to another power.
  void aLabelAndACellCutAsTheTextDoes() {
    views::ElidedLabel label(QStringLiteral("at most 2¹⁹"));
    label.resize(static_cast<int>(views::textWidth(label.font(), QStringLiteral("at most 2¹"))) + 6, 20);
    QVERIFY(label.isElided());
    label.resize(label.sizeHint());
    QVERIFY(!label.isElided());
  }

  void aRowKeepsWhatTellsItApart() {
    QStandardItemModel model(2, 1);
    const QStringList names{QStringLiteral("layer1.0.conv1/aten::conv2d#0"),
                            QStringLiteral("layer1.1.conv1/aten::conv2d#0")};
    const QStringList ends{QStringLiteral("…0.conv1"), QStringLiteral("…1.conv1")};
    for (int row = 0; row < 2; ++row) {
      model.setData(model.index(row, 0), names[row]);
      model.setData(model.index(row, 0), QStringList{names[row], ends[row]}, views::CallFormsRole);
    }
    const double narrow = views::textWidth(views::textFont(12, QFont::Medium), ends[0]) + 2;
    QCOMPARE(views::CallDelegate::shownCall(model.index(0, 0), narrow), ends[0]);
    QCOMPARE(views::CallDelegate::shownCall(model.index(1, 0), narrow), ends[1]);
    QCOMPARE(views::CallDelegate::shownCall(model.index(0, 0), 600), names[0]);
  }

  void aNameIsCutOnceAndBetweenItsParts() {
    const QFont font = views::textFont(12);
    const QString name = QStringLiteral("encoder.layer1.0.conv1/aten::conv2d#0");
    int cut = 0;
    for (double width = views::textWidth(font, QStringLiteral("…conv2d#0")); width < views::textWidth(font, name);
         width += 1) {
      const QString shown = views::elidedName(name, font, width);
      QVERIFY(views::textWidth(font, shown) <= width + 1);
      QCOMPARE(shown.count(u'…'), 1);
      const QString head = shown.section(u'…', 0, 0);
      const QString tail = shown.section(u'…', 1);
      QVERIFY2(name.startsWith(head) && name.endsWith(tail), qPrintable(shown));
      QVERIFY2(head.isEmpty() || QStringLiteral("./:").contains(head.back()), qPrintable(shown));
      const QChar before = name[name.size() - tail.size() - 1];
      QVERIFY2(QStringLiteral("./:").contains(before) || tail.startsWith(u'#'), qPrintable(shown));
      ++cut;
    }
    QVERIFY(cut > 20);
    QCOMPARE(views::elidedName(name, font, 1000), name);
    // Two ellipses in a row say nothing: `conv2/……#0`.
    QStandardItemModel model(1, 1);
    model.setData(model.index(0, 0),
                  QStringList{QStringLiteral("layer1.0.conv2/aten::conv2d#0"), QStringLiteral("…0.conv2/…conv2d#0")},
                  views::CallFormsRole);
    for (double width = 40; width < 130; width += 1)
      QVERIFY(views::CallDelegate::shownCall(model.index(0, 0), width).count(u'…') <= 2);
    QCOMPARE(views::CallDelegate::shownCall(model.index(0, 0), 60).count(u'…'), 1);
  }

  void theMeanOfALineIsTheLine() {
    views::LinePlot plot(nullptr);
    plot.addSeries({.name = QStringLiteral("loss"), .unit = {}, .meanOf = 41});
    for (int step = 0; step < 200; ++step) plot.append(0, step, 3.0 * step);
    for (const int step : {0, 1, 10, 20, 21, 100, 178, 179, 189}) {
      const QString mean = plot.valuesAt(step).section(QStringLiteral(": "), 1);
      QCOMPARE(mean, views::figure(3.0 * step));
    }
    QVERIFY(plot.valuesAt(100).contains(QStringLiteral("mean of 41: ")));
    QVERIFY(plot.valuesAt(5).contains(QStringLiteral("mean of 11: ")));
    // The newest step alone would bend its end: it is the mean with the ten before.
    QCOMPARE(plot.valuesAt(199).section(QStringLiteral(": "), 1), views::figure(3.0 * 194));
  }

  void aMeanForgetsWhatIsNotFinite() {
    views::LinePlot plot(nullptr);
    plot.addSeries({.name = QStringLiteral("loss"), .unit = {}, .meanOf = 5});
    for (int step = 0; step < 20; ++step) plot.append(0, step, step == 10 ? std::nan("") : 2.0);
    QVERIFY(plot.valuesAt(10).endsWith(QStringLiteral(": 2.00")));
    QVERIFY(plot.valuesAt(12).endsWith(QStringLiteral(": 2.00")));
  }

  void marksOfAStepStandAboveEachOther() {
    ScaleMarks plot(nullptr);
    plot.resize(700, 300);
    for (int step = 0; step < 700; ++step) plot.append(step, 65536);
    // Six px apart: drawn as one mark of two.
    for (const int step : {300, 306, 600}) {
      plot.addMark({step, views::MarkKind::kSkipped, {}});
      plot.addMark({step, views::MarkKind::kBackOff, {}});
    }
    std::map<std::int64_t, QList<double>> at;
    for (const auto& [place, group] : plot.markPositions()) at[group.first] << place.x();
    QCOMPARE(at.size(), std::size_t{2});
    for (const auto& [step, places] : at) {
      QCOMPARE(places.size(), 2);
      QCOMPARE(places[0], places[1]);
    }
  }

  void aBoundThatLeavesEverythingOpenIsNotShown() {
    QCOMPARE(views::betweenText({0, 0.9999}), QStringLiteral("–"));
    QCOMPARE(views::betweenText({0, 1}), QStringLiteral("–"));
    QCOMPARE(views::betweenText({0, 0.25}), QStringLiteral("≤ 25.00 %"));
    QCOMPARE(views::betweenText({1, 1}), QStringLiteral("100 %"));
    // A tensor of which nearly all was 0 after rounding: any of them may have been a value.
    formats::TensorStats stats;
    stats.count = 10000;
    stats.zero = 9999;
    stats.censored = true;
    stats.largest = stats.smallest = 1;
    stats.sum_of_squares = 1;
    stats.binades[static_cast<std::size_t>(-formats::kFirstBinade)] = 1;
    views::FormatShares table;
    table.setFormats({formats::kFloat16});
    table.setStats(stats);
    const QString cell = table.asText().section(u'\n', 1, 1).section(u'\t', 1, 1);
    QVERIFY2(!cell.contains(u'≤'), qPrintable(cell));
    QVERIFY2(table.rowTip(0).contains(QStringLiteral("after rounding")), qPrintable(table.rowTip(0)));
  }

  void theScaleBesideTheSliderSaysOfWhen() {
    views::GradientView view(nullptr);
    formats::TensorStats stats;
    stats.count = 4;
    stats.largest = stats.smallest = 1;
    stats.sum_of_squares = 4;
    stats.binades[static_cast<std::size_t>(-formats::kFirstBinade)] = 4;
    view.setPresentScale(17, QStringLiteral("(current)"));
    view.showStats(stats, 1059, 17);
    const auto says = [&](const char* words) {
      const auto labels = view.findChildren<QLabel*>();
      return std::any_of(labels.begin(), labels.end(),
                         [&](const QLabel* label) { return label->text() == QString::fromUtf8(words); });
    };
    QVERIFY(says("(current)"));
    view.setPresentScale(18, QStringLiteral("(current)"));  // it has grown since that step
    QVERIFY(!says("(current)"));
    QVERIFY(says("(at step 1,059)"));
    view.slider()->setValue(18);
    QVERIFY(says("(current)"));
  }
};

BINADE_SUITE(Elisions);

}  // namespace

#include "tst_elide.moc"
