// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/model/run_model.h"

#include <QString>

#include <vector>

namespace binade::app {

/// A tensor of an op call that can be shown: gradients first, then forward tensors. Includes tensors without a
/// histogram, with what would observe them.
struct TensorChoice {
  wire::WatchedTensor watched;  ///< id -1: nothing to show, and its argument may be unknown
  QString text;                 ///< `gradient of weight`
  QString about;                ///< a sentence: where it comes from, or goes to
  QString headline;             ///< if there is nothing to show: the headline, ...
  QString sentence;             ///< ... and why, or what would change it
  QString remedy;               ///< text of a button; empty if no observation setting helps
  wire::ObserveConfig observe;  ///< with that change

  bool isMissing() const { return watched.id < 0; }
  /// Returns whether this is the same tensor of the op call, even if an edit changed its id.
  bool names(const wire::WatchedTensor& tensor) const;
};

/// Returns the tensors of an op call, or of the parameters that no op call was seen to use (site -1).
std::vector<TensorChoice> tensorChoices(const RunModel& run, int site);

/// Returns the op calls that have any, in execution order; -1 last if there are such parameters.
std::vector<int> sitesWithTensors(const RunModel& run);

/// Returns the tensor that charts show for an op call by default: the gradient of its weight, else the one that
/// arrives, else another gradient; an output, argument or parameter only if nothing else has histograms. -1: none has.
int chartTensorOf(const RunModel& run, int site);

/// Returns the gradient of the first op call in execution order; -1 if no gradient is watched.
int earliestGradient(const RunModel& run);

/// Returns the gradient of the last op call in execution order whose newest histogram has a finite value other than 0;
/// -1 if none has.
int lastGradientWithValues(const RunModel& run);

}  // namespace binade::app
