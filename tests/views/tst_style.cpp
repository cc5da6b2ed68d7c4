// SPDX-License-Identifier: Apache-2.0
#include "tests/support/suite.h"
#include "tests/support/warnings.h"
#include "views/style/looks.h"
#include "views/style/style.h"
#include "views/table/delegates.h"
#include "views/theme.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPainter>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollBar>
#include <QSlider>
#include <QStyleOption>
#include <QTabBar>
#include <QTableWidget>
#include <QToolButton>

#include <cmath>

namespace binade::views {

namespace {

double luminance(const QColor& color) {
  const auto linear = [](double x) { return x <= 0.04045 ? x / 12.92 : std::pow((x + 0.055) / 1.055, 2.4); };
  return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
}

double contrast(const QColor& a, const QColor& b) {
  const double x = luminance(a);
  const double y = luminance(b);
  return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

QImage painted(QWidget& widget) {
  QImage image(widget.size(), QImage::Format_RGB32);
  image.fill(colors().panel);
  widget.render(&image, QPoint(), QRegion(), QWidget::DrawChildren);
  return image;
}

/// Paints a control in a state that a test cannot bring about without a window manager.
QImage control(QStyle::ControlElement element, QStyleOption& option, const QWidget& widget) {
  QImage image(widget.size(), QImage::Format_RGB32);
  image.fill(colors().panel);
  QPainter painter(&image);
  QApplication::style()->drawControl(element, &option, &painter, &widget);
  return image;
}

int count(const QImage& image, const QColor& color) {
  int found = 0;
  for (int y = 0; y < image.height(); ++y) {
    for (int x = 0; x < image.width(); ++x) found += image.pixelColor(x, y) == color ? 1 : 0;
  }
  return found;
}

QColor topOf(const QImage& image) {
  return image.pixelColor(image.width() / 2, 0);
}

}  // namespace

/// The program's own style, in both themes.
class StyleTest : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase_data() {
    QTest::addColumn<int>("theme");
    QTest::newRow("light") << static_cast<int>(Theme::kLight);
    QTest::newRow("dark") << static_cast<int>(Theme::kDark);
  }

  void init() {
    test::failOnWarnings();
    QFETCH_GLOBAL(int, theme);
    applyTheme(*qApp, static_cast<Theme>(theme));
  }

  void noStyleSheetIsSet() {
    QVERIFY(qApp->styleSheet().isEmpty());
    QVERIFY(qobject_cast<Style*>(QApplication::style()) != nullptr);
  }

  void aButtonTellsItsStateByGroundAndBorder() {
    QPushButton button(QString{});
    button.resize(80, 28);
    QStyleOptionButton option;
    option.initFrom(&button);
    const auto at = [&](QStyle::State state) {
      option.state = state;
      return control(QStyle::CE_PushButtonBevel, option, button);
    };
    const Colors& c = colors();
    const QImage plain = at(QStyle::State_Enabled);
    QCOMPARE(topOf(plain), c.line);
    QCOMPARE(plain.pixelColor(40, 14), c.panel);
    QCOMPARE(topOf(at(QStyle::State_Enabled | QStyle::State_MouseOver)), c.thirdText);
    QCOMPARE(topOf(at(QStyle::State_Enabled | QStyle::State_HasFocus)), c.indigo);
    QCOMPARE(at(QStyle::State_Enabled | QStyle::State_Sunken).pixelColor(40, 14), c.bar);
    QCOMPARE(at(QStyle::State_None).pixelColor(40, 14), c.bar);
    setPrimary(&button);
    QCOMPARE(at(QStyle::State_Enabled).pixelColor(40, 14), c.text);
    QCOMPARE(at(QStyle::State_None).pixelColor(40, 14), c.line);
    QCOMPARE(topOf(at(QStyle::State_Enabled | QStyle::State_HasFocus)), c.indigo);
    QCOMPARE(button.sizeHint().height(), 28);
    QCOMPARE(button.font().weight(), QFont::DemiBold);
  }

