// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/docks/dock.h"
#include "app/model/problem.h"
#include "app/model/run_model.h"
#include "views/plot/scale_plot.h"

#include <QTimer>

class QComboBox;
class QPushButton;

namespace binade::app {

class ScaleEdit;
class ScalerPopover;

/// The loss scale over steps with skips, back-offs, growth and policy edits, an editor of the current scale, and
/// beside it a button for the scaler's parameters.
class ScaleDock : public Dock {
  Q_OBJECT

 public:
  /// `run` and `axis` must outlive the dock.
  ScaleDock(RunModel* run, views::StepAxis* axis, QWidget* parent = nullptr);

  views::ScalePlot* plot() const { return plot_; }
  ScaleEdit* editor() const { return editor_; }
  /// Opens popover().
  QPushButton* scalerButton() const { return scaler_button_; }
  ScalerPopover* popover() const { return popover_; }
  /// Selects the scaler that is edited and drawn in front; hidden if there is only one.
  QComboBox* which() const { return which_; }
  /// Draws the loss scale of another run over this one's, under its name; null: none. It must outlive the dock, or be
  /// taken away. A run with several scalers is drawn with its first one.
  void setSecond(const RunModel* second, const QString& name);

 Q_SIGNALS:
  /// The user requested this loss scale.
  void scaleRequested(double scale, const std::string& id);
  /// The user requested these parameters of a scaler.
  void tuneRequested(const binade::wire::ScalerConfig& scaler);
  /// The typed scale is invalid.
  void problem(const binade::app::Problem& problem);

 private:
  void rebuild();
  void append(int first);
  void appendScalers(std::size_t index);
  void markChange(std::int64_t step, double scale, double next);
  void markPolicy(int index);
  void markScaler(int index);
  void updateEditor();
  void updatePopover();
  void appendBand();
  void takeBand(int event);
  QString bandText(std::int64_t step) const;
  const wire::ScaleBand* replayedBand(std::int64_t step) const;
  /// The selected scaler's values in a step.
  wire::ScalerStep shown(std::size_t step) const;
  wire::ScalerConfig chosen() const;
  /// Whether the run has a scaler that is on.
  bool isScaled() const;

  RunModel* run_;
  const RunModel* second_ = nullptr;
  QString second_name_;
  views::ScalePlot* plot_;
  ScaleEdit* editor_;
  QPushButton* scaler_button_;
  ScalerPopover* popover_;
  QComboBox* which_;
  int index_ = 0;                 ///< of the selected scaler
  std::size_t marks_ = 0;         ///< of the run's markedSteps(), those that were processed
  std::int64_t band_drawn_ = -1;  ///< the newest step whose band is drawn
  QTimer band_soon_;              ///< redraws it
};

}  // namespace binade::app
