// SPDX-License-Identifier: Apache-2.0
// Edits of the policy that SiteTableModel makes.
#include "app/docks/site_table_model.h"
#include "views/values/numbers.h"
#include "views/values/roles.h"

#include <algorithm>
#include <utility>

namespace binade::app {

bool SiteTableModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (!index.isValid() || index.column() != kFormat || !isEditable()) return false;
  if (role != views::FormatRole && role != Qt::EditRole) return false;
  std::vector<int> rows{index.row()};
  const std::vector<int>& selected = selection_->sites();
  if (std::find(selected.begin(), selected.end(), index.row()) != selected.end()) rows = selected;
  // Choosing the current format of a single op call must not add a rule without effect.
  const QString name = value.toString();
  if (rows.size() == 1 && formatCell(index.row()).name == name) {
    const policy::Decision* decision = run_->decision(index.row());
    if (decision != nullptr && decision->kind == policy::Decision::Kind::kFormat) return true;
  }
  return setFormatOf(rows, name);
}

std::vector<policy::SiteKey> SiteTableModel::keysOf(const std::vector<int>& sites) const {
  std::vector<policy::SiteKey> keys;
  for (const int site : sites) {
    if (site >= 0 && site < rowCount()) keys.push_back(run_->sites()[static_cast<std::size_t>(site)].key);
  }
  return keys;
}

bool SiteTableModel::setFormatOf(const std::vector<int>& sites, const QString& name) {
  const std::vector<policy::SiteKey> keys = keysOf(sites);
  if (!isEditable() || keys.empty()) return false;
  if (name.isEmpty()) {
    document_->clearRules(keys);
    return true;
  }
  const auto format = formats::parse(name.toStdString());
  if (format) document_->setFormat(keys, *format);
  return format.has_value();
}

policy::Policy SiteTableModel::withModuleFormat(const std::vector<SiteGroup>& modules, const QString& name) const {
  std::vector<policy::SiteKey> inside;
  // Rules for the modules' op calls would hide the removal of the modules' rules.
  for (const SiteGroup& module : modules) {
    const std::vector<policy::SiteKey> keys = keysOf(module.sites);
    if (name.isEmpty()) inside.insert(inside.end(), keys.begin(), keys.end());
  }
  policy::Policy after = document_->withoutRules(inside);
  for (const SiteGroup& module : modules) {
    const std::string match = module.path.toStdString();
    std::erase_if(after.sites, [&](const policy::SiteRule& rule) { return rule.match == match && !rule.call; });
    const auto format = formats::parse(name.toStdString());
    if (name.isEmpty() || !format) continue;
    policy::SiteRule rule;
    rule.match = match;
    rule.format = *format;
    after.sites.push_back(std::move(rule));
  }
  return after;
}

bool SiteTableModel::setModuleFormat(const std::vector<SiteGroup>& modules, const QString& name) {
  if (!isEditable() || modules.empty() || (!name.isEmpty() && !formats::parse(name.toStdString()))) return false;
  const QString what =
      modules.size() == 1 ? modules.front().path : tr("%1 modules").arg(views::grouped(modules.size()));
  document_->replace(withModuleFormat(modules, name),
                     name.isEmpty() ? tr("%1: follow the base list").arg(what) : tr("%1 to %2").arg(what, name));
  return true;
}

}  // namespace binade::app
