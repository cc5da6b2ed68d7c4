// SPDX-License-Identifier: Apache-2.0
#include "engine/wire/run_gate.h"

#include "engine/wire/field_check.h"
#include "engine/wire/quantized_check.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>
#include <variant>
#include <vector>

namespace binade::wire {

namespace {

constexpr std::int64_t kLongestGap = 1'000'000;  // largest gap of steps that a damaged file may have
constexpr int kFarthestScale = 2000;             // log2; larger than the exponent of any double

std::string at(const char* list, std::size_t index, const char* field) {
  return std::string(list) + "[" + std::to_string(index) + "]." + field;
}

template <class... Of>
bool holds_none_but(const Event::Facts& facts) {
  return std::holds_alternative<std::monostate>(facts) || (std::holds_alternative<Of>(facts) || ...);
}

/// Whether the facts are of the event's kind. An event may have none: its tensors and diagnosis may say all, and those
/// of a damaged file cannot be read.
bool facts_fit(const Event& event) {
  switch (event.kind) {
    case Event::Kind::kGradientOverflow:
      return holds_none_but<NotFinite, ClipRefused>(event.facts);
    case Event::Kind::kForwardOverflow:
    case Event::Kind::kNonFiniteLoss:
      return holds_none_but<NotFinite>(event.facts);
    case Event::Kind::kScaleWarning:
      return holds_none_but<ScaleTrouble>(event.facts);
    case Event::Kind::kDiverged:
      return holds_none_but<Diverged>(event.facts);
    case Event::Kind::kOutOfMemory:
      return holds_none_but<OutOfMemory>(event.facts);
    case Event::Kind::kFixHeld:
      return holds_none_but<FixHeld>(event.facts);
    case Event::Kind::kFixFailed:
      return holds_none_but<FixFailed>(event.facts);
    case Event::Kind::kSilent:
      return holds_none_but<SilentFaultFound>(event.facts);
  }
  return false;
}

void check_fields(FieldCheck& check, const SilentFault& fault) {
  check.site_or_none(fault.site, "site").steps(fault.first_step, fault.last_step);
  check.at_least(fault.seen, 0, "seen").at_least(fault.observed_steps, 0, "observed_steps");
  check.that(!std::isnan(fault.amount), "amount", "is not a number");
  check.scale(fault.fix.scale, "fix.scale");
  check.site_or_none(fault.facts.origin, "facts.origin").site_or_none(fault.facts.infinite_site, "facts.infinite_site");
}

void check_fields(FieldCheck& check, const Root& root, std::size_t index) {
  check.site_or_none(root.site, at("diagnosis.roots", index, "site"));
  check.at_least(root.call, 0, at("diagnosis.roots", index, "call"));
  for (const ValueRange& range : root.inputs) {
    const std::int64_t least = std::min({range.count, range.zeros, range.infinite, range.nan});
    check.at_least(least, 0, at("diagnosis.roots", index, "inputs"));
  }
  if (!root.rows) return;
  const std::string rows = at("diagnosis.roots", index, "rows");
  check.at_least(std::min({root.rows->batch, root.rows->of, root.rows->bad}), 0, rows);
  for (const std::int64_t row : root.rows->rows) check.at_least(row, 0, rows);
  for (const std::int64_t example : root.rows->examples) check.at_least(example, 0, rows);
}

void check_fields(FieldCheck& check, const ScaleBand& band, const std::string& where) {
  const auto edge = [&](const std::optional<int>& value, const std::string& field) {
    if (value) check.that(std::abs(std::int64_t{*value}) <= kFarthestScale, field, "is larger than any scale");
  };
  edge(band.lowest, where + ".lowest");
  edge(band.highest, where + ".highest");
  check.site_or_none(band.lowest_site, where + ".lowest_site");
  check.site_or_none(band.highest_site, where + ".highest_site");
}

void check_fields(FieldCheck& check, const Diagnosis& diagnosis) {
  for (std::size_t i = 0; i < diagnosis.roots.size(); ++i) check_fields(check, diagnosis.roots[i], i);
  for (std::size_t i = 0; i < diagnosis.chain.size(); ++i) {
    check.site_or_none(diagnosis.chain[i].site, at("diagnosis.chain", i, "site"));
    check.at_least(diagnosis.chain[i].call, 0, at("diagnosis.chain", i, "call"));
  }
  check.scale(diagnosis.fix.scale, "diagnosis.fix.scale");
  for (const NamedScale& each : diagnosis.fix.scales) check.scale(each.scale, "diagnosis.fix.scales");
  if (diagnosis.scale) check.scale(*diagnosis.scale, "diagnosis.scale");
  for (std::size_t i = 0; i < diagnosis.evidence.size(); ++i) {
    check.scale(diagnosis.evidence[i].scale, at("diagnosis.evidence", i, "scale"));
    for (const NamedScale& each : diagnosis.evidence[i].scales) {
      check.scale(each.scale, at("diagnosis.evidence", i, "scales"));
    }
    if (diagnosis.evidence[i].band) {
      check_fields(check, *diagnosis.evidence[i].band, at("diagnosis.evidence", i, "band"));
    }
  }
  if (diagnosis.band) check_fields(check, *diagnosis.band, "diagnosis.band");
}

void check_fields(FieldCheck& check, const SiteProfile& site) {
  check.site(site.site, "site").duration(site.forward, "forward").duration(site.backward, "backward");
  check.duration(site.accumulate, "accumulate").duration(site.observe, "observe");
  check.that(std::isfinite(site.calls) && site.calls >= 0, "calls", "is not a number of calls");
  for (std::size_t i = 0; i < site.kernels.size(); ++i) {
    check.at_least(site.kernels[i].launches, 0, at("kernels", i, "launches"));
    check.duration(site.kernels[i].seconds, at("kernels", i, "seconds"));
  }
}

void check_fields(FieldCheck& check, const SiteInfo& site, std::size_t index, std::size_t blocks) {
  check.that(site.id >= 0 && static_cast<std::size_t>(site.id) == index, "id",
             "is " + std::to_string(site.id) + " instead of " + std::to_string(index));
  check.at_least(site.key.ordinal, 0, "key.ordinal");
  check.that(site.own_block >= -1 && site.own_block < static_cast<int>(blocks), "own_block",
             "is " + std::to_string(site.own_block) + ", and the model has " + std::to_string(blocks) + " blocks");
}

}  // namespace

std::string Misfit::text() const {
  const std::string place = list.empty() ? field : list + "[" + std::to_string(index) + "]." + field;
  return place + " " + what;
}

bool RunGate::holds(const Misfit& misfit) {
  if (misfit.what.empty()) return true;
  report_(misfit);
  return false;
}

template <class Part, class CheckPart>
void RunGate::sift(std::vector<Part>& parts, const char* list, CheckPart check_part) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    FieldCheck check(sites_);
    check_part(check, parts[i]);
    Misfit misfit = check.found();
    misfit.list = list;
    misfit.index = i;
    if (!holds(misfit)) continue;
    if (kept != i) parts[kept] = std::move(parts[i]);
    ++kept;
  }
  parts.resize(kept);
}

