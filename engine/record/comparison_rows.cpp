// SPDX-License-Identifier: Apache-2.0
#include "engine/record/comparison_rows.h"

#include "engine/record/rows.h"
#include "engine/wire/enum_text.h"

#include <limits>

namespace binade::record {

namespace {

double known(const std::optional<double>& value) {
  return value.value_or(std::numeric_limits<double>::quiet_NaN());
}

}  // namespace

ComparisonWriter::ComparisonWriter(const Database& database)
    : comparison_(database, "INSERT INTO comparisons VALUES (?, ?, ?, ?, ?)"),
      site_(database, "INSERT INTO comparison_sites VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"),
      note_(database, "INSERT INTO comparison_notes VALUES (?, ?, ?, ?, ?, ?)") {}

void ComparisonWriter::write(std::int64_t seq, const wire::Float32Comparison& comparison) {
  comparison_.run(seq, comparison.step, comparison.loss, comparison.float32_loss, comparison.scale);
  for (std::size_t i = 0; i < comparison.sites.size(); ++i) {
    const wire::SiteDifference& site = comparison.sites[i];
    site_.run(seq, std::uint64_t{i}, site.site, site.calls, site.forward, site.added, site.measured,
              known(site.gradient), known(site.cosine), known(site.gradient_added), site.arrived, site.inherited,
              site.becomes, site.becomes_at, site.zeroed, known(site.gradient_zeroed));
  }
  for (std::size_t i = 0; i < comparison.reference.size(); ++i) {
    const wire::ReferenceNote& note = comparison.reference[i];
    note_.run(seq, std::uint64_t{i}, wire::word(note.kind), note.site, note.name, note.format);
  }
}

ComparisonReader::ComparisonReader(const Database& database, Damage* damage)
    : database_(database),
      damage_(damage),
      comparison_(database, "SELECT step, loss, float32_loss, scale FROM comparisons WHERE seq = ?"),
      site_(database,
            "SELECT site, calls, forward, added, measured, gradient, cosine, gradient_added, arrived, inherited, "
            "becomes, "
            "becomes_at, zeroed, gradient_zeroed FROM comparison_sites WHERE seq = ? ORDER BY position"),
      note_(database, "SELECT kind, site, name, format FROM comparison_notes WHERE seq = ? ORDER BY position") {}

wire::Float32Comparison ComparisonReader::read(std::int64_t seq) {
  const Reset reset{comparison_};
  const Row compared = go_to(database_, comparison_, "comparisons", seq);
  wire::Float32Comparison comparison;
  comparison.step = compared.integer(0);
  comparison.loss = compared.real(1);
  comparison.float32_loss = compared.real(2);
  comparison.scale = compared.real(3);
  site_.query(seq);
  each_row(database_, site_, "comparison_sites", seq, damage_, [&](const Row& row) {
    comparison.sites.push_back({.site = row.small(0),
                                .calls = row.small(1),
                                .forward = row.real(2),
                                .added = row.real(3),
                                .measured = row.flag(4),
                                .gradient = row.known(5),
                                .cosine = row.known(6),
                                .gradient_added = row.known(7),
                                .arrived = row.real(8),
                                .inherited = row.real(9),
                                .becomes = row.real(10),
                                .becomes_at = row.small(11),
                                .zeroed = row.real(12),
                                .gradient_zeroed = row.known(13)});
  });
  note_.query(seq);
  each_row(database_, note_, "comparison_notes", seq, damage_, [&](const Row& row) {
    comparison.reference.push_back({row.word<wire::ReferenceNote::Kind>(0), row.small(1), row.text(2), row.text(3)});
  });
  return comparison;
}

}  // namespace binade::record
