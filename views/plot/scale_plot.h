// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/plot/plot.h"
#include "views/plot/series.h"

#include <functional>
#include <map>
#include <optional>

namespace binade::views {

/// The loss scale over steps on a log2 axis, as a step line. Skipped steps stand on a strip at the foot, back-off
/// below the line, growth above it, policy edits as flags; marks closer than 8 px are one with a count.
/// Marks come through Plot::addMark. A safe scale band is drawn behind the line where one is given.
class ScalePlot : public Plot {
  Q_OBJECT

 public:
  explicit ScalePlot(StepAxis* axis, QWidget* parent = nullptr);

  /// The scale used in a step: positive and finite. Steps increase; one that does not is ignored.
  void append(std::int64_t step, double scale);
  /// The scale of another scaler, drawn fainter behind the line and named at its end.
  void appendOther(const QString& name, std::int64_t step, double scale);
  /// Bounds of the safe scale band at a step, as exponents of two; an infinity where there is no limit. A low edge
  /// above the high one is an empty band: no scale serves all, and the gap is drawn as such.
  void appendBand(std::int64_t step, double lowLog2, double highLog2);
  /// Of all steps.
  void clearBand();
  /// What the crosshair adds at a step: the band, and who sets its edges.
  void setBandText(std::function<QString(std::int64_t)> text) { bandText_ = std::move(text); }
  const Series& series() const { return log2_; }
  void clear() override;

  Range valueRange() const override;
  QString valuesAt(std::int64_t step) const override;
  QString csv() const override;

 protected:
  bool isEmpty() const override { return log2_.empty(); }
  std::vector<LegendEntry> legend() const override;
  QString nowText() const override;
  std::vector<Tick> valueTicks(int most) const override;
  void paintData(QPainter& painter, const QRectF& area) override;
  void paintForeground(QPainter& painter, const QRectF& area) override;
  bool hasStrip() const override { return true; }
  void zoomValues(Range range) override;
  void fitValues() override;
  QString summary() const override;
  std::vector<std::pair<QPointF, MarkGroup>> markPositions() const override;

 private:
  void paintOthers(QPainter& painter, const QRectF& area) const;
  void paintBand(QPainter& painter, const QRectF& area) const;
  /// Highest (growth) or lowest (back-off) pixel of the line near a group, so that its mark stands clear of it.
  double lineEdge(const MarkGroup& group, bool top) const;

  Series log2_;
  std::map<QString, Series> others_;
  Series bandLow_;
  Series bandHigh_;
  std::function<QString(std::int64_t)> bandText_;
  std::optional<Range> zoomed_;
};

}  // namespace binade::views
