// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/plot/axis.h"

#include <QString>
#include <QStringList>
#include <QWidget>

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

class QPainter;

namespace binade::views {

/// What a try has shown of a policy.
enum class FrontVerdict : std::uint8_t {
  kFront,      ///< its loss is not higher, and no other such policy is better in both cost and gap
  kBeaten,     ///< its loss is not higher, but another is better in both
  kUndecided,  ///< whether its loss is higher is not known
  kRejected,   ///< its loss is higher, or it exceeds a limit
  kLost,       ///< it diverged, or does not run
};

/// A policy that was tried.
struct FrontPoint {
  qlonglong id = 0;
  double cost = 0;  ///< in the chart's unit
  double gap = 0;   ///< loss minus the loss of the policy to compare with
  FrontVerdict verdict = FrontVerdict::kUndecided;
  QString text;  ///< one line: tool tip, and description for screen readers
};

/// Cost against loss gap of policies, one point each; those of the front are joined by a line. A click chooses a point.
/// So do Left and Right, in the order of cost, and Home and End. A failing point above the scale of the others is a
/// triangle at the upper edge. A legend names the marks that are shown. GUI thread.
class FrontPlot : public QWidget {
  Q_OBJECT

 public:
  explicit FrontPlot(QWidget* parent = nullptr);

  /// Shows points; those without a finite cost and gap are left out. `cost` names the lower axis and `costText` writes
  /// a cost. A chosen point stays chosen if it is still there. Emits nothing.
  void setPoints(std::vector<FrontPoint> points, const QString& cost, std::function<QString(double)> costText);
  /// Marks the policy to compare with, whose gap is 0; nullopt: its cost is not known. `text`: its tool tip.
  void setPresent(std::optional<double> cost, const QString& text = {});
  /// Chooses a point; an unknown id: none. Emits nothing.
  void setChosen(qlonglong id);
  /// The chosen point's id; -1: none.
  qlonglong chosen() const;
  int count() const { return static_cast<int>(points_.size()); }
  /// The name of the lower axis.
  QString costName() const { return cost_; }
  /// Where the point with this id is drawn, in px; (-1, -1) if there is none.
  QPointF place(qlonglong id) const;
  /// Where the policy to compare with is drawn, in px; (-1, -1) if its cost is not known.
  QPointF presentPlace() const;
  /// The names of the marks that are shown.
  QStringList legend() const;

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
  enum class Mark : std::uint8_t { kFront, kBeaten, kUndecided, kRejected, kLost, kPresent, kAbove };
  struct LegendEntry {
    Mark mark;
    QString name;
    QPointF at{};  ///< of the mark
    int line = 0;
  };
  static Mark markOf(const FrontPoint& point);
  static QColor inkOf(Mark mark);
  static void drawMark(QPainter& painter, Mark mark, QPointF at);
  /// The marks that are shown, with their places.
  std::vector<LegendEntry> legendEntries() const;
  void drawLegend(QPainter& painter) const;
  void drawPoints(QPainter& painter) const;
  void fitRanges();
  QRectF area() const;
  /// `in`: area(), which lays out the legend; computed once for all points.
  QPointF toPixel(const QRectF& in, double cost, double gap) const;
  QPointF toPixel(const QRectF& in, const FrontPoint& point) const { return toPixel(in, point.cost, point.gap); }
  int pointAt(QPointF at) const;
  void choose(int index);
  void describe();

  std::vector<FrontPoint> points_;  ///< by cost
  QString cost_;
  std::function<QString(double)> cost_text_;
  Range costs_;
  Range gaps_;
  std::optional<double> present_;
  QString present_text_;
  int chosen_ = -1;  ///< an index of points_
};

}  // namespace binade::views
