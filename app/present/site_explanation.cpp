// SPDX-License-Identifier: Apache-2.0
#include "app/present/site_explanation.h"

#include "app/model/site_name.h"
#include "app/model/translate.h"
#include "app/present/site_format.h"
#include "engine/words/decision_reasons.h"
#include "views/values/numbers.h"

namespace binade::app {

namespace {

constexpr int kMostSources = 4;

bool takesItsArgumentsFormat(const policy::Decision& decision, const wire::SiteInfo& site) {
  using Kind = policy::Decision::Kind;
  const bool writes = site.in_place && (decision.kind == Kind::kFormat || decision.kind == Kind::kPromote);
  return writes || decision.kind == Kind::kFollow || decision.kind == Kind::kPromote || decision.kind == Kind::kLeave;
}

/// Where the arguments of an op call come from, and in which formats.
QStringList sourcesOf(const RunModel& run, int site) {
  QStringList sources;
  if (!run.modelInfo().flow) return sources;
  int others = 0;
  for (const wire::EdgeInfo& edge : run.modelInfo().flow->edges) {
    if (edge.to != site) continue;
    if (sources.size() == kMostSources) {
      ++others;
      continue;
    }
    const QString argument =
        edge.argument.empty() ? tr("An argument") : tr("Argument %1").arg(QString::fromStdString(edge.argument));
    if (edge.from < 0) {
      sources << tr("%1 is an input of the model.").arg(argument);
      continue;
    }
    const QString from = callText(run.sites(), edge.from);
    const QString format = siteFormat(run, edge.from).name;
    sources << (format.isEmpty() ? tr("%1 comes from %2.").arg(argument, from)
                                 : tr("%1 comes from %2, in %3.").arg(argument, from, format));
  }
  if (others > 0) sources << tr("%1 more arguments come from other op calls.").arg(views::grouped(others));
  return sources;
}

}  // namespace

QStringList formatReasons(const RunModel& run, int site) {
  const policy::Decision* decision = run.decision(site);
  if (decision == nullptr) return {};
  const wire::SiteInfo& info = run.sites()[static_cast<std::size_t>(site)];
  words::CallTraits traits{info.view, info.in_place, info.inside, {}};
  const auto& blocks = run.modelInfo().own_blocks;
  if (info.own_block >= 0 && static_cast<std::size_t>(info.own_block) < blocks.size())
    traits.block = blocks[static_cast<std::size_t>(info.own_block)].source;
  QStringList reasons;
  for (const std::string& each : words::decision_reasons(run.shownPolicy().policy, info.key, *decision, traits))
    reasons << QString::fromStdString(each);
  if (takesItsArgumentsFormat(*decision, info)) {
    reasons << sourcesOf(run, site);
    if (const QString held = siteFormat(run, site).name; !held.isEmpty() && run.isExecuted(site))
      reasons << tr("Its result is held in %1.").arg(held);
  }
  return reasons;
}

}  // namespace binade::app
