// SPDX-License-Identifier: Apache-2.0
#include "app/present/site_copy.h"

#include "app/model/site_name.h"
#include "app/present/site_format.h"
#include "views/values/numbers.h"

#include <QStringList>

#include <cmath>

namespace binade::app {

namespace {

QString csvText(QString text) {
  text.replace(u'"', QStringLiteral("\"\""));
  return u'"' + text + u'"';
}

QString csvNumber(double value) {
  return std::isnan(value) ? QString() : views::plainNumber(value);
}

}  // namespace

QString callsAsCsv(const RunModel& run, const std::vector<int>& sites,
                   const std::function<const SiteFigures&(int site)>& figures,
                   const std::function<double(int site)>& seconds) {
  // Names of fields for programs: not translated.
  QStringList lines{QStringLiteral("op_call,format,doublings_left,lost,overflows,overflows_in_casts,seconds,verdict")};
  for (const int site : sites) {
    const SiteFigures& each = figures(site);
    const QStringList cells{csvText(siteName(run.sites()[static_cast<std::size_t>(site)].key)),
                            csvText(siteFormat(run, site).name),
                            csvNumber(each.doublings),
                            csvNumber(each.lost),
                            QString::number(each.overflows.own),
                            QString::number(each.overflows.cast),
                            csvNumber(seconds(site)),
                            csvText(each.sentence)};
    lines << cells.join(u',');
  }
  return lines.join(u'\n') + u'\n';
}

std::vector<policy::SiteRule> rulesOf(const RunModel& run, const std::vector<int>& sites) {
  std::vector<policy::SiteRule> rules;
  if (run.policies().empty()) return rules;
  const std::vector<policy::SiteRule>& given = run.shownPolicy().policy.sites;
  for (const int site : sites) {
    const policy::Decision* decision = run.decision(site);
    if (decision == nullptr || decision->kind != policy::Decision::Kind::kFormat) continue;
    policy::SiteRule rule;
    const auto by = static_cast<std::size_t>(decision->rule);
    if (decision->rule >= 0 && by < given.size()) rule = given[by];  // keeps execution and reason
    rule.match = run.sites()[static_cast<std::size_t>(site)].key.name();
    rule.call.reset();
    rule.format = decision->format;
    rule.backward.reset();
    rule.overflow.reset();
    if (decision->backward != formats::default_backward(decision->format)) rule.backward = decision->backward;
    if (decision->overflow != formats::default_overflow(decision->format)) rule.overflow = decision->overflow;
    rules.push_back(std::move(rule));
  }
  return rules;
}

}  // namespace binade::app
