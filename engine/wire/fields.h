// SPDX-License-Identifier: Apache-2.0
#pragma once

// Private to engine/wire: the fields of every struct that is sent or stored, listed once. `field` is called with each
// name and member; a Writer makes JSON from it, a Reader fills it.

#include "engine/wire/codec.h"

#include <concepts>
#include <type_traits>

namespace binade::wire {

template <class T, class Struct>
concept Is = std::same_as<std::remove_const_t<T>, Struct>;

void fields(auto& field, Is<policy::SiteKey> auto& v) {
  field("path", v.path);
  field("method", v.method);
  field("op", v.op);
  field("overload", v.overload);
  field("ordinal", v.ordinal);
}

void fields(auto& field, Is<policy::Decision> auto& v) {
  field("kind", v.kind);
  field("format", v.format);
  field("backward", v.backward);
  field("execution", v.execution);
  field("overflow", v.overflow);
  field("rule", v.rule);
}

void fields(auto& field, Is<policy::Finding> auto& v) {
  field("severity", v.severity);
  field("rule", v.rule);
  field("message", v.message);
}

void fields(auto& field, Is<SiteInfo> auto& v) {
  field("id", v.id);
  field("key", v.key);
  field("source", v.source);
  field("list_rule", v.list_rule);
  field("view", v.view);
  field("in_place", v.in_place);
  field("in_loop", v.in_loop);
  field("own_block", v.own_block);
}

void fields(auto& field, Is<OwnBlockInfo> auto& v) {
  field("list", v.list);
  field("low", v.low);
  field("enabled", v.enabled);
  field("cache_enabled", v.cache_enabled);
  field("source", v.source);
  field("outer", v.outer);
}

void fields(auto& field, Is<TensorInfo> auto& v) {
  field("name", v.name);
  field("dtype", v.dtype);
  field("shape", v.shape);
  field("trainable", v.trainable);
}

void fields(auto& field, Is<ArgumentInfo> auto& v) {
  field("name", v.name);
  field("type", v.type);
  field("default_value", v.default_value);
  field("guess", v.guess);
  field("guess_from", v.guess_from);
}

void fields(auto& field, Is<ModelInfo> auto& v) {
  field("file", v.file);
  field("type", v.type);
  field("sites", v.sites);
  field("own_blocks", v.own_blocks);
  field("parameters", v.parameters);
  field("buffers", v.buffers);
  field("inputs", v.inputs);
  field("output", v.output);
  field("warnings", v.warnings);
}

void fields(auto& field, Is<ColumnConfig> auto& v) {
  field("from", v.from);
  field("dtype", v.dtype);
  field("mean", v.mean);
  field("deviation", v.deviation);
  field("shape", v.shape);
}

void fields(auto& field, Is<DataConfig> auto& v) {
  field("kind", v.kind);
  field("folder", v.folder);
  field("mean", v.mean);
  field("deviation", v.deviation);
  field("inputs", v.inputs);
  field("classes", v.classes);
  field("files", v.files);
  field("columns", v.columns);
  field("targets", v.targets);
  field("test", v.test);
  field("shuffle", v.shuffle);
  field("prefetch", v.prefetch);
}

void fields(auto& field, Is<LossConfig> auto& v) {
  field("kind", v.kind);
  field("text", v.text);
  field("output", v.output);
  field("target", v.target);
  field("weight", v.weight);
  field("scaler", v.scaler);
}

void fields(auto& field, Is<ParameterGroup> auto& v) {
  field("match", v.match);
  field("learning_rate", v.learning_rate);
  field("weight_decay", v.weight_decay);
}

void fields(auto& field, Is<OptimizerConfig> auto& v) {
  field("kind", v.kind);
  field("learning_rate", v.learning_rate);
  field("momentum", v.momentum);
  field("dampening", v.dampening);
  field("nesterov", v.nesterov);
  field("weight_decay", v.weight_decay);
  field("beta1", v.beta1);
  field("beta2", v.beta2);
  field("epsilon", v.epsilon);
  field("amsgrad", v.amsgrad);
  field("alpha", v.alpha);
  field("centered", v.centered);
  field("rate_decay", v.rate_decay);
  field("fused", v.fused);
  field("groups", v.groups);
}

void fields(auto& field, Is<ScheduleConfig> auto& v) {
  field("kind", v.kind);
  field("warmup", v.warmup);
  field("every", v.every);
  field("factor", v.factor);
  field("floor", v.floor);
}

void fields(auto& field, Is<ClipConfig> auto& v) {
  field("norm", v.norm);
  field("value", v.value);
}

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

void fields(auto& field, Is<CheckpointConfig> auto& v) {
  field("folder", v.folder);
  field("every", v.every);
  field("keep", v.keep);
}

void fields(auto& field, Is<ObserveConfig> auto& v) {
  field("level", v.level);
  field("every", v.every);
  field("between", v.between);
  field("sites", v.sites);
  field("inputs", v.inputs);
  field("parameters", v.parameters);
  field("live", v.live);
  field("measure_cost", v.measure_cost);
}

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
  field("diverged_after", v.diverged_after);
  field("checkpoint", v.checkpoint);
  field("resume", v.resume);
  field("steps", v.steps);
  field("evaluate_every", v.evaluate_every);
  field("seed", v.seed);
  field("device", v.device);
  field("run_file", v.run_file);
}

