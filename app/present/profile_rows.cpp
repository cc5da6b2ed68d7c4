// SPDX-License-Identifier: Apache-2.0
#include "app/present/profile_rows.h"

#include "app/model/site_history.h"
#include "app/model/site_name.h"
#include "app/model/translate.h"
#include "app/present/call_counts.h"
#include "app/present/site_format.h"
#include "engine/words/profile_text.h"
#include "views/values/numbers.h"

#include <QStringList>

#include <algorithm>
#include <cmath>
#include <vector>

namespace binade::app {

namespace {

constexpr int kMostKernels = 8;

double secondsOf(const wire::SiteProfile& site) {
  return site.forward + site.backward + site.accumulate;
}

// 0 means not measured: the op call has no backward, or was not timed.
Cell seconds(double value) {
  return value > 0 ? Cell::figure(views::duration(value), value) : Cell::figure(QStringLiteral("–"), 0);
}

// An op call that is no matrix operation has no work for the tensor cores. Its 0 needs no estimate.
bool isExactlyNone(const wire::SiteProfile& site) {
  return site.tensor == 0 && site.verdict.kind == wire::TensorVerdict::Kind::kNotMatrix;
}

Cell tensorCell(const wire::SiteProfile& site, bool estimate) {
  if (std::isnan(site.tensor)) {
    Cell none = Cell::figure(QStringLiteral("–"), wire::kNotMeasured);
    return none.with(views::BarRole, wire::kNotMeasured);
  }
  if (isExactlyNone(site)) {
    Cell zero = Cell::figure(QStringLiteral("0"), 0);
    return zero.with(views::BarRole, 0.0).with(views::QuietRole, true);
  }
  const bool unsure = estimate || site.confidence == "low";
  const QString text = views::percent(site.tensor);
  Cell cell = Cell::figure(unsure ? QStringLiteral("≈ ") + text : text, site.tensor);
  cell.with(views::BarRole, site.tensor / 100).with(views::BarHatchedRole, unsure);
  if (!std::isnan(site.tensor_error)) {
    cell.with(views::BarErrorRole, site.tensor_error / 100);
    cell.with(Qt::ToolTipRole, tr("%1 ± %2 points, confidence %3")
                                   .arg(text)
                                   .arg(views::decimals(site.tensor_error, 1))
                                   .arg(QString::fromStdString(site.confidence)));
  }
  return cell;
}

Cell badgeCell(const SourceBadge& badge, const QString& tip) {
  Cell cell(badge.text);
  return cell.with(views::BadgeRole, static_cast<int>(badge.style)).with(Qt::ToolTipRole, tip);
}

// The source of a row: of its share of tensor cores if the table shows shares, otherwise of its time.
Cell sourceCell(const wire::Profile& profile, const wire::SiteProfile& site, bool shares) {
  const QString times = QString::fromStdString(profile.times.sentence);
  const bool counted = !std::isnan(site.tensor);
  if (site.emulated) {
    return badgeCell({tr("EMULATED"), views::BadgeStyle::kEstimate},
                     counted ? QString::fromStdString(profile.tensor.sentence) : times);
  }
  if (shares && !counted) {
    const QString none = tr("The tensor-core use of this op call was not measured.");
    return badgeCell(badgeOf("none"), times.isEmpty() ? none : none + u'\n' + times);
  }
  if (!counted || isExactlyNone(site)) return badgeCell(badgeOf(profile.times.source), times);
  return badgeCell(badgeOf(profile.tensor.source, profile.estimate), QString::fromStdString(profile.tensor.sentence));
}

// The verdict, and the edit that would change it.
QString whyText(const wire::SiteProfile& site) {
  const std::string edit = words::profile_edit(site.verdict);
  return QString::fromStdString(words::profile_verdict(site) + (edit.empty() ? "" : " " + edit));
}

// The verdict in a few words; the tool tip and the line below the table have it whole.
QString whyBrief(const wire::TensorVerdict& verdict) {
  using Kind = wire::TensorVerdict::Kind;
  const QString format = QString::fromStdString(verdict.format);
  switch (verdict.kind) {
    case Kind::kUsed:
      return tr("Tensor cores are in use");
    case Kind::kNotMatrix:
      return tr("Not a matrix operation");
    case Kind::kEmulated:
      return tr("%1 is emulated").arg(format);
    case Kind::kNoGpu:
      return tr("No GPU");
    case Kind::kFormat:
      return tr("Runs in %1").arg(format);
    case Kind::kDimensions:
      return (verdict.of_outputs ? tr("Outputs: %1, not a multiple of %2") : tr("Inputs: %1, not a multiple of %2"))
          .arg(views::grouped(verdict.size), views::grouped(verdict.multiple));
    case Kind::kTooSmall:
      return tr("Too little work in a call");
    case Kind::kMemoryBound:
      return tr("Waits for memory");
    case Kind::kNotMeasured:
      return tr("Not measured");
    case Kind::kUnexplained:
      return tr("Unknown: see its kernels");
  }
  return {};
}

QString beforeEditText(const RunModel& run, int site) {
  return tr("Measured before the edit at step %1; the op call has run differently since.")
      .arg(views::grouped(decidedSince(run, site)));
}

}  // namespace

SourceBadge badgeOf(const std::string& source, bool estimate) {
  using views::BadgeStyle;
  if (source.empty() || source == "none") return {tr("NOT MEASURED"), BadgeStyle::kNone};
  if (estimate && (source == "pm-sampling" || source == "recorded")) return {tr("ESTIMATE"), BadgeStyle::kEstimate};
  if (source == "pm-sampling") return {tr("COUNTERS"), BadgeStyle::kMeasured};
  if (source == "kernel-records") return {tr("KERNELS"), BadgeStyle::kIndirect};
  if (source == "gpm") return {tr("NVML"), BadgeStyle::kIndirect};
  if (source == "cpu-clock") return {tr("CPU CLOCK"), BadgeStyle::kIndirect};
  if (source == "recorded") return {tr("RECORDED"), BadgeStyle::kIndirect};
  return {QString::fromStdString(source).toUpper(), BadgeStyle::kEstimate};
}

bool hasTensorShares(const wire::Profile& profile) {
  return std::any_of(profile.sites.begin(), profile.sites.end(),
                     [](const wire::SiteProfile& site) { return !std::isnan(site.tensor); });
}

QList<CellModel::Column> profileColumns() {
  return {{tr("Op call")},
          {tr("Format")},
          {tr("Time in a step"), true, tr("Forward, then backward (paler); emulated times are hatched")},
          {tr("Of the step"), true},
          {tr("Forward"), true},
          {tr("Backward"), true, tr("Includes the accumulation of its parameters' gradients")},
          {tr("Tensor cores active"), true, tr("Share of its kernels' cycles in which tensor pipes are active")},
          {tr("Source")},
          {tr("What limits tensor cores")}};
}

QString kernelsText(const wire::SiteProfile& site) {
  if (site.kernels.empty()) return {};
  QStringList lines;
  for (const wire::ProfileKernel& kernel : site.kernels) {
    if (lines.size() == kMostKernels) {
      lines << tr("and %1 more").arg(views::grouped(site.kernels.size() - kMostKernels));
      break;
    }
    lines << tr("%1 × %2, %3")
                 .arg(kernel.launches)
                 .arg(QString::fromStdString(kernel.name), views::duration(kernel.seconds));
    if (kernel.by_name == "tensor") lines.back() += tr(" (by its name a tensor-core kernel)");
  }
  return lines.join(u'\n');
}

QString profileDetail(const RunModel& run, const wire::SiteProfile& site) {
  const bool old = isTimedBeforeEdit(run, site.site);
  QStringList lines{callOrIndex(run.sites(), site.site) + QStringLiteral(": ") +
                    (old ? beforeEditText(run, site.site) : whyText(site))};
  if (site.emulated) lines << tr("Time of the emulation. It does not indicate the format's speed.");
  const QString kernels = kernelsText(site);
  if (!kernels.isEmpty()) lines << kernels;
  return lines.join(u'\n');
}

QList<CellRow> profileRows(const RunModel& run, const wire::Profile& profile) {
  std::vector<wire::SiteProfile> sites = profile.sites;
  std::stable_sort(sites.begin(), sites.end(),
                   [](const wire::SiteProfile& a, const wire::SiteProfile& b) { return secondsOf(a) > secondsOf(b); });
  const double longest = sites.empty() ? 0 : secondsOf(sites.front());
  const bool shares = hasTensorShares(profile);
  QList<CellRow> rows;
  for (const wire::SiteProfile& site : sites) {
    Cell call = callCell(run, site.site);
    const QString kernels = kernelsText(site);
    if (!kernels.isEmpty()) call.with(Qt::ToolTipRole, kernels);
    const double total = secondsOf(site);
    Cell time = seconds(total);
    time.with(views::BarRole, longest > 0 ? total / longest : 0.0);
    time.with(views::BarSecondRole, longest > 0 ? (total - site.forward) / longest : 0.0);
    if (site.emulated) {
      time.with(views::BarHatchedRole, true).with(views::QuietRole, true);
      time.with(Qt::ToolTipRole, tr("Time of the emulation. It does not indicate the format's speed."));
    } else if (!kernels.isEmpty()) {
      time.with(Qt::ToolTipRole, kernels);
    }
    const double part = profile.step_seconds > 0 ? total / profile.step_seconds : wire::kNotMeasured;
    const Cell share = Cell::figure(std::isnan(part) ? QStringLiteral("–") : views::share(part), part);
    const bool old = isTimedBeforeEdit(run, site.site);
    Cell reason(old ? tr("Measured before the edit") : whyBrief(site.verdict));
    reason.with(Qt::ToolTipRole, old ? beforeEditText(run, site.site) : whyText(site));
    reason.with(views::QuietRole, site.verdict.kind == wire::TensorVerdict::Kind::kUsed);
    rows.append({site.site,
                 {call, formatCellAt(run, site.site, profile.last_step), time, share, seconds(site.forward),
                  seconds(site.backward + site.accumulate), tensorCell(site, profile.estimate),
                  sourceCell(profile, site, shares), reason}});
    if (!old) continue;
    for (Cell& cell : rows.back().cells) cell.with(views::QuietRole, true).with(views::AttentionRole, false);
  }
  return rows;
}

QString profileSummary(const RunModel& run, const wire::Profile& profile) {
  double inside = 0;
  double observing = 0;
  bool emulated = false;
  for (const wire::SiteProfile& site : profile.sites) {
    inside += secondsOf(site);
    observing += site.observe;
    emulated = emulated || site.emulated;
  }
  // The count of the table of op calls. An op call missing from the newest profile took no time in it.
  const auto timed = static_cast<int>(profile.sites.size());
  const int executed = std::max(timed, callCounts(run).executed);
  QStringList parts{
      timed == executed ? tr("%1 op calls").arg(views::grouped(timed))
                        : tr("%1 of %2 op calls").arg(views::grouped(timed), views::grouped(executed)),
      tr("%1 of a profiled step of %2").arg(views::duration(inside), views::duration(profile.step_seconds))};
  if (std::isnan(profile.idle)) {
    parts << tr("other work %1").arg(views::duration(profile.outside));
  } else {
    parts << tr("other kernels %1").arg(views::duration(profile.outside - profile.idle))
          << tr("GPU waits %1").arg(views::duration(profile.idle));
  }
  if (observing > 0) parts << tr("observing %1").arg(views::duration(observing));
  if (profile.estimate && hasTensorShares(profile))
    parts << tr("≈ tensor cores: estimated from counters of the device and times of kernels");
  if (emulated) parts << tr("hatched: time of the emulation, not of the format");
  return parts.join(QStringLiteral(" · "));
}

}  // namespace binade::app
