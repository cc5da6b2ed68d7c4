// SPDX-License-Identifier: Apache-2.0
#include "engine/record/row_reader.h"

#include "engine/record/rows.h"
#include "engine/record/stats_blob.h"
#include "engine/record/step_parts.h"
#include "engine/wire/run_gate.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

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

/// Decodes a column that holds a JSON list of whole numbers.
std::vector<std::int64_t> numbers_at(const Row& row, int column) {
  const nlohmann::json list = nlohmann::json::parse(row.text(column), nullptr, /*allow_exceptions=*/false);
  std::vector<std::int64_t> numbers;
  if (!list.is_array()) row.fail(column, "is not a list of whole numbers");
  for (const nlohmann::json& each : list) {
    if (!each.is_number_integer()) row.fail(column, "is not a list of whole numbers");
    numbers.push_back(each.get<std::int64_t>());
  }
  return numbers;
}

wire::StepRecord step_at(const Row& row) {
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
  return step;
}

}  // namespace

template <class Read>
void RowReader::one(const char* table, const char* sql, std::int64_t seq, Read read) {
  Statement& statement = statements_[sql];
  const Reset reset{statement};
  read(go_to(database_, statement, table, seq));
}

template <class Read>
void RowReader::each(const char* table, const char* sql, std::int64_t seq, Read read) {
  Statement& statement = statements_[sql];
  statement.query(seq);
  each_row(database_, statement, table, seq, damage_, read);
}

void RowReader::fill(std::int64_t seq, wire::RunStarted& started) {
  one("run", "SELECT config, run_file, device, model FROM run WHERE seq = ?", seq, [&](const Row& row) {
    attempt(damage_, [&] {
      const std::string config = row.text(0);
      started.config = row.in(0, [&] { return wire::parse_run(config, "configuration", {}); });
    });
    attempt(damage_, [&] { started.run_file = row.text(1); });
    attempt(damage_, [&] { started.device = row.text(2); });
    const bool known = attempt(damage_, [&] {
      auto model = row.json<wire::ModelInfo>(3);
      wire::RunGate gate([&](const wire::Misfit& misfit) { row.fail(3, misfit.text()); });
      gate.admit(model);
      started.model = std::move(model);
    });
    started.model.sites = sites(known ? std::optional(started.model.own_blocks.size()) : std::nullopt);
    const bool fits = attempt(damage_, [&] {
      if (!started.model.flow) return;
      const wire::FlowMisfit misfit = wire::misfit_of(*started.model.flow, started.model.sites.size());
      if (!misfit.field.empty()) row.fail(3, misfit.field + " " + misfit.what);
    });
    if (!fits) started.model.flow.reset();
  });
  sites_ = started.model.sites.size();
  started.ranks = ranks();
  attempt(damage_, [&] { started.policy = read<wire::PolicyApplied>(seq); });
}

/// Reads the op calls, whose index is their id. A missing row leaves a site without a name. Rows with a duplicate id,
/// or an id far above all others, are skipped. `blocks`: number of the model's autocast blocks, if known.
std::vector<wire::SiteInfo> RowReader::sites(std::optional<std::size_t> blocks) {
  Statement site(database_,
                 "SELECT id, path, method, op, overload, ordinal, source, list_rule, is_view, in_place, in_loop, "
                 "inside, own_block FROM sites ORDER BY id");
  const auto most = 2 * std::stoll(database_.value("SELECT count(*) FROM sites")) + 16;
  std::vector<wire::SiteInfo> all;
  each_row(database_, site, "sites", -1, damage_, [&](const Row& row) {
    const int id = row.small(0);
    if (id < 0 || id >= most) row.fail(0, std::to_string(id) + " is not a place among the op calls");
    if (static_cast<std::size_t>(id) < all.size()) row.fail(0, std::to_string(id) + " is given twice");
    wire::SiteInfo info{.id = id,
                        .key = {row.text(1), row.text(2), row.text(3), row.text(4), row.small(5)},
                        .source = row.text(6),
                        .list_rule = row.text(7),
                        .view = row.flag(8),
                        .in_place = row.flag(9),
                        .in_loop = row.flag(10),
                        .inside = row.flag(11),
                        .own_block = own_block(row, 12, blocks)};
    if (info.key.ordinal < 0) row.fail(5, std::to_string(info.key.ordinal) + " is out of range");
    while (all.size() < static_cast<std::size_t>(id)) {
      wire::SiteInfo missing;
      missing.id = static_cast<int>(all.size());
      missing.key.op = "missing";
      missing.key.ordinal = missing.id;
      attempt(damage_, [&] { refuse(database_, "table sites: there is no op call " + std::to_string(missing.id)); });
      all.push_back(std::move(missing));
    }
    all.push_back(std::move(info));
  });
  return all;
}

