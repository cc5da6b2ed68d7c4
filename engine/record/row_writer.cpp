// SPDX-License-Identifier: Apache-2.0
#include "engine/record/row_writer.h"

#include "engine/record/stats_blob.h"
#include "engine/wire/codec.h"
#include "engine/wire/enum_text.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace binade::record {

using wire::word;

template <class... Values>
void RowWriter::insert(const char* table, const Values&... values) {
  auto found = inserts_.find(table);
  if (found == inserts_.end()) {
    std::string sql = std::string("INSERT INTO ") + table + " VALUES (?";
    for (std::size_t i = 1; i < sizeof...(values); ++i) sql += ", ?";
    found = inserts_.try_emplace(table, database_, sql + ")").first;
  }
  found->second.run(values...);
}

template <class T>
void RowWriter::replace(const T& record) {
  const std::string table = table_of<T>();
  Statement(database_, "DELETE FROM " + table + " WHERE policy_revision = ?").run(record.policy_revision);
  insert(table_of<T>(), seq_, record.policy_revision, wire::encode_text(record));
}

void RowWriter::write(const RunRecord& record) {
  ++seq_;
  std::visit([this](const auto& each) { rows(each); }, record);
}

void RowWriter::rows(const wire::RunStarted& started) {
  names_.add(started);
  wire::ModelInfo model = started.model;
  for (const wire::SiteInfo& site : model.sites) {
    insert("sites", site.id, site.key.name(), site.key.path, site.key.method, site.key.op, site.key.overload,
           site.key.ordinal, site.source, site.list_rule, site.view, site.in_place, site.in_loop, site.inside,
           site.own_block);
  }
  for (const wire::RankInfo& rank : started.ranks) insert("ranks", rank.rank, rank.host, rank.device);
  model.sites.clear();
  insert("run", seq_, wire::to_json(started.config), started.run_file, started.device, wire::encode_text(model));
  rows(started.policy);
}

void RowWriter::rows(const wire::StepRecord& step) {
  names_.add(step);
  insert("steps", seq_, step.step, step.loss, step.scale, step.next_scale, step.found_inf, step.stepped,
         step.learning_rate, step.gradient_norm, step.seconds, step.observe_seconds, step.policy_revision);
  for (std::size_t i = 0; i < step.scalers.size(); ++i) {
    const auto& scaler = step.scalers[i];
    insert("step_scales", seq_, std::uint64_t{i}, scaler.scale, scaler.next_scale, scaler.found_inf);
  }
  for (const wire::RankFacts& rank : step.ranks) {
    const auto examples = rank.rows.empty() ? std::nullopt : std::optional(nlohmann::json(rank.rows).dump());
    insert("step_ranks", seq_, rank.rank, rank.seconds, rank.waited, rank.found_inf, examples, rank.tensor);
  }
  for (std::size_t i = 0; i < step.new_tensors.size(); ++i) {
    const auto& tensor = step.new_tensors[i];
    const auto site = tensor.site < 0 ? std::nullopt : std::optional(tensor.site);
    insert("tensors", tensor.id, seq_, std::uint64_t{i}, site, word(tensor.kind), tensor.argument,
           formats::name(tensor.format), tensor.emulated);
  }
  if (step.observations.empty()) return;
  const StatsBlob blob = pack_observations(step.observations);
  insert("stats", seq_, std::uint64_t{step.observations.size()}, std::uint64_t{blob.size}, Blob{blob.packed});
}

void RowWriter::rows(const wire::Event& event) {
  std::optional<std::string_view> verdict, direction;
  std::optional<std::string> bundle, diagnosis;
  if (event.diagnosis) {
    verdict = word(event.diagnosis->verdict);
    direction = word(event.diagnosis->direction);
    bundle = event.diagnosis->bundle;
    diagnosis = wire::encode_text(*event.diagnosis);
  }
  wire::Event facts = event;
  facts.tensors.clear();
  facts.diagnosis.reset();
  facts.rank.reset();
  insert("events", seq_, event.step, word(event.kind), event.scale, names_.sentence_of(event), verdict, direction,
         bundle, diagnosis, wire::encode_text(facts), event.rank);
  for (std::size_t i = 0; i < event.tensors.size(); ++i) {
    const auto& tensor = event.tensors[i];
    insert("event_tensors", seq_, std::uint64_t{i}, tensor.tensor, tensor.site, tensor.non_finite, tensor.overflow,
           tensor.largest, tensor.nan);
  }
}