bool RunGate::admit(ModelInfo& model) {
  FieldCheck check;
  for (std::size_t i = 0; i < model.sites.size() && check.well(); ++i) {
    FieldCheck site;
    check_fields(site, model.sites[i], i, model.own_blocks.size());
    check.that(site.well(), at("sites", i, site.found().field.c_str()), site.found().what);
  }
  for (std::size_t i = 0; i < model.own_blocks.size(); ++i) {
    const int outer = model.own_blocks[i].outer;
    check.that(outer >= -1 && outer < static_cast<int>(i), at("own_blocks", i, "outer"),
               "is " + std::to_string(outer) + ", which is not a preceding block");
  }
  for (std::size_t i = 0; i < model.parameters.size(); ++i) {
    check.shape(model.parameters[i].shape, at("parameters", i, "shape"));
  }
  for (std::size_t i = 0; i < model.buffers.size(); ++i) {
    check.shape(model.buffers[i].shape, at("buffers", i, "shape"));
  }
  // A run file has the op calls in a table; its reader checks the flow once it has read them.
  if (model.flow && !model.sites.empty()) {
    const FlowMisfit misfit = misfit_of(*model.flow, model.sites.size());
    check.that(misfit.field.empty(), misfit.field, misfit.what);
  }
  return holds(check.found());
}

