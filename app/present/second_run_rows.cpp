// SPDX-License-Identifier: Apache-2.0
#include "app/present/second_run_rows.h"

#include "app/model/site_history.h"
#include "app/model/translate.h"
#include "app/present/call_counts.h"
#include "app/present/site_format.h"
#include "engine/policy/differences.h"
#include "views/values/numbers.h"
#include "views/values/roles.h"

#include <QStringList>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <unordered_map>

namespace binade::app {

namespace {

constexpr double kUnmeasured = std::numeric_limits<double>::quiet_NaN();
constexpr double kNoticeableDoublings = 0.05;
constexpr double kNoticeableTime = 0.05;  // share of the second run's time

QString signedText(double value, const QString& magnitude) {
  return (value < 0 ? QStringLiteral("−") : QStringLiteral("+")) + magnitude;
}

QString signedCount(int value) {
  return value == 0 ? QStringLiteral("0") : signedText(value, views::grouped(std::abs(value)));
}

// Overflows of a whole run, whatever edits were made.
int ever(const SiteOverflows& overflows) {
  return overflows.all() + overflows.earlier;
}

// Two infinite figures, as of op calls without a finite value, are equal.
double differenceOf(double first, double second) {
  return first == second ? 0 : first - second;
}

Cell differenceFigure(double difference, const QString& magnitude) {
  const bool none = std::isnan(difference) || difference == 0;
  Cell cell = Cell::figure(std::isnan(difference) ? QStringLiteral("–")
                           : difference == 0      ? QStringLiteral("0")
                                                  : signedText(difference, magnitude),
                           difference);
  return cell.with(views::QuietRole, none);
}

}  // namespace

RunPair::RunPair(const RunModel& first, const RunModel& second) : first_(&first), second_(&second) {
  std::unordered_map<std::string, int> named;
  for (const wire::SiteInfo& site : second.sites()) named.emplace(site.key.name(), site.id);
  for (const wire::SiteInfo& site : first.sites()) {
    const auto found = named.find(site.key.name());
    in_second_.push_back(found == named.end() ? -1 : found->second);
    if (found != named.end()) ++common_;
  }
  refresh();
}

void RunPair::refresh() {
  first_seconds_ = secondsOfCalls(*first_);
  second_seconds_ = secondsOfCalls(*second_);
  cells_.assign(in_second_.size(), std::nullopt);
}

int RunPair::inSecond(int site) const {
  const auto at = static_cast<std::size_t>(site);
  return site >= 0 && at < in_second_.size() ? in_second_[at] : -1;
}

RunPair::Figures RunPair::figures(const RunModel& run, const std::vector<double>& seconds, int site) const {
  const auto at = static_cast<std::size_t>(site);
  return {siteFormat(run, site).name, figuresOf(run, site), at < seconds.size() ? seconds[at] : kUnmeasured};
}

Cell RunPair::differenceCell(int site) const {
  const auto at = static_cast<std::size_t>(site);
  if (at >= cells_.size()) return newDifferenceCell(site);  // a table may know the next run already
  std::optional<Cell>& kept = cells_[at];
  if (!kept) kept = newDifferenceCell(site);
  return *kept;
}

Cell RunPair::newDifferenceCell(int site) const {
  const int other = inSecond(site);
  if (other < 0) {
    return Cell(tr("not in the second run")).with(views::QuietRole, true).with(views::SortRole, -1.0);
  }
  const Figures first = figures(*first_, first_seconds_, site);
  const Figures second = figures(*second_, second_seconds_, other);
  QStringList parts;
  double weight = 0;
  if (first.format != second.format) {
    parts << QStringLiteral("%1 → %2").arg(second.format, first.format);
    weight += 1;
  }
  if (const int more = ever(first.table.overflows) - ever(second.table.overflows); more != 0) {
    parts << (std::abs(more) == 1 ? tr("%1 overflow") : tr("%1 overflows")).arg(signedCount(more));
    weight += std::abs(more);
  }
  const double doublings = differenceOf(first.table.doublings, second.table.doublings);
  if (std::isfinite(doublings) && std::abs(doublings) >= kNoticeableDoublings) {
    parts << tr("%1 doublings").arg(signedText(doublings, views::doublings(std::abs(doublings))));
    weight += std::abs(doublings);
  }
  const double seconds = first.seconds - second.seconds;
  if (std::abs(seconds) > kNoticeableTime * second.seconds) {
    parts << signedText(seconds, views::duration(std::abs(seconds)));
    weight += std::abs(seconds) / second.seconds;
  }
  Cell cell(parts.isEmpty() ? tr("alike") : parts.join(QStringLiteral(" · ")));
  return cell.with(views::QuietRole, parts.isEmpty())
      .with(views::SortRole, -weight)
      .with(Qt::ToolTipRole, parts.join(u'\n'));
}

QList<CellModel::Column> RunPair::columns() {
  return {{tr("Op call")},
          {tr("Format")},
          {tr("Second's format")},
          {tr("Overflows"), true, tr("Steps in which a tensor of the op call, or a cast for it, overflowed")},
          {tr("Difference"), true, tr("This run minus the second run")},
          {tr("Doublings left"), true},
          {tr("Difference"), true, tr("This run minus the second run")},
          {tr("Time"), true, tr("Newest measurement of one step, forward and backward")},
          {tr("Difference"), true, tr("This run minus the second run")}};
}

QList<CellRow> RunPair::rows() const {
  QList<CellRow> rows;
  for (std::size_t i = 0; i < in_second_.size(); ++i) {
    const int site = static_cast<int>(i);
    const int other = in_second_[i];
    if (other < 0 || (!hasRow(*first_, site) && !hasRow(*second_, other))) continue;
    const Figures first = figures(*first_, first_seconds_, site);
    const Figures second = figures(*second_, second_seconds_, other);
    const auto format = [](const QString& name) {
      return Cell(name).with(views::FormatRole, name).with(views::ExecutionRole, 0);
    };
    const int overflows = ever(first.table.overflows);
    const int more = overflows - ever(second.table.overflows);
    const double exact = differenceOf(first.table.doublings, second.table.doublings);
    const double doublings = std::abs(exact) < kNoticeableDoublings ? 0 : exact;  // would be shown as −0.0
    const double seconds = first.seconds - second.seconds;
    const bool known = !std::isnan(first.table.doublings);
    rows.append(
        {site,
         {callCell(*first_, site), format(first.format), format(second.format),
          Cell::figure(views::grouped(overflows), overflows), differenceFigure(more, views::grouped(std::abs(more))),
          Cell::figure(known ? views::doublings(first.table.doublings) : QStringLiteral("–"), first.table.doublings),
          differenceFigure(std::isfinite(doublings) ? doublings : kUnmeasured, views::doublings(std::abs(doublings))),
          Cell::figure(views::duration(first.seconds), first.seconds),
          differenceFigure(seconds, views::duration(std::abs(seconds)))}});
  }
  return rows;
}

QList<CellModel::Column> RunPair::policyColumns(const QString& second) {
  return {{tr("Where the policies differ")}, {tr("This run")}, {second}};
}

QList<CellRow> RunPair::policyRows() const {
  QList<CellRow> rows;
  if (first_->policies().empty() || second_->policies().empty()) return rows;
  const auto text = [](const std::string& side) { return side.empty() ? tr("none") : QString::fromStdString(side); };
  for (const policy::Difference& each :
       policy::differences(first_->shownPolicy().policy, second_->shownPolicy().policy)) {
    rows.append(
        {rows.size(), {Cell(QString::fromStdString(each.place)), Cell(text(each.first)), Cell(text(each.second))}});
  }
  return rows;
}

}  // namespace binade::app
