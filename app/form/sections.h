// SPDX-License-Identifier: Apache-2.0
#pragma once

// The sections of a run's form, in the order in which a person meets them.

#include "app/form/form_section.h"

#include <functional>

class QComboBox;
class QPushButton;

namespace binade::app {

/// What is trained: name, device, seed, weights to begin with.
FormSection* makeStartSection(RunDocument* document);
/// Losses with output, target, weight and scaler, and the text of one's own.
FormSection* makeLossSection(RunDocument* document);
/// Optimizer with its fields, parameter groups, schedule, clipping.
FormSection* makeOptimizerSection(RunDocument* document);
/// Steps, accumulation, evaluation, what becomes of skipped batches, what is observed.
FormSection* makeTrainingSection(RunDocument* document);
/// Checkpoints and the run file.
FormSection* makeKeepingSection(RunDocument* document);

/// The scaler, or one of several.
class ScalerSection : public FormSection {
  Q_OBJECT

 public:
  explicit ScalerSection(RunDocument* document);
  /// The one that is shown, of wire::scalers_of.
  int current() const { return current_; }
  void setCurrent(int index);
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
/// Sets its scalers: one without a name, or several with one each.
void setScalers(wire::RunConfig& config, std::vector<wire::ScalerConfig> scalers);

}  // namespace binade::app