/// Reads the ranks of a run on several. All or none, since they are identified by their order.
std::vector<wire::RankInfo> RowReader::ranks() {
  const std::size_t damaged = damage_ == nullptr ? 0 : damage_->count();
  Statement rank(database_, "SELECT rank, host, device FROM ranks ORDER BY rank");
  std::vector<wire::RankInfo> all;
  each_row(database_, rank, "ranks", -1, damage_, [&](const Row& row) {
    if (row.integer(0) != static_cast<std::int64_t>(all.size())) {
      row.fail(0, std::to_string(row.integer(0)) + " is not the next rank");
    }
    all.push_back({row.small(0), row.text(1), row.text(2)});
  });
  if (damage_ != nullptr && damage_->count() != damaged) all.clear();
  return all;
}

/// Returns the innermost block around a site. If the block is missing, the site is outside of all blocks.
int RowReader::own_block(const Row& row, int column, std::optional<std::size_t> blocks) {
  if (!blocks) return -1;
  int block = -1;
  attempt(damage_, [&] {
    const int read = row.small(column);
    if (read < -1 || read >= static_cast<int>(*blocks)) {
      row.fail(column, std::to_string(read) + ", and the model has " + std::to_string(*blocks) + " autocast blocks");
    }
    block = read;
  });
  return block;
}

void RowReader::fill(std::int64_t seq, wire::PolicyApplied& applied) {
  one("policies", "SELECT revision, step, policy FROM policies WHERE seq = ?", seq, [&](const Row& row) {
    applied.revision = row.small(0);
    applied.step = row.integer(1);
    const std::string policy = row.text(2);
    applied.policy = row.in(2, [&] { return policy::parse_policy(policy, "policy"); });
  });
  const char* decisions =
      "SELECT kind, format, backward, execution, overflow, rule, site, coalesce(op, ''), coalesce(overload, '') "
      "FROM decisions LEFT JOIN sites ON id = site WHERE seq = ? ORDER BY site";
  each("decisions", decisions, seq, [&](const Row& row) {
    // Indexed by op call, so a missing row does not shift the others.
    const std::int64_t site = row.integer(6);
    const auto next = static_cast<std::int64_t>(applied.decisions.size());
    const bool skips = site > next && (damage_ == nullptr || site >= static_cast<std::int64_t>(sites_));
    if (site < next || skips) row.fail(6, std::to_string(site) + " is not the next op call");
    applied.decisions.resize(static_cast<std::size_t>(site));
    applied.decisions.push_back({.kind = row.word<policy::Decision::Kind>(0),
                                 .format = row.format(1),
                                 .backward = row.format(2),
                                 .execution = row.word<policy::Execution>(3),
                                 .overflow = row.word<formats::Overflow>(4),
                                 .rule = row.small(5)});
    policy::Decision& decision = applied.decisions.back();
    decision.products = policy::products_of(applied.policy, decision.rule, row.text(7), row.text(8));
  });
  const char* findings = "SELECT severity, rule, message FROM findings WHERE seq = ? ORDER BY position";
  each("findings", findings, seq, [&](const Row& row) {
    applied.findings.push_back({row.word<policy::Finding::Severity>(0), row.small(1), row.text(2)});
  });
}

void RowReader::fill(std::int64_t seq, wire::StepRecord& step) {
  static const std::string own = std::string("SELECT ") + kStepColumns + " FROM steps WHERE seq = ?";
  one("steps", own.c_str(), seq, [&](const Row& row) { step = step_at(row); });
  fill_scales(seq, step);
  fill_ranks(seq, step);
  fill_tensors(seq, step);
  fill_observations(seq, step);
}

wire::StepRecord RowReader::step(const Row& row, std::int64_t seq, const StepParts& parts, bool observations) {
  wire::StepRecord step = step_at(row);
  if (parts.scales.has(seq)) fill_scales(seq, step);
  if (parts.ranks.has(seq)) fill_ranks(seq, step);
  if (parts.tensors.has(seq)) fill_tensors(seq, step);
  if (observations && parts.stats.has(seq)) fill_observations(seq, step);
  return step;
}

