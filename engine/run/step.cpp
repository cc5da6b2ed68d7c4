// SPDX-License-Identifier: Apache-2.0
#include "engine/run/step.h"

#include "engine/diagnose/bad_rows.h"
#include "engine/formats/error.h"
#include "engine/run/shared_quantized.h"
#include "engine/train/batch_pass.h"
#include "engine/train/clip.h"
#include "engine/train/gradient_norm.h"
#include "engine/train/random_state.h"
#include "engine/train/schedule.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/isfinite.h>
#include <ATen/ops/stack.h>
#include <torch/optim/optimizer.h>

#include <chrono>
#include <cmath>

namespace binade::run {

/// Scalars copied to the host once per step.
struct Stepper::HostReadback {
  double loss = 0;  // the weighted sum
  double norm = 0;
  std::vector<bool> found_inf;  // by scaler
  bool any_found = false;
  bool suspect_buffers = false;  // a buffer that the step wrote may not be finite
};

Stepper::Stepper(train::Training& training, bool replays, ranks::SharedTraining* shared)
    : training_(training),
      profile_(training.config.profile),
      replays_(replays),
      shared_(shared),
      replay_(training),
      buffers_(training),
      bundles_(training.config.run_file),
      silent_(training),
      quantized_(training),
      unused_rules_(training),
      vanished_(replay_) {
  set_observe(training.config.observe);
  for (const auto& [name, parameter] : training_.trainable) parameters_.push_back(parameter);
}

void Stepper::micro_batch(const batches::Batch& batch, bool last) {
  std::vector<at::Tensor> sums;
  {
    // Outermost first. This list is the one place that states how the hooks of a step nest, since no owner of a hook
    // knows the others. Outside of Autocast, a hook receives arguments before their casts, and the timer counts a cast
    // for the site that needs it. Inside, the observer receives values before an emulated format rounds them.
    std::vector<graph::SiteHook*> hooks;
    if (training_.timer.on()) hooks.push_back(&training_.timer);
    if (silent_.observes()) hooks.push_back(silent_.hook());
    if (unused_rules_.on()) hooks.push_back(&unused_rules_);
    hooks.push_back(&training_.autocast);
    if (training_.observer.on()) hooks.push_back(&training_.observer);
    if (training_.own_casts) hooks.push_back(training_.own_casts.get());
    if (shared_ != nullptr && shared_->norms() != nullptr) hooks.push_back(shared_->norms());
    train::BatchPass pass(training_, training_.autocast, batch, hooks);
    for (std::size_t i = 0; i < training_.losses.size(); ++i) {
      const at::Tensor seen = pass.add(i, pass.loss(i)).detach();
      losses_[i] = losses_[i].defined() ? losses_[i].add(seen) : seen;
    }
    sums = pass.finish();
  }
  if (shared_ != nullptr && last) shared_->before_last_backward();
  for (std::size_t i = 0; i < sums.size(); ++i) {
    if (!sums[i].requires_grad()) {
      throw Error(ErrorCode::kBadModel, "The loss does not depend on any trainable parameter",
                  "The model may detach its output or run under no_grad; or choose another part with \"output\".");
    }
    training_.scalers.backward(i, sums[i], /*keep_graph=*/i + 1 < sums.size());
  }
}

StepOutcome Stepper::run(std::int64_t step, std::optional<observe::Level> level) {
  // The others wait for a step only as long as the time-out allows, and for all else as long as it takes.
  const ranks::Group::Work no_longer_work(shared_ != nullptr ? &shared_->group() : nullptr, {});
  if (shared_ != nullptr) shared_->begin_step(step);
  const std::int64_t cursor = training_.data->cursor();
  training_.buffers.keep();
  replay_.begin(cursor, train::RandomState::of(training_.device));
  const bool whole = training_.whole;
  try {
    StepOutcome outcome = attempt(step, level ? *level : level_at(step));
    training_.whole = whole;
    training_.autocast.products().end_step(outcome.record.stepped);
    if (!outcome.record.stepped) {
      if (training_.config.keep_buffers) replay_.rewind_model();
      if (training_.config.skipped == "replay") training_.data->seek(cursor);
    }
    return outcome;
  } catch (...) {
    quantized_.begin(/*observe=*/false);
    training_.autocast.products().end_step(/*counted=*/false);
    training_.optimizer->zero_grad();
    training_.scalers.abandon();
    if (shared_ != nullptr) shared_->abandon();
    replay_.rewind();
    training_.data->seek(cursor);
    throw;
  }
}

StepOutcome Stepper::attempt(std::int64_t step, observe::Level level) {
  const auto start = std::chrono::steady_clock::now();
  const wire::RunConfig& config = training_.config;
  StepOutcome outcome;
  wire::StepRecord& record = outcome.record;
  begin_record(record, step);
  training_.observer.begin(level);
  silent_.begin(level >= observe::Level::kRange);
  quantized_.begin(level >= observe::Level::kRange);
  vanished_.begin();
  replayed_ = false;
  training_.autocast.products().begin_step(config.seed, step);
  const bool timed = profile_.level != "off" && step % std::max<std::int64_t>(profile_.every, 1) == 0;
  training_.timer.begin(timed);
  buffers_.begin();
  training_.optimizer->zero_grad();
  training_.scalers.begin(parameters_);
  losses_.assign(training_.losses.size(), {});
  for (std::int64_t i = 0; i < config.accumulate; ++i) {
    batches::Batch batch = training_.data->next();
    if (shared_ != nullptr) shared_->weigh(batch);
    replay_.add(batch);
    micro_batch(train::on_device(training_, std::move(batch)), i + 1 == config.accumulate);
  }
  std::vector<silent::QuantizedSeen> quantized = quantized_.finish();  // before a replay
  if (shared_ != nullptr) shared_->sum_gradients();

  const auto found_inf = training_.scalers.unscale(*training_.optimizer);
  const auto all = gradients();
  // A norm used for clipping must equal PyTorch's bit for bit.
  const at::Tensor norm = config.clip.norm > 0 ? train::norm_of(all) : train::gradient_norm(all);
  training_.observer.observe_parameters(training_.trainable);  // first, so that the device is synchronised with once
  HostReadback readback = read_back(found_inf, norm, buffers_.norm());
  const double own_loss = readback.loss;
  if (shared_ != nullptr) {
    agree(readback);
    // With another number of threads, the last bit of a norm differs, and then that of every parameter.
    if (config.clip.norm > 0) norm.fill_(readback.norm);
  }
  if (timed) add_times(outcome);  // before hooks run in a replay
  const bool finite = std::isfinite(readback.norm) && std::isfinite(readback.loss);
  if (readback.any_found || !finite) outcome.bad_parameters = bad_parameters();
  if (!std::isfinite(readback.loss)) outcome.without_label = diagnose::rows_without_label(replay_).has_value();
  outcome.withheld = !readback.any_found && must_withhold(readback, outcome.bad_parameters.empty());
  record.found_inf = readback.any_found;
  record.stepped = !readback.any_found && !outcome.withheld;
  record.loss = readback.loss;
  // Gradients may be finite while their norm exceeds float32; clip_refused() reports that case.
  std::string bundle;  // of a step that another rank explains
  const bool harmed = readback.any_found || !std::isfinite(readback.loss) || !outcome.bad_parameters.empty();
  if (harmed) {
    add_observations(record);  // before hooks run in a replay
    if (replays_) {
      const bool full = is_explained_in_full(step);
      if (is_to_explain(own_loss)) {
        explain_step(outcome, level, full);
      } else if (shared_->leads()) {
        bundle = keep_state(step);
      }
    }
  } else if (replays_ && training_.observer.on()) {
    add_observations(record);
    VanishedWatch::Result vanished = vanished_.examine(record, watched_);
    replayed_ = vanished.replayed;
    outcome.vanished = std::move(vanished.diagnosis);
    if (outcome.vanished) note_ranks(*outcome.vanished);
  }
  const wire::Diagnosis* const diagnosis = outcome.diagnosis ? &*outcome.diagnosis : nullptr;
  replayed_ = buffers_.end(record, readback.suspect_buffers, diagnosis, replays_ ? &replay_ : nullptr) || replayed_;
  if (shared_ != nullptr) {
    // Before the optimizer, so that a rank that is missing never leaves the others with half a step.
    if (record.observations.empty()) add_observations(record);
    if (harmed || level != observe::Level::kOff) {
      shared_->report({&record, &outcome.diagnosis, &outcome.vanished}, watched_);
      if (outcome.diagnosis && shared_->leads()) {
        if (!bundle.empty()) outcome.diagnosis->bundle = bundle;
        note_lost_bundle(*outcome.diagnosis);
      }
    }
    if (level >= observe::Level::kRange) share_quantized(*shared_, quantized);
    shared_->end_step(record);
  }
  if (record.stepped) {
    if (config.clip.norm > 0 || config.clip.value > 0) train::clip(all, norm, config.clip);
    silent_.before_optimizer();
    // The optimizer updates in place, one parameter after the other. Undoing a failed step would need a copy of all
    // parameters in every step.
    training_.whole = false;
    training_.optimizer->step();
    if (training_.masters) training_.masters->masters_to_model();
  }
  training_.scalers.update(readback.found_inf);

  end_record(record, readback);
  watch(outcome, readback);
  if (record.observations.empty()) add_observations(record);
  for (silent::QuantizedSeen& each : quantized) {
    outcome.quantized.push_back(each.operand);
    each.decided = training_.policy->sites[static_cast<std::size_t>(each.operand.site)];
  }
  outcome.silent = silent_.finish();
  outcome.silent.quantized = std::move(quantized);
  outcome.silent.scanned = level != observe::Level::kOff && record.stepped;
  if (outcome.silent.observed) outcome.silent.buffers = buffers_.seen();
  vanished_.add_to(outcome.silent);
  record.observe_seconds += silent_.seconds();
  record.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (outcome.times) outcome.times->seconds = record.seconds;
  note_cost(outcome, level, timed);
  return outcome;
}

void Stepper::begin_record(wire::StepRecord& record, std::int64_t step) {
  const wire::RunConfig& config = training_.config;
  record.step = step;
  record.policy_revision = training_.policy->revision;
  record.learning_rate =
      training_.rates.set(*training_.optimizer, train::rate_factor(config.schedule, step, config.steps));
  record.scale = training_.scalers.scale(0);
  for (std::size_t i = 0; training_.scalers.size() > 1 && i < training_.scalers.size(); ++i) {
    record.scalers.push_back({training_.scalers.scale(i), 1, false});
  }
}

void Stepper::end_record(wire::StepRecord& record, const HostReadback& readback) const {
  if (!readback.any_found && std::isfinite(readback.norm)) record.gradient_norm = readback.norm;
  record.next_scale = training_.scalers.scale(0);
  for (std::size_t i = 0; i < record.scalers.size(); ++i) {
    record.scalers[i].next_scale = training_.scalers.scale(i);
    record.scalers[i].found_inf = readback.found_inf[i];
  }
}

bool Stepper::must_withhold(const HostReadback& readback, bool gradients_finite) const {
  const wire::ClipConfig& clips = training_.config.clip;
  // Without a scaler the loss must be checked here: a step would set every parameter to NaN.
  if (!training_.scalers.any_enabled() && !std::isfinite(readback.loss)) return true;
  // Finite gradients may have an infinite norm: clipping by norm would set them to 0, clipping by value still works.
  return (clips.norm > 0 && !std::isfinite(readback.norm)) || (clips.value > 0 && !gradients_finite);
}

void Stepper::agree(HostReadback& readback) const {
  ranks::SharedTraining::Figures figures{.loss = readback.loss,
                                         .norm = readback.norm,
                                         .found_inf = readback.found_inf,
                                         .suspect_buffers = readback.suspect_buffers};
  shared_->agree(figures);
  readback.loss = figures.loss;
  readback.norm = figures.norm;
  readback.found_inf = figures.found_inf;
  readback.suspect_buffers = figures.suspect_buffers;
  for (const bool found : readback.found_inf) readback.any_found = readback.any_found || found;
}

bool Stepper::is_to_explain(double own_loss) const {
  if (shared_ == nullptr) return true;
  std::vector<std::int64_t> rows;
  for (const batches::Batch& batch : replay_.batches()) rows.insert(rows.end(), batch.rows.begin(), batch.rows.end());
  return shared_->blame(std::isfinite(own_loss), rows) == shared_->group().rank();
}

Stepper::HostReadback Stepper::read_back(const std::vector<at::Tensor>& found_inf, const at::Tensor& norm,
                                         const at::Tensor& buffers) const {
  const at::NoGradGuard no_history;
  std::vector<at::Tensor> scalars = losses_;
  scalars.push_back(norm);
  for (const at::Tensor& found : found_inf) {
    if (found.defined()) scalars.push_back(found);
  }
  if (buffers.defined()) scalars.push_back(buffers);
  const at::Tensor values = at::stack(scalars).to(c10::kCPU, at::kDouble);
  const double* next = values.const_data_ptr<double>();
  HostReadback readback;
  for (const train::Loss& loss : training_.losses) readback.loss += loss.config().weight * *next++;
  readback.norm = *next++;
  for (const at::Tensor& found : found_inf) {
    readback.found_inf.push_back(found.defined() &&
                                 *next++ != 0);  // any non-zero value, NaN too, as in the update kernel
    readback.any_found = readback.any_found || readback.found_inf.back();
  }
  if (buffers.defined()) readback.suspect_buffers = !std::isfinite(*next++);
  return readback;
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

void Stepper::watch(StepOutcome& outcome, const HostReadback& readback) {
  scaler::WatchedStep seen;
  seen.step = outcome.record.step;
  seen.finite_loss = std::isfinite(readback.loss);
  if (!outcome.bad_parameters.empty()) seen.first_parameter = outcome.bad_parameters.front();
  for (std::size_t i = 0; i < readback.found_inf.size(); ++i) {
    seen.scale = training_.scalers.scale(i);  // after the update: the next step's scale
    seen.found_inf = readback.found_inf[i];
    seen.held_by = training_.scalers.held_by(i);
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
  const at::Tensor all_finite = at::stack(finite).cpu();
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!all_finite.const_data_ptr<bool>()[i]) bad.push_back(names[i]);
  }
  return bad;
}

}  // namespace binade::run