  void aPushButtonHasAGroundWhereItIsOn() {
    QPushButton button;
    button.setCheckable(true);
    button.resize(80, 28);
    QCOMPARE(painted(button).pixelColor(40, 14), colors().panel);
    button.setChecked(true);
    QCOMPARE(painted(button).pixelColor(40, 14), colors().selectedRow);
  }

  void aQuietBadgeIsOfTheThirdText() {
    Badge badge(QStringLiteral("1"));
    badge.resize(badge.sizeHint());
    QVERIFY(count(painted(badge), colors().text) > 10);
    badge.setQuiet();
    QCOMPARE(count(painted(badge), colors().text), 0);
    QCOMPARE(badge.font().weight(), QFont::Normal);
    QCOMPARE(badge.foregroundRole(), QPalette::PlaceholderText);
  }

  void linesOfAParagraphAreApart() {
    QLabel label(QStringLiteral("Needs the weights, one batch and the loss scale. No optimizer."));
    Paragraph paragraph(label.text());
    label.setWordWrap(true);
    label.setFont(textFont(13));
    paragraph.setFont(textFont(13));
    const int lines = (label.heightForWidth(180) + 2) / label.fontMetrics().lineSpacing();
    QVERIFY(lines > 1);
    QVERIFY(paragraph.heightForWidth(180) >= 5 * lines * label.fontMetrics().lineSpacing() / 4);
    QVERIFY(paragraph.heightForWidth(600) < paragraph.heightForWidth(180));
    paragraph.resize(180, paragraph.heightForWidth(180));
    QVERIFY(count(painted(paragraph), colors().text) > 10);
  }

  void theChosenSegmentIsFilled() {
    QToolButton button;
    button.setText(QStringLiteral("Tune"));
    button.setCheckable(true);
    setSegment(&button);
    button.resize(button.sizeHint());
    QCOMPARE(button.height(), 31);
    QVERIFY(button.width() >= 72);
    QCOMPARE(painted(button).pixelColor(3, 3), colors().panel);
    QCOMPARE(painted(button).pixelColor(0, 0), colors().line);
    button.setChecked(true);
    QCOMPARE(painted(button).pixelColor(3, 3), colors().text);
    QVERIFY(count(painted(button), colors().panel) > 10);  // the word
  }

  void aToolButtonHasAGroundWhereItIsOnOrPressed() {
    QToolButton button;
    button.resize(32, 28);
    button.setCheckable(true);
    QCOMPARE(painted(button).pixelColor(16, 3), colors().panel);  // what is behind
    button.setChecked(true);
    QCOMPARE(painted(button).pixelColor(16, 3), colors().selectedRow);
    button.setDown(true);
    button.setChecked(false);
    QCOMPARE(painted(button).pixelColor(16, 3), colors().line);
  }

  void aFieldThatIsRefusedIsCrimson() {
    QLineEdit edit;
    edit.resize(100, 24);
    QCOMPARE(edit.sizeHint().height(), 24);
    QCOMPARE(topOf(painted(edit)), colors().line);
    setWrong(&edit, true);
    QCOMPARE(topOf(painted(edit)), colors().crimson);
    setWrong(&edit, false);
    edit.setEnabled(false);
    QCOMPARE(painted(edit).pixelColor(50, 3), colors().bar);
    QComboBox combo;
    combo.resize(100, 24);
    QCOMPARE(combo.sizeHint().height(), 24);
    const QImage open = painted(combo).copy(combo.width() - 24, 4, 20, 16);  // the chevron, in antialiased strokes
    int strokes = 0;
    for (int y = 0; y < open.height(); ++y) {
      for (int x = 0; x < open.width(); ++x) strokes += contrast(open.pixelColor(x, y), colors().panel) > 1.5 ? 1 : 0;
    }
    QVERIFY2(strokes > 6, qPrintable(QString::number(strokes)));
    setWrong(&combo, true);
    QCOMPARE(topOf(painted(combo)), colors().crimson);
  }

