// SPDX-License-Identifier: Apache-2.0
#include "app/model/run_model.h"

#include "app/model/find_scaler.h"
#include "app/model/site_name.h"
#include "engine/formats/effect.h"

#include <QTimer>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace binade::app {

namespace {

// Returns whether statistics have the distribution of values. A scan, or a step with the finite check alone, has none.
bool hasHistogram(const formats::TensorStats& stats) {
  const auto occupied = [](std::uint32_t count) { return count != 0; };
  if (stats.count == 0 || stats.scan) return false;
  return stats.count == stats.zero + stats.non_finite() ||
         std::any_of(stats.binades.begin(), stats.binades.end(), occupied);
}

// Returns the share of the norm that becomes 0 in the format, or NaN if the statistics only give bounds.
double lostExactly(const formats::TensorStats& stats, const formats::Format& format) {
  const formats::NormRange lost = formats::effect_of(stats, format).zero.norm;
  return lost.low == lost.high ? lost.low : std::numeric_limits<double>::quiet_NaN();
}

// Steps for mean rates: enough to be steady, few enough to follow an edit.
constexpr std::size_t kRateWindow = 100;
/// By site: the op call that makes its first tensor; -1: none, or unknown.
std::vector<int> firstProducersOf(const wire::ModelInfo& model) {
  std::vector<int> producers(model.sites.size(), -1);
  if (!model.flow) return producers;
  const auto known = [&model](int site) { return site >= 0 && static_cast<std::size_t>(site) < model.sites.size(); };
  std::vector<bool> met(model.sites.size(), false);
  for (const wire::EdgeInfo& edge : model.flow->edges) {
    if (!known(edge.to) || met[static_cast<std::size_t>(edge.to)]) continue;
    met[static_cast<std::size_t>(edge.to)] = true;
    if (known(edge.from)) producers[static_cast<std::size_t>(edge.to)] = edge.from;
  }
  return producers;
}

}  // namespace

RunModel::RunModel(QObject* parent) : QObject(parent) {}
RunModel::~RunModel() = default;

bool RunModel::isActive() const {
  return source_ == Source::kLive && !finished_ && state_ != wire::RunState::kFinished;
}

QString RunModel::whyNoEdit() const {
  if (isEmpty()) return tr("There is no run.");
  return isActive() ? edit_barred_ : tr("The run has ended.");
}

void RunModel::setEditBarred(const QString& why) {
  if (why == edit_barred_) return;
  edit_barred_ = why;
  if (isActive()) Q_EMIT stateChanged();
}

int RunModel::indexOfStep(std::int64_t step) const {
  return static_cast<int>(stepsBefore(step + 1)) - 1;
}

std::size_t RunModel::stepsBefore(std::int64_t step) const {
  const auto end = std::lower_bound(steps_.begin(), steps_.end(), step,
                                    [](const StepPoint& point, std::int64_t s) { return point.step < s; });
  return static_cast<std::size_t>(end - steps_.begin());
}

const TensorTrack* RunModel::tensor(int id) const {
  const auto found = tensors_.find(id);
  return found == tensors_.end() ? nullptr : &found->second;
}

void RunModel::declare(const wire::WatchedTensor& tensor) {
  // Large models have a thousand tensors, most of them parameters and gradients between op calls: those get fewer
  // columns.
  using Kind = wire::WatchedTensor::Kind;
  const bool shown_first = tensor.kind == Kind::kOutputGradient || tensor.kind == Kind::kOutput ||
                           (tensor.kind == Kind::kInputGradient && tensor.argument == "weight");
  const int columns = shown_first ? HistogramTrack::kDefaultLimit : HistogramTrack::kShortLimit;
  tensors_.insert_or_assign(tensor.id, TensorTrack{tensor, HistogramTrack(columns), {}});
  // A parameter exists even if its op call never runs.
  if (!isOfParameter(tensor)) markExecuted(tensor.site);
  makeCurrent(tensor);
}

// After an edit a tensor is declared again with a new id and format; after its undo, the old id returns.
void RunModel::makeCurrent(const wire::WatchedTensor& tensor) {
  std::vector<int>& of_site = tensors_of_site_[tensor.site];
  std::erase_if(of_site, [&](int id) {
    const wire::WatchedTensor& old = tensors_.at(id).tensor;
    return old.kind == tensor.kind && old.argument == tensor.argument;
  });
  of_site.push_back(tensor.id);
}

