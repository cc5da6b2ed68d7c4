// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/plot/plot.h"
#include "views/values/running_mean.h"
#include "views/values/series.h"

#include <functional>
#include <optional>
#include <vector>

namespace binade::views {

/// How one series of a LinePlot is named and drawn.
struct LineStyle {
  QString name;       ///< `loss`; also in the CSV header
  QString unit;       ///< at the axis and in the CSV header: `s`; may be empty
  int meanOf = 0;     ///< if above 1: also draws the mean of that many samples around each one, dark over a faint line
  QColor color = {};  ///< invalid: the theme's data line; in a chart with several series, seriesColor() of its index
  /// Legend text of the ranges given to appendRange(): `minimum to maximum in a step`.
  QString range = {};
  /// Formats a value; default: three significant figures.
  std::function<QString(double)> format = {};
};

/// Named series over steps: loss, learning rate, gradient norm, step time. Each pixel column shows the full range of
/// its samples. NaN and infinity are drawn as crimson squares at the top edge, never as gaps. Skipped steps are marked
/// at the bottom, policy edits by a flag. The user can choose a symlog axis in the context menu. In a chart with
/// several series, a series and its mean are one part, so that the legend names each series once.
class LinePlot : public Plot {
  Q_OBJECT

 public:
  explicit LinePlot(StepAxis* axis, QWidget* parent = nullptr);

  /// Returns the index for append().
  int addSeries(const LineStyle& style);
  /// Removes the series after the first `count`.
  void keepSeries(int count);
  /// Adds a sample. Ignored unless `step` is greater than the last one of the series.
  void append(int series, std::int64_t step, double value);
  /// Draws samples that another object owns, such as a run, without a copy; null: those of append(). `source` must
  /// outlive the chart, the series, or this choice. Nothing else may draw it.
  void setSource(int series, const Series* source);
  /// The source has more samples than before. If it lost some, clear() must be called.
  void followSource(int series);
  /// Adds the range of the values whose mean is the step's value, drawn as a band behind the line.
  void appendRange(int series, std::int64_t step, double low, double high);
  const Series& series(int index) const { return lines_[static_cast<std::size_t>(index)].values(); }
  /// Removes samples, ranges and marks. Sources stay.
  void clear() override;

  /// Parts of the chart, for setPartHidden() and choosePart().
  static int partOf(int series) { return 3 * series; }
  static int meanPartOf(int series) { return 3 * series + 1; }  ///< in a chart with one series
  static int rangePartOf(int series) { return 3 * series + 2; }

  ValueScale::Kind axisKind() const { return kind_; }
  /// Sets how values are placed; emits axisKindChanged() if it changes.
  void setAxisKind(ValueScale::Kind kind);

  Range valueRange() const override;
  std::vector<PartValue> partsAt(std::int64_t step) const override;
  QString changeText(const PartValue& from, const PartValue& to) const override;
  QString valuesAt(std::int64_t step) const override;
  std::optional<PickedNumber> numberAt(std::int64_t step, std::optional<double> value) const override;
  QString csv() const override;

 Q_SIGNALS:
  /// The user, or the program, chose another axis.
  void axisKindChanged(binade::views::ValueScale::Kind kind);

 protected:
  bool isEmpty() const override;
  std::vector<LegendEntry> legend() const override;
  QString nowText() const override;
  std::optional<std::pair<int, QString>> standingPart() const override;
  std::vector<Tick> valueTicks(int most) const override;
  void paintData(QPainter& painter, const QRectF& area) override;
  void paintForeground(QPainter& painter, const QRectF& area, const PlacedMarks& placed) override;
  ValueScale valueScale() const override;
  bool hasStrip() const override { return true; }
  void zoomValues(Range range) override;
  QString summary() const override;
  void addMenuEntries(QMenu& menu) override;

 private:
  struct Line {
    LineStyle style;
    Series own;
    const Series* source = nullptr;  ///< null: `own`
    mutable RunningMean mean;        ///< follows the values when it is drawn
    Series low;                      ///< of the band; may be empty
    Series high;

    const Series& values() const { return source != nullptr ? *source : own; }
    bool hasMean() const { return style.meanOf > 1; }
    const RunningMean& currentMean() const {
      mean.follow(values());
      return mean;
    }
  };
  struct Fitted {  ///< the visible values, cached until steps, data or hidden parts change
    Range steps;
    std::size_t samples = 0;
    std::set<int> hidden;
    SeriesRecord values;
    Range range;
  };
  QString valueText(const Line& line, double value) const;
  /// The finite values of all visible parts in the visible steps.
  SeriesRecord visibleValues() const;
  Range automaticRange(const SeriesRecord& all) const;
  bool hasNonFinite() const;
  bool isShown(std::size_t line, int part) const { return !isPartHidden(3 * static_cast<int>(line) + part); }
  bool isMeanShown(std::size_t line) const { return !isPartHidden(partWithMean(line)); }
  /// The part that hides and chooses the mean of a series.
  int partWithMean(std::size_t line) const;
  /// The series whose value the header shows.
  const Line& standingLine() const;
  QString unitOfAll() const;
  QColor colorOf(std::size_t line) const;
  const Fitted& fitted() const;
  void paintNonFinite(QPainter& painter, const QRectF& area, const Line& line) const;

  std::vector<Line> lines_;
  ValueScale::Kind kind_ = ValueScale::Kind::kLinear;
  mutable std::optional<Fitted> fitted_;
};

}  // namespace binade::views
