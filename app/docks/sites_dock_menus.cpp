// SPDX-License-Identifier: Apache-2.0
// What SitesDock does with the selected op calls: formats, copies, reasons.
#include "app/docks/ask_format.h"
#include "app/docks/reason_popover.h"
#include "app/docks/savings_view.h"
#include "app/docks/sites_dock.h"
#include "app/model/site_name.h"
#include "app/present/site_copy.h"
#include "app/present/site_explanation.h"
#include "views/look_at_number.h"
#include "views/table/copy_rows.h"
#include "views/table/delegates.h"
#include "views/table/dragging_table.h"
#include "views/table/format_targets.h"
#include "views/values/numbers.h"

#include <QApplication>
#include <QClipboard>
#include <QItemSelectionModel>
#include <QMenu>
#include <QPushButton>
#include <QTableView>
#include <QToolButton>

#include <algorithm>

namespace binade::app {

void SitesDock::setFormats(const QStringList& names, const QStringList& emulated) {
  formats_ = names;
  format_delegate_->setFormats(names, emulated);
  targets_->setFormats(names, emulated);
  fillFormats(set_format_->menu(), emulated, [this](const QString& name) { setSelectedFormat(name); });
  fillFormats(try_format_->menu(), emulated, [this](const QString& name) { trySelectedFormat(name); });
  fillFormats(ask_savings_->menu(), emulated, [this](const QString& name) { askSavings(name); });
}

void SitesDock::fillFormats(QMenu* menu, const QStringList& emulated,
                            const std::function<void(const QString&)>& chosen) {
  menu->clear();
  for (const QString& name : formats_) {
    const QString text = emulated.contains(name) ? tr("%1 (emulated)").arg(name) : name;
    connect(menu->addAction(text), &QAction::triggered, this, [chosen, name] { chosen(name); });
  }
  connect(menu->addAction(tr("Another format…")), &QAction::triggered, this, [this, chosen] {
    if (const QString name = askFormat(this); !name.isEmpty()) chosen(name);
  });
  menu->addSeparator();
  connect(menu->addAction(tr("Follow the base list")), &QAction::triggered, this, [chosen] { chosen({}); });
}

std::vector<SiteGroup> SitesDock::selectedModules() const {
  std::vector<SiteGroup> modules;
  std::vector<int> covered;
  for (const QModelIndex& row : table_->selectionModel()->selectedRows()) {
    const SiteGroup* module = filter_->module(row);
    if (module == nullptr || !filter_->isWhole(row)) continue;
    const std::vector<int> sites = filter_->sites(row);
    covered.insert(covered.end(), sites.begin(), sites.end());
    modules.push_back(*module);
  }
  const auto sorted = [](std::vector<int> sites) {
    std::sort(sites.begin(), sites.end());
    sites.erase(std::unique(sites.begin(), sites.end()), sites.end());
    return sites;
  };
  if (modules.empty() || sorted(covered) != sorted(selection_->sites())) return {};
  // A module's rule covers the modules inside it.
  const auto is_inside = [&](const SiteGroup& inner) {
    return std::any_of(modules.begin(), modules.end(), [&](const SiteGroup& outer) {
      return outer.depth < inner.depth &&
             std::includes(outer.sites.begin(), outer.sites.end(), inner.sites.begin(), inner.sites.end());
    });
  };
  std::vector<SiteGroup> outermost;
  std::copy_if(modules.begin(), modules.end(), std::back_inserter(outermost),
               [&](const SiteGroup& module) { return !is_inside(module); });
  return outermost;
}

void SitesDock::setSelectedFormat(const QString& name) {
  const std::vector<int>& sites = selection_->sites();
  if (sites.empty()) return;
  if (const std::vector<SiteGroup> modules = selectedModules(); !modules.empty()) {
    model_->setModuleFormat(modules, name);
    return;
  }
  model_->setData(model_->index(sites.front(), SiteTableModel::kFormat), name, views::FormatRole);
}

std::optional<policy::Policy> SitesDock::editedSelection(const QString& name) const {
  if (const std::vector<SiteGroup> modules = selectedModules(); !modules.empty())
    return model_->withModuleFormat(modules, name);
  std::vector<policy::SiteKey> keys;
  for (const int site : selection_->sites()) keys.push_back(run_->sites()[static_cast<std::size_t>(site)].key);
  if (keys.empty()) return std::nullopt;
  if (name.isEmpty()) return document_->withoutRules(keys);
  const auto format = formats::parse(name.toStdString());
  return format ? std::optional(document_->withFormat(keys, *format)) : std::nullopt;
}

void SitesDock::trySelectedFormat(const QString& name) {
  if (const auto edited = editedSelection(name)) Q_EMIT tryRequested(*edited, {});
}

void SitesDock::askSavings(const QString& name) {
  if (const auto edited = editedSelection(name)) savings_->ask(*edited, selection_->sites(), name);
}

void SitesDock::setSelectedOp(const QString& formatName) {
  const std::vector<int>& sites = selection_->sites();
  if (sites.empty() || !model_->isEditable()) return;
  const std::string& op = run_->sites()[static_cast<std::size_t>(sites.front())].key.op;
  if (formatName.isEmpty()) return document_->clearOpChange(op);
  if (const auto format = formats::parse(formatName.toStdString())) document_->setOpChange(op, *format);
}

void SitesDock::openContextMenu(QPoint at) {
  if (selection_->sites().empty()) return;
  QMenu menu(this);
  addFormatMenus(&menu);
  menu.addSeparator();
  menu.addAction(why_);
  menu.addAction(views::lookAction(table_));
  menu.addSeparator();
  addCopies(&menu);
  menu.exec(table_->viewport()->mapToGlobal(at));
}

void SitesDock::addFormatMenus(QMenu* menu) {
  const std::vector<int>& sites = selection_->sites();
  const std::vector<SiteGroup> modules = selectedModules();
  const bool module = modules.size() == 1;
  const QString format_title = module              ? tr("Set format of %1").arg(modules.front().path)
                               : sites.size() == 1 ? tr("Set format")
                                                   : tr("Set format of %1 op calls").arg(views::grouped(sites.size()));
  QMenu* format = menu->addMenu(format_title);
  format->addActions(set_format_->menu()->actions());
  QMenu* tried =
      menu->addMenu(sites.size() == 1 ? tr("Try this format")
                                      : tr("Try this format for %1 op calls").arg(views::grouped(sites.size())));
  tried->addActions(try_format_->menu()->actions());
  menu->addMenu(tr("What would this save?"))->addActions(ask_savings_->menu()->actions());
  const policy::SiteKey& first = run_->sites()[static_cast<std::size_t>(sites.front())].key;
  QMenu* op = menu->addMenu(tr("Set every %1").arg(QString::fromStdString(first.op)));
  for (const QString& name : formats_)
    connect(op->addAction(name), &QAction::triggered, this, [this, name] { setSelectedOp(name); });
  connect(op->addAction(tr("Another format…")), &QAction::triggered, this, [this] {
    if (const QString name = askFormat(this); !name.isEmpty()) setSelectedOp(name);
  });
  op->addSeparator();
  connect(op->addAction(tr("Follow the base list")), &QAction::triggered, this, [this] { setSelectedOp({}); });
  format->setEnabled(model_->isEditable());
  op->setEnabled(model_->isEditable());
}

void SitesDock::addCopies(QMenu* menu) {
  const policy::SiteKey& first = run_->sites()[static_cast<std::size_t>(selection_->sites().front())].key;
  const std::vector<SiteGroup> modules = selectedModules();
  const QString name = modules.size() == 1 ? modules.front().path : siteName(first);
  connect(menu->addAction(tr("Copy name")), &QAction::triggered, this,
          [name] { QApplication::clipboard()->setText(name); });
  menu->addAction(views::copyAction(table_));
  connect(menu->addAction(tr("Copy as CSV")), &QAction::triggered, this, &SitesDock::copyAsCsv);
  QAction* rules = menu->addAction(tr("Copy as rules of a policy"));
  rules->setEnabled(!rulesOf(*run_, selection_->sites()).empty());
  connect(rules, &QAction::triggered, this, &SitesDock::copyAsRules);
}

void SitesDock::copyAsCsv() {
  QApplication::clipboard()->setText(callsAsCsv(
      *run_, selection_->sites(), [this](int site) -> const SiteFigures& { return model_->figures(site); },
      [this](int site) { return model_->seconds(site); }));
}

void SitesDock::copyAsRules() {
  const std::vector<policy::SiteRule> rules = rulesOf(*run_, selection_->sites());
  if (!rules.empty()) QApplication::clipboard()->setText(QString::fromStdString(policy::to_json(rules)));
}

void SitesDock::showReasons() {
  constexpr std::size_t kMostCalls = 8;
  const QModelIndex current = table_->currentIndex();
  const std::vector<int> sites = filter_->sites(current);
  if (sites.empty()) return;
  const SiteGroup* module = filter_->module(current);
  QStringList sentences;
  if (module == nullptr) {
    sentences = formatReasons(*run_, sites.front());
  } else {
    for (std::size_t i = 0; i < std::min(sites.size(), kMostCalls); ++i) {
      const QStringList reasons = formatReasons(*run_, sites[i]);
      if (!reasons.isEmpty()) sentences << tr("%1: %2").arg(callText(run_->sites(), sites[i]), reasons.front());
    }
    if (sites.size() > kMostCalls)
      sentences << tr("%1 more op calls.").arg(views::grouped(static_cast<int>(sites.size() - kMostCalls)));
  }
  if (sentences.isEmpty()) return;
  if (reasons_ == nullptr) reasons_ = new ReasonPopover(this);
  const QRect cell = table_->visualRect(current.siblingAtColumn(SiteTableModel::kFormat));
  const QString format = current.siblingAtColumn(SiteTableModel::kFormat).data().toString();
  const QString name = module != nullptr ? module->path : callText(run_->sites(), sites.front());
  reasons_->showAt(QRect(table_->viewport()->mapToGlobal(cell.topLeft()), cell.size()),
                   format.isEmpty() ? name : tr("%1 in %2").arg(name, format), sentences);
}

}  // namespace binade::app
