// SPDX-License-Identifier: Apache-2.0
#include "engine/record/row_reader.h"

#include "engine/formats/error.h"
#include "engine/record/json_at.h"
#include "engine/record/model_rows.h"
#include "engine/record/rows.h"
#include "engine/record/stats_blob.h"
#include "engine/wire/codec.h"

#include <nlohmann/json.hpp>

namespace binade::record {

namespace {

wire::WatchedTensor tensor_at(const Row& row) {
  return {.id = row.small(0),
          .site = row.small(1),
          .kind = row.word<wire::WatchedTensor::Kind>(2),
          .argument = row.text(3),
          .format = row.format(4),
          .emulated = row.flag(5)};
}

/// Reads what has messages of its own, and says of these where it stands.
template <class Read>
auto read_in(const Row& row, int column, Read read) {
  try {
    return read();
  } catch (const Error& error) {
    row.fail(column, error.what());
  }
}

}  // namespace

RowReader::RowReader(const Database& database, Damage* damage)
    : database_(database),
      damage_(damage),
      step_(database,
            "SELECT step, loss, scale, next_scale, found_inf, stepped, learning_rate, gradient_norm, seconds, "
            "observe_seconds, policy_revision FROM steps WHERE seq = ?"),
      step_scale_(database, "SELECT scale, next_scale, found_inf FROM step_scales WHERE seq = ? ORDER BY position"),
      tensor_(
          database,
          "SELECT id, coalesce(site, -1) AS site, kind, argument, format, emulated FROM tensors WHERE seq = ? ORDER BY "
          "position"),
      stats_(database, "SELECT zstd, size, tensors FROM stats WHERE seq = ?"),
      event_(database, "SELECT step, kind, scale, sentence FROM events WHERE seq = ?"),
      event_tensor_(
          database,
          "SELECT tensor, site, non_finite, overflow, largest FROM event_tensors WHERE seq = ? ORDER BY position"),
      event_diagnosis_(database, "SELECT diagnosis FROM event_diagnoses WHERE seq = ?"),
      policy_(database, "SELECT revision, step, policy FROM policies WHERE seq = ?"),
      decision_(
          database,
          "SELECT kind, format, backward, execution, overflow, rule, site FROM decisions WHERE seq = ? ORDER BY site"),
      finding_(database, "SELECT severity, rule, message FROM findings WHERE seq = ? ORDER BY position"),
      evaluation_(database, "SELECT step, accuracy, loss FROM evaluations WHERE seq = ?"),
      log_(database, "SELECT level, text FROM log WHERE seq = ?") {}

Item RowReader::item(const std::string& table, std::int64_t seq, bool observations) {
  if (table == "run") return started(seq);
  if (table == "steps") return step(seq, observations);
  if (table == "events") return event(seq);
  if (table == "evaluations") return evaluation(seq);
  if (table == "policies") return policy(seq);
  if (table == "scaler_changes") return scaler_change(seq);
  if (table == "checkpoints") return checkpoint(seq);
  if (table == "rewinds") return rewind(seq);
  if (table == "log") return log_line(seq);
  if (table == "profiles") return profile(seq);
  if (table == "cast_ledgers") return casts(seq);
  if (table == "comparisons") return comparison(seq);
  if (table == "silent_reports") return silent(seq);
  return finished(seq);
}

wire::RunStarted RowReader::started(std::int64_t seq) {
  Statement run(database_,
                "SELECT config, run_file, device, model_file, model_type, model_output FROM run WHERE seq = ?");
  const Row row = go_to(database_, run, "run", seq);
  wire::RunStarted started;
  attempt(damage_,
          [&] { started.config = read_in(row, 0, [&] { return wire::parse_run(row.text(0), "configuration", {}); }); });
  attempt(damage_, [&] { started.run_file = row.text(1); });
  attempt(damage_, [&] { started.device = row.text(2); });
  started.model = read_model(database_, damage_);
  attempt(damage_, [&] { started.model.file = row.text(3); });
  attempt(damage_, [&] { started.model.type = row.text(4); });
  attempt(damage_, [&] { started.model.output = row.text(5); });
  sites_ = started.model.sites.size();
  attempt(damage_, [&] { started.policy = policy(seq); });
  return started;
}

wire::PolicyApplied RowReader::policy(std::int64_t seq) {
  const Reset reset{policy_};
  const Row row = go_to(database_, policy_, "policies", seq);
  wire::PolicyApplied applied;
  applied.revision = row.small(0);
  applied.step = row.integer(1);
  applied.policy = read_in(row, 2, [&] { return policy::parse_policy(row.text(2), "policy"); });
  decision_.query(seq);
  each_row(database_, decision_, "decisions", seq, damage_, [&](const Row& decision) {
    // By op call: where a row is missing, the others stay in their places.
    const std::int64_t site = decision.integer(6);
    const auto next = static_cast<std::int64_t>(applied.decisions.size());
    const bool skips = site > next && (damage_ == nullptr || site >= static_cast<std::int64_t>(sites_));
    if (site < next || skips) decision.fail(6, std::to_string(site) + " is not the next op call");
    applied.decisions.resize(static_cast<std::size_t>(site));
    applied.decisions.push_back({.kind = decision.word<policy::Decision::Kind>(0),
                                 .format = decision.format(1),
                                 .backward = decision.format(2),
                                 .execution = decision.word<policy::Execution>(3),
                                 .overflow = decision.word<formats::Overflow>(4),
                                 .rule = decision.small(5)});
  });
  finding_.query(seq);
  each_row(database_, finding_, "findings", seq, damage_, [&](const Row& finding) {
    applied.findings.push_back({finding.word<policy::Finding::Severity>(0), finding.small(1), finding.text(2)});
  });
  return applied;
}

wire::StepRecord RowReader::step(std::int64_t seq, bool observations) {
  const Reset reset{step_};
  const Row row = go_to(database_, step_, "steps", seq);
  wire::StepRecord step;
  step.step = row.integer(0);
  step.loss = row.real(1);
  step.scale = row.real(2);
  step.next_scale = row.real(3);
  step.found_inf = row.flag(4);
  step.stepped = row.flag(5);
  step.learning_rate = row.real(6);
  step.gradient_norm = row.real(7);
  step.seconds = row.real(8);
  step.observe_seconds = row.real(9);
  step.policy_revision = row.small(10);
  step_scale_.query(seq);
  // All or none: they are known by their order.
  const std::size_t damaged = damage_ == nullptr ? 0 : damage_->count();
  each_row(database_, step_scale_, "step_scales", seq, damage_, [&](const Row& scaler) {
    step.scalers.push_back({scaler.real(0), scaler.real(1), scaler.flag(2)});
  });
  if (damage_ != nullptr && damage_->count() != damaged) step.scalers.clear();
  tensor_.query(seq);
  each_row(database_, tensor_, "tensors", seq, damage_,
           [&](const Row& tensor) { step.new_tensors.push_back(tensor_at(tensor)); });
  if (!observations) return step;
  const Reset reset_stats{stats_};
  stats_.query(seq);
  if (!stats_.next()) return step;
  const Row stats(database_, stats_, "stats", seq);
  attempt(damage_, [&] {
    step.observations = read_in(stats, 0, [&] {
      return unpack_observations(stats.bytes(0), static_cast<std::size_t>(stats.count(1)),
                                 static_cast<std::size_t>(stats.count(2)));
    });
  });
  return step;
}

wire::Event RowReader::event(std::int64_t seq) {
  const Reset reset{event_};
  const Row row = go_to(database_, event_, "events", seq);
  wire::Event event;
  event.step = row.integer(0);
  event.kind = row.word<wire::Event::Kind>(1);
  event.scale = row.real(2);
  event.sentence = row.text(3);
  event_tensor_.query(seq);
  each_row(database_, event_tensor_, "event_tensors", seq, damage_, [&](const Row& tensor) {
    event.tensors.push_back({.tensor = tensor.small(0),
                             .site = tensor.small(1),
                             .non_finite = tensor.count(2),
                             .overflow = tensor.count(3),
                             .largest = static_cast<float>(tensor.real(4))});
  });
  event_diagnosis_.query(seq);
  each_row(database_, event_diagnosis_, "event_diagnoses", seq, damage_, [&](const Row& proof) {
    const auto diagnosis = json_at(proof, 0);
    if (!diagnosis.is_object()) proof.fail(0, "an event's diagnosis is no object");
    event.diagnosis = read_in(proof, 0, [&] { return wire::decode<wire::Diagnosis>(diagnosis); });
  });
  return event;
}

wire::Evaluated RowReader::evaluation(std::int64_t seq) {
  const Reset reset{evaluation_};
  const Row row = go_to(database_, evaluation_, "evaluations", seq);
  return {row.integer(0), row.real(1), row.real(2)};
}

wire::ScalerChanged RowReader::scaler_change(std::int64_t seq) {
  Statement change(database_, "SELECT step, scale, scaler FROM scaler_changes WHERE seq = ?");
  const Row row = go_to(database_, change, "scaler_changes", seq);
  const auto scaler = json_at(row, 2);
  if (!scaler.is_object()) row.fail(2, "a changed scaler is no object");
  return {row.integer(0), read_in(row, 2, [&] { return wire::decode<wire::ScalerConfig>(scaler); }), row.real(1)};
}

wire::CheckpointInfo RowReader::checkpoint(std::int64_t seq) {
  Statement kept(
      database_,
      "SELECT step, file, reason, policy_revision, model, bytes, saved, loss FROM checkpoints WHERE seq = ?");
  const Row row = go_to(database_, kept, "checkpoints", seq);
  wire::CheckpointInfo saved;
  saved.step = row.integer(0);
  saved.file = row.text(1);
  saved.reason = row.text(2);
  saved.policy_revision = row.small(3);
  saved.model = row.text(4);
  saved.bytes = row.count(5);
  saved.saved = row.integer(6);
  saved.loss = row.known(7);
  return saved;
}

wire::Rewound RowReader::rewind(std::int64_t seq) {
  Statement back(database_, "SELECT step, file FROM rewinds WHERE seq = ?");
  const Row row = go_to(database_, back, "rewinds", seq);
  return {row.integer(0), row.text(1)};
}

wire::LogLine RowReader::log_line(std::int64_t seq) {
  const Reset reset{log_};
  const Row row = go_to(database_, log_, "log", seq);
  return {row.text(0), row.text(1)};
}

wire::Profile RowReader::profile(std::int64_t seq) {
  if (!profiles_) profiles_.emplace(database_, damage_);
  return profiles_->read(seq);
}

wire::CastLedger RowReader::casts(std::int64_t seq) {
  if (!casts_) casts_.emplace(database_, damage_);
  return casts_->read(seq);
}

wire::Float32Comparison RowReader::comparison(std::int64_t seq) {
  if (!comparisons_) comparisons_.emplace(database_, damage_);
  return comparisons_->read(seq);
}

wire::SilentReport RowReader::silent(std::int64_t seq) {
  if (!silent_) silent_.emplace(database_, damage_);
  return silent_->read(seq);
}

wire::Finished RowReader::finished(std::int64_t seq) {
  Statement end(database_, "SELECT outcome, steps, message, hint FROM finished WHERE seq = ?");
  const Row row = go_to(database_, end, "finished", seq);
  return {row.word<wire::Outcome>(0), row.integer(1), row.text(2), row.text(3)};
}

std::vector<wire::WatchedTensor> read_tensors(const Database& database) {
  Statement tensor(database,
                   "SELECT id, coalesce(site, -1) AS site, kind, argument, format, emulated FROM tensors AS t "
                   "WHERE seq = (SELECT max(seq) FROM tensors WHERE id = t.id) ORDER BY id");
  tensor.query();
  std::vector<wire::WatchedTensor> all;
  each_row(database, tensor, "tensors", -1, nullptr, [&](const Row& row) { all.push_back(tensor_at(row)); });
  return all;
}

}  // namespace binade::record
