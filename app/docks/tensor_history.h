// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/model/run_model.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace binade::app {

/// All watched tensors that are this one under other ids (before and after edits), oldest first.
std::vector<const TensorTrack*> tensorHistory(const RunModel& run, const wire::WatchedTensor& tensor);

/// The tensors of another run that correspond to a tensor of `run`: same name of the op call, kind and argument. Empty
/// if the other run has observed none.
std::vector<const TensorTrack*> historyInOther(const RunModel& run, const wire::WatchedTensor& tensor,
                                               const RunModel& other);

/// A stored observation of a tensor.
struct TensorObservation {
  const TensorTrack* track = nullptr;
  HistogramTrack::Column column;
  formats::TensorStats stats;
};

/// The observation that was made at a step, or the last one before it; nullopt: none.
std::optional<TensorObservation> observationAt(const std::vector<const TensorTrack*>& history, std::int64_t step);

}  // namespace binade::app
