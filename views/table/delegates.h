// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/table/roles.h"

#include <QColor>
#include <QFont>
#include <QStringList>
#include <QStyledItemDelegate>

class QTableView;

namespace binade::views {

/// Ground, selection stripe and text of every cell; numbers with raised exponents. Base of the others and good as a
/// table's default delegate. Reads the roles of roles.h, whatever the model is.
class CellDelegate : public QStyledItemDelegate {
  Q_OBJECT

 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

 protected:
  virtual void paintContent(QPainter& painter, const QRectF& rect, const QStyleOptionViewItem& option,
                            const QModelIndex& index) const;
  virtual double contentWidth(const QModelIndex& index) const;

  /// Fonts and colours by AttentionRole, QuietRole and selection; numbers have equal-width figures.
  static QFont fontOf(const QModelIndex& index, bool number);
  static QColor penOf(const QStyleOptionViewItem& option, const QModelIndex& index, bool number);

 private:
  static int firstVisibleColumn(const QWidget* widget);
};

/// A call's name: the module part in weight 500, in the longest form that fits.
class CallDelegate : public CellDelegate {
  Q_OBJECT

 public:
  using CellDelegate::CellDelegate;

  /// The name as it is drawn in a cell of this width, in px, without margins.
  static QString shownCall(const QModelIndex& index, double width);

 protected:
  void paintContent(QPainter& painter, const QRectF& rect, const QStyleOptionViewItem& option,
                    const QModelIndex& index) const override;
  double contentWidth(const QModelIndex& index) const override;

 private:
  static double callWidth(const QString& call);
};

/// A format: square, name, note. Its editor is a combo of formats that writes FormatRole; an empty string means
/// "as the base list says". Where several rows are selected the model of the view decides what to do with one write.
class FormatDelegate : public CellDelegate {
  Q_OBJECT

 public:
  using CellDelegate::CellDelegate;

  /// What the combo offers, in order; emulated ones say so. The list `float32 tfloat32 bfloat16 float16 float8_e4m3fn
  /// float8_e5m2` at first.
  void setFormats(const QStringList& names, const QStringList& emulated = {});

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

/// Two lines in one cell, for lists in a narrow place: shape, head and note above, words below.
class TwoLineDelegate : public CellDelegate {
  Q_OBJECT

 public:
  using CellDelegate::CellDelegate;
  static constexpr int kHigh = 44;

 protected:
  void paintContent(QPainter& painter, const QRectF& rect, const QStyleOptionViewItem& option,
                    const QModelIndex& index) const override;
};

/// The look all tables share: rows of 24 px, no grid, row selection, sorting, header of 24 px; CellDelegate as default;
/// Ctrl+C copies rows as text.
void styleTable(QTableView* table);

/// Widths of a table's columns from the first on, none narrower than its title. Where the table is narrower than all
/// of them, they give way down to `least`: by default columns of words to a half, columns of figures not at all.
void setColumnWidths(QTableView* table, const QList<int>& widths, const QList<int>& least = {});

/// Shows whole rows only, whatever height the table is given: for tables that scroll.
void showWholeRows(QTableView* table);

/// The square of a format, as cells, legends and combos draw it. `rect` is about 10 px square.
void drawFormatSquare(QPainter& painter, const QRectF& rect, const QString& format, CellExecution execution);
/// The shape of a verdict, centred.
void drawVerdict(QPainter& painter, VerdictShape shape, QPointF centre);

}  // namespace binade::views