void RunGate::open(std::size_t sites) {
  open_ = true;
  sites_ = sites;
  scalers_ = 0;
  ranks_ = 0;
  any_step_ = false;
  last_step_ = -1;
}

bool RunGate::admit(RunStarted& started) {
  open_ = false;
  if (!admit(started.model)) return false;
  open(started.model.sites.size());
  scalers_ = started.config.scalers.size();
  for (std::size_t i = 0; i < started.ranks.size(); ++i) {
    if (started.ranks[i].rank == static_cast<int>(i)) continue;
    holds({"ranks", i, "rank", "is " + std::to_string(started.ranks[i].rank) + ", but ranks are numbered from 0"});
    started.ranks.clear();
    break;
  }
  ranks_ = static_cast<int>(started.ranks.size());
  if (admit(started.policy)) return true;
  started.policy.revision = std::max(started.policy.revision, 0);
  started.policy.step = 0;
  return true;
}

bool RunGate::admit(StepRecord& step) {
  if (!open_) return false;
  FieldCheck check(sites_);
  check.step(step.step, "step");
  if (any_step_) {
    const auto after = [&](const char* how) {
      return [this, &step, how] { return "is " + std::to_string(step.step) + how + std::to_string(last_step_); };
    };
    check.that(step.step > last_step_, "step", after(" after step "));
    check.that(step.step <= last_step_ + kLongestGap, "step", after(", far after step "));
  }
  check.scale(step.scale, "scale").scale(step.next_scale, "next_scale");
  check.duration(step.seconds, "seconds").duration(step.observe_seconds, "observe_seconds");
  check.at_least(step.policy_revision, 0, "policy_revision");
  const std::size_t scalers = step.scalers.size();
  check.that(scalers == 0 || scalers == scalers_, "scalers",
             [&] { return "are " + std::to_string(scalers) + ", and the run has " + std::to_string(scalers_); });
  for (std::size_t i = 0; i < scalers; ++i) {
    check.scale(step.scalers[i].scale, at("scalers", i, "scale"));
    check.scale(step.scalers[i].next_scale, at("scalers", i, "next_scale"));
  }
  if (!holds(check.found())) return false;
  last_step_ = step.step;
  any_step_ = true;
  sift(step.ranks, "ranks", [ranks = ranks_](FieldCheck& part, const RankFacts& facts) {
    part.that(facts.rank >= 0 && facts.rank < ranks, "rank", "is not a rank of the run");
    part.duration(facts.seconds, "seconds").duration(facts.waited, "waited");
    for (const std::int64_t row : facts.rows) part.at_least(row, 0, "rows");
  });
  sift(step.new_tensors, "new_tensors", [](FieldCheck& part, const WatchedTensor& tensor) {
    part.at_least(tensor.id, 0, "id").site_or_none(tensor.site, "site");
  });
  return true;
}

bool RunGate::admit(StepBatch& batch) {
  std::vector<StepRecord> admitted;
  for (StepRecord& step : batch.steps) {
    if (admit(step)) admitted.push_back(std::move(step));
  }
  batch.steps = std::move(admitted);
  return !batch.steps.empty();
}

