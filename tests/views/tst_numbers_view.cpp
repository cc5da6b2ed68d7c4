// SPDX-License-Identifier: Apache-2.0
#include "tests/support/suite.h"
#include "views/elided_label.h"
#include "views/numbers/bit_rows.h"
#include "views/numbers/format_ruler.h"
#include "views/numbers/numbers_view.h"
#include "views/theme.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QToolButton>

#include <algorithm>
#include <cmath>

namespace binade::views {

using formats::Format;

namespace {

struct ShownView {
  NumbersView view;
  std::vector<double> changes;

  ShownView() {
    QObject::connect(&view, &NumbersView::valueChanged, &view, [this](double value) { changes.push_back(value); });
    view.resize(1200, 700);
    view.show();
  }
  template <class Widget = QLineEdit>
  Widget* part(const char* name) {
    return view.findChild<Widget*>(QString::fromLatin1(name));
  }
  void type(const char* field, const QString& text) {
    auto* line = part(field);
    line->selectAll();
    QTest::keyClicks(line, text);
    QTest::keyClick(line, Qt::Key_Return);
  }
  QString text(const char* field) { return part(field)->text(); }
  QString problem() {
    auto* label = part<QLabel>("numberProblem");
    return label->isVisibleTo(&view) ? label->text() : QString();
  }
  numbers::Number in(const Format& format) { return view.shown().in(format).number; }
  NumberWords words(const Format& format) { return numberWords(view.shown(), format); }
};

}  // namespace

class NumbersViews : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }

  void theLegendOfTheRulerIsNotCutInANarrowView() {
    ShownView shown;
    shown.view.resize(460, 900);
    QApplication::processEvents();
    const auto labels = shown.view.findChildren<ElidedLabel*>();
    const auto legend = std::find_if(labels.begin(), labels.end(), [](const ElidedLabel* label) {
      return label->text().contains(QStringLiteral("subnormal"));
    });
    QVERIFY(legend != labels.end());
    QVERIFY((*legend)->isVisible());
    QVERIFY2(!(*legend)->isElided(), qPrintable(QString::number((*legend)->width())));
  }

  void aTypedNumberIsShownInEveryFormat() {
    ShownView shown;
    shown.type("numberValue", QStringLiteral("0.1"));
    QCOMPARE(shown.changes.size(), std::size_t{1});
    QCOMPARE(shown.in(formats::kFloat16).bits, 0x2e66u);
    QCOMPARE(shown.in(formats::kBFloat16).bits, 0x3dcdu);
    QCOMPARE(shown.in(formats::kFloat32).bits, 0x3dcccccdu);
    QCOMPARE(shown.text("numberValue"), QStringLiteral("0.1"));
    QCOMPARE(shown.text("numberBits"), QStringLiteral("0 01011 1001100110"));
    shown.type("numberValue", QStringLiteral("2^-24"));
    QCOMPARE(shown.in(formats::kFloat16).bits, 1u);
    shown.type("numberValue", QStringLiteral("0x1.8p-3"));
    QCOMPARE(shown.view.value(), 0.1875);
    shown.type("numberValue", QStringLiteral("65519.996"));
    QCOMPARE(shown.in(formats::kFloat16).bits, 0x7bffu);
    shown.type("numberValue", QStringLiteral("65520"));
    QCOMPARE(shown.words(formats::kFloat16).effect, QStringLiteral("overflows to infinity"));
    shown.type("numberValue", QStringLiteral("1e99999"));
    QCOMPARE(shown.words(formats::kFloat32).effect, QStringLiteral("overflows to infinity"));
    QCOMPARE(shown.problem(), QString());
  }

  void theSameTextAgainIsNoChange() {
    ShownView shown;
    shown.type("numberValue", QStringLiteral("3"));
    shown.type("numberValue", QStringLiteral("3"));
    shown.type("numberValue", QStringLiteral("3.0"));
    QCOMPARE(shown.changes, std::vector<double>{3});
  }

  void aBadTextKeepsTheValueAndIsExplained_data() {
    QTest::addColumn<QString>("field");
    QTest::addColumn<QString>("text");
    QTest::newRow("no number") << "numberValue"
                               << "abc";
    QTest::newRow("two points") << "numberValue"
                                << "1.2.3";
    QTest::newRow("comma") << "numberValue"
                           << "0,5";
    QTest::newRow("empty") << "numberValue"
                           << " ";
    QTest::newRow("half an exponent") << "numberValue"
                                      << "1e";
    QTest::newRow("too few bits") << "numberBits"
                                  << "0101";
    QTest::newRow("too many bits") << "numberBits"
                                   << "0 01111 00000000000";
    QTest::newRow("no bits") << "numberBits"
                             << "0 01121 0000000000";
    QTest::newRow("too large pattern") << "numberBits"
                                       << "0x12345";
    QTest::newRow("no format") << "numberAddFormat"
                               << "half";
    QTest::newRow("too many exponent bits") << "numberAddFormat"
                                            << "e9m3";
  }
  void aBadTextKeepsTheValueAndIsExplained() {
    QFETCH(const QString, field);
    QFETCH(const QString, text);
    ShownView shown;
    shown.view.setValue(1.5);
    const QByteArray name = field.toLatin1();
    shown.type(name.constData(), text);
    QCOMPARE(shown.view.value(), 1.5);
    QVERIFY(shown.changes.empty());
    QVERIFY2(shown.problem().size() > 20, qPrintable(shown.problem()));
    QCOMPARE(shown.part(name.constData())->accessibleDescription(), shown.problem());
    QCOMPARE(shown.text(name.constData()), text);  // to be corrected, not typed anew
    QCOMPARE(shown.view.formats().size(), std::size_t{6});
    // The next good number ends the explanation.
    shown.type("numberValue", QStringLiteral("2"));
    QCOMPARE(shown.problem(), QString());
    QCOMPARE(shown.part(name.constData())->accessibleDescription(), QString());
  }

  void theReasonOfARefusedFormatIsNamed() {
    ShownView shown;
    shown.type("numberAddFormat", QStringLiteral("e9m3"));
    QVERIFY2(shown.problem().contains(QStringLiteral("9 exponent bits")), qPrintable(shown.problem()));
  }

  void escapeBringsTheValueBack() {
    ShownView shown;
    shown.view.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&shown.view));
    shown.view.setValue(1.5);
    auto* line = shown.part("numberValue");
    line->setFocus();
    shown.type("numberValue", QStringLiteral("abc"));
    QTest::keyClick(line, Qt::Key_Escape);
    QCOMPARE(line->text(), QStringLiteral("1.5"));
    QCOMPARE(shown.problem(), QString());
  }

  void bitsAreTypedInTheSelectedFormat() {
    ShownView shown;
    shown.type("numberBits", QStringLiteral("0 11110 1111111111"));
    QCOMPARE(shown.view.value(), 65504.0);
    QCOMPARE(shown.text("numberValue"), QStringLiteral("65504"));
    shown.view.setSelectedFormat(formats::kFloat8E4M3fn);
    shown.type("numberBits", QStringLiteral("0x7e"));
    QCOMPARE(shown.changes, (std::vector<double>{65504, 448}));
    QCOMPARE(shown.text("numberBits"), QStringLiteral("0 1111 110"));
  }

  void aToggledBitIsTheNewNumberOfAllRows() {
    ShownView shown;
    shown.type("numberValue", QStringLiteral("0.1"));
    BitRows* rows = shown.view.rows();
    // The last bit of float16's 0.0999755859375.
    QTest::mouseClick(rows, Qt::LeftButton, {}, rows->bitBox(3, 15).center().toPoint());
    QCOMPARE(shown.view.value(), 0.10003662109375);
    QCOMPARE(shown.text("numberValue"), QStringLiteral("0.10003662109375"));
    QCOMPARE(shown.words(formats::kFloat32).error, QStringLiteral("0"));
    QTest::keyClick(rows, Qt::Key_Space);
    QCOMPARE(shown.view.value(), 0.0999755859375);
    QCOMPARE(shown.changes.size(), std::size_t{3});
  }

  void aNanKeepsTheBitsThatWereSet() {
    ShownView shown;
    shown.view.setSelectedFormat(formats::kFloat16);
    shown.type("numberBits", QStringLiteral("0 11111 0000000001"));
    QVERIFY(std::isnan(shown.view.value()));
    QCOMPARE(shown.in(formats::kFloat16).bits, 0x7c01u);
    QCOMPARE(shown.words(formats::kFloat8E4M3fn).kind, QStringLiteral("NaN"));
    BitRows* rows = shown.view.rows();
    QTest::mouseClick(rows, Qt::LeftButton, {}, rows->bitBox(3, 14).center().toPoint());
    QCOMPARE(shown.in(formats::kFloat16).bits, 0x7c03u);
    shown.view.setValue(std::nan(""));  // what an undo command repeats
    QCOMPARE(shown.in(formats::kFloat16).bits, 0x7c03u);
  }

  void steppingPassesZeroSubnormalsAndInfinity() {
    ShownView shown;
    NumbersView& view = shown.view;
    view.setValue(std::ldexp(1.0, -24));
    auto* down = shown.part<QToolButton>("numberDown");
    auto* up = shown.part<QToolButton>("numberUp");
    QTest::mouseClick(down, Qt::LeftButton);
    QCOMPARE(view.value(), 0.0);
    QTest::mouseClick(down, Qt::LeftButton);
    QCOMPARE(view.value(), -std::ldexp(1.0, -24));
    QTest::mouseClick(up, Qt::LeftButton);
    QTest::mouseClick(up, Qt::LeftButton);
    QCOMPARE(view.value(), std::ldexp(1.0, -24));
    for (int i = 2; i < 1024; ++i) view.stepUp();
    QCOMPARE(shown.words(formats::kFloat16).kind, QStringLiteral("subnormal"));
    QCOMPARE(view.value(), std::ldexp(1023.0, -24));
    view.stepUp();
    QCOMPARE(shown.words(formats::kFloat16).kind, QStringLiteral("normal"));
    QCOMPARE(view.value(), std::ldexp(1.0, -14));
    view.setValue(65472);
    view.stepUp();
    QCOMPARE(view.value(), 65504.0);
    view.stepUp();
    QVERIFY(std::isinf(view.value()));
    const std::size_t changes = shown.changes.size();
    view.stepUp();
    QCOMPARE(shown.changes.size(), changes);
    view.stepDown();
    QCOMPARE(view.value(), 65504.0);
    view.setSelectedFormat(formats::kFloat8E4M3fn);
    view.setValue(416);
    view.stepUp();
    view.stepUp();
    QCOMPARE(view.value(), 448.0);  // there is no infinity to step to
  }

  void overflowSaturatesOrGivesNanWithoutInfinity() {
    ShownView shown;
    shown.type("numberValue", QStringLiteral("480"));
    QCOMPARE(shown.words(formats::kFloat8E4M3fn).effect, QStringLiteral("overflows to NaN"));
    auto* saturate = shown.part<QCheckBox>("numberSaturate");
    saturate->click();
    QCOMPARE(shown.view.overflow(), formats::Overflow::kSaturate);
    QCOMPARE(shown.words(formats::kFloat8E4M3fn).value, QStringLiteral("448"));
    QCOMPARE(shown.words(formats::kFloat8E4M3fn).effect, QStringLiteral("saturates"));
    QVERIFY(shown.view.ruler()->accessibleDescription().contains(QStringLiteral("saturates")));
    shown.view.setOverflow(formats::Overflow::kInfinity);
    QVERIFY(!saturate->isChecked());
    QCOMPARE(shown.changes.size(), std::size_t{1});  // the real number is the same
  }

  void undoBringsTypedNumbersBack() {
    ShownView shown;
    shown.type("numberValue", QStringLiteral("0.1"));
    const double tenth = shown.changes.back();
    QVERIFY(!shown.view.shown().real.exact);  // no double is 0.1
    shown.view.setValue(tenth);               // the command's first redo
    QVERIFY(!shown.view.shown().real.exact);
    shown.type("numberValue", QStringLiteral("7"));
    shown.view.setValue(tenth);
    QCOMPARE(shown.text("numberValue"), QStringLiteral("0.1"));
    QVERIFY(!shown.view.shown().real.exact);
    QCOMPARE(shown.changes.size(), std::size_t{2});  // setValue() is no edit
  }

  void formatsAreAddedSelectedAndRemoved() {
    ShownView shown;
    NumbersView& view = shown.view;
    int changes = 0;
    connect(&view, &NumbersView::formatsChanged, this, [&] { ++changes; });
    shown.type("numberAddFormat", QStringLiteral("e6m9"));
    QCOMPARE(view.formats().size(), std::size_t{7});
    QCOMPARE(view.selectedFormat(), (Format{6, 9}));
    QCOMPARE(shown.text("numberAddFormat"), QString());
    QCOMPARE(shown.text("numberBits"), QStringLiteral("0 011111 000000000"));
    QCOMPARE(view.rows()->formats(), view.formats());
    QCOMPARE(view.ruler()->lanes().size(), std::size_t{7});
    shown.type("numberAddFormat", QStringLiteral("float32"));  // has a row
    QCOMPARE(view.selectedFormat(), formats::kFloat32);
    QCOMPARE(changes, 1);
    for (const char* more : {"e2m1", "e3m2", "e2m3", "e4m3", "e8m3"})
      shown.type("numberAddFormat", QString::fromLatin1(more));
    QCOMPARE(view.addedFormats().size(), NumbersView::kMostAdded);
    shown.type("numberAddFormat", QStringLiteral("e7m3"));
    QVERIFY(shown.problem().contains(QStringLiteral("Delete")));
    view.setSelectedFormat({6, 9});
    QTest::keyClick(view.rows(), Qt::Key_Delete);
    QCOMPARE(view.addedFormats().size(), NumbersView::kMostAdded - 1);
    QCOMPARE(view.selectedFormat(), formats::kFloat16);
    view.removeFormat(formats::kBFloat16);  // a named row stays
    QCOMPARE(view.formats().size(), std::size_t{11});
    QCOMPARE(shown.part<QComboBox>("numberFormat")->count(), 11);
  }

  void theSelectionIsOneEverywhere() {
    ShownView shown;
    QStringList selected;
    connect(&shown.view, &NumbersView::selectedFormatChanged, this,
            [&](const Format& format) { selected << QString::fromStdString(formats::name(format)); });
    shown.part<QComboBox>("numberFormat")->setCurrentText(QStringLiteral("bfloat16"));
    QCOMPARE(shown.view.rows()->cursorRow(), 2);
    QTest::keyClick(shown.view.ruler(), Qt::Key_Up);
    QCOMPARE(shown.view.selectedFormat(), formats::kTFloat32);
    QTest::keyClick(shown.view.rows(), Qt::Key_Up);
    QCOMPARE(shown.part<QComboBox>("numberFormat")->currentText(), QStringLiteral("float32"));
    QCOMPARE(selected,
             (QStringList{QStringLiteral("bfloat16"), QStringLiteral("tfloat32"), QStringLiteral("float32")}));
  }

  void theRulerSetsTheValueAndChangesItsScale() {
    ShownView shown;
    auto* log = shown.part<QCheckBox>("numberLog");
    QVERIFY(log->isChecked());
    log->click();
    QCOMPARE(shown.view.scale(), RulerAxis::Scale::kLinear);
    QCOMPARE(shown.view.ruler()->axis().scale(), RulerAxis::Scale::kLinear);
    shown.view.setScale(RulerAxis::Scale::kLog2);
    QVERIFY(log->isChecked());
    shown.view.ruler()->setCursorValue(0.75);
    QTest::keyClick(shown.view.ruler(), Qt::Key_Return);
    QCOMPARE(shown.changes, std::vector<double>{0.75});
    QCOMPARE(shown.text("numberValue"), QStringLiteral("0.75"));
  }

  void everythingCanBeUsedInASmallDock() {
    ShownView shown;
    NumbersView& view = shown.view;
    QVERIFY2(
        view.minimumSizeHint().width() <= 420 && view.minimumSizeHint().height() <= 360,
        qPrintable(QStringLiteral("%1 x %2").arg(view.minimumSizeHint().width()).arg(view.minimumSizeHint().height())));
    for (const QSize size : {QSize(420, 360), QSize(1200, 700)}) {
      view.resize(size);
      QTRY_VERIFY(view.rows()->bitBox(0, 31).right() <= size.width());
      for (const char* name : {"numberValue", "numberBits"}) {
        auto* line = shown.part(name);
        QVERIFY(line->width() >= 120);
        QVERIFY(line->mapTo(&view, line->rect().bottomRight()).x() < size.width());
      }
      auto* up = shown.part<QToolButton>("numberUp");
      QVERIFY(up->mapTo(&view, up->rect().bottomRight()).x() < size.width());
      QVERIFY(!view.grab().isNull());
    }
    // In a large window nothing has to be scrolled.
    QTRY_VERIFY(view.ruler()->mapTo(&view, view.ruler()->rect().bottomLeft()).y() <= view.height());
  }

  void inALowAndWideDockTheRulerIsBesideTheRows() {
    ShownView shown;
    NumbersView& view = shown.view;
    QVERIFY(!view.isSideBySide());
    view.resize(1600, 377);
    QTRY_VERIFY(view.isSideBySide());
    const auto foot = [&](const QWidget* part) { return part->mapTo(&view, part->rect().bottomLeft()).y(); };
    QTRY_VERIFY2(foot(view.ruler()) < view.height(), qPrintable(QString::number(foot(view.ruler()))));
    QVERIFY(foot(view.rows()) < view.height());
    QVERIFY(view.ruler()->mapTo(&view, QPoint()).x() >= view.rows()->mapTo(&view, view.rows()->rect().topRight()).x());
    QVERIFY(view.ruler()->width() >= 400);
    // A wrong text moves nothing.
    shown.type("numberValue", QStringLiteral("1,5"));
    QVERIFY(view.isSideBySide());
    view.resize(1600, 800);
    QTRY_VERIFY(!view.isSideBySide());
    QTRY_VERIFY(foot(view.ruler()) < view.height());
    view.resize(1200, 377);
    QVERIFY(!view.isSideBySide());
  }

  // With BINADE_SHOTS_DIR set, the pictures are left there.
  void picturesInBothThemes() {
    const QString folder = qEnvironmentVariable("BINADE_SHOTS_DIR");
    for (const Theme theme : {Theme::kDark, Theme::kLight}) {
      applyTheme(*qApp, theme);
      ShownView shown;
      NumbersView& view = shown.view;
      const auto shoot = [&](const char* name) {
        const QImage image = view.grab().toImage();
        QVERIFY(!image.isNull());
        if (folder.isEmpty()) return;
        QVERIFY(QDir().mkpath(folder));
        const char* ground = theme == Theme::kDark ? "dark" : "light";
        QVERIFY(image.save(QStringLiteral("%1/%2-%3.png").arg(folder, QLatin1String(name), QLatin1String(ground))));
      };
      shown.type("numberValue", QStringLiteral("65519.996"));
      shown.type("numberAddFormat", QStringLiteral("e6m9"));
      view.setSelectedFormat(formats::kFloat16);
      view.resize(1200, 700);
      shoot("numbers");
      view.setScale(RulerAxis::Scale::kLinear);
      view.ruler()->fitToValue();
      view.ruler()->setCursorValue(65490);
      shoot("numbers-linear");
      view.setScale(RulerAxis::Scale::kLog2);
      view.ruler()->showValues(std::ldexp(1.0, -27), std::ldexp(1.0, -12));
      view.ruler()->setCursorValue(std::ldexp(1.3, -24));
      shoot("numbers-subnormal");
      shown.type("numberValue", QStringLiteral("1,5"));
      view.resize(420, 360);
      shoot("numbers-small");
    }
  }

  void partsHaveNamesForAssistiveTechnology() {
    ShownView shown;
    for (QWidget* part : std::initializer_list<QWidget*>{shown.view.rows(), shown.view.ruler()}) {
      QVERIFY(!part->accessibleName().isEmpty());
      QVERIFY(part->accessibleDescription().contains(QStringLiteral("float16")));
      QVERIFY(part->focusPolicy() & Qt::TabFocus);
    }
    for (const char* name : {"numberValue", "numberBits", "numberAddFormat"})
      QVERIFY(!shown.part(name)->accessibleName().isEmpty());
    for (const char* name : {"numberUp", "numberDown"})
      QVERIFY(!shown.part<QToolButton>(name)->accessibleName().isEmpty());
  }
};

BINADE_SUITE(NumbersViews);

}  // namespace binade::views

#include "tst_numbers_view.moc"
