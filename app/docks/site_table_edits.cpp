// SPDX-License-Identifier: Apache-2.0
// Edits of the policy that SiteTableModel makes.
#include "app/docks/site_table_model.h"
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

policy::Policy SiteTableModel::withModuleFormat(const QString& path, const std::vector<int>& sites,
                                                const QString& name) const {
  // Rules for the module's op calls would hide the removal of the module's rule.
  policy::Policy after = document_->withoutRules(name.isEmpty() ? keysOf(sites) : std::vector<policy::SiteKey>());
  const std::string match = path.toStdString();
  std::erase_if(after.sites, [&](const policy::SiteRule& rule) { return rule.match == match && !rule.call; });
  if (const auto format = formats::parse(name.toStdString()); format && !name.isEmpty()) {
    policy::SiteRule rule;
    rule.match = match;
    rule.format = *format;
    after.sites.push_back(std::move(rule));
  }
  return after;
}

bool SiteTableModel::setModuleFormat(const QString& path, const std::vector<int>& sites, const QString& name) {
  if (!isEditable() || (!name.isEmpty() && !formats::parse(name.toStdString()))) return false;
  document_->replace(withModuleFormat(path, sites, name),
                     name.isEmpty() ? tr("%1 follows the base list").arg(path) : tr("%1 to %2").arg(path, name));
  return true;
}

}  // namespace binade::app
