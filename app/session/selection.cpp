// SPDX-License-Identifier: Apache-2.0
#include "app/session/selection.h"

namespace binade::app {

void Selection::setStep(std::optional<std::int64_t> step) {
  if (shown_) return setShown(step);
  if (step == step_) return;
  step_ = step;
  Q_EMIT stepChanged(step_);
}

// Receivers of either signal find both steps set.
void Selection::setShown(std::optional<std::int64_t> step) {
  const bool moves = step != step_;
  const bool shows = step != shown_;
  step_ = shown_ = step;
  if (shows) Q_EMIT shownChanged(step);
  if (moves && step == step_) Q_EMIT stepChanged(step);
}

void Selection::setSites(const std::vector<int>& sites) {
  if (sites == sites_) return;
  sites_ = sites;
  Q_EMIT sitesChanged(sites_);
}

void Selection::setTensor(int tensor) {
  if (tensor == tensor_) return;
  tensor_ = tensor;
  Q_EMIT tensorChanged(tensor_);
}

void Selection::setEvent(int event) {
  if (event == event_) return;
  event_ = event;
  Q_EMIT eventChanged(event_);
}

void Selection::setRank(int rank) {
  if (rank == rank_) return;
  rank_ = rank;
  Q_EMIT rankChanged(rank_);
}

void Selection::setPath(const LitPath& path) {
  if (path == path_) return;
  path_ = path;
  Q_EMIT pathChanged();
}

void Selection::clear() {
  setPath({});
  setEvent(-1);
  setTensor(-1);
  setSites({});
  setStep(std::nullopt);
  setRank(-1);
}

}  // namespace binade::app
