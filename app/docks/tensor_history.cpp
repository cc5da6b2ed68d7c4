// SPDX-License-Identifier: Apache-2.0
#include "app/docks/tensor_history.h"

#include <algorithm>
#include <string>

namespace binade::app {

std::vector<const TensorTrack*> tensorHistory(const RunModel& run, const wire::WatchedTensor& tensor) {
  std::vector<const TensorTrack*> tracks;
  for (const auto& [id, track] : run.tensors()) {
    const wire::WatchedTensor& each = track.tensor;
    if (each.site == tensor.site && each.kind == tensor.kind && each.argument == tensor.argument)
      tracks.push_back(&track);
  }
  return tracks;
}

std::vector<const TensorTrack*> historyInOther(const RunModel& run, const wire::WatchedTensor& tensor,
                                               const RunModel& other) {
  wire::WatchedTensor there = tensor;
  if (tensor.site >= 0) {
    const auto at = static_cast<std::size_t>(tensor.site);
    if (at >= run.sites().size()) return {};
    const std::string name = run.sites()[at].key.name();
    const auto found = std::find_if(other.sites().begin(), other.sites().end(),
                                    [&name](const wire::SiteInfo& site) { return site.key.name() == name; });
    if (found == other.sites().end()) return {};
    there.site = static_cast<int>(found - other.sites().begin());
  }
  return tensorHistory(other, there);
}

std::optional<TensorObservation> observationAt(const std::vector<const TensorTrack*>& history, std::int64_t step) {
  std::optional<TensorObservation> newest;
  int index = -1;
  for (const TensorTrack* track : history) {
    const int found = track->histograms.indexOf(step);
    if (found < 0) continue;
    const HistogramTrack::Column column = track->histograms.column(found);
    if (newest && column.first_step < newest->column.first_step) continue;
    newest = TensorObservation{track, column, {}};
    index = found;
  }
  if (newest) newest->stats = newest->track->histograms.statsOf(index);
  return newest;
}

}  // namespace binade::app
