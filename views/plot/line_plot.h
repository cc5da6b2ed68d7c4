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
  QString name;       ///< `loss`; also in the CSV header
  QString unit;       ///< at the axis and in the CSV header: `s`; may be empty
  int meanOf = 0;     ///< if above 1: also draws the mean of that many samples around each one, dark over a faint line
  QColor color = {};  ///< invalid: the theme's data line
  /// Legend text of the ranges given to appendRange(): `minimum to maximum in a step`.
  QString range = {};
  /// Formats a value; default: three significant figures.
  std::function<QString(double)> format = {};
};

/// Named series over steps: loss, learning rate, gradient norm, step time. Each pixel column shows the full range of
/// its samples. NaN and infinity are drawn as crimson squares at the top edge, never as gaps. Skipped steps are marked
/// at the bottom, policy edits by a flag.
class LinePlot : public Plot {
  Q_OBJECT

 public:
  explicit LinePlot(StepAxis* axis, QWidget* parent = nullptr);

  /// Returns the index for append().
  int addSeries(const LineStyle& style);
  /// Adds a sample. Ignored unless `step` is greater than the last one of the series.
  void append(int series, std::int64_t step, double value);
  /// Adds the range of the values whose mean is the step's value, drawn as a band behind the line.
  void appendRange(int series, std::int64_t step, double low, double high);
  const Series& series(int index) const { return lines_[static_cast<std::size_t>(index)].values; }
  void clear() override;

  Range valueRange() const override;
  QString valuesAt(std::int64_t step) const override;
  std::optional<PickedNumber> numberAt(std::int64_t step, std::optional<double> value) const override;
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
    double value = 0;  ///< NaN if no sample in the window is finite
    int of = 0;        ///< samples in the window
  };
  struct Line {
    LineStyle style;
    Series values;
    Series mean;  ///< for each sample with a complete window; the newest samples have none yet
    Series low;   ///< of the band; may be empty
    Series high;

    /// Samples on each side in a full window.
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
  struct Fitted {  ///< the automatic range, cached until steps or data change
    Range steps;
    std::size_t samples = 0;
    Range values;
  };
  mutable std::optional<Fitted> fitted_;
};

}  // namespace binade::views
