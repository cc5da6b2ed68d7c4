// SPDX-License-Identifier: Apache-2.0
#include "engine/record/comparison_rows.h"

#include "engine/record/rows.h"

#include <limits>

namespace binade::record {

namespace {

double known(const std::optional<double>& value) {
  return value.value_or(std::numeric_limits<double>::quiet_NaN());
}

std::optional<double> optional_at(const Statement& row, int column) {
  return row.is_null(column) ? std::nullopt : std::optional(row.real(column));
}

}  // namespace

ComparisonWriter::ComparisonWriter(const Database& database)
    : comparison_(database, "INSERT INTO comparisons VALUES (?, ?, ?, ?, ?)"),
      site_(database, "INSERT INTO comparison_sites VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)") {}

void ComparisonWriter::write(std::int64_t seq, const wire::Float32Comparison& comparison) {
  comparison_.run(seq, comparison.step, comparison.loss, comparison.float32_loss, comparison.scale);
  for (std::size_t i = 0; i < comparison.sites.size(); ++i) {
    const wire::SiteDifference& site = comparison.sites[i];
    site_.run(seq, std::uint64_t{i}, site.site, site.calls, site.forward, site.added, site.measured,
              known(site.gradient), known(site.cosine), known(site.gradient_added), site.arrived, site.inherited,
              site.becomes, site.becomes_at, site.zeroed, known(site.gradient_zeroed));
  }
}

ComparisonReader::ComparisonReader(const Database& database)
    : database_(database),
      comparison_(database, "SELECT step, loss, float32_loss, scale FROM comparisons WHERE seq = ?"),
      site_(database,
            "SELECT site, calls, forward, added, measured, gradient, cosine, gradient_added, arrived, inherited, "
            "becomes, "
            "becomes_at, zeroed, gradient_zeroed FROM comparison_sites WHERE seq = ? ORDER BY position") {}

wire::Float32Comparison ComparisonReader::read(std::int64_t seq) {
  const Reset reset{comparison_}, reset_sites{site_};
  go_to(database_, comparison_, seq);
  wire::Float32Comparison comparison;
  comparison.step = comparison_.integer(0);
  comparison.loss = comparison_.real(1);
  comparison.float32_loss = comparison_.real(2);
  comparison.scale = comparison_.real(3);
  site_.query(seq);
  while (site_.next()) {
    comparison.sites.push_back({.site = int_at(site_, 0),
                                .calls = int_at(site_, 1),
                                .forward = site_.real(2),
                                .added = site_.real(3),
                                .measured = site_.integer(4) != 0,
                                .gradient = optional_at(site_, 5),
                                .cosine = optional_at(site_, 6),
                                .gradient_added = optional_at(site_, 7),
                                .arrived = site_.real(8),
                                .inherited = site_.real(9),
                                .becomes = site_.real(10),
                                .becomes_at = int_at(site_, 11),
                                .zeroed = site_.real(12),
                                .gradient_zeroed = optional_at(site_, 13)});
  }
  return comparison;
}

}  // namespace binade::record
