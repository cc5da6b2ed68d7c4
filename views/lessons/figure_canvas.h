// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/lessons/figure_picture.h"

#include <QWidget>

#include <optional>

namespace binade::views {

/// The painted part of a FigureView: panels and table. The pointer shows values in tool tips; the context menu has
/// *Look at this number*, *Copy as CSV*, *Copy numbers*, *Copy picture*, *Save picture* and *Export figure as HTML*.
/// With the menu key, the number is the figure's first fact. GUI thread.
class FigureCanvas : public QWidget {
  Q_OBJECT

 public:
  explicit FigureCanvas(QWidget* parent = nullptr);

  /// Shows a figure. `moved`: it is the same figure at another position of its slider, and the cells of its table that
  /// have changed are highlighted.
  void setFigure(const lessons::FigureData& data, bool moved = false);
  const lessons::FigureData& figure() const { return data_; }
  const TableCells& highlighted() const { return highlighted_; }
  /// What is shown at a position of the widget.
  std::optional<FigureHit> hitAt(QPointF position) const;
  const std::vector<FigurePanel>& panels() const { return picture_->panels(); }
  /// Writes the figure as PNG. False: the file cannot be written.
  bool savePicture(const QString& file) const;

  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override;
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 Q_SIGNALS:
  void numberRequested(const binade::views::PickedNumber& number);
  /// The user wants the figure as a page. The owner knows its caption and its lesson, and writes it.
  void htmlRequested();

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  bool event(QEvent* event) override;

 private:
  void layOut();
  void askForFile();

  lessons::FigureData data_;
  TableCells highlighted_;
  std::optional<FigurePicture> picture_;
};

}  // namespace binade::views
