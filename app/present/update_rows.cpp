// SPDX-License-Identifier: Apache-2.0
#include "app/present/update_rows.h"

#include "app/model/translate.h"
#include "views/values/numbers.h"
#include "views/values/roles.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

namespace binade::app {

namespace {

QString countText(std::uint64_t count) {
  return views::grouped(static_cast<std::int64_t>(count));
}

Cell countCell(std::uint64_t count) {
  Cell cell = Cell::figure(countText(count), static_cast<double>(count)).withNumber(static_cast<double>(count));
  if (count == 0) cell.with(views::QuietRole, true);
  return cell;
}

QString ratioText(double ratio) {
  return std::isinf(ratio) ? QStringLiteral("∞") : views::share(ratio);
}

}  // namespace

QList<CellModel::Column> updateColumns() {
  return {{tr("Parameter")},
          {tr("Format")},
          {tr("Update ÷ weight"), true, tr("Norm of the update, divided by the norm of the parameter")},
          {tr("Elements"), true},
          {tr("Updated"), true, tr("Number of elements with a non-zero update")},
          {tr("Lost"), true, tr("Number of updated elements that rounding leaves unchanged")},
          {tr("Lost of norm"), true, tr("Share of the update's norm in the lost elements")},
          {tr("Step"), true, tr("Newest observed step")}};
}

QList<CellRow> updateRows(const wire::SilentReport& report) {
  std::vector<std::size_t> order(report.updates.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return report.updates[a].lost_norm > report.updates[b].lost_norm;
  });
  QList<CellRow> rows;
  for (const std::size_t place : order) {
    const wire::ParameterUpdate& update = report.updates[place];
    const QString format = QString::fromStdString(formats::name(update.format));
    Cell format_cell(format);
    format_cell.with(views::FormatRole, format);
    Cell lost_norm = Cell::figure(views::share(update.lost_norm), update.lost_norm).withNumber(update.lost_norm);
    // Highlighted from the share at which a persisting loss becomes a fault.
    lost_norm.with(update.lost_norm >= 0.1 ? views::AttentionRole : views::QuietRole,
                   update.lost_norm >= 0.1 || update.lost_norm == 0);
    rows.append({static_cast<qlonglong>(place),
                 {Cell(QString::fromStdString(update.parameter)), format_cell,
                  Cell::figure(ratioText(update.update_over_weight), update.update_over_weight)
                      .withNumber(update.update_over_weight, update.format),
                  countCell(update.elements), countCell(update.moved), countCell(update.lost), lost_norm,
                  Cell::figure(views::grouped(update.step), static_cast<double>(update.step))}});
  }
  return rows;
}

QString updateText(const RunModel& run, const std::string& parameter) {
  if (!run.silent()) return {};
  const auto& updates = run.silent()->updates;
  const auto found =
      std::find_if(updates.begin(), updates.end(), [&](const auto& each) { return each.parameter == parameter; });
  if (found == updates.end()) return {};
  return tr("update ÷ weight %1, %2 of %3 lost")
      .arg(ratioText(found->update_over_weight), countText(found->lost), countText(found->moved));
}

const TensorTrack* parameterTensor(const RunModel& run, const std::string& parameter) {
  const TensorTrack* newest = nullptr;
  for (const auto& [id, track] : run.tensors()) {
    if (track.tensor.kind == wire::WatchedTensor::Kind::kParameter && track.tensor.argument == parameter)
      newest = &track;
  }
  return newest;
}

}  // namespace binade::app
