// SPDX-License-Identifier: Apache-2.0
#include "engine/record/cast_rows.h"

#include "engine/record/rows.h"

#include <limits>

namespace binade::record {

namespace {

constexpr double kNull = std::numeric_limits<double>::quiet_NaN();  // as SQLite stores it

}  // namespace

CastWriter::CastWriter(const Database& database)
    : forget_lines_(database,
                    "DELETE FROM cast_lines WHERE seq IN (SELECT seq FROM cast_ledgers WHERE policy_revision = ?)"),
      forget_(database, "DELETE FROM cast_ledgers WHERE policy_revision = ?"),
      ledger_(database, "INSERT INTO cast_ledgers VALUES (?, ?, ?, ?, ?, ?)"),
      line_(database, "INSERT INTO cast_lines VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, nullif(?, ''), ?, ?)") {}

void CastWriter::write(std::int64_t seq, const wire::CastLedger& casts) {
  forget_lines_.run(casts.policy_revision);
  forget_.run(casts.policy_revision);
  ledger_.run(seq, casts.policy_revision, casts.first_step, casts.last_step, casts.steps, casts.step_seconds);
  for (std::size_t i = 0; i < casts.lines.size(); ++i) {
    const wire::CastLine& line = casts.lines[i];
    line_.run(seq, std::uint64_t{i}, line.site, line.argument, formats::name(line.from), formats::name(line.to),
              line.casts, line.saved, line.bytes, line.seconds, line.cause, line.edit, line.edit_match,
              line.edit_format ? formats::name(*line.edit_format) : std::string(), line.edit_bytes.value_or(kNull),
              line.edit_seconds.value_or(kNull));
  }
}

CastReader::CastReader(const Database& database, Damage* damage)
    : database_(database),
      damage_(damage),
      ledger_(database,
              "SELECT policy_revision, first_step, last_step, steps, step_seconds FROM cast_ledgers WHERE seq = ?"),
      line_(database,
            "SELECT site, argument, from_format, to_format, casts, saved, bytes, seconds, cause, edit, edit_match, "
            "edit_format, edit_bytes, edit_seconds FROM cast_lines WHERE seq = ? ORDER BY position") {}

wire::CastLedger CastReader::read(std::int64_t seq) {
  const Reset reset{ledger_};
  const Row ledger = go_to(database_, ledger_, "cast_ledgers", seq);
  wire::CastLedger casts;
  casts.policy_revision = ledger.small(0);
  casts.first_step = ledger.integer(1);
  casts.last_step = ledger.integer(2);
  casts.steps = ledger.integer(3);
  casts.step_seconds = ledger.real(4);
  line_.query(seq);
  each_row(database_, line_, "cast_lines", seq, damage_, [&](const Row& row) {
    wire::CastLine line;
    line.site = row.small(0);
    line.argument = row.text(1);
    line.from = row.format(2);
    line.to = row.format(3);
    line.casts = row.real(4);
    line.saved = row.real(5);
    line.bytes = row.real(6);
    line.seconds = row.real(7);
    line.cause = row.text(8);
    line.edit = row.text(9);
    line.edit_match = row.text(10);
    if (!row.is_null(11)) line.edit_format = row.format(11);
    line.edit_bytes = row.known(12);
    line.edit_seconds = row.known(13);
    casts.lines.push_back(std::move(line));
  });
  return casts;
}

}  // namespace binade::record