void RowReader::fill_scales(std::int64_t seq, wire::StepRecord& step) {
  // All or none, since they are identified by their order.
  const std::size_t damaged = damage_ == nullptr ? 0 : damage_->count();
  const char* scales = "SELECT scale, next_scale, found_inf FROM step_scales WHERE seq = ? ORDER BY position";
  each("step_scales", scales, seq, [&](const Row& row) {
    step.scalers.push_back({row.real(0), row.real(1), row.flag(2)});
  });
  if (damage_ != nullptr && damage_->count() != damaged) step.scalers.clear();
}

void RowReader::fill_ranks(std::int64_t seq, wire::StepRecord& step) {
  const char* ranks =
      "SELECT rank, seconds, waited, found_inf, rows, tensor FROM step_ranks WHERE seq = ? ORDER BY rank";
  each("step_ranks", ranks, seq, [&](const Row& row) {
    wire::RankFacts facts{.rank = row.small(0),
                          .seconds = row.real(1),
                          .waited = row.real(2),
                          .found_inf = row.flag(3),
                          .rows = {},
                          .tensor = row.real(5)};
    if (!row.is_null(4)) facts.rows = numbers_at(row, 4);
    step.ranks.push_back(std::move(facts));
  });
}

void RowReader::fill_tensors(std::int64_t seq, wire::StepRecord& step) {
  const char* tensors =
      "SELECT id, coalesce(site, -1) AS site, kind, argument, format, emulated FROM tensors WHERE seq = ? "
      "ORDER BY position";
  each("tensors", tensors, seq, [&](const Row& row) { step.new_tensors.push_back(tensor_at(row)); });
}

void RowReader::fill_observations(std::int64_t seq, wire::StepRecord& step) {
  Statement& stats = statements_["SELECT packed, size, tensors FROM stats WHERE seq = ?"];
  const Reset reset{stats};
  stats.query(seq);
  if (!stats.next()) return;
  attempt(damage_, [&] {
    const Row row(database_, stats, "stats", seq);
    const auto size = static_cast<std::size_t>(row.count(1)), count = static_cast<std::size_t>(row.count(2));
    step.observations = row.in(0, [&] { return unpack_observations(row.bytes(0), size, count); });
  });
}

void RowReader::fill(std::int64_t seq, wire::Event& event) {
  one("events", "SELECT step, kind, scale, facts, diagnosis, rank FROM events WHERE seq = ?", seq, [&](const Row& row) {
    attempt(damage_, [&] { event = row.json<wire::Event>(3); });  // without facts the event has a text that says so
    event.step = row.integer(0);
    event.kind = row.word<wire::Event::Kind>(1);
    event.scale = row.real(2);
    event.rank.reset();
    attempt(damage_, [&] {
      if (!row.is_null(5)) event.rank = row.small(5);
    });
    attempt(damage_, [&] {
      if (!row.is_null(4)) event.diagnosis = row.json<wire::Diagnosis>(4);
    });
  });
  const char* tensors =
      "SELECT tensor, site, non_finite, overflow, largest, nan FROM event_tensors WHERE seq = ? ORDER BY position";
  each("event_tensors", tensors, seq, [&](const Row& row) {
    event.tensors.push_back({.tensor = row.small(0),
                             .site = row.small(1),
                             .non_finite = row.count(2),
                             .overflow = row.count(3),
                             .largest = static_cast<float>(row.real(4)),
                             .nan = row.count(5)});
  });
}

void RowReader::fill(std::int64_t seq, wire::Evaluated& evaluated) {
  one("evaluations", "SELECT step, accuracy, loss FROM evaluations WHERE seq = ?", seq, [&](const Row& row) {
    evaluated = {row.integer(0), row.real(1), row.real(2)};
  });
}

void RowReader::fill(std::int64_t seq, wire::ScalerChanged& change) {
  one("scaler_changes", "SELECT step, scale, scaler FROM scaler_changes WHERE seq = ?", seq, [&](const Row& row) {
    change = {row.integer(0), row.json<wire::ScalerConfig>(2), row.real(1)};
  });
}

void RowReader::fill(std::int64_t seq, wire::CheckpointInfo& saved) {
  const char* own =
      "SELECT step, file, reason, policy_revision, model, bytes, saved, loss FROM checkpoints WHERE seq = ?";
  one("checkpoints", own, seq, [&](const Row& row) {
    saved.step = row.integer(0);
    saved.file = row.text(1);
    saved.reason = row.text(2);
    saved.policy_revision = row.small(3);
    saved.model = row.text(4);
    saved.bytes = row.count(5);
    saved.saved = row.integer(6);
    saved.loss = row.known(7);
  });
}

