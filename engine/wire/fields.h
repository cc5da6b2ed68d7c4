// SPDX-License-Identifier: Apache-2.0
#pragma once

// Private to engine/wire: the fields of every struct that is sent or stored, listed once. `field` is called with each
// name and member; a Writer makes JSON from it, a Reader fills it.

#include "engine/wire/codec.h"

#include <concepts>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>

namespace binade::wire {

template <class T, class Struct>
concept Is = std::same_as<std::remove_const_t<T>, Struct>;

// Each rescan by the preprocessor expands one more member. These are enough for 60; a struct with too many does not
// compile.
#define BINADE_RESCAN(...) BINADE_RESCAN_4(BINADE_RESCAN_4(BINADE_RESCAN_4(BINADE_RESCAN_4(__VA_ARGS__))))
#define BINADE_RESCAN_4(...) BINADE_RESCAN_3(BINADE_RESCAN_3(BINADE_RESCAN_3(BINADE_RESCAN_3(__VA_ARGS__))))
#define BINADE_RESCAN_3(...) BINADE_RESCAN_2(BINADE_RESCAN_2(BINADE_RESCAN_2(BINADE_RESCAN_2(__VA_ARGS__))))
#define BINADE_RESCAN_2(...) __VA_ARGS__
#define BINADE_NO_ARGUMENTS ()
#define BINADE_EACH(member, ...) \
  field(#member, v.member);      \
  __VA_OPT__(BINADE_AGAIN BINADE_NO_ARGUMENTS(__VA_ARGS__))
#define BINADE_AGAIN() BINADE_EACH

/// Defines fields() of a struct whose names on the wire are those of its members.
#define BINADE_FIELDS(Struct, ...)               \
  void fields(auto& field, Is<Struct> auto& v) { \
    BINADE_RESCAN(BINADE_EACH(__VA_ARGS__))      \
  }

BINADE_FIELDS(policy::SiteKey, path, method, op, overload, ordinal)

/// Products are written only if one of them has a format.
void products_field(auto& field, auto& v) {
  std::optional<policy::Products> products;
  if (!v.products.empty()) products = v.products;
  field("products", products);
  if constexpr (!std::is_const_v<std::remove_reference_t<decltype(v)>>) {
    v.products = products.value_or(policy::Products{});
  }
}

void fields(auto& field, Is<policy::Decision> auto& v) {
  field("kind", v.kind);
  field("format", v.format);
  field("backward", v.backward);
  field("execution", v.execution);
  field("overflow", v.overflow);
  field("rule", v.rule);
  products_field(field, v);
}

BINADE_FIELDS(policy::Finding, severity, rule, message)
BINADE_FIELDS(SiteInfo, id, key, source, list_rule, view, in_place, in_loop, inside, own_block)
BINADE_FIELDS(OwnBlockInfo, list, low, enabled, cache_enabled, source, outer)
BINADE_FIELDS(TensorInfo, name, dtype, shape, trainable)
BINADE_FIELDS(ArgumentInfo, name, type, default_value, guess, guess_from)
BINADE_FIELDS(EdgeInfo, from, output, to, argument, value, shape)
BINADE_FIELDS(ControlInfo, kind, first, count, path, source)
BINADE_FIELDS(FlowInfo, edges, blocks)
BINADE_FIELDS(ModelInfo, file, type, sites, own_blocks, parameters, buffers, inputs, output, warnings, flow)
BINADE_FIELDS(ColumnConfig, from, dtype, mean, deviation, shape)
BINADE_FIELDS(DataConfig, kind, folder, mean, deviation, inputs, classes, files, columns, targets, test, shuffle,
              prefetch)
BINADE_FIELDS(LossConfig, kind, text, output, target, weight, scaler)
BINADE_FIELDS(ParameterGroup, match, learning_rate, weight_decay)
BINADE_FIELDS(OptimizerConfig, kind, learning_rate, momentum, dampening, nesterov, weight_decay, beta1, beta2, epsilon,
              amsgrad, alpha, centered, rate_decay, fused, groups)
BINADE_FIELDS(ScheduleConfig, kind, warmup, every, factor, floor)
BINADE_FIELDS(ClipConfig, norm, value)

void fields(auto& field, Is<ScalerConfig> auto& v) {
  field("id", v.id);
  field("enabled", v.enabled);
  field("init_scale", v.init_scale);
  field("growth_factor", v.growth_factor);
  field("backoff_factor", v.backoff_factor);
  field("growth_interval", v.growth_interval);
  field("minimum", v.minimum);
  field("maximum", v.maximum);
  field("hysteresis", v.hysteresis);
  field("static", v.fixed);
}

BINADE_FIELDS(CheckpointConfig, folder, every, keep)
BINADE_FIELDS(ObserveConfig, level, every, between, sites, inputs, parameters, live, measure_cost)

/// A scaler with only default values is written only if the description had one; reading sets scaler_given accordingly.
void scaler_field(auto& field, Is<RunConfig> auto& v) {
  std::optional<ScalerConfig> scaler;
  if (v.scaler_given || v.scaler != ScalerConfig{}) scaler = v.scaler;
  field("scaler", scaler);
  if constexpr (!std::is_const_v<std::remove_reference_t<decltype(v)>>) {
    v.scaler = scaler.value_or(ScalerConfig{});
    v.scaler_given = scaler == ScalerConfig{};
  }
}

/// Not written with its default, so that descriptions and run files without it stay as they are.
void batch_norm_field(auto& field, Is<RunConfig> auto& v) {
  const std::string by_default = RunConfig{}.batch_norm;
  std::optional<std::string> batch_norm;
  if (v.batch_norm != by_default) batch_norm = v.batch_norm;
  field("batch_norm", batch_norm);
  if constexpr (!std::is_const_v<std::remove_reference_t<decltype(v)>>) v.batch_norm = batch_norm.value_or(by_default);
}

void fields(auto& field, Is<RunConfig> auto& v) {
  field("name", v.name);
  field("caption", v.caption);
  field("model", v.model);
  field("weights", v.weights);
  field("data", v.data);
  field("loss", v.loss);
  field("output", v.output);
  field("losses", v.losses);
  field("optimizer", v.optimizer);
  field("schedule", v.schedule);
  field("clip", v.clip);
  scaler_field(field, v);
  field("scalers", v.scalers);
  field("policy", v.policy);
  field("observe", v.observe);
  field("profile", v.profile);
  field("batch", v.batch);
  field("accumulate", v.accumulate);
  field("skipped", v.skipped);
  field("keep_buffers", v.keep_buffers);
  batch_norm_field(field, v);
  field("diverged_after", v.diverged_after);
  field("checkpoint", v.checkpoint);
  field("resume", v.resume);
  field("steps", v.steps);
  field("evaluate_every", v.evaluate_every);
  field("seed", v.seed);
  field("device", v.device);
  field("run_file", v.run_file);
}

BINADE_FIELDS(WatchedTensor, id, site, kind, argument, format, emulated)
BINADE_FIELDS(Observation, tensor, stats)
BINADE_FIELDS(ScalerStep, scale, next_scale, found_inf)
BINADE_FIELDS(RankInfo, rank, host, device)
BINADE_FIELDS(RankFacts, rank, seconds, waited, found_inf, rows, tensor)

/// A list that only runs on several ranks have. An empty one is not written.
template <class Part>
void ranks_field(auto& field, Part& list) {
  std::optional<std::remove_const_t<Part>> some;
  if (!list.empty()) some = list;
  field("ranks", some);
  if constexpr (!std::is_const_v<Part>) list = std::move(some).value_or(Part{});
}

void fields(auto& field, Is<StepRecord> auto& v) {
  field("step", v.step);
  field("loss", v.loss);
  field("scale", v.scale);
  field("next_scale", v.next_scale);
  field("found_inf", v.found_inf);
  field("stepped", v.stepped);
  field("learning_rate", v.learning_rate);
  field("gradient_norm", v.gradient_norm);
  field("seconds", v.seconds);
  field("observe_seconds", v.observe_seconds);
  field("policy_revision", v.policy_revision);
  field("scalers", v.scalers);
  field("new_tensors", v.new_tensors);
  field("observations", v.observations);
  ranks_field(field, v.ranks);
}

BINADE_FIELDS(EventTensor, tensor, site, non_finite, overflow, largest, nan)
BINADE_FIELDS(ValueRange, name, format, smallest, largest, count, zeros, infinite, nan)
BINADE_FIELDS(BadRows, batch, of, bad, rows, examples)
BINADE_FIELDS(Root, fault, direction, site, call, what, source, format, inputs, rows, why, rounded_to)
BINADE_FIELDS(ChainLink, site, call, direction, tensor, format, largest, non_finite)

void fields(auto& field, Is<policy::SiteRule> auto& v) {
  field("match", v.match);
  field("call", v.call);
  field("format", v.format);
  field("backward", v.backward);
  field("execution", v.execution);
  field("overflow", v.overflow);
  field("why", v.why);
  products_field(field, v);
}

BINADE_FIELDS(NamedScale, scaler, scale)
BINADE_FIELDS(OwnCast, call, source)
BINADE_FIELDS(RateTrial, rate, first_loss, last_loss, steps, learns)
BINADE_FIELDS(Attempt, scale, scaler, rules, finite, scales, without, ahead, overflows, note, failure, band)
BINADE_FIELDS(Fix, scale, scaler, rules, text, outcome, tried, scales, raised, without, changed, rate)
BINADE_FIELDS(ScaleBand, lowest, highest, lowest_site, highest_site, bound)
BINADE_FIELDS(Diagnosis, verdict, direction, roots, chain, ends, evidence, fix, band, scaler, scale, message, notes,
              bundle, seconds)
BINADE_FIELDS(NotFinite, loss, by_scaler, parameter)
BINADE_FIELDS(ClipRefused, parameter, by_norm)
BINADE_FIELDS(ScaleTrouble, message, cause)
BINADE_FIELDS(Diverged, is_nan, in_a_row, scaled, pauses)
BINADE_FIELDS(OutOfMemory, message, in_optimizer)
BINADE_FIELDS(FixHeld, rules, steps)
BINADE_FIELDS(FixFailed, rules, from, since, to, given)
BINADE_FIELDS(SilentFaultFound, fault, more)

/// One alternative of an event's facts, as an optional field.
template <class Part>
void fact_field(auto& field, const char* name, Is<Event> auto& v) {
  std::optional<Part> part;
  if (const auto* held = std::get_if<Part>(&v.facts)) part = *held;
  field(name, part);
  if constexpr (!std::is_const_v<std::remove_reference_t<decltype(v)>>) {
    if (part) v.facts = std::move(*part);
  }
}

void fields(auto& field, Is<Event> auto& v) {
  field("step", v.step);
  field("kind", v.kind);
  field("scale", v.scale);
  field("tensors", v.tensors);
  fact_field<NotFinite>(field, "not_finite", v);
  fact_field<ClipRefused>(field, "clip_refused", v);
  fact_field<ScaleTrouble>(field, "scale_trouble", v);
  fact_field<Diverged>(field, "diverged", v);
  fact_field<OutOfMemory>(field, "out_of_memory", v);
  fact_field<FixHeld>(field, "fix_held", v);
  fact_field<FixFailed>(field, "fix_failed", v);
  fact_field<SilentFaultFound>(field, "silent_fault", v);
  field("diagnosis", v.diagnosis);
  field("rank", v.rank);
}

BINADE_FIELDS(Evaluated, step, accuracy, loss)
BINADE_FIELDS(ObserveCost, first_step, last_step, pairs, observed, step_ratio, ratio, low, high)
BINADE_FIELDS(PolicyApplied, revision, step, policy, decisions, findings)

void fields(auto& field, Is<RunStarted> auto& v) {
  field("config", v.config);
  field("model", v.model);
  field("policy", v.policy);
  field("run_file", v.run_file);
  field("device", v.device);
  ranks_field(field, v.ranks);
}

BINADE_FIELDS(Finished, outcome, steps, message, hint)
BINADE_FIELDS(Hello, protocol, program, version, link, watch, user)
BINADE_FIELDS(Welcome, protocol, version, libtorch, device, native_bfloat16, native_float16, native_tfloat32, attached)
BINADE_FIELDS(InspectModel, file)
BINADE_FIELDS(TrustModel, file, sha256)
BINADE_FIELDS(TrustedModel, sha256, file)
BINADE_FIELDS(TrustedModels, models)
BINADE_FIELDS(EndTrust, sha256)
BINADE_FIELDS(StartRun, config)
BINADE_FIELDS(SetScale, scale, id)
BINADE_FIELDS(CheckpointInfo, file, step, reason, policy_revision, model, bytes, saved, loss)
BINADE_FIELDS(Rewound, step, file)
BINADE_FIELDS(Note, step, text, written)
BINADE_FIELDS(ScalerChanged, step, scaler, scale)
BINADE_FIELDS(ListCheckpoints, folder)
BINADE_FIELDS(CheckpointList, checkpoints)
BINADE_FIELDS(SaveCheckpoint, reason)
BINADE_FIELDS(SaveModel, file)
BINADE_FIELDS(StepBatch, steps)
BINADE_FIELDS(PolicySet, revision, policy)
BINADE_FIELDS(LoadCheckpoint, file, policy)
BINADE_FIELDS(StateChanged, state, step)
BINADE_FIELDS(LogLine, level, text)

}  // namespace binade::wire
