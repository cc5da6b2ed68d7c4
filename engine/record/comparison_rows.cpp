// SPDX-License-Identifier: Apache-2.0
#include "engine/record/comparison_rows.h"

#include "engine/record/rows.h"

#include <limits>

namespace binade::record {

namespace {

double known(const std::optional<double>& value) {
  return value.value_or(std::numeric_limits<double>::quiet_NaN());
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

ComparisonReader::ComparisonReader(const Database& database, Damage* damage)
    : database_(database),
      damage_(damage),
      comparison_(database, "SELECT step, loss, float32_loss, scale FROM comparisons WHERE seq = ?"),
      site_(database,
            "SELECT site, calls, forward, added, measured, gradient, cosine, gradient_added, arrived, inherited, "
            "becomes, "
            "becomes_at, zeroed, gradient_zeroed FROM comparison_sites WHERE seq = ? ORDER BY position") {}

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
  return comparison;
}

}  // namespace binade::record
