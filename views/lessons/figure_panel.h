// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/lessons/figure_data.h"
#include "views/lessons/figure_axis.h"
#include "views/values/picked_number.h"

#include <QPainter>
#include <QString>

#include <optional>
#include <vector>

namespace binade::views {

/// What a figure shows at a place.
struct FigureHit {
  QString text;
  std::optional<PickedNumber> number = {};
};

/// Title and legend of a panel, in lines that fit a width. Positions count from the panel's upper left corner.
struct PanelHead {
  struct Entry {
    enum class Kind { kLine, kBox, kText } kind = Kind::kText;
    QString text;
    QPen pen = {};
    std::optional<formats::Format> format = {};
    lessons::Role role = lessons::Role::kPlain;
    QRectF place = {};
  };
  std::vector<Entry> entries;
  double height = 0;

  static PanelHead of(const lessons::Panel& panel, double width);
  void paint(QPainter& painter, QPointF corner, const lessons::Panel& panel) const;
};

/// One panel of a figure, laid out in a rectangle: curves and points, steps and histograms, bars in columns or in rows,
/// bands and marks. Refers to the panel, which must outlive it.
class FigurePanel {
 public:
  FigurePanel(const lessons::Panel& panel, const QRectF& rect);

  /// Least height of a panel in this width, in px, whose plot has at least this height.
  static double leastHeight(const lessons::Panel& panel, double width, double plot);
  /// Whether more height than that shows more.
  static bool grows(const lessons::Panel& panel) { return !panel.rows; }
  /// What a panel of rows is higher with bars of full height, in px; 0 for other panels.
  static double rowsSpare(const lessons::Panel& panel, double width);

  void paint(QPainter& painter) const;
  std::optional<FigureHit> hitAt(QPointF position) const;
  /// A text and its place.
  struct LaidText {
    QString text;
    QRectF place;
    lessons::Role role = lessons::Role::kPlain;
    bool halo = false;  ///< with an outline in the colour of the panel, since a line passes there
  };
  /// The texts above columns, in their middle: higher if a line passes there, and only those that have room.
  std::vector<LaidText> columnTexts() const;
  /// The place of the label of a mark across the y axis: at the right, or at the left if a curve passes there.
  QRectF levelLabel(const lessons::Mark& mark) const;
  /// The labels of marks across the x axis; one for neighbouring marks of the same label.
  std::vector<LaidText> markLabels() const;
  /// Whether a line of the panel passes through a place.
  bool isCrossed(const QRectF& place) const;
  /// Whether a limit of a format, across the y axis, passes through a place.
  bool isLimit(const QRectF& place) const;
  /// Whether steps that are not filled pass through a place.
  bool isStepped(const QRectF& place) const;
  /// The area of the data.
  QRectF area() const { return area_; }
  /// Whether the x axes of both panels have the same scale and range. Their labels may differ.
  bool sharesX(const FigurePanel& other) const;
  /// Limits the area of the data to these x positions, in px, so that panels whose x axes are equal are in line.
  void fitBetween(double left, double right);

 private:
  struct LaidTick {
    double at;
    QString label;
  };

  void layOut();
  void paintGrid(QPainter& painter) const;
  void paintAxes(QPainter& painter) const;
  void paintBands(QPainter& painter) const;
  /// The limits of a format between its bands across the x axis, or across the y axis.
  void paintLimits(QPainter& painter, bool on_x) const;
  void paintBandLabels(QPainter& painter) const;
  void paintMarks(QPainter& painter) const;
  void paintSeries(QPainter& painter, const lessons::Series& series) const;
  void paintSteps(QPainter& painter, const lessons::Series& series) const;
  void paintFilledSteps(QPainter& painter, const lessons::Series& series) const;
  void paintBars(QPainter& painter) const;
  void paintRowNames(QPainter& painter) const;
  void paintRowTexts(QPainter& painter) const;
  void paintColumnTexts(QPainter& painter) const;

  std::vector<LaidTick> bottomTicks() const;
  std::vector<LaidTick> leftTicks() const;
  lessons::Role roleAt(double x) const;
  QRectF barBox(const lessons::Bar& bar) const;
  std::optional<QRectF> dotOf(const lessons::Bar& bar) const;
  /// Place of a bar, or of the dot that stands for it.
  QRectF drawnBox(const lessons::Bar& bar) const;
  QRectF laneOf(std::size_t row) const;
  std::optional<FigureHit> barAt(QPointF position) const;
  std::optional<FigureHit> pointAt(QPointF position) const;

  const lessons::Panel& panel_;
  QRectF rect_;
  PanelHead head_;
  QRectF area_;
  FigureAxis x_;
  FigureAxis y_;
  bool namesAbove_ = false;  ///< names of rows are too long for the left margin
};

/// Formats of bars that share a row, in the order of their lanes; empty entries are bars without a format.
std::vector<std::optional<formats::Format>> formatsOfRow(const lessons::Panel& panel, std::size_t row);

}  // namespace binade::views
