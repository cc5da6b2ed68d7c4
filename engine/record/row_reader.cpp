// SPDX-License-Identifier: Apache-2.0
#include "engine/record/row_reader.h"

#include "engine/formats/error.h"
#include "engine/record/rows.h"
#include "engine/record/stats_blob.h"
#include "engine/wire/codec.h"
#include "engine/wire/enum_text.h"

#include <nlohmann/json.hpp>

namespace binade::record {

namespace {

template <class Enum>
Enum word_at(const Database& database, Statement& row, int column) {
  const auto value = wire::from_word<Enum>(row.text(column));
  if (!value) refuse(database, "\"" + row.text(column) + "\" is not known here");
  return *value;
}

wire::WatchedTensor tensor_at(const Database& database, Statement& row) {
  return {.id = int_at(row, 0),
          .site = int_at(row, 1),
          .kind = word_at<wire::WatchedTensor::Kind>(database, row, 2),
          .argument = row.text(3),
          .format = format_at(database, row, 4),
          .emulated = row.integer(5) != 0};
}

std::vector<wire::TensorInfo> read_model_tensors(const Database& database, const char* kind) {
  std::vector<wire::TensorInfo> all;
  Statement row(database, "SELECT name, dtype, shape, trainable FROM model_tensors WHERE kind = ? ORDER BY position");
  row.query(kind);
  while (row.next()) {
    const auto shape = nlohmann::json::parse(row.text(2), nullptr, false);
    if (!shape.is_array()) refuse(database, "a shape is no list");
    auto& tensor = all.emplace_back();
    tensor = {row.text(0), row.text(1), {}, row.integer(3) != 0};
    for (const auto& size : shape) tensor.shape.push_back(size.is_number_integer() ? size.get<std::int64_t>() : 0);
  }
  return all;
}

wire::ModelInfo read_model(const Database& database) {
  wire::ModelInfo model;
  Statement site(database,
                 "SELECT id, path, method, op, overload, ordinal, source, list_rule, is_view, in_place FROM sites "
                 "ORDER BY id");
  site.query();
  while (site.next()) {
    model.sites.push_back({.id = int_at(site, 0),
                           .key = {site.text(1), site.text(2), site.text(3), site.text(4), int_at(site, 5)},
                           .source = site.text(6),
                           .list_rule = site.text(7),
                           .view = site.integer(8) != 0,
                           .in_place = site.integer(9) != 0});
  }
  model.parameters = read_model_tensors(database, "parameter");
  model.buffers = read_model_tensors(database, "buffer");
  Statement input(database, "SELECT name, type, default_value FROM model_inputs ORDER BY position");
  input.query();
  while (input.next()) model.inputs.push_back({input.text(0), input.text(1), input.text(2)});
  Statement warning(database, "SELECT text FROM model_warnings ORDER BY position");
  warning.query();
  while (warning.next()) model.warnings.push_back(warning.text(0));
  return model;
}

}  // namespace

RowReader::RowReader(const Database& database)
    : database_(database),
      step_(database,
            "SELECT step, loss, scale, next_scale, found_inf, stepped, learning_rate, gradient_norm, seconds, "
            "observe_seconds, policy_revision FROM steps WHERE seq = ?"),
      step_scale_(database, "SELECT scale, next_scale, found_inf FROM step_scales WHERE seq = ? ORDER BY position"),
      tensor_(database,
              "SELECT id, coalesce(site, -1), kind, argument, format, emulated FROM tensors WHERE seq = ? ORDER BY "
              "position"),
      stats_(database, "SELECT zstd, size, tensors FROM stats WHERE seq = ?"),
      event_(database, "SELECT step, kind, scale, sentence FROM events WHERE seq = ?"),
      event_tensor_(
          database,
          "SELECT tensor, site, non_finite, overflow, largest FROM event_tensors WHERE seq = ? ORDER BY position"),
      event_diagnosis_(database, "SELECT diagnosis FROM event_diagnoses WHERE seq = ?"),
      policy_(database, "SELECT revision, step, policy FROM policies WHERE seq = ?"),
      decision_(database,
                "SELECT kind, format, backward, execution, overflow, rule FROM decisions WHERE seq = ? ORDER BY site"),
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
  Statement row(database_,
                "SELECT config, run_file, device, model_file, model_type, model_output FROM run WHERE seq = ?");
  go_to(database_, row, seq);
  wire::RunStarted started;
  started.config = wire::parse_run(row.text(0), database_.path() + ": configuration", {});
  started.run_file = row.text(1);
  started.device = row.text(2);
  started.model = read_model(database_);
  started.model.file = row.text(3);
  started.model.type = row.text(4);
  started.model.output = row.text(5);
  started.policy = policy(seq);
  return started;
}

