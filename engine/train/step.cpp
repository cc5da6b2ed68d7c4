// SPDX-License-Identifier: Apache-2.0
#include "engine/train/step.h"

#include "engine/autocast/cast_scope.h"
#include "engine/formats/error.h"
#include "engine/train/clip.h"
#include "engine/train/explain.h"
#include "engine/train/random_state.h"
#include "engine/train/schedule.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/isfinite.h>
#include <ATen/ops/stack.h>
#include <torch/optim/optimizer.h>

#include <chrono>
#include <cmath>

namespace binade::train {

namespace {

observe::Level level_named(const std::string& name) {
  if (name == "finite") return observe::Level::kFinite;
  if (name == "range") return observe::Level::kRange;
  if (name == "histogram") return observe::Level::kHistogram;
  if (name == "what-if") return observe::Level::kWhatIf;
  return observe::Level::kOff;
}

/// Of the time that training takes, looking for somebody who watches may take this share.
constexpr double kLiveShare = 0.1;

/// By site: whether the filter of `config` lets it be looked at; empty: all.
std::vector<bool> filter_of(const wire::ObserveConfig& config, const std::vector<const graph::Site*>& sites) {
  std::vector<bool> watched;
  if (config.sites.empty()) return watched;
  for (const graph::Site* site : sites) watched.push_back(policy::matches(config.sites, site->key));
  return watched;
}

wire::WatchedTensor to_wire(const observe::Watched& watched) {
  wire::WatchedTensor tensor;
  tensor.id = watched.id;
  tensor.site = watched.site;
  switch (watched.kind) {
    case observe::Watched::Kind::kOutput:
      tensor.kind = wire::WatchedTensor::Kind::kOutput;
      break;
    case observe::Watched::Kind::kOutputGradient:
      tensor.kind = wire::WatchedTensor::Kind::kOutputGradient;
      break;
    case observe::Watched::Kind::kInputGradient:
      tensor.kind = wire::WatchedTensor::Kind::kInputGradient;
      break;
  }
  tensor.argument = watched.argument;
  tensor.format = watched.format;
  tensor.emulated = watched.emulated;
  return tensor;
}

}  // namespace

/// What a step's one read brings to the host.
struct Stepper::Home {
  double loss = 0;  // the weighted sum
  double norm = 0;
  std::vector<bool> found_inf;  // by scaler
  bool any_found = false;
};

Stepper::Stepper(Training& training, bool replays)
    : training_(training),
      observe_(training.config.observe),
      profile_(training.config.profile),
      replays_(replays),
      replay_(training),
      bundles_(training.config.run_file),
      silent_(training) {
  training_.observer.set_filter(filter_of(observe_, training_.sites));
  cost_.begin(observe_.measure_cost);
  for (const auto& [name, parameter] : training_.trainable) parameters_.push_back(parameter);
  for (const Loss& loss : training_.losses) scaler_of_.push_back(training_.scalers.index_of(loss.config().scaler));
}

void Stepper::set_observe(const wire::ObserveConfig& observe) {
  observe_ = observe;
  training_.observer.set_filter(filter_of(observe_, training_.sites));
  cost_.begin(observe_.measure_cost);
}

bool Stepper::live_look_is_due() const {
  if (!is_watched_ || observe_.live <= 0) return false;
  const double since = std::chrono::duration<double>(Clock::now() - looked_at_).count();
  return since >= std::max(observe_.live, look_seconds_ / kLiveShare);
}

observe::Level Stepper::level_at(std::int64_t step) {
  const observe::Level full = level_named(observe_.level);
  const bool due = step % std::max<std::int64_t>(observe_.every, 1) == 0 || live_look_is_due();
  const observe::Level level = due ? full : std::min(full, level_named(observe_.between));
  if (level == observe::Level::kOff || cost_.wants_bare()) return observe::Level::kOff;
  if (level == full) looked_at_ = Clock::now();
  return level;
}

void Stepper::micro_batch(const Batch& batch) {
  const auto share = static_cast<double>(training_.config.accumulate);
  std::vector<at::Tensor> sums(training_.scalers.size());
  {
    // The observer is inside: it sees values before an emulated format rounds them.
    // The timer is outside: a cast is the time of the site that needs it.
    std::vector<graph::SiteHook*> hooks;
    if (training_.timer.on()) hooks.push_back(&training_.timer);
    if (silent_.looks()) hooks.push_back(silent_.outer());
    hooks.push_back(&training_.autocast);
    if (training_.observer.on()) hooks.push_back(&training_.observer);
    if (silent_.looks()) hooks.push_back(silent_.inner());
    const autocast::CastScope scope(training_.autocast);  // one cache over forward and losses, gone before backward
    const c10::IValue output = training_.forward.run(batch.inputs, hooks);
    for (std::size_t i = 0; i < training_.losses.size(); ++i) {
      Loss& loss = training_.losses[i];
      at::Tensor value = loss(output, batch, hooks);
      if (share != 1) value = value.div(share);
      const at::Tensor seen = value.detach();
      losses_[i] = losses_[i].defined() ? losses_[i].add(seen) : seen;
      if (loss.config().weight != 1) value = value.mul(loss.config().weight);
      at::Tensor& sum = sums[scaler_of_[i]];
      sum = sum.defined() ? sum.add(value) : value;
    }
  }
  for (std::size_t i = 0; i < sums.size(); ++i) {
    if (!sums[i].requires_grad()) {
      throw Error(ErrorCode::kBadModel, "The loss does not depend on any trainable parameter",
                  "The model may detach its output or run under no_grad; or choose another part with \"output\".");
    }
    training_.scalers.backward(i, sums[i], /*keep_graph=*/i + 1 < sums.size());
  }
}

StepOutcome Stepper::run(std::int64_t step) {
  const std::int64_t cursor = training_.data->cursor();
  training_.buffers.keep();
  replay_.begin(cursor, RandomState::of(training_.device));
  const bool whole = training_.whole;
  try {
    StepOutcome outcome = attempt(step);
    training_.whole = whole;
    if (!outcome.record.stepped) {
      if (training_.config.keep_buffers) replay_.rewind_model();
      if (training_.config.skipped == "replay") training_.data->seek(cursor);
    }
    return outcome;
  } catch (...) {
    training_.optimizer->zero_grad();
    training_.scalers.abandon();
    replay_.rewind();
    training_.data->seek(cursor);
    throw;
  }
}

StepOutcome Stepper::attempt(std::int64_t step) {
  const auto start = std::chrono::steady_clock::now();
  const wire::RunConfig& config = training_.config;
  StepOutcome outcome;
  wire::StepRecord& record = outcome.record;
  record.step = step;
  record.policy_revision = training_.policy->revision;
  record.learning_rate = training_.rates.set(*training_.optimizer, rate_factor(config.schedule, step, config.steps));
  record.scale = training_.scalers.scale(0);
  for (std::size_t i = 0; training_.scalers.size() > 1 && i < training_.scalers.size(); ++i) {
    record.scalers.push_back({training_.scalers.scale(i), 1, false});
  }

  const observe::Level level = level_at(step);
  training_.observer.begin(level);
  silent_.begin(level >= observe::Level::kRange);
  const bool timed = profile_.level != "off" && step % std::max<std::int64_t>(profile_.every, 1) == 0;
  training_.timer.begin(timed);
  training_.optimizer->zero_grad();
  training_.scalers.begin(parameters_);
  losses_.assign(training_.losses.size(), {});
  for (std::int64_t i = 0; i < config.accumulate; ++i) {
    Batch batch = training_.data->next();
    replay_.add(batch);
    micro_batch(on_device(training_, std::move(batch)));
  }

  const auto found_inf = training_.scalers.unscale(*training_.optimizer);
  const auto all = gradients();
  const at::Tensor norm = norm_of(all);
  const Home home = bring_home(found_inf, norm);
  if (timed) add_times(outcome);  // before hooks can see a replay
  const bool finite = std::isfinite(home.norm) && std::isfinite(home.loss);
  if (home.any_found || !finite) outcome.bad_parameters = bad_parameters();
  outcome.withheld = !home.any_found && must_withhold(home, outcome.bad_parameters.empty());
  record.found_inf = home.any_found;
  record.stepped = !home.any_found && !outcome.withheld;
  record.loss = home.loss;
  if (home.any_found || !finite) {
    add_observations(record);  // before hooks can see a replay
    if (replays_) explain_step(outcome, level);
  }
  if (record.stepped) {
    if (config.clip.norm > 0 || config.clip.value > 0) clip(all, norm, config.clip);
    silent_.before_optimizer();
    // In place, one parameter after the other: undoing half of it would take a copy of all in every step.
    training_.whole = false;
    training_.optimizer->step();
    if (training_.masters) training_.masters->masters_to_model();
  }
  training_.scalers.update(home.found_inf);

  if (!home.any_found && std::isfinite(home.norm)) record.gradient_norm = home.norm;
  record.next_scale = training_.scalers.scale(0);
  for (std::size_t i = 0; i < record.scalers.size(); ++i) {
    record.scalers[i].next_scale = training_.scalers.scale(i);
    record.scalers[i].found_inf = home.found_inf[i];
  }
  watch(outcome, home);
  if (record.observations.empty()) add_observations(record);
  outcome.silent = silent_.finish();
  record.observe_seconds += silent_.seconds();
  record.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (outcome.times) outcome.times->seconds = record.seconds;
  if (level != observe::Level::kOff && level == level_named(observe_.level)) look_seconds_ = record.observe_seconds;
  cost_.stepped({step, level, record.seconds, timed, record.stepped && !outcome.diagnosis});
  if (cost_.due()) outcome.observe_cost = cost_.cost();
  return outcome;
}

bool Stepper::must_withhold(const Home& home, bool gradients_finite) const {
  const wire::ClipConfig& clips = training_.config.clip;
  // Without a scaler nobody else looks: NaN in every parameter is no state to go on from.
  if (!training_.scalers.any_enabled() && !std::isfinite(home.loss)) return true;
  // Finite gradients may have an infinite norm, by which clipping makes them 0; their values can be clipped.
  return (clips.norm > 0 && !std::isfinite(home.norm)) || (clips.value > 0 && !gradients_finite);
}

Stepper::Home Stepper::bring_home(const std::vector<at::Tensor>& found_inf, const at::Tensor& norm) const {
  const at::NoGradGuard no_history;
  std::vector<at::Tensor> scalars = losses_;
  scalars.push_back(norm);
  for (const at::Tensor& found : found_inf) {
    if (found.defined()) scalars.push_back(found);
  }
  const at::Tensor values = at::stack(scalars).to(c10::kCPU, at::kDouble);
  const double* next = values.const_data_ptr<double>();
  Home home;
  for (const Loss& loss : training_.losses) home.loss += loss.config().weight * *next++;
  home.norm = *next++;
  for (const at::Tensor& found : found_inf) {
    home.found_inf.push_back(found.defined() && *next++ != 0);  // any non-zero, NaN too, as the update kernel has it
    home.any_found = home.any_found || home.found_inf.back();
  }
  return home;
}

std::vector<at::Tensor> Stepper::gradients() const {
  std::vector<at::Tensor> all;
  for (const at::Tensor& parameter : parameters_) {
    const at::Tensor& gradient = parameter.grad();
    if (gradient.defined()) all.push_back(gradient.is_sparse() ? gradient._values() : gradient);
  }
  if (all.empty()) {
    throw Error(ErrorCode::kBadModel, "Backward gave no parameter a gradient",
                "The model's output may not depend on its parameters.");
  }
  return all;
}

void Stepper::watch(StepOutcome& outcome, const Home& home) {
  scaler::WatchedStep seen;
  seen.step = outcome.record.step;
  seen.finite_loss = std::isfinite(home.loss);
  if (!outcome.bad_parameters.empty()) seen.first_parameter = outcome.bad_parameters.front();
  for (std::size_t i = 0; i < home.found_inf.size(); ++i) {
    seen.scale = training_.scalers.scale(i);
    seen.found_inf = home.found_inf[i];
    if (auto warning = training_.scalers.watch(i, seen)) outcome.warnings.push_back(std::move(*warning));
  }
}

std::vector<std::string> Stepper::bad_parameters() const {
  const at::NoGradGuard no_history;
  std::vector<std::string> names;
  std::vector<at::Tensor> finite;
  for (const auto& [name, parameter] : training_.trainable) {
    const at::Tensor& gradient = parameter.grad();
    if (!gradient.defined()) continue;
    names.push_back(name);
    finite.push_back(at::isfinite(gradient.is_sparse() ? gradient._values() : gradient).all());
  }
  std::vector<std::string> bad;
  if (finite.empty()) return bad;
  const at::Tensor home = at::stack(finite).cpu();
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!home.const_data_ptr<bool>()[i]) bad.push_back(names[i]);
  }
  return bad;
}

