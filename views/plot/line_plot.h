// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/plot/plot.h"
#include "views/plot/series.h"

#include <functional>
#include <optional>
#include <vector>

namespace binade::views {

/// How one series of a LinePlot is named and drawn.
struct LineStyle {
  QString name;       ///< `loss`; in the CSV header too
  QString unit;       ///< at the axis and in the CSV header: `s`; empty for none
  int meanOf = 0;     ///< > 1: also the mean of so many samples around each, drawn dark over a faint line
  QColor color = {};  ///< invalid: the theme's data line
  /// What appendRange() tells, for the legend: `lowest to highest in a step`.
  QString range = {};
  /// Words for a value; three figures where none is given.
  std::function<QString(double)> format = {};
};

/// Named series over steps: loss, learning rate, gradient norm, step time. Each pixel column shows the whole range of
/// its samples. NaN and infinity stand as crimson squares at the top edge, never as gaps. Skipped steps are marked at
/// the foot, policy edits by a flag.
class LinePlot : public Plot {
  Q_OBJECT

 public:
  explicit LinePlot(StepAxis* axis, QWidget* parent = nullptr);

  /// Returns the index for `append`.
  int addSeries(const LineStyle& style);
  /// Steps increase within a series; one that does not is ignored.
  void append(int series, std::int64_t step, double value);
  /// What a step's value is the mean of reaches from `low` to `high`: a band behind the line.
  void appendRange(int series, std::int64_t step, double low, double high);
  const Series& series(int index) const { return lines_[static_cast<std::size_t>(index)].values; }
  void clear() override;

  Range valueRange() const override;
  QString valuesAt(std::int64_t step) const override;
  QString csv() const override;

 protected:
  bool isEmpty() const override;
  std::vector<LegendEntry> legend() const override;
  QString nowText() const override;
  std::vector<Tick> valueTicks(int most) const override;
  void paintData(QPainter& painter, const QRectF& area) override;
  void paintForeground(QPainter& painter, const QRectF& area) override;
  bool hasStrip() const override { return true; }
  void zoomValues(Range range) override;
  void fitValues() override;
  QString summary() const override;

 private:
  struct Mean {
    double value = 0;  ///< NaN where nothing in the window is finite
    int of = 0;        ///< samples in the window
  };
  struct Line {
    LineStyle style;
    Series values;
    Series mean;  ///< around each sample whose window is whole to the right: all but the newest
    Series low;   ///< of the band; empty without one
    Series high;

    /// Samples to either side in a whole window.
    std::size_t half() const { return style.meanOf > 1 ? static_cast<std::size_t>(style.meanOf) / 2 : 0; }
    Mean meanAt(std::size_t index) const;
    Series meanTail() const;
  };
  QString valueText(const Line& line, double value) const;
  Range automaticRange() const;
  bool hasNonFinite() const;
  void paintRange(QPainter& painter, const QRectF& area, const Line& line) const;
  void paintNonFinite(QPainter& painter, const QRectF& area, const Line& line) const;

  std::vector<Line> lines_;
  std::optional<Range> zoomed_;
  struct Fitted {  ///< the automatic range, kept until steps or data change
    Range steps;
    std::size_t samples = 0;
    Range values;
  };
  mutable std::optional<Fitted> fitted_;
};

}  // namespace binade::views
