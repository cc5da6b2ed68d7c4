// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/plot/plot.h"
#include "views/values/series.h"

#include <functional>
#include <map>
#include <optional>

namespace binade::views {

/// The loss scale over steps on a log2 axis, as a step line. Skipped steps are marked on a strip at the bottom,
/// back-off below the line, growth above it, policy edits by flags. Marks closer than 8 px are merged with a count.
/// Marks are added by Plot::addMark(). If given, the band of safe scales is drawn behind the line.
class ScalePlot : public Plot {
  Q_OBJECT

 public:
  explicit ScalePlot(StepAxis* axis, QWidget* parent = nullptr);

  /// Adds the scale used in a step. Ignored unless it is positive and finite and `step` is greater than the last one.
  void append(std::int64_t step, double scale);
  /// Draws the logarithms (base 2) of scales that another object owns, such as a run, without a copy; null: those of
  /// append(). `log2` must outlive the chart or this choice. Nothing else may draw it.
  void setSource(const Series* log2);
  /// The source has more steps than before. If it lost some, clear() must be called.
  void followSource();
  /// Adds the scale of another scaler, drawn fainter behind the line and labelled at its end.
  void appendOther(const QString& name, std::int64_t step, double scale);
  /// Adds the bounds of the safe scale band at a step, as exponents of two; infinite: no limit. If the low edge is
  /// above the high one, no scale is safe for all tensors, and the gap is drawn instead.
  void appendBand(std::int64_t step, double lowLog2, double highLog2);
  /// Removes the band of all steps.
  void clearBand();
  /// Sets the crosshair's additional text at a step: the band, and the tensors that limit it.
  void setBandText(std::function<QString(std::int64_t)> text) { bandText_ = std::move(text); }
  /// Sets the sentence that defines the band, shown inside it where there is room.
  /// `brief`: where the sentence does not fit between the lines of policy edits.
  void setBandSentence(const QString& sentence, const QString& brief = {});
  const Series& series() const { return source_ != nullptr ? *source_ : own_; }
  /// Removes scales, bands and marks. The source stays.
  void clear() override;

  /// Parts of the chart, for setPartHidden() and choosePart(). Other scalers follow in the order of their names.
  static constexpr int kScalePart = 0;
  static constexpr int kBandPart = 1;
  static constexpr int kFirstOtherPart = 2;

  Range valueRange() const override;
  std::vector<PartValue> partsAt(std::int64_t step) const override;
  QString changeText(const PartValue& from, const PartValue& to) const override;
  QString valuesAt(std::int64_t step) const override;
  std::optional<PickedNumber> numberAt(std::int64_t step, std::optional<double> value) const override;
  QString csv() const override;

 protected:
  bool isEmpty() const override { return series().empty(); }
  std::vector<LegendEntry> legend() const override;
  QString nowText() const override;
  std::vector<Tick> valueTicks(int most) const override;
  void paintData(QPainter& painter, const QRectF& area) override;
  void paintForeground(QPainter& painter, const QRectF& area, const PlacedMarks& placed) override;
  bool hasStrip() const override { return true; }
  void zoomValues(Range range) override;
  QString summary() const override;
  PlacedMarks markPositions() const override;

 private:
  struct Fitted {  ///< the automatic range, cached until steps or data change
    Range steps;
    std::size_t samples = 0;
    Range range;
  };
  Range automaticRange(const Range& steps) const;
  void paintOthers(QPainter& painter, const QRectF& area) const;
  std::optional<Range> commonBand(std::int64_t first, std::int64_t last) const;
  void paintBand(QPainter& painter, const QRectF& area) const;
  void paintBandSentence(QPainter& painter, const QRectF& area) const;
  /// Draws an arrow and the value where an edge of the newest band lies beyond the axis.
  void paintBandArrow(QPainter& painter, const QRectF& area, double edge, bool up) const;
  /// Returns the highest (growth) or lowest (back-off) pixel of the line near a group, so that its mark does not touch
  /// it.
  double lineEdge(const MarkGroup& group, bool top) const;

  Series own_;
  const Series* source_ = nullptr;
  std::map<QString, Series> others_;
  Series bandLow_;
  Series bandHigh_;
  std::function<QString(std::int64_t)> bandText_;
  QString bandSentence_;
  QString bandBrief_;
  mutable std::optional<Fitted> fitted_;
};

}  // namespace binade::views
