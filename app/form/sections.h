// SPDX-License-Identifier: Apache-2.0
#pragma once

// The sections of a run's form, in display order.

#include "app/form/form_section.h"

#include <functional>

class QComboBox;
class QPushButton;

namespace binade::app {

/// Name, weights to start with, device.
FormSection* makeStartSection(RunDocument* document);
/// Losses with output, target, weight and scaler, and the TorchScript text of a custom loss.
FormSection* makeLossSection(RunDocument* document);
/// Optimizer and its parameters, parameter groups, schedule, clipping.
FormSection* makeOptimizerSection(RunDocument* document);
/// Batch, steps, accumulation, evaluation, skipped batches, observation.
FormSection* makeTrainingSection(RunDocument* document);
/// Checkpoints, resuming, and the run file.
FormSection* makeKeepingSection(RunDocument* document);

/// Section for the loss scaler; with several scalers it shows one at a time.
class ScalerSection : public FormSection {
  Q_OBJECT

 public:
  explicit ScalerSection(RunDocument* document);
  /// Index of the shown scaler in wire::scalers_of().
  int current() const { return current_; }
  /// Shows the scaler with this index, limited to the existing ones.
  void setCurrent(int index);
  /// Fills the list of scalers from the document.
  void refreshChoice();

 private:
  QWidget* makeChooser();
  void addScaler();
  void removeScaler();
  void addFields();
  void addLimits(const std::function<bool(const wire::RunConfig&)>& moves);
  wire::ScalerConfig& scaler(wire::RunConfig& config) const;

  RunDocument* document_;
  QComboBox* which_;
  QPushButton* remove_;
  int current_ = 0;
};

/// Sets the losses of a description in its shortest form.
void setLosses(wire::RunConfig& config, std::vector<wire::LossConfig> losses);
/// Sets its scalers: `scaler` without an id for one, `scalers` for several. One scaler also removes the scaler ids of
/// losses.
void setScalers(wire::RunConfig& config, std::vector<wire::ScalerConfig> scalers);

}  // namespace binade::app