  void aTickStandsOnAFilledBox() {
    QCheckBox box;
    box.resize(16, 16);
    const Colors& c = colors();
    QCOMPARE(painted(box).pixelColor(8, 0), c.thirdText);
    QCOMPARE(painted(box).pixelColor(8, 3), c.panel);
    box.setChecked(true);
    QCOMPARE(painted(box).pixelColor(3, 3), c.text);
    QVERIFY(count(painted(box), c.panel) > 3);
    box.setEnabled(false);
    QCOMPARE(painted(box).pixelColor(3, 3), c.thirdText);
    box.setChecked(false);
    QCOMPARE(painted(box).pixelColor(8, 0), c.line);
  }

  void aScrollBarIsAHandleOnly() {
    QScrollBar bar(Qt::Vertical);
    bar.setRange(0, 900);
    bar.setPageStep(100);
    bar.resize(10, 200);
    QCOMPARE(bar.sizeHint().width(), 10);
    const QImage image = painted(bar);
    QCOMPARE(image.pixelColor(5, 10), colors().line);
    QCOMPARE(image.pixelColor(5, 150), colors().panel);
    QStyleOptionSlider option;
    option.initFrom(&bar);
    option.orientation = Qt::Vertical;
    option.maximum = 900;
    option.pageStep = 100;
    const auto handle = [&] {
      return QApplication::style()->subControlRect(QStyle::CC_ScrollBar, &option, QStyle::SC_ScrollBarSlider, &bar);
    };
    QCOMPARE(handle(), QRect(0, 0, 10, 28));
    option.sliderPosition = 900;
    QCOMPARE(handle(), QRect(0, 172, 10, 28));
  }

  void aSliderIsFilledUpToItsHandle() {
    QSlider slider(Qt::Horizontal);
    slider.setRange(0, 100);
    slider.setValue(50);
    slider.resize(112, 24);
    const QImage image = painted(slider);
    QCOMPARE(image.pixelColor(10, 12), colors().indigo);
    QCOMPARE(image.pixelColor(100, 12), colors().line);
    QCOMPARE(image.pixelColor(55, 12), colors().panel);
    slider.setEnabled(false);
    QCOMPARE(painted(slider).pixelColor(10, 12), colors().line);
  }

  void theChosenTabHasALineAbove() {
    QTabBar tabs;
    tabs.setDrawBase(false);
    tabs.addTab(QStringLiteral("Op calls"));
    tabs.addTab(QStringLiteral("Log"));
    tabs.resize(tabs.sizeHint());
    QCOMPARE(tabs.height(), 28);
    const QImage image = painted(tabs);
    QCOMPARE(image.pixelColor(5, 0), colors().text);
    QCOMPARE(image.pixelColor(5, 27), colors().panel);
    const QRect other = tabs.tabRect(1);
    QCOMPARE(image.pixelColor(other.left() + 3, 0), colors().bar);
    QCOMPARE(image.pixelColor(other.left() + 3, 27), colors().line);
  }

  void aHeaderIsABarWithLines() {
    QTableWidget table(2, 2);
    styleTable(&table);
    table.resize(300, 100);
    QHeaderView* header = table.horizontalHeader();
    QCOMPARE(header->height(), 24);
    QCOMPARE(header->font().weight(), QFont::DemiBold);
    header->resize(300, 24);
    const QImage image = painted(*header->viewport());
    QCOMPARE(image.pixelColor(2, 2), colors().bar);
    QCOMPARE(image.pixelColor(2, 23), colors().line);
    QCOMPARE(image.pixelColor(header->sectionSize(0) - 1, 2), colors().line);
  }

