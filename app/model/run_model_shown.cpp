// SPDX-License-Identifier: Apache-2.0
// A run as it was at the step that views show.
#include "app/model/run_model.h"
#include "engine/policy/runs_alike.h"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

namespace binade::app {

namespace {

/// Returns whether a policy makes the same decision for a site as `now`.
bool decides(const wire::PolicyApplied& applied, int site, const policy::Decision& now) {
  const auto at = static_cast<std::size_t>(site);
  return at < applied.decisions.size() && policy::runs_alike(applied.decisions[at], now);
}

}  // namespace

void RunModel::showStep(std::optional<std::int64_t> step) {
  const std::size_t count = step ? stepsBefore(*step + 1) : steps_.size();
  // Before the first step there is nothing to show.
  const bool newest = !step || count == 0;
  if (newest ? !shown_ : shown_ && shown_->steps == count) return;
  beginFrame();
  frame_due_ = true;
  if (newest) {
    shown_.reset();
  } else {
    Shown then{steps_[count - 1], count, trends_, 0, {}};
    then.trends.truncate(steps_, count);
    while (then.policy + 1 < policies_.size() && policies_[then.policy + 1].step <= then.point.step) ++then.policy;
    then.tensors_of = tensorsThen(then.point.step);
    shown_ = std::move(then);
  }
  Q_EMIT shownStepChanged();
  endFrame();
}

// A tensor may be declared several times, each time with another format. At each step, the declaration that was
// observed last is the current one.
std::map<int, std::vector<int>> RunModel::tensorsThen(std::int64_t step) const {
  std::size_t current = 0;
  for (const auto& [site, ids] : tensors_of_site_) current += ids.size();
  if (current == tensors_.size()) return {};
  using Place = std::tuple<int, wire::WatchedTensor::Kind, std::string>;
  std::map<Place, std::pair<std::int64_t, int>> best;  // step of its newest observation, id
  for (const auto& [id, track] : tensors_) {
    const int column = track.histograms.indexOf(step);
    const ScanPoint* scan = track.scanAt(step);
    const std::int64_t seen = std::max(column < 0 ? -1 : std::min(step, track.histograms.column(column).last_step),
                                       scan == nullptr ? -1 : std::min(step, scan->step));
    const wire::WatchedTensor& tensor = track.tensor;
    auto& [last, which] = best.try_emplace(Place{tensor.site, tensor.kind, tensor.argument}, seen, id).first->second;
    if (seen > last) std::tie(last, which) = std::pair(seen, id);
  }
  std::map<int, std::vector<int>> then;
  for (const auto& [place, found] : best) then[std::get<0>(place)].push_back(found.second);
  return then;
}

std::optional<std::int64_t> RunModel::shownStep() const {
  return shown_ ? std::optional(shown_->point.step) : std::nullopt;
}

const wire::PolicyApplied& RunModel::shownPolicy() const {
  return shown_ ? policies_[shown_->policy] : policies_.back();
}

wire::ScalerConfig RunModel::shownScaler(const wire::ScalerConfig& scaler) const {
  const auto later = std::find_if(scaler_edits_.begin(), scaler_edits_.end(), [&](const ScalerEdit& edit) {
    return shown_ && edit.step > shown_->point.step && edit.after.id == scaler.id;
  });
  return later != scaler_edits_.end() && later->before ? *later->before : scaler;
}

const wire::Profile& RunModel::shownProfile() const {
  return shown_ ? profile_.at(shown_->point.step) : profile_.latest();
}

const wire::CastLedger* RunModel::shownCasts() const {
  const int revision = policies_.empty() ? 0 : shownPolicy().revision;
  const auto found = std::find_if(casts_.rbegin(), casts_.rend(), [&](const wire::CastLedger& ledger) {
    return !shown_ || ledger.policy_revision <= revision;
  });
  return found == casts_.rend() ? nullptr : &*found;
}

void RunModel::addQuantized(const wire::QuantizedStep& quantized) {
  if (isEmpty()) return;
  quantized_.add(quantized);
  for (const wire::QuantizedOperand& operand : quantized.operands) markExecuted(operand.site);
  frameLater();
  Q_EMIT quantizedChanged();
}

const std::optional<wire::SilentReport>& RunModel::shownSilent() const {
  static const std::optional<wire::SilentReport> none;
  return shown_ && silent_ && silent_->last_step > shown_->point.step ? none : silent_;
}

int RunModel::shownColumn(const TensorTrack& track) const {
  return shown_ ? track.histograms.indexOf(shown_->point.step) : track.histograms.size() - 1;
}

const ScanPoint* RunModel::shownScan(const TensorTrack& track) const {
  if (shown_) return track.scanAt(shown_->point.step);
  return track.scans.empty() ? nullptr : &track.scans.back();
}

std::int64_t RunModel::lastSeen(const TensorTrack& track) const {
  const int column = shownColumn(track);
  const ScanPoint* scan = shownScan(track);
  const std::int64_t last =
      std::max(column < 0 ? -1 : track.histograms.column(column).last_step, scan == nullptr ? -1 : scan->step);
  return shown_ ? std::min(last, shown_->point.step) : last;
}

const policy::Decision* RunModel::decisionOf(std::size_t policy, int site) const {
  if (policy >= policies_.size() || site < 0) return nullptr;
  const auto& decisions = policies_[policy].decisions;
  return static_cast<std::size_t>(site) < decisions.size() ? &decisions[static_cast<std::size_t>(site)] : nullptr;
}

const policy::Decision* RunModel::decision(int site) const {
  return shown_ ? decisionOf(shown_->policy, site) : newestDecision(site);
}

const policy::Decision* RunModel::newestDecision(int site) const {
  return policies_.empty() ? nullptr : decisionOf(policies_.size() - 1, site);
}

std::int64_t RunModel::decidedSince(int site) const {
  const policy::Decision* now = decision(site);
  if (now == nullptr) return 0;
  std::size_t first = shown_ ? shown_->policy : policies_.size() - 1;
  while (first > 0 && decides(policies_[first - 1], site, *now)) --first;
  return first == 0 ? 0 : policies_[first].step;
}

std::optional<std::int64_t> RunModel::changedAt(int site) const {
  const policy::Decision* now = decision(site);
  if (now == nullptr || decides(policies_.front(), site, *now)) return std::nullopt;
  return decidedSince(site);
}

std::int64_t RunModel::observedUnderPolicy() const {
  if (!shown_) return observed_steps_ - observed_before_;
  const auto before = [this](std::int64_t step) {
    return std::lower_bound(observed_at_.begin(), observed_at_.end(), step) - observed_at_.begin();
  };
  return before(shown_->point.step + 1) - before(shownPolicy().step);
}

const std::vector<int>& RunModel::tensorsOf(int site) const {
  static const std::vector<int> none;
  if (shown_) {
    if (const auto then = shown_->tensors_of.find(site); then != shown_->tensors_of.end()) return then->second;
  }
  const auto found = tensors_of_site_.find(site);
  return found == tensors_of_site_.end() ? none : found->second;
}

}  // namespace binade::app
