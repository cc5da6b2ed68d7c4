// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/values/roles.h"

#include <QColor>
#include <QFont>
#include <QStringList>
#include <QStyledItemDelegate>

class QTableView;

namespace binade::views {

/// Draws a cell's background, selection stripe and text; superscripts in numbers are raised. Base class of the other
/// delegates, and suitable as a table's default delegate. Reads the roles of roles.h from any model.
class CellDelegate : public QStyledItemDelegate {
  Q_OBJECT

 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

  /// The text that a cell of this width in px, without margins, draws: BriefRole if Qt::DisplayRole does not fit.
  static QString shownText(const QModelIndex& index, double width);

 protected:
  static constexpr int kPad = 8;  ///< px left and right of a cell's content

  virtual void paintContent(QPainter& painter, const QRectF& rect, const QStyleOptionViewItem& option,
                            const QModelIndex& index) const;
  virtual double contentWidth(const QModelIndex& index) const;

  /// Font and colour by AttentionRole, QuietRole and selection; numbers have digits of equal width.
  static QFont fontOf(const QModelIndex& index, bool number);
  static QColor penOf(const QStyleOptionViewItem& option, const QModelIndex& index, bool number);

 private:
  static int firstVisibleColumn(const QWidget* widget);
};

/// The name of an op call: the module part in weight 500, in the longest form that fits. The row of a module has a
/// triangle before it, and a small note after it. A diamond marks the first cause of a fault.
class CallDelegate : public CellDelegate {
  Q_OBJECT

 public:
  using CellDelegate::CellDelegate;

  /// The name as drawn in a cell of this width in px, without margins.
  static QString shownCall(const QModelIndex& index, double width);
  /// Whether a place in the cell, in px from its left edge, is on the triangle of a module's row.
  static bool isOnDisclosure(const QModelIndex& index, double x);

 protected:
  void paintContent(QPainter& painter, const QRectF& rect, const QStyleOptionViewItem& option,
                    const QModelIndex& index) const override;
  double contentWidth(const QModelIndex& index) const override;

 private:
  static double callWidth(const QString& call);
  static double indentOf(const QModelIndex& index);
};

/// Doublings left over time, as a line in a cell, with crimson marks where fewer than one was left.
class HistoryDelegate : public CellDelegate {
  Q_OBJECT

 public:
  using CellDelegate::CellDelegate;

 protected:
  void paintContent(QPainter& painter, const QRectF& rect, const QStyleOptionViewItem& option,
                    const QModelIndex& index) const override;
  double contentWidth(const QModelIndex& index) const override;
};

/// A format: square, name, note. The editor is a combo box of formats that writes FormatRole; an empty string means
/// "from the base list". With several selected rows, the model decides what one write applies to.
class FormatDelegate : public CellDelegate {
  Q_OBJECT

 public:
  using CellDelegate::CellDelegate;

  /// Sets the combo box's entries, in order; emulated ones are labelled so. Default: `float32 tfloat32 bfloat16 float16
  /// float8_e4m3fn float8_e5m2`.
  void setFormats(const QStringList& names, const QStringList& emulated = {});

  /// The note as drawn in a cell of this width in px, without margins: BriefNoteRole if the note does not fit.
  static QString shownNote(const QModelIndex& index, double width);

  QWidget* createEditor(QWidget* parent, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  void setEditorData(QWidget* editor, const QModelIndex& index) const override;
  void setModelData(QWidget* editor, QAbstractItemModel* model, const QModelIndex& index) const override;
  void updateEditorGeometry(QWidget* editor, const QStyleOptionViewItem& option,
                            const QModelIndex& index) const override;

 protected:
  void paintContent(QPainter& painter, const QRectF& rect, const QStyleOptionViewItem& option,
                    const QModelIndex& index) const override;
  double contentWidth(const QModelIndex& index) const override;

 private:
  QStringList names_{QStringLiteral("float32"), QStringLiteral("tfloat32"),      QStringLiteral("bfloat16"),
                     QStringLiteral("float16"), QStringLiteral("float8_e4m3fn"), QStringLiteral("float8_e5m2")};
  QStringList emulated_;
};

/// Doublings left: bar and number.
class HeadroomDelegate : public CellDelegate {
  Q_OBJECT

