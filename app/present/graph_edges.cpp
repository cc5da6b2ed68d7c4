// SPDX-License-Identifier: Apache-2.0
// The graph's edges: tensors between op calls, with formats, shapes and casts.
#include "app/model/site_name.h"
#include "app/model/translate.h"
#include "app/present/call_counts.h"
#include "app/present/graph_rows.h"
#include "app/present/site_format.h"
#include "views/values/colors.h"
#include "views/values/numbers.h"

#include <QStringList>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace binade::app {

namespace {

QString shapeText(const std::vector<std::int64_t>& shape) {
  QStringList sizes;
  for (const std::int64_t size : shape) sizes << (size < 0 ? QStringLiteral("N") : QString::number(size));
  return sizes.join(QStringLiteral(" × "));
}

using Producers = std::vector<std::vector<int>>;  // by site

/// Returns the op calls with a box whose results reach `site` through op calls without one.
std::vector<int> boxedProducers(const RunModel& run, const Producers& producers, int site) {
  std::vector<int> found;
  std::vector<int> waiting{site};
  std::set<int> visited{site};
  while (!waiting.empty()) {
    const int next = waiting.back();
    waiting.pop_back();
    if (hasRow(run, next)) {
      found.push_back(next);
      continue;
    }
    for (const int each : producers[static_cast<std::size_t>(next)]) {
      if (visited.insert(each).second) waiting.push_back(each);
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

QString castFormats(const wire::CastLine& line) {
  return QString::fromStdString(formats::name(line.from)) + QStringLiteral(" → ") +
         QString::fromStdString(formats::name(line.to));
}

QString castCost(const wire::CastLine& line) {
  return tr("cast of %1: %2; %3 a step write %4 in %5")
      .arg(line.argument.empty() ? tr("an inner argument") : QString::fromStdString(line.argument), castFormats(line),
           views::figure(line.casts), views::sizeText(static_cast<std::int64_t>(line.bytes)),
           views::duration(line.seconds));
}

/// The ledger of the policy in force at the shown step; null: its casts were not counted.
const wire::CastLedger* ledgerOf(const RunModel& run) {
  const wire::CastLedger* ledger = run.policies().empty() ? nullptr : run.shownCasts();
  return ledger != nullptr && ledger->policy_revision == run.shownPolicy().revision ? ledger : nullptr;
}

}  // namespace

GraphFlow graphFlow(const RunModel& run) {
  GraphFlow flow;
  const auto add = [&flow](int from, int to, const QString& text, const std::string& argument) {
    flow.edges.push_back({from, to, text});
    flow.arguments.push_back(argument);
  };
  const std::size_t sites = run.sites().size();
  if (!run.modelInfo().flow) {
    int before = -1;
    for (const wire::SiteInfo& site : run.sites()) {
      if (!hasRow(run, site.id)) continue;
      if (before >= 0) add(before, site.id, {}, {});
      before = site.id;
    }
    return flow;
  }
  const std::vector<wire::EdgeInfo>& edges = run.modelInfo().flow->edges;
  const auto known = [sites](const wire::EdgeInfo& edge) {
    return edge.from >= 0 && edge.to >= 0 && static_cast<std::size_t>(std::max(edge.from, edge.to)) < sites;
  };
  Producers producers(sites);
  for (const wire::EdgeInfo& edge : edges) {
    if (known(edge)) producers[static_cast<std::size_t>(edge.to)].push_back(edge.from);
  }
  for (const wire::EdgeInfo& edge : edges) {
    if (!known(edge) || !hasRow(run, edge.to)) continue;
    for (const int from : boxedProducers(run, producers, edge.from))
      add(from, edge.to, shapeText(edge.shape), edge.argument);
  }
  return flow;
}

std::vector<views::GraphEdgeShade> graphEdgeShades(const RunModel& run, const GraphFlow& flow) {
  std::map<std::pair<int, std::string>, const wire::CastLine*> casts;
  if (const wire::CastLedger* ledger = ledgerOf(run)) {
    for (const wire::CastLine& line : ledger->lines) casts[{line.site, line.argument}] = &line;
  }
  std::map<int, QString> formats;  // of an op call whose result goes to many
  std::vector<views::GraphEdgeShade> shades;
  shades.reserve(flow.edges.size());
  for (std::size_t i = 0; i < flow.edges.size(); ++i) {
    const views::GraphEdge& edge = flow.edges[i];
    views::GraphEdgeShade shade;
    const auto [format, added] = formats.try_emplace(edge.from);
    if (added) format->second = siteFormat(run, edge.from).name;
    shade.format = format->second;
    if (!shade.format.isEmpty()) shade.color = views::formatColor(shade.format);
    const auto cast = casts.find({edge.to, flow.arguments[i]});
    if (cast != casts.end() && cast->second->casts > 0) {
      shade.cast = castFormats(*cast->second);
      shade.tip = castCost(*cast->second);
    }
    shades.push_back(std::move(shade));
  }
  return shades;
}

void addCasts(const RunModel& run, const std::vector<views::GraphNode>& nodes, const GraphFlow& flow,
              std::vector<views::GraphShade>& shades) {
  const wire::CastLedger* ledger = ledgerOf(run);
  if (ledger == nullptr) return;
  std::set<std::pair<int, std::string>> on_edges;
  for (std::size_t i = 0; i < flow.edges.size(); ++i) on_edges.insert({flow.edges[i].to, flow.arguments[i]});
  std::map<int, QStringList> of_site;
  for (const wire::CastLine& line : ledger->lines) {
    if (line.casts > 0 && !on_edges.contains({line.site, line.argument})) of_site[line.site] << castCost(line);
  }
  for (std::size_t i = 0; i < nodes.size() && i < shades.size(); ++i) {
    if (const auto found = of_site.find(nodes[i].id); nodes[i].id >= 0 && found != of_site.end())
      shades[i].casts = found->second.join(u'\n');
  }
}

}  // namespace binade::app
