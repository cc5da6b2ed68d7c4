// SPDX-License-Identifier: Apache-2.0
#include "app/present/savings_facts.h"

#include "app/model/site_name.h"
#include "app/model/translate.h"
#include "app/present/cast_ledger_rows.h"
#include "views/values/numbers.h"

#include <algorithm>
#include <cmath>

namespace binade::app {

namespace {

using AsText = QString (*)(double);

QString amountOfCasts(double casts) {
  return std::floor(casts) == casts ? views::grouped(std::llround(casts)) : views::decimals(casts, 1);
}

QString amountOfBytes(double bytes) {
  return views::sizeText(std::llround(bytes));
}

/// `226 → 214 (−12)`.
QString beforeAfter(double before, double after, AsText text) {
  const double change = after - before;
  const QString sign = change > 0 ? QStringLiteral("+") : change < 0 ? QStringLiteral("−") : QStringLiteral("±");
  return tr("%1 → %2 (%3%4)").arg(text(before), text(after), sign, text(std::abs(change)));
}

QString timeText(const RunModel& run, const wire::Savings& measured) {
  if (measured.before.seconds && measured.after.seconds)
    return beforeAfter(*measured.before.seconds, *measured.after.seconds, views::duration);
  if (measured.before.emulated || measured.after.emulated)
    return tr("not compared: emulated formats take another time than native ones");
  return tr("not compared: on %1 the host's time does not show the work").arg(run.device());
}

/// The time that these op calls take now.
SavingsFact shareOfTime(const RunModel& run, const std::vector<int>& sites) {
  const QString name = tr("their time now");
  const wire::Profile& profile = run.profile().latest();
  if (run.profile().empty() || !hasSites(profile) || !(profile.step_seconds > 0)) {
    return {name, run.isActive() ? tr("not profiled yet; the Profile arrangement switches it on")
                                 : tr("the run was not profiled")};
  }
  double seconds = 0;
  bool emulated = false;
  bool any = false;
  for (const wire::SiteProfile& site : profile.sites) {
    if (std::find(sites.begin(), sites.end(), site.site) == sites.end()) continue;
    seconds += site.forward + site.backward + site.accumulate;
    emulated = emulated || site.emulated;
    any = true;
  }
  if (!any) return {name, tr("none of them ran in the profiled steps")};
  const QString text =
      tr("%1, %2 of a step").arg(views::duration(seconds), views::share(seconds / profile.step_seconds));
  return {name, emulated ? tr("%1; emulated, so it says nothing about the format's speed").arg(text) : text};
}

void addMeasured(const RunModel& run, const wire::Savings& measured, QList<SavingsFact>& facts) {
  facts.append(
      {tr("casts in a step's forwards"), beforeAfter(measured.before.casts, measured.after.casts, amountOfCasts)});
  facts.append({tr("bytes that they write"), beforeAfter(measured.before.bytes, measured.after.bytes, amountOfBytes)});
  facts.append({tr("time of the forwards"), timeText(run, measured)});
  if (measured.products.empty()) {
    facts.append({tr("matrix products"), tr("none changes its format")});
    return;
  }
  if (measured.estimates.empty()) {
    facts.append({tr("on tensor cores"), tr("no quoted figures for these formats")});
    return;
  }
  for (const wire::TrialEstimate& estimate : measured.estimates) {
    facts.append({tr("estimate for %1").arg(QString::fromStdString(estimate.gpu)),
                  tr("≥ %1 → ≥ %2, of these products and all casts, by the roofline model")
                      .arg(views::duration(estimate.before), views::duration(estimate.after))});
  }
}

/// What the cast ledger measured of an edit of one op call alone.
const wire::CastLine* ledgerLine(const RunModel& run, const std::vector<int>& sites, const QString& format) {
  if (sites.size() != 1 || run.casts().empty()) return nullptr;
  const auto at = static_cast<std::size_t>(sites.front());
  if (at >= run.sites().size()) return nullptr;
  const std::string name = run.sites()[at].key.name();
  const auto wanted = formats::parse(format.toStdString());
  const auto& lines = run.casts().back().lines;
  const auto found = std::find_if(lines.begin(), lines.end(), [&](const wire::CastLine& line) {
    return line.edit_match == name && line.edit_format && line.edit_format == wanted && line.edit_bytes;
  });
  return found == lines.end() ? nullptr : &*found;
}

}  // namespace

QString savingsHeadline(const RunModel& run, const std::vector<int>& sites, const QString& format) {
  const QString what = format.isEmpty() ? tr("the base list") : format;
  return sites.size() == 1 ? tr("%1 for %2").arg(what, callText(run.sites(), sites.front()))
                           : tr("%1 for %2 op calls").arg(what, views::grouped(static_cast<qint64>(sites.size())));
}

QList<SavingsFact> savingsFacts(const RunModel& run, const std::vector<int>& sites, const QString& format,
                                const wire::Savings* measured) {
  QList<SavingsFact> facts;
  if (measured != nullptr) {
    addMeasured(run, *measured, facts);
  } else if (const wire::CastLine* line = ledgerLine(run, sites, format)) {
    facts.append({tr("casts, by the cast ledger"), removalText(*line)});
  }
  facts.append(shareOfTime(run, sites));
  return facts;
}

QString savingsNeed(const RunModel& run) {
  if (run.isEmpty()) return tr("It is measured in a run. Start one.");
  if (run.hasWeights()) return {};
  return tr(
      "The run has ended and kept no checkpoint, so it cannot be measured. Start it again, or set a folder for "
      "checkpoints.");
}

}  // namespace binade::app