// Makes a tensor of the step current again that had been replaced by the same tensor in another format. Returns whether
// any was.
bool RunModel::takeUpAgain(const wire::StepRecord& record) {
  const auto isSeen = [&](int id) {
    return std::any_of(record.observations.begin(), record.observations.end(),
                       [id](const wire::Observation& each) { return each.tensor == id; });
  };
  bool any = false;
  for (const wire::Observation& observation : record.observations) {
    const TensorTrack* track = tensor(observation.tensor);
    if (track == nullptr) continue;
    const std::vector<int>& current = tensors_of_site_[track->tensor.site];
    if (std::find(current.begin(), current.end(), observation.tensor) != current.end()) continue;
    // In a loop, one step may contain both formats of a tensor: the newer one stays current.
    const bool both = std::any_of(current.begin(), current.end(), [&](int id) {
      const wire::WatchedTensor& other = tensors_.at(id).tensor;
      return other.kind == track->tensor.kind && other.argument == track->tensor.argument && isSeen(id);
    });
    if (both) continue;
    makeCurrent(track->tensor);
    any = true;
  }
  return any;
}

int RunModel::firstProducer(int site) const {
  const auto at = static_cast<std::size_t>(site);
  return site >= 0 && at < first_producers_.size() ? first_producers_[at] : -1;
}

bool RunModel::isExecuted(int site) const {
  const auto at = static_cast<std::size_t>(site);
  return site >= 0 && at < executed_.size() && executed_[at];
}

void RunModel::markExecuted(int site) {
  const auto at = static_cast<std::size_t>(site);
  if (site >= 0 && at < executed_.size()) executed_[at] = true;
}

void RunModel::beginFrame() {
  ++frames_open_;
}

void RunModel::endFrame() {
  if (--frames_open_ > 0 || !frame_due_) return;
  frame_due_ = false;
  Q_EMIT frame();
}

void RunModel::frameLater() {
  if (frame_due_) return;
  frame_due_ = true;
  if (frames_open_ > 0) return;
  QTimer::singleShot(0, this, [this] {
    if (frames_open_ > 0 || !frame_due_) return;
    frame_due_ = false;
    Q_EMIT frame();
  });
}

double RunModel::stepRate() const {
  const std::size_t count = std::min(kRateWindow, steps_.size());
  double seconds = 0;
  for (std::size_t i = steps_.size() - count; i < steps_.size(); ++i) seconds += steps_[i].seconds;
  return count > 1 && seconds > 0 ? static_cast<double>(count) / seconds : 0;
}

void RunModel::clear() {
  shown_.reset();
  static_cast<RunData&>(*this) = RunData();
  ++runs_shown_;
  frameLater();
  Q_EMIT reset();
}

void RunModel::show(RunData&& run) {
  shown_.reset();
  static_cast<RunData&>(*this) = std::move(run);
  ++runs_shown_;
  frameLater();
  Q_EMIT reset();
  Q_EMIT stateChanged();
}

void RunModel::addStatistics(RunData&& whole) {
  const bool same = whole.started_.run_file == started_.run_file && whole.steps_.size() == steps_.size();
  if (source_ != Source::kFile || !same) return;
  tensors_ = std::move(whole.tensors_);
  tensors_of_site_ = std::move(whole.tensors_of_site_);
  executed_ = std::move(whole.executed_);
  observed_steps_ = whole.observed_steps_;
  observed_at_ = std::move(whole.observed_at_);
  observed_before_ = whole.observed_before_;
  band_ = std::move(whole.band_);
  if (shown_) shown_->tensors_of = tensorsThen(shown_->point.step);
  frameLater();
  Q_EMIT tensorsAdded();
  Q_EMIT statisticsRead();
}

RunData RunModel::take() {
  return std::exchange(static_cast<RunData&>(*this), RunData());
}

void RunModel::begin(const wire::RunStarted& started, Source source) {
  shown_.reset();
  static_cast<RunData&>(*this) = RunData();
  ++runs_shown_;
  source_ = source;
  started_ = started;
  state_ = wire::RunState::kLoading;
  policies_.push_back(started.policy);
  past_.begin(started.policy, started.config.resume);
  executed_.assign(started.model.sites.size(), false);
  first_producers_ = firstProducersOf(started.model);
  call_forms_ = CallForms(started.model.sites);
  ranks_ = RankTrack(started.ranks.size());
  frameLater();
  Q_EMIT reset();
}

