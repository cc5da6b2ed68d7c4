// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/values/chain_row.h"

#include <QWidget>

#include <vector>

namespace binade::views {

/// The path of a non-finite value, one line per call, with a connecting line at the left. Runs of unaffected calls are
/// folded until a click, Return or Right opens them. Up and Down move, Left folds again. The context menu looks at the
/// value of a line. The height follows the number of lines; a narrow view has higher ones, with the tensor below its
/// call.
class ChainView : public QWidget {
  Q_OBJECT

 public:
  explicit ChainView(QWidget* parent = nullptr);

  void setRows(std::vector<ChainRow> rows);
  /// Number of visible lines; a folded run counts as one.
  int lineCount() const { return static_cast<int>(lines_.size()); }
  const ChainRow& line(int index) const { return *lines_[static_cast<std::size_t>(index)].row; }
  QRectF lineRect(int index) const;
  int current() const { return current_; }
  /// Returns whether no value is elided: measured values must be shown completely.
  bool valuesFit() const;

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 Q_SIGNALS:
  /// The line of a call was clicked or activated by key.
  void activated(int id);
  /// The user wants to look at the value of a line.
  void numberRequested(const binade::views::PickedNumber& number);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;

 private:
  struct Line {
    const ChainRow* row;
    bool inside;  ///< belongs to an opened run
  };
  struct Columns {  ///< left edge and width of each part of a line
    double call = 0, callWide = 0;
    double what = 0, whatWide = 0;
    double value = 0, valueWide = 0;
    double format = 0, formatWide = 0;
    double note = 0, noteWide = 0;
  };
  struct Widths {  ///< what each part of a line needs
    double call = 0, what = 0, value = 0, format = 0, note = 0;
  };
  Widths widths() const;
  Columns columns() const;
  double rowHeight() const;
  /// Decides whether call and tensor stand below each other.
  void stack();
  void layOut();
  void open(int index);
  void fold(int index);
  int lineAt(QPointF at) const;
  void paintLine(QPainter& painter, int index, const Columns& at) const;

  std::vector<ChainRow> rows_;
  std::vector<bool> opened_;
  std::vector<Line> lines_;
  bool stacked_ = false;
  int current_ = -1;
  int hovered_ = -1;
  bool keyboard_ = false;
};

}  // namespace binade::views
