// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/docks/dock.h"
#include "app/docks/site_filter.h"
#include "app/docks/site_table_model.h"
#include "app/model/run_model.h"
#include "app/session/policy_document.h"
#include "app/session/selection.h"
#include "views/filter_line.h"

#include <functional>
#include <optional>

class QKeyEvent;
class QLabel;
class QMenu;
class QSettings;
class QTableView;
class QPushButton;
class QToolButton;

namespace binade::views {
class DraggingTable;
class FormatDelegate;
class FormatTargets;
class TableColumns;
}  // namespace binade::views

namespace binade::app {

class EmptyState;
class ReasonPopover;
class SavedFilters;
class SavingsView;
class TableHold;

/// The op calls: filter line, table, and a menu that sets the format of all selected op calls as one undo step, as does
/// dragging them to a format. Grouped by module, the selection of a module's row is that of its op calls, and its
/// format is one rule.
class SitesDock : public Dock {
  Q_OBJECT

 public:
  /// All three must outlive the dock.
  SitesDock(RunModel* run, PolicyDocument* document, Selection* selection, QWidget* parent = nullptr);

  QTableView* table() const;
  /// Shown in place of the filter line while op calls are dragged.
  views::FormatTargets* formatTargets() const { return targets_; }
  views::FilterLine* filterLine() const { return filter_line_; }
  SiteFilter* filter() const { return filter_; }
  SiteTableModel* model() const { return model_; }
  views::TableColumns* columns() const { return columns_; }
  SavedFilters* savedFilters() const { return saved_filters_; }
  /// *What would this save?*, below the table.
  SavingsView* savings() const { return savings_; }
  /// Null until it was opened once.
  ReasonPopover* reasons() const { return reasons_; }

  /// Sets the available formats, and those that this engine emulates.
  void setFormats(const QStringList& names, const QStringList& emulated);
  const QStringList& formats() const { return formats_; }

  /// Columns, grouping and named filters of the user.
  void read(const QSettings& settings);
  void write(QSettings& settings) const;

 public Q_SLOTS:
  void focusFilter();
  /// Sets the format of the selected op calls; an empty name removes their rules.
  void setSelectedFormat(const QString& name);
  /// Requests a Try of this format for the selected op calls; an empty name removes their rules. The policy stays.
  void trySelectedFormat(const QString& name);
  /// Shows what a format of the selected op calls would save; an empty name stands for the base list.
  void askSavings(const QString& name);
  /// Sets the format of every op call with the selected one's op.
  void setSelectedOp(const QString& formatName);
  void setGrouped(bool grouped);
  /// Shows which rule or list gave the current row its format.
  void showReasons();
  /// Puts the selected op calls on the clipboard: their figures, or rules of a policy with their formats.
  void copyAsCsv();
  void copyAsRules();

 Q_SIGNALS:
  /// Whether a format can be set now: op calls are selected, and the run accepts edits.
  void editableChanged(bool editable);
  /// A policy should be tried without being applied. `name`: of its change.
  void tryRequested(const binade::policy::Policy& after, const QString& name);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  /// The modules whose rows are selected, if these rows are the whole selection and show all of their op calls.
  std::vector<SiteGroup> selectedModules() const;
  /// The policy with this format for the selected op calls; nullopt: none is selected.
  std::optional<policy::Policy> editedSelection(const QString& name) const;
  void setUpTable();
  void setUpDragging();
  void connectSelection();
  void openContextMenu(QPoint at);
  void addFormatMenus(QMenu* menu);
  void addCopies(QMenu* menu);
  void fillFormats(QMenu* menu, const QStringList& emulated, const std::function<void(const QString&)>& chosen);
  QMenu* makeViewMenu();
  void refresh();
  void showSelection();
  void selectRows();
  void restoreSelection();
  void selectionFromTable();
  void updateSummary();
  bool takeKey(const QKeyEvent& key);
  QWidget* makeHeader();

  RunModel* run_;
  PolicyDocument* document_;
  Selection* selection_;
  SiteTableModel* model_;
  SiteFilter* filter_;
  views::FilterLine* filter_line_;
  QLabel* summary_;
  QLabel* selected_;
  QPushButton* set_format_;
  QPushButton* try_format_;
  QToolButton* ask_savings_;  ///< an icon, because the header has little room in narrow places
  QToolButton* view_;         ///< columns and grouping
  SavingsView* savings_;
  views::DraggingTable* table_;
  views::FormatTargets* targets_;
  EmptyState* empty_;
  views::FormatDelegate* format_delegate_;
  views::TableColumns* columns_ = nullptr;
  SavedFilters* saved_filters_;
  ReasonPopover* reasons_ = nullptr;
  QAction* why_;
  QStringList formats_;
  TableHold* hold_ = nullptr;
  bool sorted_ = false;  ///< rows were sorted once by figures of this run
  bool syncing_ = false;
};

}  // namespace binade::app
