// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/table/roles.h"

#include <QString>
#include <QWidget>

#include <vector>

namespace binade::views {

/// One line of a chain: a call that a value went through.
struct ChainRow {
  VerdictShape shape = VerdictShape::kNone;
  QString call;    ///< `fc2/aten::linear#0`
  QString what;    ///< `gradient of weight`
  QString value;   ///< `256,901`, `inf`
  QString format;  ///< `float16`; empty for none
  CellExecution execution = CellExecution::kNative;
  QString note;                  ///< at the right end: `First cause`
  bool cause = false;            ///< stands on crimson ground
  int id = -1;                   ///< what activated() says
  std::vector<ChainRow> folded;  ///< a run of calls behind one line: `call` says how many
};

/// The way a non-finite value went, one line a call, with a line of travel at the left. Runs of unaffected calls stay
/// folded until a click or Return opens them. Arrows move, Return opens, Left folds again. As high as its lines.
class ChainView : public QWidget {
  Q_OBJECT

 public:
  explicit ChainView(QWidget* parent = nullptr);

  void setRows(std::vector<ChainRow> rows);
  /// Lines as shown now: what is folded counts as one.
  int lineCount() const { return static_cast<int>(lines_.size()); }
  const ChainRow& line(int index) const { return *lines_[static_cast<std::size_t>(index)].row; }
  QRectF lineRect(int index) const;
  int current() const { return current_; }
  /// Whether a line's value is shown whole; of what was measured nothing may be missing.
  bool valuesFit() const;

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 Q_SIGNALS:
  /// A line that stands for a call was clicked or opened by key.
  void activated(int id);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;

 private:
  struct Line {
    const ChainRow* row;
    bool inside;  ///< one of a folded run that was opened
  };
  struct Columns {  ///< where each part of a line begins, and how wide it is
    double call = 0, callWide = 0;
    double what = 0, whatWide = 0;
    double value = 0, valueWide = 0;
    double format = 0, formatWide = 0;
    double note = 0, noteWide = 0;
  };
  Columns columns() const;
  void layOut();
  void open(int index);
  void fold(int index);
  int lineAt(QPointF at) const;
  void paintLine(QPainter& painter, int index, const Columns& at) const;

  std::vector<ChainRow> rows_;
  std::vector<bool> opened_;
  std::vector<Line> lines_;
  int current_ = -1;
  int hovered_ = -1;
  bool keyboard_ = false;
};

}  // namespace binade::views