bool RunGate::admit(Event& event) {
  FieldCheck own;
  own.step(event.step, "step").scale(event.scale, "scale");
  own.that(facts_fit(event), "facts", "are not those of the kind " + name(event.kind));
  if (!open_ || !holds(own.found())) return false;
  if (event.rank && (*event.rank < 0 || *event.rank >= ranks_)) {
    holds({{}, 0, "rank", "is " + std::to_string(*event.rank) + ", which is not a rank of the run"});
    event.rank.reset();
  }
  sift(event.tensors, "tensors", [](FieldCheck& part, const EventTensor& tensor) {
    part.at_least(tensor.tensor, -1, "tensor").site_or_none(tensor.site, "site");
    part.that(!std::isnan(tensor.largest), "largest", "is not a number");
  });
  if (const auto* found = std::get_if<SilentFaultFound>(&event.facts)) {
    FieldCheck check(sites_);
    check_fields(check, found->fault);
    if (!holds(check.found())) return false;
  }
  if (const auto* failed = std::get_if<FixFailed>(&event.facts)) {
    const FieldCheck scales = FieldCheck().scale(failed->from, "fix_failed.from").scale(failed->to, "fix_failed.to");
    if (!holds(scales.found())) return false;
  }
  if (!event.diagnosis) return true;
  FieldCheck check(sites_);
  check_fields(check, *event.diagnosis);
  if (!holds(check.found())) event.diagnosis.reset();
  return true;
}

bool RunGate::admit(Evaluated& evaluated) {
  return open_ && holds(FieldCheck().step(evaluated.step, "step").found());
}

bool RunGate::admit(PolicyApplied& applied) {
  if (!open_) return false;
  const std::size_t rules = applied.policy.sites.size();
  const FieldCheck check = FieldCheck().at_least(applied.revision, 0, "revision").step(applied.step, "step");
  if (!holds(check.found())) return false;
  if (applied.decisions.size() != sites_) {
    holds({{},
           0,
           "decisions",
           "are " + std::to_string(applied.decisions.size()) + ", and the run has " + std::to_string(sites_) +
               " op calls"});
    applied.decisions.resize(sites_);
  }
  for (std::size_t i = 0; i < sites_; ++i) {
    policy::Decision& decision = applied.decisions[i];
    Misfit misfit = FieldCheck().rule(decision.rule, rules, "rule").found();
    misfit.list = "decisions";
    misfit.index = i;
    if (!holds(misfit)) decision.rule = policy::kFromBase;
    decision.block = -1;  // not sent over the wire
  }
  sift(applied.findings, "findings",
       [rules](FieldCheck& part, const policy::Finding& finding) { part.rule(finding.rule, rules, "rule"); });
  return true;
}

bool RunGate::admit(ScalerChanged& change) {
  const ScalerConfig& to = change.scaler;
  FieldCheck check;
  check.step(change.step, "step").scale(change.scale, "scale").scale(to.init_scale, "scaler.init_scale");
  check.finite(to.growth_factor, "scaler.growth_factor").finite(to.backoff_factor, "scaler.backoff_factor");
  check.finite(to.minimum, "scaler.minimum").finite(to.maximum, "scaler.maximum");
  check.at_least(to.growth_interval, 1, "scaler.growth_interval").at_least(to.hysteresis, 0, "scaler.hysteresis");
  return open_ && holds(check.found());
}

bool RunGate::admit(CheckpointInfo& saved) {
  FieldCheck check;
  check.step(saved.step, "step").at_least(saved.policy_revision, 0, "policy_revision");
  check.time(saved.saved, "saved");
  return open_ && holds(check.found());
}

bool RunGate::admit(Rewound& rewound) {
  if (!open_ || !holds(FieldCheck().step(rewound.step, "step").found())) return false;
  any_step_ = false;  // the next step may have any number
  return true;
}

