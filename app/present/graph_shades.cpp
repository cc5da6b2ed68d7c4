// SPDX-License-Identifier: Apache-2.0
// Colours and figures of the graph's boxes, and their legend.
#include "app/model/site_history.h"
#include "app/model/translate.h"
#include "app/present/graph_rows.h"
#include "app/present/site_figures.h"
#include "app/present/site_format.h"
#include "views/values/colors.h"
#include "views/values/numbers.h"

#include <QStringList>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace binade::app {

namespace {

constexpr double kNoShade = std::numeric_limits<double>::quiet_NaN();
constexpr double kFullHeadroom = 16;
constexpr int kMostStripes = 3;  // most formats at a box's edge

/// Returns the sites in each node, by node index.
std::vector<std::vector<int>> sitesIn(const std::vector<views::GraphNode>& nodes) {
  std::vector<std::vector<int>> sites(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i].id < 0) continue;
    for (int at = static_cast<int>(i); at >= 0; at = nodes[static_cast<std::size_t>(at)].parent)
      sites[static_cast<std::size_t>(at)].push_back(nodes[i].id);
  }
  return sites;
}

/// As the table of op calls shows it: what an edit has chosen, before what is in force.
SiteFormat shownFormat(const RunModel& run, int site, const WaitingFormat& waiting) {
  SiteFormat chosen = waiting ? waiting(site) : SiteFormat();
  return chosen.name.isEmpty() ? siteFormat(run, site) : chosen;
}

views::GraphShade formatShade(const RunModel& run, const std::vector<int>& sites, const WaitingFormat& waiting) {
  views::GraphShade shade;
  QStringList names;
  QStringList own;  // formats set for the call itself take precedence over followed ones
  for (const int site : sites) {
    const SiteFormat format = shownFormat(run, site, waiting);
    if (format.name.isEmpty()) continue;
    const bool follows = format.execution == views::CellExecution::kFollows;
    if (!follows && !own.contains(format.name)) own << format.name;
    if (!names.contains(format.name)) names << format.name;
  }
  for (const QString& name : own.isEmpty() ? names : own) {
    if (shade.stripes.size() == kMostStripes) break;
    shade.stripes.push_back(own.isEmpty() ? views::paleColor(views::formatColor(name)) : views::formatColor(name));
  }
  shade.figure = (own.isEmpty() ? names : own).join(QStringLiteral(", "));
  // The run has not computed in this format yet.
  if (sites.size() == 1 && waiting && !waiting(sites.front()).name.isEmpty())
    shade.figure.prepend(QStringLiteral("→ "));
  shade.measured = !names.isEmpty();
  return shade;
}

// Darker the closer the values are to the limit.
views::GraphShade headroomShade(const RunModel& run, const std::vector<int>& sites) {
  double least = kNoShade;
  for (const int site : sites) least = std::fmin(least, figuresOf(run, site).doublings);
  views::GraphShade shade;
  shade.figure = views::doublings(least);
  shade.measured = !std::isnan(least);
  if (!shade.measured) return shade;
  shade.attention = least < 1;
  const views::Colors& c = views::colors();
  shade.stripes = {shade.attention ? c.crimson : views::heatColor(1 - std::clamp(least / kFullHeadroom, 0.0, 0.9), c)};
  return shade;
}

/// Coloured by its share of `most`. NaN: not measured.
views::GraphShade sumShade(double sum, double most, const QString& text, bool attention) {
  views::GraphShade shade;
  shade.figure = std::isnan(sum) ? QStringLiteral("–") : text;
  shade.measured = !std::isnan(sum);
  if (std::isnan(sum) || !(sum > 0) || !(most > 0)) return shade;
  shade.attention = attention;
  shade.stripes = {attention ? views::colors().crimson : views::heatColor(0.1 + 0.9 * sum / most)};
  return shade;
}

/// The most overflows of one op call, by node index.
std::vector<int> mostOverflows(const RunModel& run, const std::vector<std::vector<int>>& sites) {
  std::map<int, int> of_site;  // counted once, though each module around an op call has it too
  std::vector<int> most(sites.size());
  for (std::size_t i = 0; i < sites.size(); ++i) {
    for (const int site : sites[i]) {
      const auto [counted, added] = of_site.try_emplace(site, 0);
      if (added) counted->second = overflowsAt(run, site).all();
      most[i] = std::max(most[i], counted->second);
    }
  }
  return most;
}

/// What assistive technology reads after a box's name, whatever the graph is coloured by.
QString spokenText(const RunModel& run, const std::vector<int>& sites, int overflows, const WaitingFormat& waiting) {
  // The box has no room for when an edit will be in force.
  const SiteFormat chosen = waiting && sites.size() == 1 ? waiting(sites.front()) : SiteFormat();
  const QString formats = chosen.name.isEmpty() ? formatShade(run, sites, waiting).figure
                                                : chosen.name + QStringLiteral(", ") + chosen.note;
  const QString count = overflows == 0   ? tr("no overflow")
                        : overflows == 1 ? tr("1 overflow")
                                         : tr("%1 overflows").arg(views::grouped(overflows));
  return formats.isEmpty() ? count : formats + QStringLiteral(", ") + count;
}