wire::PolicyApplied RowReader::policy(std::int64_t seq) {
  const Reset reset{policy_};
  go_to(database_, policy_, seq);
  wire::PolicyApplied applied;
  applied.revision = int_at(policy_, 0);
  applied.step = policy_.integer(1);
  applied.policy = policy::parse_policy(policy_.text(2), database_.path() + ": policy");
  decision_.query(seq);
  while (decision_.next()) {
    applied.decisions.push_back({.kind = word_at<policy::Decision::Kind>(database_, decision_, 0),
                                 .format = format_at(database_, decision_, 1),
                                 .backward = format_at(database_, decision_, 2),
                                 .execution = word_at<policy::Execution>(database_, decision_, 3),
                                 .overflow = word_at<formats::Overflow>(database_, decision_, 4),
                                 .rule = int_at(decision_, 5)});
  }
  finding_.query(seq);
  while (finding_.next()) {
    applied.findings.push_back(
        {word_at<policy::Finding::Severity>(database_, finding_, 0), int_at(finding_, 1), finding_.text(2)});
  }
  return applied;
}

wire::StepRecord RowReader::step(std::int64_t seq, bool observations) {
  const Reset reset{step_}, reset_stats{stats_};
  go_to(database_, step_, seq);
  wire::StepRecord step;
  step.step = step_.integer(0);
  step.loss = step_.real(1);
  step.scale = step_.real(2);
  step.next_scale = step_.real(3);
  step.found_inf = step_.integer(4) != 0;
  step.stepped = step_.integer(5) != 0;
  step.learning_rate = step_.real(6);
  step.gradient_norm = step_.real(7);
  step.seconds = step_.real(8);
  step.observe_seconds = step_.real(9);
  step.policy_revision = int_at(step_, 10);
  step_scale_.query(seq);
  while (step_scale_.next()) {
    step.scalers.push_back({step_scale_.real(0), step_scale_.real(1), step_scale_.integer(2) != 0});
  }
  tensor_.query(seq);
  while (tensor_.next()) step.new_tensors.push_back(tensor_at(database_, tensor_));
  if (!observations) return step;
  stats_.query(seq);
  if (!stats_.next()) return step;
  try {
    step.observations = unpack_observations(stats_.bytes(0), static_cast<std::size_t>(stats_.integer(1)),
                                            static_cast<std::size_t>(stats_.integer(2)));
  } catch (const Error& error) {
    throw Error(error.code, database_.path() + ": step " + std::to_string(step.step) + ": " + error.what(), error.hint);
  }
  return step;
}

