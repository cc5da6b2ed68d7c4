// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/plot/axis.h"

#include <QString>
#include <QWidget>

#include <functional>
#include <vector>

namespace binade::views {

/// A policy that was tried.
struct FrontPoint {
  qlonglong id = 0;
  double cost = 0;     ///< in the chart's unit
  double gap = 0;      ///< loss minus the loss of the policy to compare with
  bool holds = false;  ///< its loss is not higher
  bool front = false;  ///< no other that holds is better in both
  QString text;        ///< one line: tool tip, and description for screen readers
};

/// Cost against loss gap of policies, one point each; those of the front are joined by a line. A click chooses a point.
/// So do Left and Right, in the order of cost, and Home and End. A failing point above the scale of the others is a
/// triangle at the upper edge. GUI thread.
class FrontPlot : public QWidget {
  Q_OBJECT

 public:
  explicit FrontPlot(QWidget* parent = nullptr);

  /// Shows points; those without a finite cost and gap are left out. `cost` names the lower axis and `costText` writes
  /// a cost. A chosen point stays chosen if it is still there. Emits nothing.
  void setPoints(std::vector<FrontPoint> points, const QString& cost, std::function<QString(double)> costText);
  /// Chooses a point; an unknown id: none. Emits nothing.
  void setChosen(qlonglong id);
  /// The chosen point's id; -1: none.
  qlonglong chosen() const;
  int count() const { return static_cast<int>(points_.size()); }
  /// The name of the lower axis.
  QString costName() const { return cost_; }
  /// Where the point with this id is drawn, in px; (-1, -1) if there is none.
  QPointF place(qlonglong id) const;

  QSize sizeHint() const override { return {360, 136}; }
  QSize minimumSizeHint() const override { return {220, 130}; }

 Q_SIGNALS:
  /// The user chose a point.
  void pointChosen(qlonglong id);

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;

 private:
  QRectF area() const;
  QPointF toPixel(const FrontPoint& point) const;
  int pointAt(QPointF at) const;
  void choose(int index);
  void describe();

  std::vector<FrontPoint> points_;  ///< by cost
  QString cost_;
  std::function<QString(double)> cost_text_;
  Range costs_;
  Range gaps_;
  int chosen_ = -1;  ///< an index of points_
};

}  // namespace binade::views
