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

CastReader::CastReader(const Database& database)
    : database_(database),
      ledger_(database,
              "SELECT policy_revision, first_step, last_step, steps, step_seconds FROM cast_ledgers WHERE seq = ?"),
      line_(database,
            "SELECT site, argument, from_format, to_format, casts, saved, bytes, seconds, cause, edit, edit_match, "
            "edit_format, edit_bytes, edit_seconds FROM cast_lines WHERE seq = ? ORDER BY position") {}

wire::CastLedger CastReader::read(std::int64_t seq) {
  const Reset reset{ledger_}, reset_lines{line_};
  go_to(database_, ledger_, seq);
  wire::CastLedger casts;
  casts.policy_revision = int_at(ledger_, 0);
  casts.first_step = ledger_.integer(1);
  casts.last_step = ledger_.integer(2);
  casts.steps = ledger_.integer(3);
  casts.step_seconds = ledger_.real(4);
  line_.query(seq);
  while (line_.next()) {
    wire::CastLine& line = casts.lines.emplace_back();
    line.site = int_at(line_, 0);
    line.argument = line_.text(1);
    line.from = format_at(database_, line_, 2);
    line.to = format_at(database_, line_, 3);
    line.casts = line_.real(4);
    line.saved = line_.real(5);
    line.bytes = line_.real(6);
    line.seconds = line_.real(7);
    line.cause = line_.text(8);
    line.edit = line_.text(9);
    line.edit_match = line_.text(10);
    if (!line_.is_null(11)) line.edit_format = format_at(database_, line_, 11);
    if (!line_.is_null(12)) line.edit_bytes = line_.real(12);
    if (!line_.is_null(13)) line.edit_seconds = line_.real(13);
  }
  return casts;
}

}  // namespace binade::record
