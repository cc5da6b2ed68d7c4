// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/docks/group_figures.h"
#include "app/present/site_groups.h"
#include "app/present/site_query.h"

#include <QAbstractTableModel>
#include <QSet>
#include <QString>

#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace binade::app {

class SiteTableModel;

/// The op calls of a table, filtered, sorted, and optionally grouped by module. Those never executed are left out and
/// counted. Figures change in place; rows appear, disappear and move only with invalidate() or an action of the user.
///
/// Grouped, a module with at least two op calls has a row of its own above them, with their worst or total figures. Op
/// calls and modules are sorted among their neighbours. A column sorts modules by the same figure.
class SiteFilter : public QAbstractTableModel {
  Q_OBJECT

 public:
  explicit SiteFilter(SiteTableModel* table, QObject* parent = nullptr);

  void setQuery(const QString& text);
  /// `edit` is asked to write a format to the row of a module first, and returns whether it did: an edit of one
  /// selected row is one of all.
  void setSelectionEditor(std::function<bool(const QModelIndex& row, const QString& format)> edit) {
    edit_selection_ = std::move(edit);
  }
  /// Filters and sorts all rows by their present figures.
  void invalidate();

  bool isGrouped() const { return grouped_; }
  void setGrouped(bool grouped);
  /// Shows or hides the rows below a module's row. Does nothing for the row of an op call.
  void setExpanded(const QModelIndex& row, bool expanded);
  void setAllExpanded(bool expanded);
  /// Expands the modules around an op call.
  void reveal(int site);

  /// Number of all executed op calls.
  int executed() const;
  /// `22 op calls · 4 not observed so far are hidden`, `11 of 176 op calls`.
  QString summary() const;
  /// The op call of a row; -1: it is a module.
  int site(const QModelIndex& row) const;
  /// The module of a row; nullptr: it is an op call. Valid until the run changes.
  const SiteGroup* module(const QModelIndex& row) const;
  /// Whether a row is a module's and its op calls are shown.
  bool isExpanded(const QModelIndex& row) const;
  /// Whether a row is a module's and all of its executed op calls pass the filter.
  bool isWhole(const QModelIndex& row) const;
  /// The op calls that a row stands for: its own, or those of its module that pass the filter.
  std::vector<int> sites(const QModelIndex& row) const;
  /// The row of the module around a row; invalid: none.
  QModelIndex moduleAround(const QModelIndex& row) const;
  /// Invalid if the op call is filtered out, or its module is collapsed.
  QModelIndex indexOfSite(int site) const;
  /// What the filter line can be completed with.
  SiteVocabulary vocabulary() const;

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  /// Writes views::FormatRole: for a module whose op calls all pass the filter by one rule on its path, otherwise as
  /// SiteTableModel does.
  bool setData(const QModelIndex& index, const QVariant& value, int role) override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;
  /// Dragged rows are for views::FormatTargets, and their names for other programs.
  QStringList mimeTypes() const override;
  QMimeData* mimeData(const QModelIndexList& indexes) const override;
  /// A column of -1 restores the order of the forward pass.
  void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;

 private:
  /// What filters an op call, read once for each change of its figures.
  struct Texts {
    QString path;
    QString op;
    QString format;
    QString verdict;
    bool executed = false;
  };
  struct SortKey {
    double number = 0;
    QString text;
  };
  /// The rows: an op call's id, or the complement of a module's index.
  using Rows = std::vector<int>;
  static bool isModule(int row) { return row < 0; }

  void takeReset();
  void takeChange(const QModelIndex& first, const QModelIndex& last, const QList<int>& roles);
  void forget(int group);
  void readTexts(int site);
  bool accepts(int site) const;
  void filterAll();
  void readKeys();
  void makeModuleKeys();
  SortKey keyOfModule(int group) const;
  bool isBefore(const SortKey& a, const SortKey& b) const;
  const SortKey& keyOf(int row) const;
  Rows arranged() const;
  void addBelow(int group, std::vector<Rows>& children, Rows& rows) const;
  void show(Rows rows);
  void move(Rows rows);
  void place();
  const GroupFigures& groupFigures(int group) const;
  QVariant moduleData(int group, int column, int role) const;
  QVariant moduleName(int group, int role) const;
  int litOf(int group) const;

  SiteTableModel* table_;
  std::function<bool(const QModelIndex&, const QString&)> edit_selection_;
  SiteQuery query_;
  SiteGroups groups_;
  bool grouped_ = false;
  QSet<QString> collapsed_;  ///< paths of modules
  int sort_column_ = -1;
  Qt::SortOrder order_ = Qt::AscendingOrder;
  std::vector<Texts> texts_;         ///< by site
  std::vector<bool> accepted_;       ///< by site
  std::vector<bool> stale_;          ///< by site: its texts and its sort key are older than its figures
  std::vector<SortKey> keys_;        ///< by site
  std::vector<SortKey> group_keys_;  ///< by group
  Rows rows_;
  std::vector<int> row_of_site_;   ///< -1: not shown
  std::vector<int> row_of_group_;  ///< -1: not shown
  mutable std::vector<std::optional<GroupFigures>> group_figures_;
  mutable std::vector<std::optional<int>> group_lit_;  ///< views::LitRole of collapsed modules
};

}  // namespace binade::app