bool RunGate::admit(Profile& profile) {
  FieldCheck check;
  // A profile with the device's curve only may precede the first step.
  check.step(profile.first_step == -1 ? 0 : profile.first_step, "first_step");
  check.step(profile.last_step == -1 ? 0 : profile.last_step, "last_step");
  check.that(profile.first_step <= profile.last_step, "last_step", "is before first_step");
  check.at_least(profile.steps, 0, "steps").duration(profile.step_seconds, "step_seconds");
  check.finite(profile.outside, "outside").that(!std::isinf(profile.idle), "idle", "is infinite");
  if (!open_ || !holds(check.found())) return false;
  sift(profile.bins, "bins", [](FieldCheck& part, const ProfileBin& bin) {
    part.finite(bin.time, "time").duration(bin.seconds, "seconds").finite(bin.covered, "covered");
    for (const double value : {bin.tensor, bin.hmma, bin.imma, bin.dmma, bin.sm_active, bin.clock}) {
      part.that(!std::isinf(value), "tensor", "is infinite");
    }
  });
  std::set<int> known;
  sift(profile.sites, "sites", [&known](FieldCheck& part, const SiteProfile& site) {
    check_fields(part, site);
    part.that(known.insert(site.site).second, "site", "is " + std::to_string(site.site) + ", which came before");
  });
  return true;
}

bool RunGate::admit(CastLedger& casts) {
  FieldCheck check;
  check.at_least(casts.policy_revision, 0, "policy_revision").steps(casts.first_step, casts.last_step);
  check.at_least(casts.steps, 0, "steps").duration(casts.step_seconds, "step_seconds");
  if (!open_ || !holds(check.found())) return false;
  sift(casts.lines, "lines", [](FieldCheck& part, const CastLine& line) {
    part.site(line.site, "site").finite(line.casts, "casts").finite(line.saved, "saved");
    part.finite(line.bytes, "bytes").finite(line.seconds, "seconds");
    part.finite(line.edit_bytes.value_or(0), "edit_bytes").finite(line.edit_seconds.value_or(0), "edit_seconds");
  });
  return true;
}

bool RunGate::admit(Float32Comparison& comparison) {
  if (!open_ || !holds(FieldCheck().step(comparison.step, "step").scale(comparison.scale, "scale").found()))
    return false;
  sift(comparison.sites, "sites", [](FieldCheck& part, const SiteDifference& site) {
    part.site(site.site, "site").at_least(site.calls, 0, "calls").site_or_none(site.becomes_at, "becomes_at");
  });
  sift(comparison.reference, "reference", [](FieldCheck& part, const ReferenceNote& note) {
    using enum ReferenceNote::Kind;
    if (note.kind == kLiftedCast || note.kind == kLowResult) part.site(note.site, "site");
  });
  return true;
}

bool RunGate::admit(QuantizedStep& quantized) {
  if (!open_ || !holds(FieldCheck().step(quantized.step, "step").found())) return false;
  sift(quantized.operands, "operands",
       [](FieldCheck& part, const QuantizedOperand& operand) { check_quantized(part, operand); });
  return true;
}

bool RunGate::admit(WhatIf& what_if) {
  FieldCheck own(sites_);
  check_what_if(own, what_if);
  if (!open_ || !holds(own.found())) return false;
  sift(what_if.effects, "effects", [](FieldCheck& part, const FormatEffect& effect) { check_effect(part, effect); });
  sift(what_if.blocks, "blocks", [](FieldCheck& part, const QuantizedBlock& block) { check_block(part, block); });
  return true;
}

