// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/run_model.h"

#include <QString>

#include <vector>

namespace binade::app {

/// A tensor of an op call that can be looked at closely: gradients first, then what runs forward. One that has shown
/// no histogram yet is in the list too, and says what would bring it.
struct TensorChoice {
  wire::WatchedTensor watched;  ///< its id is -1 where there is nothing to show; its argument may be unknown then
  QString text;                 ///< `gradient of weight`
  QString about;                ///< a sentence: where it comes from, or goes to
  QString headline;             ///< where there is nothing to show: that, ...
  QString sentence;             ///< ... and why, or what brings it
  QString remedy;               ///< a button's words; empty where no change of the observing helps
  wire::ObserveConfig observe;  ///< with that change

  bool isMissing() const { return watched.id < 0; }
  /// Whether this is that tensor of an op call, whatever its id became with an edit.
  bool names(const wire::WatchedTensor& tensor) const;
};

/// Those of an op call, or of the parameters that no op call was seen to take (site -1).
std::vector<TensorChoice> tensorChoices(const RunModel& run, int site);

/// The op calls that have any, in the order of execution; -1 last where there are such parameters.
std::vector<int> sitesWithTensors(const RunModel& run);

/// The tensor that charts show for an op call where a person chose none: the gradient of its weight, else the one that
/// arrives, else another gradient; an output, an argument or a parameter only where nothing else has histograms. -1
/// where nothing has.
int chartTensorOf(const RunModel& run, int site);

/// The gradient of the earliest call in execution order, -1 where no gradient is watched.
int earliestGradient(const RunModel& run);

}  // namespace binade::app
