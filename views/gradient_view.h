// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/tensor_stats.h"
#include "views/plot/format_shares.h"
#include "views/plot/heat_map.h"
#include "views/plot/histogram.h"

#include <QWidget>

#include <optional>

class QLabel;
class QPushButton;
class QSlider;

namespace binade::views {

class ElidedLabel;
class ScaleLabel;

/// Heat map and histogram on one binade axis, the what-if slider below them, and the shares in each format at the
/// bottom. The slider and the histogram's handle move the same window. Only setScaleRequested() asks for a change of
/// the run.
class GradientView : public QWidget {
  Q_OBJECT

 public:
  /// `steps` must outlive the view; null: the view creates its own.
  explicit GradientView(StepAxis* steps, QWidget* parent = nullptr);

  HeatMap* heatMap() const { return heatMap_; }
  Histogram* histogram() const { return histogram_; }
  FormatShares* shares() const { return shares_; }
  QSlider* slider() const { return slider_; }
  ScaleLabel* scaleLabel() const { return scale_; }

  /// Sets the format of the window and the handle.
  void setFormat(std::optional<formats::Format> format);
  /// Sets whether a loss scale applies to the values. If not (outputs, arguments, parameters), slider and handle apply
  /// a factor, as used for float8 formats, and `Set scale` is hidden; pass 0 as scaleLog2 then. Default: true.
  void setScaled(bool scaled);
  /// Adds an observation as a column of the heat map. The histogram is set separately, by showStats().
  void appendColumn(std::int64_t step, const formats::TensorStats& stats, double scaleLog2);
  /// Sets the observation shown by histogram and shares: the latest, or the one at the cursor.
  void showStats(const formats::TensorStats& stats, qint64 step, double scaleLog2);
  /// Sets log2 of the next step's loss scale, which may differ from that of the shown observation, and what is written
  /// beside it: `(current)`.
  void setPresentScale(double scaleLog2, const QString& name);
  /// Sets whether `Set scale` can be used, which needs a running training.
  void setScaleSettable(bool settable);
  void clear();

 Q_SIGNALS:
  /// The user requested this loss scale, as log2.
  void setScaleRequested(int scaleLog2);
  /// The user wants to add a format to the shares: call `shares()->addFormat`.
  void formatRequested();
  /// The user wants to look at a number of one of the parts.
  void numberRequested(const binade::views::PickedNumber& number);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void changeWhatIf(int scaleLog2);
  void showWhatIf();
  QString standing() const;
  void alignHistogram();

  BinadeAxis* binades_;
  HeatMap* heatMap_;
  Histogram* histogram_;
  FormatShares* shares_;
  QWidget* shares_area_;
  QSlider* slider_;
  QWidget* whatIfRow_;
  ElidedLabel* words_;
  ScaleLabel* scale_;
  QLabel* asNow_;
  QPushButton* set_;
  double scaleLog2_ = 0;               ///< of the shown observation
  std::optional<double> presentLog2_;  ///< of the next step
  QString present_;
  qint64 step_ = 0;  ///< of the observation
  bool filled_ = false;
  bool settable_ = false;
  bool scaled_ = true;
  std::optional<int> whatIf_;
};

}  // namespace binade::views