bool RunGate::admit(SilentReport& report) {
  FieldCheck check;
  check.at_least(report.policy_revision, 0, "policy_revision").at_least(report.observed_steps, 0, "observed_steps");
  check.steps(report.first_step, report.last_step);
  if (!open_ || !holds(check.found())) return false;
  sift(report.faults, "faults", [](FieldCheck& part, const SilentFault& fault) { check_fields(part, fault); });
  sift(report.hidden, "hidden", [](FieldCheck& part, const SilentGap& gap) {
    part.site_or_none(gap.site, "site");
    if (gap.fault) check_fields(part, *gap.fault);
  });
  sift(report.updates, "updates", [](FieldCheck& part, const ParameterUpdate& update) {
    part.step(update.step, "step");
    part.that(update.moved <= update.elements, "moved", "exceeds the number of elements");
    part.that(update.lost <= update.moved, "lost", "exceeds the number of updated elements");
    part.that(!std::isnan(update.lost_norm), "lost_norm", "is not a number");
    part.that(!std::isnan(update.update_over_weight), "update_over_weight", "is not a number");
  });
  return true;
}

bool RunGate::admit(Trial& trial) {
  FieldCheck check;
  check.step(trial.first_step, "first_step")
      .step(trial.steps, "steps")
      .step(trial.worse_from.value_or(0), "worse_from");
  check.time(trial.made, "made");
  for (const TrialSeed& seed : trial.seeds) {
    for (const TrialArm* arm : {&seed.before, &seed.after, &seed.noise}) {
      check.that(std::ssize(arm->losses) <= trial.steps, "seeds", "has more losses than the Try has steps");
      check.at_least(arm->overflows, 0, "overflows").at_least(arm->skipped, 0, "skipped");
    }
  }
  return open_ && holds(check.found());
}

bool RunGate::admit(Note& note) {
  FieldCheck check;
  check.step(note.step, "step");
  check.time(note.written, "written");
  return open_ && holds(check.found());
}

bool RunGate::admit(ObserveCost& cost) {
  FieldCheck check;
  check.step(cost.first_step, "first_step").step(cost.last_step, "last_step").at_least(cost.pairs, 0, "pairs");
  check.finite(cost.observed, "observed").finite(cost.step_ratio, "step_ratio").finite(cost.ratio, "ratio");
  return open_ && holds(check.found());
}

bool RunGate::admit(StateChanged& state) {
  return holds(FieldCheck().step(state.step, "step").found());
}

bool RunGate::admit(Finished& finished) {
  if (!holds(FieldCheck().step(finished.steps, "steps").found())) finished.steps = 0;
  return true;
}

bool RunGate::admit(Peers& peers) {
  sift(peers.peers, "peers",
       [](FieldCheck& part, const Peer& peer) { part.at_least(peer.id, 1, "id").time(peer.since, "since"); });
  return holds(FieldCheck().at_least(peers.you, 1, "you").at_least(peers.editor, 0, "editor").found());
}

bool RunGate::admit(CaughtUp& caught_up) {
  FieldCheck check;
  check.step(caught_up.step, "step").at_least(caught_up.steps, 0, "steps");
  return holds(check.at_least(caught_up.statistics, 0, "statistics").found());
}

bool RunGate::admit(LinkMark& mark) {
  return holds(FieldCheck().at_least(mark.number, 1, "number").found());
}

bool RunGate::admit(LinkDetail& detail) {
  FieldCheck check;
  check.duration(detail.delay_seconds, "delay_seconds").duration(detail.bytes_per_second, "bytes_per_second");
  check.at_least(detail.statistics, 0, "statistics").at_least(detail.steps, 0, "steps");
  return holds(check.at_least(detail.reports, 0, "reports").found());
}

bool RunGate::admit(DataPreview& preview) {
  FieldCheck check;
  check.at_least(preview.examples, 0, "examples").at_least(preview.test_examples, 0, "test_examples");
  check.at_least(preview.batches, 0, "batches");
  for (std::size_t i = 0; i < preview.columns.size(); ++i) {
    check.shape(preview.columns[i].shape, at("columns", i, "shape"));
    check.at_least(preview.columns[i].non_finite, 0, at("columns", i, "non_finite"));
    for (const LabelCount& label : preview.columns[i].labels) {
      check.at_least(label.count, 0, at("columns", i, "labels"));
    }
  }
  return holds(check.found());
}

}  // namespace binade::wire