void RunModel::addSteps(const std::vector<wire::StepRecord>& records) {
  if (isEmpty()) return;
  const int first = static_cast<int>(steps_.size());
  bool declared = false;
  bool rewound = false;
  for (const wire::StepRecord& record : records) {
    // A repeated step means that the run was rewound: a run file keeps both versions, and the later one counts.
    if (!steps_.empty() && record.step <= steps_.back().step) {
      dropFrom(record.step);
      rewound = true;
    }
    const StepPoint point{record.step,          record.loss,          record.scale,   record.next_scale,
                          record.learning_rate, record.gradient_norm, record.seconds, record.policy_revision,
                          record.found_inf,     record.stepped};
    steps_.push_back(point);
    step_series_.add(point);
    if (point.isMarked()) marked_steps_.push_back(point);
    trends_.add(point);
    keepScalers(record);
    ranks_.add(record);
    for (const wire::WatchedTensor& tensor : record.new_tensors) {
      declare(tensor);
      declared = true;
    }
    declared |= takeUpAgain(record);
    if (!record.observations.empty()) {
      ++observed_steps_;
      observed_at_.push_back(record.step);
    }
    BandTrack::Gradients gradients;
    for (const wire::Observation& observation : record.observations) {
      const auto found = tensors_.find(observation.tensor);
      if (found == tensors_.end()) continue;
      TensorTrack& track = found->second;
      if (record.scale > 0 && wire::is_scaled(track.tensor) && hasHistogram(observation.stats)) {
        gradients.push_back({observation.tensor, {&observation.stats, track.tensor.format, std::log2(record.scale)}});
      }
      if (hasHistogram(observation.stats)) {
        declared |= track.histograms.empty();
        track.histograms.append(record.step, record.scale, observation.stats,
                                lostExactly(observation.stats, track.tensor.format));
      } else if (observation.stats.scan) {
        track.addScan(record.step, record.scale, observation.stats);
      }
    }
    // Gradients after an overflow are not finite and give no edge: only a replay knows the safe band of such a step.
    if (!record.found_inf && std::isfinite(record.loss)) band_.add(record.step, gradients);
  }
  frameLater();
  if (rewound) {
    Q_EMIT reset();
    return;
  }
  if (declared) Q_EMIT tensorsAdded();
  if (static_cast<int>(steps_.size()) > first) Q_EMIT stepsAdded(first);
}

void RunModel::addEvaluation(const wire::Evaluated& evaluated) {
  if (isEmpty()) return;
  evaluations_.push_back(evaluated);
  frameLater();
  Q_EMIT evaluationAdded(static_cast<int>(evaluations_.size()) - 1);
}

void RunModel::addPolicy(const wire::PolicyApplied& applied) {
  if (isEmpty()) return;
  policies_.push_back(applied);
  past_.add(applied);
  observed_before_ = observed_steps_;
  // The engine starts a new list of silent faults: the old one is not valid for the new policy.
  if (silent_ && silent_->policy_revision != applied.revision) {
    silent_.reset();
    Q_EMIT silentChanged();
  }
  frameLater();
  Q_EMIT policyAdded(static_cast<int>(policies_.size()) - 1);
}

// Keeps an entry for every step. A step without its own list of scalers repeats the first scaler's values for all.
void RunModel::keepScalers(const wire::StepRecord& record) {
  if (scalers_a_step_ == 0) scalers_a_step_ = record.scalers.size();
  const wire::ScalerStep alone{record.scale, record.next_scale, record.found_inf};
  while (scalers_.size() < (steps_.size() - 1) * scalers_a_step_) scalers_.push_back(alone);
  for (std::size_t i = 0; i < scalers_a_step_; ++i) {
    scalers_.push_back(i < record.scalers.size() ? record.scalers[i] : alone);
  }
}

std::vector<wire::ScalerStep> RunModel::scalersAt(std::size_t index) const {
  std::vector<wire::ScalerStep> all;
  const std::size_t first = index * scalers_a_step_;
  for (std::size_t i = first; i < first + scalers_a_step_ && i < scalers_.size(); ++i) all.push_back(scalers_[i]);
  return all;
}

void RunModel::addScaler(const wire::ScalerChanged& change) {
  if (isEmpty()) return;
  wire::ScalerConfig* known = findScaler(started_.config, change.scaler.id);
  ScalerEdit edit{change.step, {}, change.scaler, change.scale};
  if (known != nullptr) {
    edit.before = *known;
    const double at_first = known->init_scale;
    *known = change.scaler;
    known->init_scale = at_first;
  }
  past_.add(edit);
  scaler_edits_.push_back(std::move(edit));
  frameLater();
  Q_EMIT scalerEdited(static_cast<int>(scaler_edits_.size()) - 1);
}

