// SPDX-License-Identifier: Apache-2.0
#include "app/present/graph_rows.h"

#include "app/model/site_name.h"
#include "app/model/translate.h"
#include "app/present/call_counts.h"
#include "views/values/numbers.h"

#include <QStringList>

#include <memory>

namespace binade::app {

namespace {

constexpr int kMostOps = 3;  // most op names in a module's box

QString opText(const policy::SiteKey& key) {
  const QString op = QString::fromStdString(key.op).section(QStringLiteral("::"), -1);
  return key.ordinal > 0 ? QStringLiteral("%1#%2").arg(op).arg(key.ordinal) : op;
}

QString controlText(const wire::ControlInfo& block) {
  using enum wire::ControlInfo::Kind;
  const QString kind = block.kind == kIf ? tr("if") : block.kind == kElse ? tr("else") : tr("loop");
  return block.source.empty() ? kind : kind + QStringLiteral(", ") + QString::fromStdString(block.source);
}

struct Draft {
  QString name;
  int site = -1;
  int block = -1;  ///< of FlowInfo::blocks
  std::vector<std::unique_ptr<Draft>> inside;

  bool isModule() const { return site < 0 && block < 0; }
};

Draft& add(Draft& around) {
  around.inside.push_back(std::make_unique<Draft>());
  return *around.inside.back();
}

// Only the newest box is reused: a module that runs again later gets another box.
Draft& into(Draft& module, const QString& part) {
  if (!module.inside.empty() && module.inside.back()->isModule() && module.inside.back()->name == part)
    return *module.inside.back();
  Draft& box = add(module);
  box.name = part;
  return box;
}

Draft& intoBlock(Draft& module, int block) {
  if (!module.inside.empty() && module.inside.back()->block == block) return *module.inside.back();
  Draft& box = add(module);
  box.block = block;
  return box;
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
    while (box->isModule() && box->inside.size() == 1 && box->inside.front()->isModule()) {
      box = box->inside.front().get();
      name += u'.' + box->name;
    }
    const bool single = box->isModule() && box->inside.size() == 1 && box->inside.front()->site >= 0;
    const Draft& call = single ? *box->inside.front() : *box;
    views::GraphNode node;
    node.parent = parent;
    node.name = name;
    node.id = call.site;
    if (call.site >= 0) {
      const policy::SiteKey& key = keyOf(call.site);
      // A module that is named as its op, such as `relu`, says so once.
      if (single && opText(key) != node.name.section(u'.', -1)) node.detail = opText(key);
      node.tip = siteName(key);
    } else {
      node.detail = detailOf(*box);
    }
    if (box->block >= 0) {
      node.control = true;
      node.name = controlText(run_.modelInfo().flow->blocks[static_cast<std::size_t>(box->block)]);
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

/// Returns the branches and loops around each site, from outside to inside.
std::vector<std::vector<int>> blocksAround(const wire::ModelInfo& model) {
  std::vector<std::vector<int>> around(model.sites.size());
  if (!model.flow) return around;
  for (std::size_t i = 0; i < model.flow->blocks.size(); ++i) {
    const wire::ControlInfo& block = model.flow->blocks[i];
    for (int site = block.first; site < block.first + block.count; ++site) {
      if (site >= 0 && static_cast<std::size_t>(site) < around.size())
        around[static_cast<std::size_t>(site)].push_back(static_cast<int>(i));
    }
  }
  return around;
}

}  // namespace

std::vector<views::GraphNode> graphNodes(const RunModel& run) {
  Draft root;
  const std::vector<std::vector<int>> around = blocksAround(run.modelInfo());
  for (const wire::SiteInfo& site : run.sites()) {
    if (!hasRow(run, site.id)) continue;
    Draft* module = &root;
    const std::vector<int>& blocks = around[static_cast<std::size_t>(site.id)];
    auto block = blocks.begin();
    QString path;
    // A branch is inside the module whose code has it, and contains the modules that it calls.
    const auto enter = [&](bool rest) {
      for (; block != blocks.end(); ++block) {
        const std::string& of = run.modelInfo().flow->blocks[static_cast<std::size_t>(*block)].path;
        if (!rest && QString::fromStdString(of) != path) return;
        module = &intoBlock(*module, *block);
      }
    };
    enter(false);
    for (const QString& part : QString::fromStdString(site.key.path).split(u'.', Qt::SkipEmptyParts)) {
      module = &into(*module, part);
      path += (path.isEmpty() ? QString() : QStringLiteral(".")) + part;
      enter(false);
    }
    enter(true);
    Draft& call = add(*module);
    call.name = opText(site.key);
    call.site = site.id;
  }
  Flattener flat(run);
  for (const auto& each : root.inside) flat.add(*each, -1);
  return std::move(flat.nodes);
}

}  // namespace binade::app