wire::Event RowReader::event(std::int64_t seq) {
  const Reset reset{event_};
  go_to(database_, event_, seq);
  wire::Event event;
  event.step = event_.integer(0);
  event.kind = word_at<wire::Event::Kind>(database_, event_, 1);
  event.scale = event_.real(2);
  event.sentence = event_.text(3);
  event_tensor_.query(seq);
  while (event_tensor_.next()) {
    event.tensors.push_back({.tensor = int_at(event_tensor_, 0),
                             .site = int_at(event_tensor_, 1),
                             .non_finite = static_cast<std::uint64_t>(event_tensor_.integer(2)),
                             .overflow = static_cast<std::uint64_t>(event_tensor_.integer(3)),
                             .largest = static_cast<float>(event_tensor_.real(4))});
  }
  event_diagnosis_.query(seq);
  if (event_diagnosis_.next()) {
    const auto diagnosis = nlohmann::json::parse(event_diagnosis_.text(0), nullptr, false);
    if (!diagnosis.is_object()) refuse(database_, "an event's diagnosis is no object");
    event.diagnosis = wire::decode<wire::Diagnosis>(diagnosis);
  }
  return event;
}

wire::Evaluated RowReader::evaluation(std::int64_t seq) {
  const Reset reset{evaluation_};
  go_to(database_, evaluation_, seq);
  return {evaluation_.integer(0), evaluation_.real(1), evaluation_.real(2)};
}

wire::ScalerChanged RowReader::scaler_change(std::int64_t seq) {
  Statement row(database_, "SELECT step, scale, scaler FROM scaler_changes WHERE seq = ?");
  go_to(database_, row, seq);
  const auto scaler = nlohmann::json::parse(row.text(2), nullptr, false);
  if (!scaler.is_object()) refuse(database_, "a changed scaler is no object");
  return {row.integer(0), wire::decode<wire::ScalerConfig>(scaler), row.real(1)};
}

wire::CheckpointInfo RowReader::checkpoint(std::int64_t seq) {
  Statement row(database_,
                "SELECT step, file, reason, policy_revision, model, bytes, saved, loss FROM checkpoints WHERE seq = ?");
  go_to(database_, row, seq);
  wire::CheckpointInfo saved;
  saved.step = row.integer(0);
  saved.file = row.text(1);
  saved.reason = row.text(2);
  saved.policy_revision = int_at(row, 3);
  saved.model = row.text(4);
  saved.bytes = static_cast<std::uint64_t>(row.integer(5));
  saved.saved = row.integer(6);
  if (!row.is_null(7)) saved.loss = row.real(7);
  return saved;
}

wire::Rewound RowReader::rewind(std::int64_t seq) {
  Statement row(database_, "SELECT step, file FROM rewinds WHERE seq = ?");
  go_to(database_, row, seq);
  return {row.integer(0), row.text(1)};
}

wire::LogLine RowReader::log_line(std::int64_t seq) {
  const Reset reset{log_};
  go_to(database_, log_, seq);
  return {log_.text(0), log_.text(1)};
}

wire::Profile RowReader::profile(std::int64_t seq) {
  if (!profiles_) profiles_.emplace(database_);
  return profiles_->read(seq);
}

wire::CastLedger RowReader::casts(std::int64_t seq) {
  if (!casts_) casts_.emplace(database_);
  return casts_->read(seq);
}

wire::Float32Comparison RowReader::comparison(std::int64_t seq) {
  if (!comparisons_) comparisons_.emplace(database_);
  return comparisons_->read(seq);
}

wire::SilentReport RowReader::silent(std::int64_t seq) {
  if (!silent_) silent_.emplace(database_);
  return silent_->read(seq);
}

wire::Finished RowReader::finished(std::int64_t seq) {
  Statement row(database_, "SELECT outcome, steps, message, hint FROM finished WHERE seq = ?");
  go_to(database_, row, seq);
  return {word_at<wire::Outcome>(database_, row, 0), row.integer(1), row.text(2), row.text(3)};
}

std::vector<wire::WatchedTensor> read_tensors(const Database& database) {
  Statement tensor(database,
                   "SELECT id, coalesce(site, -1), kind, argument, format, emulated FROM tensors AS t "
                   "WHERE seq = (SELECT max(seq) FROM tensors WHERE id = t.id) ORDER BY id");
  tensor.query();
  std::vector<wire::WatchedTensor> all;
  while (tensor.next()) all.push_back(tensor_at(database, tensor));
  return all;
}

}  // namespace binade::record