void RowReader::fill(std::int64_t seq, wire::Rewound& rewound) {
  one("rewinds", "SELECT step, file FROM rewinds WHERE seq = ?", seq, [&](const Row& row) {
    rewound = {row.integer(0), row.text(1)};
  });
}

void RowReader::fill(std::int64_t seq, wire::LogLine& line) {
  one("log", "SELECT level, text FROM log WHERE seq = ?", seq, [&](const Row& row) {
    line = {row.text(0), row.text(1)};
  });
}

void RowReader::fill(std::int64_t seq, wire::Profile& profile) {
  one("profiles", "SELECT json FROM profiles WHERE seq = ?", seq,
      [&](const Row& row) { profile = row.json<wire::Profile>(0); });
  profile.sites.clear();
  const char* sites =
      "SELECT site, calls, forward, backward, accumulate, observe, launches, tensor, tensor_error, confidence, "
      "emulated FROM profile_sites WHERE seq = ? ORDER BY site";
  each("profile_sites", sites, seq, [&](const Row& row) {
    wire::SiteProfile site;
    site.site = row.small(0);
    site.calls = row.real(1);
    site.forward = row.real(2);
    site.backward = row.real(3);
    site.accumulate = row.real(4);
    site.observe = row.real(5);
    site.launches = row.real(6);
    site.tensor = row.real(7);
    site.tensor_error = row.real(8);
    site.confidence = row.text(9);
    site.emulated = row.flag(10);
    profile.sites.push_back(std::move(site));
  });
  for (wire::SiteProfile& site : profile.sites) verdict(seq, site);
  const char* kernels =
      "SELECT site, name, launches, seconds, by_name FROM profile_kernels WHERE seq = ? ORDER BY site, position";
  each("profile_kernels", kernels, seq, [&](const Row& row) {
    const auto site = std::ranges::lower_bound(profile.sites, row.small(0), {}, &wire::SiteProfile::site);
    if (site == profile.sites.end() || site->site != row.small(0))
      row.fail(0, std::to_string(row.small(0)) + " is not an op call of this profile");
    site->kernels.push_back({row.text(1), row.integer(2), row.real(3), row.text(4)});
  });
}

/// Only changes of a verdict are written, so the newest one up to `seq` applies.
void RowReader::verdict(std::int64_t seq, wire::SiteProfile& site) {
  Statement& newest =
      statements_["SELECT json FROM profile_verdicts WHERE site = ? AND seq <= ? ORDER BY seq DESC LIMIT 1"];
  const Reset reset{newest};
  newest.query(site.site, seq);
  if (!newest.next()) return;
  attempt(damage_, [&] {
    const Row row(database_, newest, "profile_verdicts", seq);
    site.verdict = row.json<wire::TensorVerdict>(0);
  });
}

void RowReader::fill(std::int64_t seq, wire::CastLedger& casts) {
  one("cast_ledgers", "SELECT json FROM cast_ledgers WHERE seq = ?", seq,
      [&](const Row& row) { casts = row.json<wire::CastLedger>(0); });
}

void RowReader::fill(std::int64_t seq, wire::Float32Comparison& comparison) {
  one("comparisons", "SELECT json FROM comparisons WHERE seq = ?", seq,
      [&](const Row& row) { comparison = row.json<wire::Float32Comparison>(0); });
}

void RowReader::fill(std::int64_t seq, wire::QuantizedStep& quantized) {
  one("quantized_steps", "SELECT json FROM quantized_steps WHERE seq = ?", seq,
      [&](const Row& row) { quantized = row.json<wire::QuantizedStep>(0); });
}

void RowReader::fill(std::int64_t seq, wire::SilentReport& report) {
  one("silent_reports", "SELECT json FROM silent_reports WHERE seq = ?", seq,
      [&](const Row& row) { report = row.json<wire::SilentReport>(0); });
}

void RowReader::fill(std::int64_t seq, wire::Trial& trial) {
  one("tries", "SELECT json FROM tries WHERE seq = ?", seq, [&](const Row& row) { trial = row.json<wire::Trial>(0); });
}

void RowReader::fill(std::int64_t seq, wire::Note& note) {
  one("notes", "SELECT step, text, written FROM notes WHERE seq = ?", seq, [&](const Row& row) {
    note = {row.integer(0), row.text(1), row.integer(2)};
  });
}

void RowReader::fill(std::int64_t seq, wire::Finished& finished) {
  one("finished", "SELECT outcome, steps, message, hint FROM finished WHERE seq = ?", seq, [&](const Row& row) {
    finished = {row.word<wire::Outcome>(0), row.integer(1), row.text(2), row.text(3)};
  });
}

}  // namespace binade::record