void fields(auto& field, Is<WatchedTensor> auto& v) {
  field("id", v.id);
  field("site", v.site);
  field("kind", v.kind);
  field("argument", v.argument);
  field("format", v.format);
  field("emulated", v.emulated);
}

void fields(auto& field, Is<Observation> auto& v) {
  field("tensor", v.tensor);
  field("stats", v.stats);
}

void fields(auto& field, Is<ScalerStep> auto& v) {
  field("scale", v.scale);
  field("next_scale", v.next_scale);
  field("found_inf", v.found_inf);
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
}

void fields(auto& field, Is<EventTensor> auto& v) {
  field("tensor", v.tensor);
  field("site", v.site);
  field("non_finite", v.non_finite);
  field("overflow", v.overflow);
  field("largest", v.largest);
}

void fields(auto& field, Is<ValueRange> auto& v) {
  field("name", v.name);
  field("format", v.format);
  field("smallest", v.smallest);
  field("largest", v.largest);
  field("count", v.count);
  field("zeros", v.zeros);
  field("infinite", v.infinite);
  field("nan", v.nan);
}

void fields(auto& field, Is<BadRows> auto& v) {
  field("batch", v.batch);
  field("of", v.of);
  field("bad", v.bad);
  field("rows", v.rows);
  field("examples", v.examples);
}

void fields(auto& field, Is<Root> auto& v) {
  field("fault", v.fault);
  field("direction", v.direction);
  field("site", v.site);
  field("call", v.call);
  field("what", v.what);
  field("source", v.source);
  field("format", v.format);
  field("inputs", v.inputs);
  field("rows", v.rows);
  field("why", v.why);
}

void fields(auto& field, Is<ChainLink> auto& v) {
  field("site", v.site);
  field("call", v.call);
  field("direction", v.direction);
  field("tensor", v.tensor);
  field("format", v.format);
  field("largest", v.largest);
  field("non_finite", v.non_finite);
}

void fields(auto& field, Is<policy::SiteRule> auto& v) {
  field("match", v.match);
  field("call", v.call);
  field("format", v.format);
  field("backward", v.backward);
  field("execution", v.execution);
  field("overflow", v.overflow);
  field("why", v.why);
}

void fields(auto& field, Is<Attempt> auto& v) {
  field("change", v.change);
  field("scale", v.scale);
  field("scaler", v.scaler);
  field("rules", v.rules);
  field("finite", v.finite);
}

void fields(auto& field, Is<Fix> auto& v) {
  field("scale", v.scale);
  field("scaler", v.scaler);
  field("rules", v.rules);
  field("text", v.text);
}

void fields(auto& field, Is<ScaleBand> auto& v) {
  field("lowest", v.lowest);
  field("highest", v.highest);
  field("lowest_site", v.lowest_site);
  field("highest_site", v.highest_site);
  field("bound", v.bound);
}