void RowWriter::rows(const wire::Evaluated& evaluated) {
  insert("evaluations", seq_, evaluated.step, evaluated.accuracy, evaluated.loss);
}

void RowWriter::rows(const wire::PolicyApplied& applied) {
  insert("policies", seq_, applied.revision, applied.step, policy::to_json(applied.policy));
  for (std::size_t i = 0; i < applied.decisions.size(); ++i) {
    const auto& each = applied.decisions[i];
    insert("decisions", seq_, std::uint64_t{i}, word(each.kind), formats::name(each.format),
           formats::name(each.backward), word(each.execution), word(each.overflow), each.rule);
  }
  for (std::size_t i = 0; i < applied.findings.size(); ++i) {
    const auto& each = applied.findings[i];
    insert("findings", seq_, std::uint64_t{i}, word(each.severity), each.rule, each.message);
  }
}

void RowWriter::rows(const wire::ScalerChanged& change) {
  insert("scaler_changes", seq_, change.step, change.scale, wire::encode_text(change.scaler));
}

void RowWriter::rows(const wire::CheckpointInfo& saved) {
  insert("checkpoints", seq_, saved.step, saved.file, saved.reason, saved.policy_revision, saved.model, saved.bytes,
         saved.saved, saved.loss);
}

void RowWriter::rows(const wire::Rewound& rewound) {
  insert("rewinds", seq_, rewound.step, rewound.file);
}

void RowWriter::rows(const wire::LogLine& line) {
  insert("log", seq_, line.level, line.text);
}

void RowWriter::rows(const wire::Profile& profile) {
  wire::Profile rest = profile;
  rest.sites.clear();
  insert("profiles", seq_, profile.last_step, wire::encode_text(rest));
  for (const wire::SiteProfile& site : profile.sites) {
    insert("profile_sites", seq_, site.site, site.calls, site.forward, site.backward, site.accumulate, site.observe,
           site.launches, site.tensor, site.tensor_error, site.confidence, site.emulated);
    const auto [known, is_new] = verdicts_.try_emplace(site.site, site.verdict);
    if (is_new || known->second != site.verdict) {
      known->second = site.verdict;
      insert("profile_verdicts", site.site, seq_, word(site.verdict.kind), wire::encode_text(site.verdict));
    }
    for (std::size_t i = 0; i < site.kernels.size(); ++i) {
      const wire::ProfileKernel& kernel = site.kernels[i];
      insert("profile_kernels", seq_, site.site, std::uint64_t{i}, kernel.name, kernel.launches, kernel.seconds,
             kernel.by_name);
    }
  }
}

void RowWriter::rows(const wire::CastLedger& casts) {
  replace(casts);
}

void RowWriter::rows(const wire::Float32Comparison& comparison) {
  insert("comparisons", seq_, comparison.step, wire::encode_text(comparison));
}

void RowWriter::rows(const wire::QuantizedStep& quantized) {
  insert("quantized_steps", seq_, quantized.step, wire::encode_text(quantized));
}

void RowWriter::rows(const wire::SilentReport& report) {
  replace(report);
}

void RowWriter::rows(const wire::Trial& trial) {
  insert("tries", seq_, trial.first_step, trial.name, word(trial.verdict), wire::encode_text(trial));
}

void RowWriter::rows(const wire::Note& note) {
  insert("notes", seq_, note.step, note.text, note.written);
}

void RowWriter::rows(const wire::Finished& finished) {
  insert("finished", seq_, word(finished.outcome), finished.steps, finished.message, finished.hint);
}

}  // namespace binade::record
