// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/scaled/element.h"

#include <QString>
#include <QWidget>

#include <vector>

namespace binade::views {

/// The values of one block on the ruler of its format: the numbers that the block can hold, which are those of the
/// element times the scale, and on a line of its own each value with what it becomes. The arrow keys choose the block,
/// in the order in which the blocks were set; Home and End choose the first and the last. Where the lines of a large
/// block are too close for circles, a value is a faint line to the point that it becomes.
class BlockView : public QWidget {
  Q_OBJECT

 public:
  struct Block {
    QString place;  ///< in words: `row 12, columns 32 to 63`
    double scale = 1;
    double snr_db = 0;  ///< infinite: exact
    std::vector<float> values;
    std::vector<float> quantized;  ///< as many
  };

  explicit BlockView(QWidget* parent = nullptr);

  /// Shows the first of these blocks. Without any, the view is empty.
  void setBlocks(std::vector<Block> blocks, scaled::Element element);
  /// The index of the shown block; -1: none.
  int current() const { return current_; }
  void choose(int index);
  /// The shown block in words, as screen readers read it.
  QString description() const;
  /// The numbers that the shown block can hold, ascending.
  std::vector<double> ruler() const;
  /// The x coordinate of a number.
  double placeOf(double number) const;

  QSize sizeHint() const override { return {420, 240}; }
  QSize minimumSizeHint() const override { return {200, 120}; }

 Q_SIGNALS:
  void currentChanged(int index);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;

 private:
  const Block* shown() const;
  void setCurrent(int index);
  QRectF plotArea() const;
  void paintRuler(QPainter& painter, const QRectF& area) const;
  void paintValues(QPainter& painter, const QRectF& area) const;
  void paintManyValues(QPainter& painter, const QRectF& area) const;
  void describe();

  std::vector<Block> blocks_;
  scaled::Element element_ = scaled::Element::kE4M3;
  int current_ = -1;
  double reach_ = 1;  ///< the largest magnitude that the view has room for
};

}  // namespace binade::views