void fields(auto& field, Is<Diagnosis> auto& v) {
  field("verdict", v.verdict);
  field("direction", v.direction);
  field("roots", v.roots);
  field("chain", v.chain);
  field("ends", v.ends);
  field("evidence", v.evidence);
  field("fix", v.fix);
  field("band", v.band);
  field("scaler", v.scaler);
  field("scale", v.scale);
  field("explanation", v.explanation);
  field("bundle", v.bundle);
  field("seconds", v.seconds);
}

void fields(auto& field, Is<Event> auto& v) {
  field("step", v.step);
  field("kind", v.kind);
  field("scale", v.scale);
  field("tensors", v.tensors);
  field("sentence", v.sentence);
  field("diagnosis", v.diagnosis);
}

void fields(auto& field, Is<Evaluated> auto& v) {
  field("step", v.step);
  field("accuracy", v.accuracy);
  field("loss", v.loss);
}

void fields(auto& field, Is<ObserveCost> auto& v) {
  field("first_step", v.first_step);
  field("last_step", v.last_step);
  field("pairs", v.pairs);
  field("observed", v.observed);
  field("step_ratio", v.step_ratio);
  field("ratio", v.ratio);
  field("low", v.low);
  field("high", v.high);
}

void fields(auto& field, Is<PolicyApplied> auto& v) {
  field("revision", v.revision);
  field("step", v.step);
  field("policy", v.policy);
  field("decisions", v.decisions);
  field("findings", v.findings);
}

void fields(auto& field, Is<RunStarted> auto& v) {
  field("config", v.config);
  field("model", v.model);
  field("policy", v.policy);
  field("run_file", v.run_file);
  field("device", v.device);
}

void fields(auto& field, Is<Finished> auto& v) {
  field("outcome", v.outcome);
  field("steps", v.steps);
  field("message", v.message);
  field("hint", v.hint);
}

void fields(auto& field, Is<Hello> auto& v) {
  field("protocol", v.protocol);
  field("program", v.program);
  field("version", v.version);
}

void fields(auto& field, Is<Welcome> auto& v) {
  field("protocol", v.protocol);
  field("version", v.version);
  field("libtorch", v.libtorch);
  field("device", v.device);
  field("native_bfloat16", v.native_bfloat16);
  field("native_float16", v.native_float16);
  field("native_tfloat32", v.native_tfloat32);
}

void fields(auto& field, Is<InspectModel> auto& v) {
  field("file", v.file);
}
void fields(auto& field, Is<StartRun> auto& v) {
  field("config", v.config);
}
void fields(auto& field, Is<SetScale> auto& v) {
  field("scale", v.scale);
  field("id", v.id);
}
void fields(auto& field, Is<CheckpointInfo> auto& v) {
  field("file", v.file);
  field("step", v.step);
  field("reason", v.reason);
  field("policy_revision", v.policy_revision);
  field("model", v.model);
  field("bytes", v.bytes);
  field("saved", v.saved);
  field("loss", v.loss);
}
void fields(auto& field, Is<Rewound> auto& v) {
  field("step", v.step);
  field("file", v.file);
}
void fields(auto& field, Is<ScalerChanged> auto& v) {
  field("step", v.step);
  field("scaler", v.scaler);
  field("scale", v.scale);
}
void fields(auto& field, Is<ListCheckpoints> auto& v) {
  field("folder", v.folder);
}
void fields(auto& field, Is<CheckpointList> auto& v) {
  field("checkpoints", v.checkpoints);
}
void fields(auto& field, Is<SaveModel> auto& v) {
  field("file", v.file);
}
void fields(auto& field, Is<StepBatch> auto& v) {
  field("steps", v.steps);
}

void fields(auto& field, Is<PolicySet> auto& v) {
  field("revision", v.revision);
  field("policy", v.policy);
}

void fields(auto& field, Is<LoadCheckpoint> auto& v) {
  field("file", v.file);
  field("policy", v.policy);
}

void fields(auto& field, Is<StateChanged> auto& v) {
  field("state", v.state);
  field("step", v.step);
}

void fields(auto& field, Is<LogLine> auto& v) {
  field("level", v.level);
  field("text", v.text);
}

}  // namespace binade::wire