std::vector<views::GraphShade> shadesBy(const RunModel& run, const std::vector<std::vector<int>>& sites,
                                        const std::vector<int>& overflows, GraphColor color,
                                        const WaitingFormat& waiting) {
  std::vector<views::GraphShade> shades;
  if (color == GraphColor::kFormat || color == GraphColor::kHeadroom) {
    for (const auto& of_node : sites)
      shades.push_back(color == GraphColor::kFormat ? formatShade(run, of_node, waiting) : headroomShade(run, of_node));
    return shades;
  }
  if (color == GraphColor::kOverflows) {
    const int most = overflows.empty() ? 0 : *std::max_element(overflows.begin(), overflows.end());
    for (const int count : overflows) shades.push_back(sumShade(count, most, views::grouped(count), count > 0));
    return shades;
  }
  std::map<int, const wire::SiteProfile*> profiled;
  for (const wire::SiteProfile& site : run.shownProfile().sites) profiled[site.site] = &site;
  std::vector<double> seconds(sites.size(), kNoShade);
  std::vector<double> tensor(sites.size(), kNoShade);
  for (std::size_t i = 0; i < sites.size(); ++i) {
    double sum = 0;
    double active = 0;
    double counted = 0;
    bool any = false;
    bool emulated = false;
    bool old = false;
    for (const int site : sites[i]) {
      const auto found = profiled.find(site);
      if (found == profiled.end()) continue;
      const wire::SiteProfile& each = *found->second;
      const double time = each.forward + each.backward + each.accumulate;
      any = true;
      emulated = emulated || each.emulated;
      old = old || isTimedBeforeEdit(run, site);
      sum += time;
      if (std::isnan(each.tensor)) continue;
      active += each.tensor * time;
      counted += time;
    }
    // Times of an emulation and times from before an edit do not describe the current run: a module with one shows
    // none.
    if (any && !emulated && !old) seconds[i] = sum;
    if (counted > 0 && !old) tensor[i] = active / counted;
  }
  const auto most = [](const std::vector<double>& all) {
    double found = 0;
    for (const double each : all) found = std::fmax(found, each);
    return found;
  };
  for (std::size_t i = 0; i < sites.size(); ++i) {
    shades.push_back(color == GraphColor::kTime
                         ? sumShade(seconds[i], most(seconds), views::duration(seconds[i]), false)
                         : sumShade(tensor[i], 100, views::percent(tensor[i]), false));
  }
  return shades;
}

}  // namespace

std::vector<views::GraphShade> graphShades(const RunModel& run, const std::vector<views::GraphNode>& nodes,
                                           GraphColor color, const WaitingFormat& waiting) {
  const std::vector<std::vector<int>> sites = sitesIn(nodes);
  const std::vector<int> overflows = mostOverflows(run, sites);
  std::vector<views::GraphShade> shades = shadesBy(run, sites, overflows, color, waiting);
  for (std::size_t i = 0; i < shades.size(); ++i) shades[i].spoken = spokenText(run, sites[i], overflows[i], waiting);
  return shades;
}

std::vector<views::GraphKey> graphKeys(const RunModel& run, GraphColor color,
                                       const std::vector<views::GraphShade>& shades,
                                       const std::vector<views::GraphEdgeShade>& edges, bool path) {
  using Kind = views::GraphKey::Kind;
  const views::Colors& c = views::colors();
  std::vector<views::GraphKey> keys;
  const auto any = [&](const auto& has) { return std::any_of(shades.begin(), shades.end(), has); };
  switch (color) {
    case GraphColor::kFormat: {
      QStringList names;
      bool follows = false;
      for (const wire::SiteInfo& site : run.sites()) {
        const SiteFormat format = siteFormat(run, site.id);
        follows = follows || (!format.name.isEmpty() && format.execution == views::CellExecution::kFollows);
        if (!format.name.isEmpty() && !names.contains(format.name)) names << format.name;
      }
      // An edit that waits may have chosen another one.
      for (const views::GraphShade& shade : shades) {
        for (const QString& name : shade.figure.split(QStringLiteral(", "), Qt::SkipEmptyParts))
          if (!names.contains(name)) names << name;
      }
      names.sort();
      for (const QString& name : names) keys.push_back({Kind::kStripe, views::formatColor(name), name});
      if (follows && !names.isEmpty())
        keys.push_back({Kind::kPale, views::formatColor(names.front()), tr("pale: follows its arguments")});
      break;
    }
    case GraphColor::kHeadroom:
      keys = {{Kind::kStripe, c.crimson, tr("less than 1 doubling left")},
              {Kind::kStripe, views::heatColor(0.9), tr("few")},
              {Kind::kStripe, views::heatColor(0.1), tr("%1 or more").arg(views::grouped(16))}};
      break;
    case GraphColor::kOverflows:
      keys = {{Kind::kStripe, c.crimson, tr("overflowed in a step")}};
      break;
    case GraphColor::kTime:
      keys = {{Kind::kStripe, views::heatColor(0.1), tr("short")}, {Kind::kStripe, views::heatColor(1), tr("longest")}};
      break;
    case GraphColor::kTensor:
      keys = {{Kind::kStripe, views::heatColor(0.1), tr("0 % of the time on tensor cores")},
              {Kind::kStripe, views::heatColor(1), tr("100 %")}};
      break;
  }
  if (any([](const views::GraphShade& shade) { return !shade.measured; }))
    keys.push_back({Kind::kHatched, c.thirdText, tr("not measured")});
  const bool casts =
      any([](const views::GraphShade& shade) { return !shade.casts.isEmpty(); }) ||
      std::any_of(edges.begin(), edges.end(), [](const views::GraphEdgeShade& edge) { return !edge.cast.isEmpty(); });
  if (!edges.empty()) keys.push_back({Kind::kEdge, c.secondText, tr("tensor, in the colour of its format")});
  if (casts) keys.push_back({Kind::kCast, c.text, tr("cast")});
  if (path) keys.push_back({Kind::kPath, c.crimson, tr("path of the event")});
  return keys;
}

}  // namespace binade::app