void Stepper::explain_step(StepOutcome& outcome, observe::Level level) {
  // Overflow after overflow costs no more than its replay: the first ones, and one now and then, get a fix.
  constexpr std::int64_t kFirst = 50;
  constexpr std::int64_t kEvery = 100;
  const std::int64_t step = outcome.record.step;
  const bool full = explained_ < kFirst || step - explained_at_ >= kEvery;
  const auto keep = [&] { return bundles_.keep(replay_, step); };
  // Of a step that sampling left out the replay brings the observations, as if it had been met.
  const observe::Level wanted = level_named(observe_.level);
  const bool look = level != wanted;
  if (look) training_.observer.begin(wanted);
  try {
    outcome.diagnosis = explain(
        replay_, step,
        {.effort = full ? Effort::kFix : Effort::kCause, .observer = look ? &training_.observer : nullptr}, keep);
    if (look) {
      outcome.record.observations.clear();
      add_observations(outcome.record);
    }
  } catch (const std::exception& error) {
    // The replay needs more memory than the step did: the step itself has gone well.
    outcome.diagnosis.emplace().explanation = std::string("The step could not be replayed: ") + error.what();
  }
  ++explained_;
  explained_at_ = step;
}

void Stepper::add_times(StepOutcome& outcome) {
  wire::StepTimes& times = outcome.times.emplace();
  times.step = outcome.record.step;
  for (const observe::SiteSeconds& each : training_.timer.finish()) {
    const auto seconds = [&each](observe::Part part) { return each.seconds[static_cast<std::size_t>(part)]; };
    times.sites.push_back({.site = each.site,
                           .calls = each.calls,
                           .forward = seconds(observe::Part::kForward),
                           .backward = seconds(observe::Part::kBackward),
                           .accumulate = seconds(observe::Part::kAccumulate),
                           .observe = seconds(observe::Part::kObserve)});
  }
  for (const observe::Product& each : training_.timer.new_products()) {
    times.new_products.push_back({.site = each.site, .m = each.m, .n = each.n, .k = each.k, .batches = each.batches});
  }
}

void Stepper::add_observations(wire::StepRecord& record) {
  auto all_seen = training_.observer.finish();
  record.observations.reserve(all_seen.size());
  for (observe::Seen& seen : all_seen) {
    record.observations.push_back({seen.tensor, std::move(seen.stats)});
  }
  const auto& all = training_.observer.watched();
  for (std::size_t i = watched_.size(); i < all.size(); ++i) {
    watched_.push_back(to_wire(all[i]));
    record.new_tensors.push_back(watched_.back());
  }
  record.observe_seconds = training_.observer.seconds();
}

}  // namespace binade::train
