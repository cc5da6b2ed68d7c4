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

/// Heat map and histogram on one binade axis, the what-if slider under them, and the shares in every format at the
/// foot. Slider and the histogram's handle move the window together; only `setScaleRequested` asks for a change.
class GradientView : public QWidget {
  Q_OBJECT

 public:
  /// `steps` must outlive the view; without one it makes its own.
  explicit GradientView(StepAxis* steps, QWidget* parent = nullptr);

  HeatMap* heatMap() const { return heatMap_; }
  Histogram* histogram() const { return histogram_; }
  FormatShares* shares() const { return shares_; }
  QSlider* slider() const { return slider_; }

  /// Format of window and handle.
  void setFormat(std::optional<formats::Format> format);
  /// Whether a loss scale acts on the values. Where it does not (outputs, arguments, parameters) slider and handle
  /// multiply them by a factor of their own, as float8 formats are given one, and there is nothing to set: pass 0 as
  /// scaleLog2 then. True at first.
  void setScaled(bool scaled);
  /// A new observation: a column of the heat map. The histogram is set apart, by `showStats`.
  void appendColumn(std::int64_t step, const formats::TensorStats& stats, double scaleLog2);
  /// The observation that histogram and shares show: the latest, or the one at the cursor.
  void showStats(const formats::TensorStats& stats, qint64 step, double scaleLog2);
  /// log2 of the loss scale that the next step has. The observation that is shown may be of a step with another.
  void setPresentScale(double scaleLog2);
  /// Whether `Set scale` can be pressed: a run that takes it.
  void setScaleSettable(bool settable);
  void clear();

 Q_SIGNALS:
  /// The person asks for this loss scale, as log2.
  void setScaleRequested(int scaleLog2);
  /// The person wants another format among the shares: `shares()->addFormat`.
  void formatRequested();

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
  QSlider* slider_;
  QWidget* whatIfRow_;
  ElidedLabel* words_;
  QLabel* scale_;
  QLabel* asNow_;
  QPushButton* set_;
  double scaleLog2_ = 0;               ///< of the observation that is shown
  std::optional<double> presentLog2_;  ///< of the next step
  qint64 step_ = 0;                    ///< of the observation
  bool filled_ = false;
  bool settable_ = false;
  bool scaled_ = true;
  std::optional<int> whatIf_;
};

}  // namespace binade::views
