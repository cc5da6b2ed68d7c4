// SPDX-License-Identifier: Apache-2.0
#include "engine/record/silent_rows.h"

#include "engine/formats/error.h"
#include "engine/record/json_at.h"
#include "engine/record/rows.h"
#include "engine/wire/codec.h"

#include <nlohmann/json.hpp>

namespace binade::record {

SilentWriter::SilentWriter(const Database& database)
    : forget_faults_(
          database,
          "DELETE FROM silent_faults WHERE seq IN (SELECT seq FROM silent_reports WHERE policy_revision = ?)"),
      forget_updates_(
          database,
          "DELETE FROM parameter_updates WHERE seq IN (SELECT seq FROM silent_reports WHERE policy_revision = ?)"),
      forget_(database, "DELETE FROM silent_reports WHERE policy_revision = ?"),
      report_(database, "INSERT INTO silent_reports VALUES (?, ?, ?, ?, ?, ?)"),
      fault_(database, "INSERT INTO silent_faults VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"),
      update_(database, "INSERT INTO parameter_updates VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)") {}

void SilentWriter::write(std::int64_t seq, const wire::SilentReport& report) {
  forget_faults_.run(report.policy_revision);
  forget_updates_.run(report.policy_revision);
  forget_.run(report.policy_revision);
  report_.run(seq, report.policy_revision, report.first_step, report.last_step, report.looked,
              nlohmann::json(report.hidden).dump());
  for (std::size_t i = 0; i < report.faults.size(); ++i) {
    const wire::SilentFault& fault = report.faults[i];
    fault_.run(seq, std::uint64_t{i}, wire::name(fault.kind), wire::name(fault.direction), fault.site, fault.what,
               fault.first_step, fault.last_step, fault.seen, fault.looked, fault.amount, fault.unit, fault.sentence,
               wire::encode(fault).dump());
  }
  for (std::size_t i = 0; i < report.updates.size(); ++i) {
    const wire::ParameterUpdate& update = report.updates[i];
    update_.run(seq, std::uint64_t{i}, update.parameter, formats::name(update.format), update.step, update.elements,
                update.moved, update.lost, update.lost_norm, update.update_over_weight);
  }
}

SilentReader::SilentReader(const Database& database, Damage* damage)
    : database_(database),
      damage_(damage),
      report_(database,
              "SELECT policy_revision, first_step, last_step, looked, hidden FROM silent_reports WHERE seq = ?"),
      fault_(database, "SELECT fault FROM silent_faults WHERE seq = ? ORDER BY position"),
      update_(database,
              "SELECT parameter, format, step, elements, moved, lost, lost_norm, update_over_weight FROM "
              "parameter_updates WHERE seq = ? ORDER BY position") {}

wire::SilentReport SilentReader::read(std::int64_t seq) {
  const Reset reset{report_};
  const Row report = go_to(database_, report_, "silent_reports", seq);
  wire::SilentReport read;
  read.policy_revision = report.small(0);
  read.first_step = report.integer(1);
  read.last_step = report.integer(2);
  read.looked = report.integer(3);
  attempt(damage_, [&] {
    const auto hidden = json_at(report, 4);
    if (!hidden.is_array()) report.fail(4, "what a report of silent faults did not see is no list");
    for (const auto& sentence : hidden) {
      if (sentence.is_string()) read.hidden.push_back(sentence.get<std::string>());
    }
  });
  fault_.query(seq);
  each_row(database_, fault_, "silent_faults", seq, damage_, [&](const Row& row) {
    const auto json = json_at(row, 0);
    if (!json.is_object()) row.fail(0, "a silent fault is no object");
    try {
      read.faults.push_back(wire::decode<wire::SilentFault>(json));
    } catch (const Error& error) {
      row.fail(0, std::string("a silent fault: ") + error.what());
    }
  });
  update_.query(seq);
  each_row(database_, update_, "parameter_updates", seq, damage_, [&](const Row& row) {
    read.updates.push_back({.parameter = row.text(0),
                            .format = row.format(1),
                            .step = row.integer(2),
                            .elements = row.count(3),
                            .moved = row.count(4),
                            .lost = row.count(5),
                            .lost_norm = row.real(6),
                            .update_over_weight = row.real(7)});
  });
  return read;
}

}  // namespace binade::record
