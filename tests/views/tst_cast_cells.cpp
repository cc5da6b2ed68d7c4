// SPDX-License-Identifier: Apache-2.0
// The cells of two lines in the cast ledger: formats are painted whole at the least widths of their columns.
#include "tests/support/suite.h"
#include "views/table/cast_delegates.h"
#include "views/theme.h"
#include "views/values/format_name.h"
#include "views/values/numbers.h"

#include <QApplication>
#include <QImage>
#include <QPainter>
#include <QStandardItemModel>
#include <QStyleOptionViewItem>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace {

using namespace binade;
using namespace Qt::StringLiterals;

constexpr int kAround = 12;  // px of the picture on each side of the cell
constexpr int kMargin = 8;   // px of a cell on each side of its content
constexpr int kSquareSide = 10;

/// The least widths of the two columns in px: as in app/docks/cast_ledger_dock.cpp, where a title may need more.
int leastCast() {
  return std::max(162, qRound(130 * views::textScale()));
}
int leastEdit() {
  const double title = views::textWidth(views::textFont(12, QFont::DemiBold), u"Goes away if"_s);
  return std::max(116, static_cast<int>(std::ceil(title)) + 32);
}

/// A picture of a cell of this width with an empty surrounding, and the colour of that surrounding.
struct CellPicture {
  QImage image;
  QColor ground{QColor(255, 0, 255)};

  CellPicture(const views::CellDelegate& delegate, const QModelIndex& index, int width)
      : image(width + 2 * kAround, views::kTwoLineRow + 2 * kAround, QImage::Format_RGB32) {
    image.fill(ground);
    QPainter painter(&image);
    QStyleOptionViewItem option;
    option.rect = QRect(kAround, kAround, width, views::kTwoLineRow);
    delegate.paint(&painter, option, index);
  }
  /// Whether the surrounding is untouched.
  bool isInsideCell() const {
    const QRect cell = image.rect().adjusted(kAround, kAround, -kAround, -kAround);
    for (int y = 0; y < image.height(); ++y) {
      const auto* row = reinterpret_cast<const QRgb*>(image.constScanLine(y));
      for (int x = 0; x < image.width(); ++x) {
        if (!cell.contains(x, y) && row[x] != ground.rgb()) return false;
      }
    }
    return true;
  }
  /// The part of the cell between two distances from its top.
  QImage line(int from, int to) const {
    return image.copy(kAround, kAround + from, image.width() - 2 * kAround, to - from);
  }
  /// Distance from the cell's left edge to the end of the ink between two distances from its top.
  static int inkEnd(const QImage& line) {
    const QRgb panel = views::colors().panel.rgb();
    int end = 0;
    for (int y = 0; y < line.height(); ++y) {
      const auto* row = reinterpret_cast<const QRgb*>(line.constScanLine(y));
      for (int x = 0; x < line.width(); ++x) {
        if (row[x] != panel) end = std::max(end, x + 1);
      }
    }
    return end;
  }
};

/// A cast and an edit, as rows of a model.
struct CastRows {
  QStandardItemModel model{1, 2};

  CastRows(const QString& from, const QString& to) {
    model.setData(cast(), QStringList{from, to}, views::FormatsRole);
    model.setData(cast(), u"fc2/aten::linear#0"_s, views::CallRole);
    model.setData(cast(), u"input"_s, views::FootRole);
    model.setData(edit(), u"fc2/aten::linear#0"_s, views::CallRole);
    model.setData(edit(), to, views::FormatRole);
  }
  QModelIndex cast() const { return model.index(0, 0); }
  QModelIndex edit() const { return model.index(0, 1); }
};

