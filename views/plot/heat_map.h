// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/tensor_stats.h"
#include "views/plot/binade_axis.h"
#include "views/plot/heat_columns.h"
#include "views/plot/plot.h"

#include <QImage>

#include <memory>
#include <optional>

namespace binade::views {

/// Binades over steps. The darker a cell, the more of the tensor lies in that binade at that step (log of the share).
/// The tensor's format is drawn on top: overflow line, dashed smallest normal, underflow line, hatching outside. Steps
/// without an observation are hatched, never shown as zero.
class HeatMap : public Plot {
  Q_OBJECT

 public:
  /// How values are placed.
  enum class Values {
    kAsHeld,    ///< as stored, scaled by the loss scale: the format's window is fixed
    kUnscaled,  ///< divided by the scale: the window moves with the scale
  };

  /// Both axes must outlive the view; null: the view creates its own.
  explicit HeatMap(StepAxis* steps, BinadeAxis* binades, QWidget* parent = nullptr);

  /// Adds an observation. Values are scaled, as observed; `scaleLog2` is log2 of that step's loss scale. Ignored unless
  /// the step is greater than the last one.
  void appendColumn(std::int64_t step, const formats::TensorStats& stats, double scaleLog2);
  /// Sets the format whose window is drawn; nullopt for a tensor that no format limits.
  void setFormat(std::optional<formats::Format> format);
  void setValues(Values values);
  Values values() const { return values_; }
  /// Sets the interval between observations: a column is drawn that many steps wide. Default: 1.
  void setSampling(int every);
  const HeatColumns& columns() const { return columns_; }
  /// Why the map has observations but no coloured cell, as shown in its middle; empty otherwise.
  QString emptyReason() const;
  void clear() override;

  Range valueRange() const override { return binades_->range(); }
  /// The largest magnitude of the step.
  std::vector<PartValue> partsAt(std::int64_t step) const override;
  QString valuesAt(std::int64_t step) const override;
  std::optional<PickedNumber> numberAt(std::int64_t step, std::optional<double> value) const override;
  QString csv() const override;

 Q_SIGNALS:
  void valuesChanged(binade::views::HeatMap::Values values);

 protected:
  bool isEmpty() const override { return columns_.empty(); }
  std::vector<LegendEntry> legend() const override { return {}; }
  std::vector<Tick> valueTicks(int most) const override;
  void paintData(QPainter& painter, const QRectF& area) override;
  void paintForeground(QPainter& painter, const QRectF& area, const PlacedMarks& placed) override;
  void fitValues() override;
  QString summary() const override;
  double leftMargin() const override { return 44; }
  double rightMargin() const override { return 8; }
  double footMargin() const override { return 46; }  // that of the histogram beside it, which names its step
  void addMenuEntries(QMenu& menu) override;

 private:
  void paintWindow(QPainter& painter, const QRectF& area) const;
  void paintMovingWindow(QPainter& painter, const QRectF& area) const;
  HeatColumn columnAt(double x, double width) const;
  void applyZoom();
  double shiftAt(double scaleLog2) const { return values_ == Values::kUnscaled ? -scaleLog2 : 0; }

  BinadeAxis* binades_;
  std::optional<Range> applied_;  ///< the zoom of the step axis' view that the binade axis shows
  HeatColumns columns_;
  std::optional<formats::Format> format_;
  Values values_ = Values::kAsHeld;
  int sampling_ = 1;
  bool has_values_ = false;  ///< finite ones other than 0
  bool has_non_finite_ = false;
};

}  // namespace binade::views
