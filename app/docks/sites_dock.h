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

class QLabel;
class QMenu;
class QTableView;
class QPushButton;
class QToolButton;

namespace binade::views {
class FormatDelegate;
}

namespace binade::app {

class EmptyState;
class SavingsView;
class TableHold;

/// The op calls: filter line, table, and a menu that sets the format of all selected op calls as one undo step.
class SitesDock : public Dock {
  Q_OBJECT

 public:
  /// All three must outlive the dock.
  SitesDock(RunModel* run, PolicyDocument* document, Selection* selection, QWidget* parent = nullptr);

  QTableView* table() const { return table_; }
  views::FilterLine* filterLine() const { return filter_line_; }
  SiteFilter* filter() const { return filter_; }
  SiteTableModel* model() const { return model_; }
  /// *What would this save?*, below the table.
  SavingsView* savings() const { return savings_; }

  /// Sets the available formats, and those that this engine emulates.
  void setFormats(const QStringList& names, const QStringList& emulated);
  const QStringList& formats() const { return formats_; }

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

 Q_SIGNALS:
  /// Whether a format can be set now: op calls are selected, and the run accepts edits.
  void editableChanged(bool editable);
  /// A policy should be tried without being applied. `name`: of its change.
  void tryRequested(const binade::policy::Policy& after, const QString& name);

 private:
  /// The policy with this format for the selected op calls; nullopt: none is selected.
  std::optional<policy::Policy> editedSelection(const QString& name) const;
  void connectSelection();
  void makeContextMenu();
  void fillFormats(QMenu* menu, const QStringList& emulated, const std::function<void(const QString&)>& chosen);
  void refresh();
  void showSelection();
  void selectionFromTable();
  void updateSummary();
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
  SavingsView* savings_;
  QTableView* table_;
  EmptyState* empty_;
  views::FormatDelegate* format_delegate_;
  QStringList formats_;
  TableHold* hold_ = nullptr;
  bool syncing_ = false;
};

}  // namespace binade::app
