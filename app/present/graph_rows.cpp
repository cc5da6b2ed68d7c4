// SPDX-License-Identifier: Apache-2.0
#include "app/present/graph_rows.h"

#include "app/model/site_history.h"
#include "app/model/site_name.h"
#include "app/model/translate.h"
#include "app/present/call_counts.h"
#include "app/present/site_figures.h"
#include "app/present/site_format.h"
#include "views/values/colors.h"
#include "views/values/numbers.h"

#include <QStringList>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>

namespace binade::app {

namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
constexpr double kFullHeadroom = 16;
constexpr int kMostOps = 3;      // most op names in a module's box
constexpr int kMostStripes = 3;  // most formats at its edge

QString opText(const policy::SiteKey& key) {
  const QString op = QString::fromStdString(key.op).section(QStringLiteral("::"), -1);
  return key.ordinal > 0 ? QStringLiteral("%1#%2").arg(op).arg(key.ordinal) : op;
}

struct Draft {
  QString name;
  int site = -1;
  std::vector<std::unique_ptr<Draft>> inside;
};

Draft& into(Draft& module, const QString& part) {
  // Only the newest box is reused: a module that runs again later gets another box.
  if (!module.inside.empty() && module.inside.back()->site < 0 && module.inside.back()->name == part)
    return *module.inside.back();
  module.inside.push_back(std::make_unique<Draft>());
  module.inside.back()->name = part;
  return *module.inside.back();
}

void gather(const Draft& module, std::vector<int>& sites) {
  if (module.site >= 0) sites.push_back(module.site);
  for (const auto& each : module.inside) gather(*each, sites);
}

class Flattener {
 public:
  explicit Flattener(const RunModel& run) : run_(run) {}

  void add(const Draft& draft, int parent) {
    const Draft* box = &draft;
    QString name = draft.name;
    while (box->site < 0 && box->inside.size() == 1 && box->inside.front()->site < 0) {
      box = box->inside.front().get();
      name += u'.' + box->name;
    }
    const bool single = box->site < 0 && box->inside.size() == 1;
    const Draft& call = single ? *box->inside.front() : *box;
    views::GraphNode node;
    node.parent = parent;
    node.name = name;
    node.id = call.site;
    if (call.site >= 0) {
      const policy::SiteKey& key = keyOf(call.site);
      if (single) node.detail = opText(key);
      node.tip = siteName(key);
    } else {
      node.detail = detailOf(*box);
    }
    const int index = static_cast<int>(nodes.size());
    nodes.push_back(std::move(node));
    if (call.site >= 0) return;
    for (const auto& each : box->inside) add(*each, index);
  }

  std::vector<views::GraphNode> nodes;

 private:
  const policy::SiteKey& keyOf(int site) const { return run_.sites()[static_cast<std::size_t>(site)].key; }

  QString detailOf(const Draft& module) const {
    std::vector<int> sites;
    gather(module, sites);
    QStringList ops;
    for (const int site : sites) {
      const QString op = QString::fromStdString(keyOf(site).op).section(QStringLiteral("::"), -1);
      if (!ops.contains(op)) ops << op;
    }
    if (ops.size() <= kMostOps) return ops.join(QStringLiteral(", "));
    return tr("%1 op calls").arg(views::grouped(static_cast<std::int64_t>(sites.size())));
  }

  const RunModel& run_;
};

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

QColor pale(QColor color) {
  color.setAlpha(105);
  return color;
}

views::GraphShade formatShade(const RunModel& run, const std::vector<int>& sites) {
  views::GraphShade shade;
  QStringList names;
  QStringList own;  // formats set for the call itself take precedence over followed ones
  for (const int site : sites) {
    const SiteFormat format = siteFormat(run, site);
    if (format.name.isEmpty()) continue;
    const bool follows = format.execution == views::CellExecution::kFollows;
    if (!follows && !own.contains(format.name)) own << format.name;
    if (!names.contains(format.name)) names << format.name;
  }
  for (const QString& name : own.isEmpty() ? names : own) {
    if (shade.stripes.size() == kMostStripes) break;
    shade.stripes.push_back(own.isEmpty() ? pale(views::formatColor(name)) : views::formatColor(name));
  }
  shade.figure = (own.isEmpty() ? names : own).join(QStringLiteral(", "));
  return shade;
}

// Darker the closer the values are to the limit.
views::GraphShade headroomShade(const RunModel& run, const std::vector<int>& sites) {
  double least = kUnknown;
  for (const int site : sites) least = std::fmin(least, figuresOf(run, site).doublings);
  views::GraphShade shade;
  shade.figure = views::doublings(least);
  if (std::isnan(least)) return shade;
  shade.attention = least < 1;
  const views::Colors& c = views::colors();
  shade.stripes = {shade.attention ? c.crimson : views::heatColor(1 - std::clamp(least / kFullHeadroom, 0.0, 0.9), c)};
  return shade;
}

/// Coloured by its share of `most`. NaN: not measured.
views::GraphShade sumShade(double sum, double most, const QString& text, bool attention) {
  views::GraphShade shade;
  shade.figure = std::isnan(sum) ? QStringLiteral("–") : text;
  if (std::isnan(sum) || !(sum > 0) || !(most > 0)) return shade;
  shade.attention = attention;
  shade.stripes = {attention ? views::colors().crimson : views::heatColor(0.1 + 0.9 * sum / most)};
  return shade;
}

}  // namespace

std::vector<views::GraphNode> graphNodes(const RunModel& run) {
  Draft root;
  for (const wire::SiteInfo& site : run.sites()) {
    if (!hasRow(run, site.id)) continue;
    Draft* module = &root;
    const QString path = QString::fromStdString(site.key.path);
    for (const QString& part : path.split(u'.', Qt::SkipEmptyParts)) module = &into(*module, part);
    auto call = std::make_unique<Draft>();
    call->name = opText(site.key);
    call->site = site.id;
    module->inside.push_back(std::move(call));
  }
  Flattener flat(run);
  for (const auto& each : root.inside) flat.add(*each, -1);
  return std::move(flat.nodes);
}

std::vector<views::GraphShade> graphShades(const RunModel& run, const std::vector<views::GraphNode>& nodes,
                                           GraphColor color) {
  std::vector<views::GraphShade> shades;
  const std::vector<std::vector<int>> sites = sitesIn(nodes);
  if (color == GraphColor::kFormat || color == GraphColor::kHeadroom) {
    for (const auto& of_node : sites)
      shades.push_back(color == GraphColor::kFormat ? formatShade(run, of_node) : headroomShade(run, of_node));
    return shades;
  }
  if (color == GraphColor::kOverflows) {
    std::vector<int> counts(nodes.size());
    for (std::size_t i = 0; i < nodes.size(); ++i)
      for (const int site : sites[i]) counts[i] = std::max(counts[i], overflowsAt(run, site).all());
    const int most = counts.empty() ? 0 : *std::max_element(counts.begin(), counts.end());
    for (const int count : counts) shades.push_back(sumShade(count, most, views::grouped(count), count > 0));
    return shades;
  }
  std::map<int, const wire::SiteProfile*> profiled;
  for (const wire::SiteProfile& site : run.shownProfile().sites) profiled[site.site] = &site;
  std::vector<double> seconds(nodes.size(), kUnknown);
  std::vector<double> tensor(nodes.size(), kUnknown);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
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
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    shades.push_back(color == GraphColor::kTime
                         ? sumShade(seconds[i], most(seconds), views::duration(seconds[i]), false)
                         : sumShade(tensor[i], 100, views::percent(tensor[i]), false));
  }
  return shades;
}

}  // namespace binade::app