class CastCells : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void cleanup() {
    views::setTextScale(*qApp, 1);
    views::applyTheme(*qApp, views::Theme::kLight);
  }

  void noFormatIsCut_data() {
    QTest::addColumn<int>("theme");
    QTest::addColumn<double>("scale");
    for (const views::Theme theme : {views::Theme::kLight, views::Theme::kDark}) {
      for (const double scale : {1.0, 1.5}) {
        QTest::addRow("%s, text of %d %%", views::isDark(theme) ? "dark" : "light", qRound(100 * scale))
            << static_cast<int>(theme) << scale;
      }
    }
  }

  // An elided name would end before its own width, and one without room would end at the margin.
  void noFormatIsCut() {
    QFETCH(const int, theme);
    QFETCH(const double, scale);
    views::applyTheme(*qApp, static_cast<views::Theme>(theme));
    views::setTextScale(*qApp, scale);
    const std::array<QString, 7> names{u"float32"_s,       u"tfloat32"_s,    u"bfloat16"_s, u"float16"_s,
                                       u"float8_e4m3fn"_s, u"float8_e5m2"_s, u"e6m9"_s};
    const views::CastDelegate cast;
    const views::EditDelegate edit;
    for (const QString& from : names) {
      for (const QString& to : names) {
        if (from == to) continue;  // no cast
        const CastRows rows(from, to);
        for (const int more : {0, 20, 58, 300}) {
          const int wide = leastCast() + more;
          const QByteArray at = u"%1 to %2 in %3"_s.arg(from, to).arg(wide).toUtf8();
          const QStringList shown = views::CastDelegate::shownFormats(rows.cast(), wide - 2 * kMargin);
          QVERIFY2(shown == (QStringList{from, to}) ||
                       shown == (QStringList{views::briefFormatName(from), views::briefFormatName(to)}),
                   at);
          const CellPicture picture(cast, rows.cast(), wide);
          QVERIFY2(picture.isInsideCell(), at);
          const QFont font = views::textFont(12);
          const double arrow = views::textWidth(font, u"→"_s);
          const double least =
              views::textWidth(font, shown[0]) + views::textWidth(font, shown[1]) + arrow + 2 * kSquareSide;
          const int end = CellPicture::inkEnd(picture.line(0, 18));
          QVERIFY2(end >= kMargin + least && end <= wide - kMargin + 1, at + ' ' + QByteArray::number(end));
        }
        for (const int more : {0, 40, 300}) {
          const int wide = leastEdit() + more;
          const QByteArray at = u"in %1 in %2"_s.arg(to).arg(wide).toUtf8();
          const QString shown = views::EditDelegate::shownFormat(rows.edit(), wide - 2 * kMargin);
          QVERIFY2(shown == to || shown == views::briefFormatName(to), at);
          const CellPicture picture(edit, rows.edit(), wide);
          QVERIFY2(picture.isInsideCell(), at);
          const QFont font = views::textFont(11);
          const double least = views::textWidth(font, u"in "_s) + kSquareSide + views::textWidth(font, shown);
          const int end = CellPicture::inkEnd(picture.line(24, 38));
          QVERIFY2(end >= kMargin + least && end <= wide - kMargin + 1, at + ' ' + QByteArray::number(end));
        }
      }
    }
  }

  // The widths that the delegates ask for leave nothing out, and more of it changes nothing.
  void aCellOfItsOwnWidthIsWhole() {
    for (const double scale : {1.0, 1.5}) {
      views::setTextScale(*qApp, scale);
      const CastRows rows(u"float8_e4m3fn"_s, u"bfloat16"_s);
      const views::CastDelegate cast;
      const views::EditDelegate edit;
      for (const auto& [delegate, index] : {std::pair<const views::CellDelegate*, QModelIndex>{&cast, rows.cast()},
                                            std::pair<const views::CellDelegate*, QModelIndex>{&edit, rows.edit()}}) {
        const int wide = delegate->sizeHint({}, index).width();
        const QImage narrow = CellPicture(*delegate, index, wide).line(0, views::kTwoLineRow);
        const QImage generous = CellPicture(*delegate, index, wide + 200).line(0, views::kTwoLineRow);
        QCOMPARE(narrow, generous.copy(0, 0, wide, views::kTwoLineRow));
        QCOMPARE(CellPicture::inkEnd(narrow), CellPicture::inkEnd(generous));
      }
      QCOMPARE(views::CastDelegate::shownFormats(rows.cast(), cast.sizeHint({}, rows.cast()).width() - 2 * kMargin),
               (QStringList{u"float8_e4m3fn"_s, u"bfloat16"_s}));
    }
  }

  void briefNamesAreThoseOfOtherPrograms() {
    QCOMPARE(views::briefFormatName(u"bfloat16"_s), u"bf16"_s);
    QCOMPARE(views::briefFormatName(u"float8_e4m3fn"_s), u"e4m3fn"_s);
    QCOMPARE(views::briefFormatName(u"e6m9"_s), u"e6m9"_s);  // it has no other
    // A brief name never names another format: `e4m3` is one with infinity.
    for (const formats::Format format : {formats::kFloat32, formats::kTFloat32, formats::kBFloat16, formats::kFloat16,
                                         formats::kFloat8E4M3fn, formats::kFloat8E5M2}) {
      const auto other = formats::parse(views::briefFormatName(views::formatName(format)).toStdString());
      QVERIFY(!other || *other == format);
    }
  }

  void aNoteWithoutRoomHasItsBriefForm() {
    QStandardItemModel model(1, 1);
    const QModelIndex index = model.index(0, 0);
    model.setData(index, u"bfloat16"_s, views::FormatRole);
    model.setData(index, u"since step 715"_s, views::NoteRole);
    QCOMPARE(views::FormatDelegate::shownNote(index, 20), u"since step 715"_s);  // it has none
    model.setData(index, u"at 715"_s, views::BriefNoteRole);
    // The usual and the least width of the column in the table of op calls.
    QCOMPARE(views::FormatDelegate::shownNote(index, 200 - 2 * kMargin), u"since step 715"_s);
    QCOMPARE(views::FormatDelegate::shownNote(index, 126 - 2 * kMargin), u"at 715"_s);
    const views::FormatDelegate delegate;
    const auto picture = [&](int width) { return CellPicture(delegate, index, width).line(0, views::kTwoLineRow); };
    const QImage narrow = picture(126);
    model.setData(index, u"at 715"_s, views::NoteRole);
    QCOMPARE(picture(126), narrow);
  }

  // In the other tables too, a name that has no room gives way to the brief one.
  void aFormatWithoutRoomHasItsBriefName() {
    QStandardItemModel model(1, 1);
    const QModelIndex index = model.index(0, 0);
    const views::FormatDelegate delegate;
    const auto picture = [&](const QString& format) {
      model.setData(index, format, views::FormatRole);
      return CellPicture(delegate, index, 88).line(0, views::kTwoLineRow);
    };
    const QImage image = picture(u"float8_e4m3fn"_s);
    const double wide = views::textWidth(views::textFont(12), u"e4m3fn"_s);
    const int end = CellPicture::inkEnd(image);
    QVERIFY2(std::abs(end - (kMargin + kSquareSide + 6 + wide)) <= 3, QByteArray::number(end));
  }
};

BINADE_SUITE(CastCells);

}  // namespace

#include "tst_cast_cells.moc"