 public:
  using CellDelegate::CellDelegate;

 protected:
  void paintContent(QPainter& painter, const QRectF& rect, const QStyleOptionViewItem& option,
                    const QModelIndex& index) const override;
  double contentWidth(const QModelIndex& index) const override;
};

/// A verdict: shape and sentence.
class VerdictDelegate : public CellDelegate {
  Q_OBJECT

 public:
  using CellDelegate::CellDelegate;

 protected:
  void paintContent(QPainter& painter, const QRectF& rect, const QStyleOptionViewItem& option,
                    const QModelIndex& index) const override;
  double contentWidth(const QModelIndex& index) const override;
};

/// A measured share: bar and number. A value that was not measured has a hatched background and no bar.
class BarDelegate : public CellDelegate {
  Q_OBJECT

 public:
  using CellDelegate::CellDelegate;

 protected:
  void paintContent(QPainter& painter, const QRectF& rect, const QStyleOptionViewItem& option,
                    const QModelIndex& index) const override;
  double contentWidth(const QModelIndex& index) const override;
};

/// The source of a figure: `COUNTERS` filled, others outlined.
class BadgeDelegate : public CellDelegate {
  Q_OBJECT

 public:
  using CellDelegate::CellDelegate;

 protected:
  void paintContent(QPainter& painter, const QRectF& rect, const QStyleOptionViewItem& option,
                    const QModelIndex& index) const override;
  double contentWidth(const QModelIndex& index) const override;
};

/// Two lines in one cell, for lists in a narrow place: shape, head and note on the first, text on the second.
class TwoLineDelegate : public CellDelegate {
  Q_OBJECT

 public:
  using CellDelegate::CellDelegate;
  static constexpr int kHigh = 44;

 protected:
  void paintContent(QPainter& painter, const QRectF& rect, const QStyleOptionViewItem& option,
                    const QModelIndex& index) const override;
};

/// The heading of a group of rows, which folds it: a triangle by ExpandedRole, the text, and NoteRole as small text.
class HeadingDelegate : public CellDelegate {
  Q_OBJECT

 public:
  using CellDelegate::CellDelegate;

 protected:
  void paintContent(QPainter& painter, const QRectF& rect, const QStyleOptionViewItem& option,
                    const QModelIndex& index) const override;
  double contentWidth(const QModelIndex& index) const override;
};

/// Applies the common look of tables: rows and header of 24 px, no grid, row selection, sorting, CellDelegate as
/// default, Ctrl+C copies rows as text.
void styleTable(QTableView* table);

/// Sets the widths of a table's columns from the first on; none is narrower than its heading. If the table is too
/// narrow for them, columns shrink down to `least`: by default text columns to one half, number columns not at all.
void setColumnWidths(QTableView* table, const QList<int>& widths, const QList<int>& least = {});

/// Makes a scrolling table show only whole rows, for any height.
void showWholeRows(QTableView* table);

/// Draws the square of a format, as in cells, legends and combo boxes. `rect` is about 10 px square.
void drawFormatSquare(QPainter& painter, const QRectF& rect, const QString& format, CellExecution execution);
/// Draws the shape of a verdict, centred.
void drawVerdict(QPainter& painter, VerdictShape shape, QPointF centre);
/// Draws a badge with its left edge and vertical centre at `at`. Returns its width.
double drawBadge(QPainter& painter, QPointF at, const QString& text, BadgeStyle style);
/// Fills with slanting lines: an estimate, or not measured.
void drawHatching(QPainter& painter, const QRectF& rect, const QColor& color);

}  // namespace binade::views