  void aMenuMarksTheEntryAtTheMouse() {
    QMenu menu;
    menu.addAction(QStringLiteral("Open"));
    QAction* on = menu.addAction(QStringLiteral("Follow"));
    on->setCheckable(true);
    on->setChecked(true);
    menu.resize(menu.sizeHint());
    menu.setActiveAction(menu.actions().front());
    const QImage image = painted(menu);
    QCOMPARE(image.pixelColor(0, 0), colors().line);
    QCOMPARE(image.pixelColor(4, 6), colors().selectedRow);
    QCOMPARE(image.pixelColor(4, menu.height() - 8), colors().panel);
  }

  void aProgressBarIsThin() {
    QProgressBar bar;
    bar.setTextVisible(false);
    bar.setRange(0, 10);
    bar.setValue(5);
    QCOMPARE(bar.sizeHint().height(), 4);
    bar.resize(100, 4);
    QCOMPARE(painted(bar).pixelColor(20, 2), colors().indigo);
    QCOMPARE(painted(bar).pixelColor(80, 2), colors().softLine);
  }

  void surfacesMakeRoomForTheirBorders() {
    QWidget card;
    card.resize(60, 40);
    setSurface(&card, Surface::kChosenCard);
    QCOMPARE(card.contentsRect(), QRect(2, 2, 56, 36));
    QCOMPARE(card.grab().toImage().pixelColor(30, 1), colors().text);
    setSurface(&card, Surface::kFoot);
    QCOMPARE(card.contentsRect(), QRect(0, 1, 60, 39));
    QCOMPARE(card.grab().toImage().pixelColor(30, 0), colors().line);
    QCOMPARE(card.grab().toImage().pixelColor(30, 20), colors().bar);
    setSurface(&card, Surface::kProblem);
    QCOMPARE(card.grab().toImage().pixelColor(30, 20), colors().crimsonGround);
    setSurface(&card, Surface::kBadVerdict);
    QCOMPARE(card.grab().toImage().pixelColor(1, 20), colors().crimson);
  }

  void tonesFollowTheTheme() {
    QLabel label(QStringLiteral("words"));
    setTone(&label, Tone::kSecond);
    const auto color = [&] { return label.palette().color(label.foregroundRole()); };
    QCOMPARE(color(), colors().secondText);
    setTone(&label, Tone::kCrimson);
    QCOMPARE(color(), colors().crimson);
    const Theme other = colors().theme == Theme::kDark ? Theme::kLight : Theme::kDark;
    applyTheme(*qApp, other);
    QTRY_COMPARE(color(), colors(other).crimson);  // Qt posts the new palette
  }

  void whatFollowsIsSeenOnADarkGround() {
    if (colors().theme == Theme::kLight) return;
    for (const char* name : {"float32", "tfloat32", "bfloat16", "float16", "float8_e4m3fn"}) {
      QImage image(10, 10, QImage::Format_RGB32);
      image.fill(colors().panel);
      QPainter painter(&image);
      drawFormatSquare(painter, {0, 0, 10, 10}, QLatin1String(name), CellExecution::kFollows);
      painter.end();
      const double seen = contrast(image.pixelColor(0, 5), colors().panel);
      QVERIFY2(seen >= 3, qPrintable(QStringLiteral("%1: %2").arg(QLatin1String(name)).arg(seen)));
    }
    QVERIFY(contrast(colors().thirdText, colors().panel) >= 3);  // the graph's arrows
  }

  void theListOfAComboBoxHasRowsOfOneLine() {
    QComboBox combo;
    combo.addItems({QStringLiteral("float16"), QStringLiteral("bfloat16")});
    combo.show();
    for (int time = 0; time < 3; ++time) {
      combo.showPopup();
      const QRect row = combo.view()->visualRect(combo.model()->index(1, 0));
      QVERIFY2(row.height() < 3 * combo.fontMetrics().height(), qPrintable(QString::number(row.height())));
      combo.hidePopup();
    }
  }
};

BINADE_SUITE(StyleTest);

}  // namespace binade::views

#include "tst_style.moc"
