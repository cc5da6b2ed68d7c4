// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/numbers/bit_layout.h"
#include "views/numbers/shown_number.h"

#include <QWidget>

#include <vector>

class QKeyEvent;

namespace binade::views {

/// The bit editor: for each format, the number that one real number rounds to, bit by bit, with its exact value, class,
/// error, ulp and binade. A click or Space toggles a bit. Arrow keys move the bit cursor, 0 and 1 type a bit, + and −
/// step to the next and the previous number of the row, Delete removes a format that a person added. Its height follows
/// from its width and the number of formats. GUI thread.
class BitRows : public QWidget {
  Q_OBJECT

 public:
  explicit BitRows(QWidget* parent = nullptr);

  void setFormats(std::vector<formats::Format> formats);
  const std::vector<formats::Format>& formats() const { return formats_; }
  void setShown(const ShownNumber& shown);
  /// Highlights a row and moves the bit cursor there. Emits nothing.
  void setSelected(const formats::Format& format);

  int rowAt(const QPointF& position) const;  ///< -1: none
  /// The height of all rows in a width, in px.
  int heightIn(double width) const;
  /// The box of a bit, in widget coordinates; bit 0 is the sign.
  QRectF bitBox(int row, int bit) const;
  /// The row and the bit of the keyboard.
  int cursorRow() const { return row_; }
  int cursorBit() const;
  /// A row's value as drawn: all digits if they fit.
  QString shownValue(int row) const;
  QString rowTip(int row) const;
  QString bitTip(int row, int bit) const;

  QSize sizeHint() const override;

 Q_SIGNALS:
  /// The user changed the number of a row: this pattern is the new number for all rows.
  void numberEdited(const binade::numbers::Number& number);
  void selectedChanged(const binade::formats::Format& format);
  void removeRequested(const binade::formats::Format& format);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  bool event(QEvent* event) override;

 private:
  const formats::Format& formatAt(int row) const { return formats_[static_cast<std::size_t>(row)]; }
  int rows() const { return static_cast<int>(formats_.size()); }
  numbers::Number numberAt(int row) const { return shown_.in(formatAt(row)).number; }
  double rowTop(int row) const;
  void select(int row);
  void toggle(int row, int bit);
  /// Handles a key of the editor. False: not one of its keys. Without `act`, only answers.
  bool handleKey(const QKeyEvent& key, bool act);
  void moveCursor(int rowStep, int column);
  void describe();
  void fitHeight();
  void paintHead(QPainter& painter, const BitRowColumns& at) const;
  void paintRow(QPainter& painter, const BitRowColumns& at, int row) const;
  void paintBits(QPainter& painter, const BitRowColumns& at, int row) const;

  std::vector<formats::Format> formats_;
  ShownNumber shown_;
  int row_ = 0;
  int column_ = 0;  ///< of BitLayout
};

/// Whether a person added this format: it has no name of its own.
bool isCustomFormat(const formats::Format& format);

}  // namespace binade::views
