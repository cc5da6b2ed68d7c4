// SPDX-License-Identifier: Apache-2.0
#include "tests/support/suite.h"
#include "views/numbers/bit_rows.h"
#include "views/values/colors.h"

#include <QLocale>

#include <cmath>
#include <limits>

namespace binade::views {

using formats::Format;
using numbers::Number;

namespace {

const std::vector<Format> kAllRows{formats::kFloat32, formats::kTFloat32,     formats::kBFloat16,
                                   formats::kFloat16, formats::kFloat8E4M3fn, formats::kFloat8E5M2};
constexpr int kHalfRow = 3;

/// Bit rows whose edits become the shown number, as in the whole view.
struct EditedRows {
  BitRows rows;
  ShownNumber shown;
  std::vector<Number> edits;

  explicit EditedRows(double value, int width = 1200) {
    QObject::connect(&rows, &BitRows::numberEdited, &rows, [this](const Number& number) {
      edits.push_back(number);
      set({{numbers::value(number)}, number, formats::Overflow::kInfinity});
    });
    rows.setFormats(kAllRows);
    rows.resize(width, rows.height());
    rows.show();
    set({{value}, std::nullopt, formats::Overflow::kInfinity});
    rows.setSelected(formats::kFloat16);
  }
  void set(const ShownNumber& number) {
    shown = number;
    rows.setShown(shown);
  }
  void click(int row, int bit) {
    QTest::mouseClick(&rows, Qt::LeftButton, {}, rows.bitBox(row, bit).center().toPoint());
  }
  std::uint32_t half() const { return shown.in(formats::kFloat16).number.bits; }
};

}  // namespace

class NumberRows : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }

  void wordsOfANumber_data() {
    QTest::addColumn<double>("real");
    QTest::addColumn<QString>("format");
    QTest::addColumn<bool>("saturate");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* name, double real, const char* format, bool saturate, const char* expected) {
      QTest::newRow(name) << real << QString::fromLatin1(format) << saturate << QString::fromUtf8(expected);
    };
    const double inf = std::numeric_limits<double>::infinity();
    row("tenth", 0.1, "float16", false, "0.0999755859375|normal||−2.44 × 10⁻⁵|2⁻¹⁴|2⁻⁴");
    row("below the limit", 65519.996, "float16", false, "65504|normal||−16.0|2⁵|2¹⁵");
    row("limit", 65520, "float16", false, "inf|infinity|overflows to infinity|–|–|–");
    row("limit, saturated", 65520, "float16", true, "65504|normal|saturates|−16.0|2⁵|2¹⁵");
    row("infinity itself", inf, "float16", false, "inf|infinity||–|–|–");
    row("largest of e4m3fn", 448, "float8_e4m3fn", false, "448|normal||0|2⁵|2⁸");
    row("tie above it", 464, "float8_e4m3fn", false, "448|normal||−16.0|2⁵|2⁸");
    row("beyond it", 480, "float8_e4m3fn", false, "NaN|NaN|overflows to NaN|–|–|–");
    row("beyond it, saturated", 480, "float8_e4m3fn", true, "448|normal|saturates|−32.0|2⁵|2⁸");
    row("smallest subnormal", std::ldexp(1.0, -24), "float16", false,
        "0.000000059604644775390625|subnormal||0|2⁻²⁴|2⁻²⁴");
    row("underflow limit", std::ldexp(1.0, -25), "float16", false, "0|zero|becomes 0|−2.98 × 10⁻⁸|2⁻²⁴|–");
    row("zero", 0, "float16", false, "0|zero||0|2⁻²⁴|–");
    row("negative", -1.5, "e3m4", false, "−1.5|normal||0|2⁻⁴|2⁰");
    row("NaN", std::nan(""), "bfloat16", false, "NaN|NaN||–|–|–");
  }

  void wordsOfANumber() {
    QFETCH(const double, real);
    QFETCH(const QString, format);
    QFETCH(const bool, saturate);
    QFETCH(const QString, expected);
    const ShownNumber shown{
        {real}, std::nullopt, saturate ? formats::Overflow::kSaturate : formats::Overflow::kInfinity};
    const NumberWords words = numberWords(shown, *formats::parse(format.toStdString()));
    const QStringList found{words.value, words.kind, words.effect, words.error, words.ulp, words.binade};
    QCOMPARE(found.join(QLatin1Char('|')), expected);
  }

  void aPatternStaysWhereItsValueDoesNotLeadBack() {
    const Number payload{formats::kFloat16, 0x7c01};
    const ShownNumber shown{{numbers::value(payload)}, payload, formats::Overflow::kInfinity};
    QCOMPARE(shown.in(formats::kFloat16).number.bits, 0x7c01u);
    QCOMPARE(numbers::kind(shown.in(formats::kBFloat16).number), numbers::Kind::kNan);
  }

  void exponentsAndFractionsAreBelowEachOther() {
    BitRows rows;
    rows.setFormats(kAllRows);
    for (const int width : {400, 800, 1200}) {
      rows.resize(width, rows.height());
      for (int row = 0; row < static_cast<int>(kAllRows.size()); ++row) {
        const Format& format = kAllRows[static_cast<std::size_t>(row)];
        QCOMPARE(rows.bitBox(row, 0).left(), rows.bitBox(0, 0).left());
        QCOMPARE(rows.bitBox(row, format.exponent_bits).left(), rows.bitBox(0, 8).left());
        QCOMPARE(rows.bitBox(row, format.exponent_bits + 1).left(), rows.bitBox(0, 9).left());
        for (int bit = 1; bit < numbers::width(format); ++bit)
          QVERIFY(rows.bitBox(row, bit).left() >= rows.bitBox(row, bit - 1).right());
        // Groups are told apart by gaps, not by colour alone.
        QVERIFY(rows.bitBox(row, format.exponent_bits + 1).left() - rows.bitBox(row, format.exponent_bits).right() >=
                6);
      }
      QVERIFY(rows.bitBox(0, 31).right() < width);
    }
  }

  void aClickTogglesABitForAllRows() {
    EditedRows edited(1);
    edited.click(kHalfRow, 15);
    QCOMPARE(edited.half(), 0x3c01u);
    QCOMPARE(edited.shown.real.nearest, 1 + std::ldexp(1.0, -10));
    QCOMPARE(edited.shown.in(formats::kFloat32).error, 0.0);
    QVERIFY(edited.shown.in(formats::kBFloat16).error < 0);
    edited.click(kHalfRow, 0);
    QCOMPARE(edited.shown.real.nearest, -1 - std::ldexp(1.0, -10));
    edited.click(kHalfRow, 15);
    edited.click(kHalfRow, 0);
    edited.click(kHalfRow, 1);  // the exponent becomes all ones
    QVERIFY(std::isinf(edited.shown.real.nearest));
    QCOMPARE(edited.edits.size(), std::size_t{5});
    // Beside the bits nothing is toggled; the row is selected.
    QString selected;
    connect(&edited.rows, &BitRows::selectedChanged, this,
            [&](const Format& format) { selected = QString::fromStdString(formats::name(format)); });
    QTest::mouseClick(&edited.rows, Qt::LeftButton, {}, {20, static_cast<int>(edited.rows.bitBox(1, 0).center().y())});
    QCOMPARE(edited.edits.size(), std::size_t{5});
    QCOMPARE(selected, QStringLiteral("tfloat32"));
  }

  void everyBitCanBeClickedInANarrowView() {
    EditedRows edited(1, 400);
    for (int row = 0; row < static_cast<int>(kAllRows.size()); ++row) {
      const Format& format = kAllRows[static_cast<std::size_t>(row)];
      for (int bit = 0; bit < numbers::width(format); ++bit) {
        edited.set({{1.0}, std::nullopt, formats::Overflow::kInfinity});
        const Number before = edited.shown.in(format).number;
        edited.click(row, bit);
        QCOMPARE(edited.edits.back().bits ^ before.bits, 1u << (numbers::width(format) - 1 - bit));
        QCOMPARE(edited.edits.back().format, format);
      }
    }
  }

  void theKeyboardReachesAndTogglesBits() {
    EditedRows edited(1);
    BitRows& rows = edited.rows;
    QTest::keyClick(&rows, Qt::Key_End);
    QCOMPARE(rows.cursorBit(), 15);
    QTest::keyClick(&rows, Qt::Key_Space);
    QCOMPARE(edited.half(), 0x3c01u);
    QTest::keyClick(&rows, Qt::Key_Right);
    QCOMPARE(rows.cursorBit(), 15);
    QTest::keyClick(&rows, Qt::Key_Left);
    QTest::keyClick(&rows, Qt::Key_Space);
    QCOMPARE(edited.half(), 0x3c03u);
    QTest::keyClick(&rows, Qt::Key_Home);
    QTest::keyClick(&rows, Qt::Key_1);
    QCOMPARE(edited.half(), 0xbc03u);
    QCOMPARE(rows.cursorBit(), 1);
    // The column is kept: float16's first exponent bit is below bfloat16's fourth.
    QTest::keyClick(&rows, Qt::Key_Up);
    QCOMPARE(rows.cursorRow(), kHalfRow - 1);
    QCOMPARE(rows.cursorBit(), 4);
    QVERIFY(rows.accessibleDescription().contains(QStringLiteral("bfloat16")));
    QVERIFY(rows.accessibleDescription().contains(QStringLiteral("Bit 5 of 16")));
  }

  void plusAndMinusStepThroughARow() {
    EditedRows edited(65504);
    QTest::keyClick(&edited.rows, Qt::Key_Plus);
    QCOMPARE(edited.half(), 0x7c00u);
    QTest::keyClick(&edited.rows, Qt::Key_Plus);
    QCOMPARE(edited.edits.size(), std::size_t{1});  // infinity is the end
    QTest::keyClick(&edited.rows, Qt::Key_Minus);
    QCOMPARE(edited.shown.real.nearest, 65504.0);
    QTest::keyClick(&edited.rows, Qt::Key_Down, Qt::ControlModifier);
    QCOMPARE(edited.shown.real.nearest, 65472.0);
  }

  void onlyAddedFormatsAreRemoved() {
    BitRows rows;
    std::vector<Format> formats = kAllRows;
    formats.push_back({6, 9});
    rows.setFormats(formats);
    QStringList removed;
    connect(&rows, &BitRows::removeRequested, this,
            [&](const Format& format) { removed << QString::fromStdString(formats::name(format)); });
    rows.setSelected(formats::kFloat16);
    QTest::keyClick(&rows, Qt::Key_Delete);
    QVERIFY(removed.isEmpty());
    rows.setSelected({6, 9});
    QTest::keyClick(&rows, Qt::Key_Delete);
    QCOMPARE(removed, QStringList{QStringLiteral("e6m9")});
  }

  void allDigitsAreInTheToolTip() {
    EditedRows edited(std::ldexp(1.0, -149), 400);
    QVERIFY(edited.rows.shownValue(0).startsWith(QStringLiteral("≈ ")));
    QString tip = edited.rows.rowTip(0);
    tip.remove(QLatin1Char('\n'));
    QVERIFY(tip.contains(QString::fromStdString(numbers::exact_decimal(std::ldexp(1.0, -149)))));
    for (const QString& line : edited.rows.rowTip(0).split(QLatin1Char('\n'))) QVERIFY(line.size() <= 90);
    edited.set({{0.5}, std::nullopt, formats::Overflow::kInfinity});
    QCOMPARE(edited.rows.shownValue(0), QStringLiteral("0.5"));
    QVERIFY(edited.rows.bitTip(kHalfRow, 1).contains(QStringLiteral("16")));
  }

  void rowsArePaintedInBothThemesAndAllWidths() {
    EditedRows edited(0.1);
    BitRows& rows = edited.rows;
    for (const Theme theme : {Theme::kDark, Theme::kLight}) {
      chooseColors(theme);
      for (const int width : {340, 420, 900, 1100, 1600}) {
        rows.resize(width, rows.height());
        const QImage image = rows.grab().toImage();
        QCOMPARE(image.width(), width);
        const auto groundOf = [&](int row, int bit) {
          return image.pixelColor((rows.bitBox(row, bit).topLeft() + QPointF(1, 1)).toPoint());
        };
        QVERIFY(groundOf(0, 0) != groundOf(0, 1));
        QVERIFY(groundOf(0, 1) != groundOf(0, 9));
        QVERIFY(groundOf(0, 0) != groundOf(0, 9));
      }
    }
  }
};

BINADE_SUITE(NumberRows);

}  // namespace binade::views

#include "tst_number_rows.moc"
