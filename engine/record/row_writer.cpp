// SPDX-License-Identifier: Apache-2.0
#include "engine/record/row_writer.h"

#include "engine/record/model_rows.h"
#include "engine/record/stats_blob.h"
#include "engine/wire/codec.h"
#include "engine/wire/enum_text.h"

#include <nlohmann/json.hpp>

#include <limits>

namespace binade::record {

using wire::word;

RowWriter::RowWriter(Database& database)
    : database_(database),
      step_(database, "INSERT INTO steps VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"),
      step_scale_(database, "INSERT INTO step_scales VALUES (?, ?, ?, ?, ?)"),
      stats_(database, "INSERT INTO stats VALUES (?, ?, ?, ?)"),
      tensor_(database, "INSERT INTO tensors VALUES (?, ?, ?, nullif(?, -1), ?, ?, ?, ?)"),
      event_(database, "INSERT INTO events VALUES (?, ?, ?, ?, ?)"),
      event_tensor_(database, "INSERT INTO event_tensors VALUES (?, ?, ?, ?, ?, ?, ?)"),
      event_diagnosis_(database, "INSERT INTO event_diagnoses VALUES (?, ?, ?, ?, ?)"),
      policy_(database, "INSERT INTO policies VALUES (?, ?, ?, ?)"),
      decision_(database, "INSERT INTO decisions VALUES (?, ?, ?, ?, ?, ?, ?, ?)"),
      finding_(database, "INSERT INTO findings VALUES (?, ?, ?, ?, ?)"),
      evaluation_(database, "INSERT INTO evaluations VALUES (?, ?, ?, ?)"),
      log_(database, "INSERT INTO log VALUES (?, ?, ?)"),
      profiles_(database),
      casts_(database),
      comparisons_(database),
      silent_(database) {}

void RowWriter::write(const Item& item) {
  ++seq_;
  std::visit([this](const auto& each) { rows(each); }, item);
}

void RowWriter::rows(const wire::RunStarted& started) {
  Statement(database_, "INSERT INTO run VALUES (?, ?, ?, ?, ?, ?, ?)")
      .run(seq_, wire::to_json(started.config), started.run_file, started.device, started.model.file,
           started.model.type, started.model.output);
  write_model(database_, started.model);
  rows(started.policy);
}

void RowWriter::rows(const wire::StepRecord& step) {
  step_.run(seq_, step.step, step.loss, step.scale, step.next_scale, step.found_inf, step.stepped, step.learning_rate,
            step.gradient_norm, step.seconds, step.observe_seconds, step.policy_revision);
  for (std::size_t i = 0; i < step.scalers.size(); ++i) {
    const auto& scaler = step.scalers[i];
    step_scale_.run(seq_, std::uint64_t{i}, scaler.scale, scaler.next_scale, scaler.found_inf);
  }
  for (std::size_t i = 0; i < step.new_tensors.size(); ++i) {
    const auto& tensor = step.new_tensors[i];
    tensor_.run(tensor.id, seq_, std::uint64_t{i}, tensor.site, word(tensor.kind), tensor.argument,
                formats::name(tensor.format), tensor.emulated);
  }
  if (step.observations.empty()) return;
  const StatsBlob blob = pack_observations(step.observations);
  stats_.run(seq_, std::uint64_t{step.observations.size()}, std::uint64_t{blob.size}, Blob{blob.zstd});
}

void RowWriter::rows(const wire::Event& event) {
  event_.run(seq_, event.step, word(event.kind), event.scale, event.sentence);
  for (std::size_t i = 0; i < event.tensors.size(); ++i) {
    const auto& tensor = event.tensors[i];
    event_tensor_.run(seq_, std::uint64_t{i}, tensor.tensor, tensor.site, tensor.non_finite, tensor.overflow,
                      tensor.largest);
  }
  if (!event.diagnosis) return;
  event_diagnosis_.run(seq_, word(event.diagnosis->verdict), word(event.diagnosis->direction), event.diagnosis->bundle,
                       wire::encode(*event.diagnosis).dump());
}

void RowWriter::rows(const wire::Evaluated& evaluated) {
  evaluation_.run(seq_, evaluated.step, evaluated.accuracy, evaluated.loss);
}

void RowWriter::rows(const wire::PolicyApplied& applied) {
  policy_.run(seq_, applied.revision, applied.step, policy::to_json(applied.policy));
  for (std::size_t i = 0; i < applied.decisions.size(); ++i) {
    const auto& each = applied.decisions[i];
    decision_.run(seq_, std::uint64_t{i}, word(each.kind), formats::name(each.format), formats::name(each.backward),
                  word(each.execution), word(each.overflow), each.rule);
  }
  for (std::size_t i = 0; i < applied.findings.size(); ++i) {
    const auto& each = applied.findings[i];
    finding_.run(seq_, std::uint64_t{i}, word(each.severity), each.rule, each.message);
  }
}

void RowWriter::rows(const wire::ScalerChanged& change) {
  Statement(database_, "INSERT INTO scaler_changes VALUES (?, ?, ?, ?)")
      .run(seq_, change.step, change.scale, wire::encode(change.scaler).dump());
}

void RowWriter::rows(const wire::CheckpointInfo& saved) {
  Statement(database_, "INSERT INTO checkpoints VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)")
      .run(seq_, saved.step, saved.file, saved.reason, saved.policy_revision, saved.model, saved.bytes, saved.saved,
           saved.loss.value_or(std::numeric_limits<double>::quiet_NaN()));
}

void RowWriter::rows(const wire::Rewound& rewound) {
  Statement(database_, "INSERT INTO rewinds VALUES (?, ?, ?)").run(seq_, rewound.step, rewound.file);
}

void RowWriter::rows(const wire::LogLine& line) {
  log_.run(seq_, line.level, line.text);
}

void RowWriter::rows(const wire::Finished& finished) {
  Statement(database_, "INSERT INTO finished VALUES (?, ?, ?, ?, ?)")
      .run(seq_, word(finished.outcome), finished.steps, finished.message, finished.hint);
}

}  // namespace binade::record