double RunModel::scaleNow(const std::string& id) const {
  const auto scalers = wire::scalers_of(started_.config);
  const auto named = std::find_if(scalers.begin(), scalers.end(), [&](const auto& each) { return each.id == id; });
  const auto scaler = named == scalers.end() ? scalers.begin() : named;
  const auto edit = std::find_if(scaler_edits_.rbegin(), scaler_edits_.rend(),
                                 [&](const ScalerEdit& each) { return each.after.id == scaler->id; });
  if (edit != scaler_edits_.rend() && (steps_.empty() || edit->step > steps_.back().step)) return edit->scale;
  if (steps_.empty()) return scaler->init_scale;
  const auto at = static_cast<std::size_t>(scaler - scalers.begin());
  const auto several = scalersAt(steps_.size() - 1);
  return at < several.size() ? several[at].next_scale : steps_.back().next_scale;
}

void RunModel::addCheckpoint(const wire::CheckpointInfo& saved) {
  if (isEmpty()) return;
  checkpoints_.push_back(saved);
  past_.add(saved);
  frameLater();
  Q_EMIT checkpointAdded();
}

const wire::CheckpointInfo* RunModel::checkpointAtEdit() const {
  const auto found = std::find_if(checkpoints_.rbegin(), checkpoints_.rend(),
                                  [](const wire::CheckpointInfo& each) { return each.reason == "edit"; });
  return found == checkpoints_.rend() ? nullptr : &*found;
}

void RunModel::dropFrom(std::int64_t step) {
  shown_.reset();
  const auto later = [step](const auto& each) { return each.step >= step; };
  steps_.truncate(stepsBefore(step));
  step_series_.dropFrom(step);
  std::size_t marked = marked_steps_.size();
  while (marked > 0 && marked_steps_[marked - 1].step >= step) --marked;
  marked_steps_.truncate(marked);
  trends_.truncate(steps_);
  observed_at_.truncate(static_cast<std::size_t>(std::lower_bound(observed_at_.begin(), observed_at_.end(), step) -
                                                 observed_at_.begin()));
  scalers_.truncate(std::min(scalers_.size(), steps_.size() * scalers_a_step_));
  ranks_.dropFrom(step, steps_.size());
  std::erase_if(scaler_edits_, later);
  std::erase_if(events_, later);
  std::erase_if(evaluations_, [step](const wire::Evaluated& each) { return each.step > step; });
  std::erase_if(checkpoints_, later);
  std::erase_if(casts_, [step](const wire::CastLedger& each) { return each.first_step >= step; });
  if (comparison_ && comparison_->step >= step) comparison_.reset();
  if (silent_ && silent_->last_step >= step) silent_.reset();
  quantized_.dropFrom(step);
  band_.dropFrom(step);
  for (auto policy = policies_.size(); policy > 1 && policies_[policy - 1].step > step; --policy) policies_.pop_back();
  for (auto& [id, track] : tensors_) track.dropFrom(step);
  // Forgotten events are only counts: rewinding to a step among them loses those counts.
  if (forgotten_.steps.last >= step) {
    forgotten_ = {};
    forgotten_of_site_.clear();
  }
  indexEvents();
}

void RunModel::rewind(std::int64_t step, const std::string& file) {
  if (isEmpty()) return;
  past_.add(wire::Rewound{step, file}, steps_.empty() ? 0 : steps_.back().step + 1);
  dropFrom(step);
  frameLater();
  Q_EMIT reset();
}

void RunModel::setObserve(const wire::ObserveConfig& observe) {
  if (isEmpty() || finished_) return;
  started_.config.observe = observe;
  frameLater();
  Q_EMIT observeChanged();
}

void RunModel::setProfile(const wire::ProfileConfig& profile) {
  if (isEmpty() || finished_) return;
  started_.config.profile = profile;
  Q_EMIT profileChanged();
}

void RunModel::setState(const wire::StateChanged& state) {
  if (isEmpty() || finished_ || state.state == state_) return;
  state_ = state.state;
  frameLater();
  Q_EMIT stateChanged();
}

void RunModel::finish(const wire::Finished& finished) {
  if (isEmpty() || finished_) return;
  finished_ = finished;
  state_ = wire::RunState::kFinished;
  frameLater();
  Q_EMIT stateChanged();
}

}  // namespace binade::app
