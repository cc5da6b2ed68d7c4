// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/form/file_question.h"
#include "app/session/run_document.h"

#include <QAbstractTableModel>
#include <QWidget>

#include <functional>
#include <optional>
#include <vector>

class QLabel;
class QLayout;
class QPushButton;
class QTableView;

namespace binade::app {

/// One column of a FormTable: how a row's value is shown and edited.
struct FormColumn {
  QString key;  ///< last part of the field's path: `weight`; empty for the row itself
  QString title;
  QString tip;
  int width = 100;
  std::function<QString(wire::RunConfig&, int row)> show;
  /// Applies typed text to the configuration. Returns a problem, or an empty text. Without it the column is read-only.
  std::function<QString(wire::RunConfig&, int row, const QString& text)> take = {};
  /// Returns the choices of a combo box, which also takes free text if `free`. Without it, a line edit is used.
  std::function<QStringList(const wire::RunConfig&)> choices = {};
  bool free = false;
};

/// A table for a list in a run description: losses, parameter groups, columns of the data.
struct FormTableSpec {
  QString title;
  QString empty;  ///< sentence shown while there are no rows
  std::vector<FormColumn> columns;
  std::function<int(const wire::RunConfig&)> rows;
  std::function<QString(const wire::RunConfig&, int row)> rowPath;  ///< path of a row: `losses[1]`
  QString addText = {};                                             ///< empty: rows cannot be added or removed
  std::function<void(wire::RunConfig&)> add = {};
  /// The rows are files: the button asks for them and adds each by `addFile`, in place of `add`.
  std::optional<FileQuestion> files = {};
  std::function<void(wire::RunConfig&, const QString& file)> addFile = {};
  std::function<void(wire::RunConfig&, int row)> remove = {};
  int least = 0;  ///< rows that cannot be removed
};

/// Table model for the list that a FormTableSpec describes. Every edited cell is one undo step.
class FormRows : public QAbstractTableModel {
  Q_OBJECT

 public:
  FormRows(RunDocument* document, FormTableSpec spec, QObject* parent = nullptr);

  const FormTableSpec& spec() const { return spec_; }
  void refresh();
  /// Returns the path of a cell's field.
  QString pathAt(const QModelIndex& index) const;
  /// Returns the cell of a path, or the first cell of a row's path. Invalid if the path belongs to another table.
  QModelIndex indexOf(const QString& path) const;
  /// Marks a cell as wrong, with the reason as tool tip; an empty text removes the mark.
  void setProblem(const QModelIndex& index, const QString& text);

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role = Qt::EditRole) override;

 Q_SIGNALS:
  /// Typed text was refused, with the reason.
  void refused(const QString& text);

 private:
  int presentRows() const;
  RunDocument* document_;
  FormTableSpec spec_;
  int rows_ = 0;
  QPersistentModelIndex wrong_;
  QString problem_;
};

/// A titled table whose rows are edited in place, added and removed.
class FormTable : public QWidget {
  Q_OBJECT

 public:
  FormTable(RunDocument* document, FormTableSpec spec, QWidget* parent = nullptr);

  /// Sets how rows that are files are asked for: on this computer, unless it is set.
  void setAskFiles(const AskFiles& ask) { ask_files_ = ask; }

  QTableView* view() const { return view_; }
  FormRows* rows() const { return rows_; }
  /// Returns the current row, or the last row if none is current; -1 in an empty table.
  int currentRow() const;
  void refresh();
  /// Shows a problem at the cell with this path. Returns false if the table has no such cell.
  bool showProblem(const QString& path, const QString& text);
  void clearProblem();
  /// Moves the focus to the cell with this path. Returns false if the table has no such cell.
  bool focusCell(const QString& path);

 Q_SIGNALS:
  void currentRowChanged(int row);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  QLayout* makeHead();
  void addRow();
  void addBy(const std::function<void(wire::RunConfig&)>& add);
  void removeRow();
  void styleView();
  void fit();

  RunDocument* document_;
  AskFiles ask_files_ = askHere;
  FormRows* rows_;
  QTableView* view_;
  QLabel* empty_;
  QLabel* message_;
  QPushButton* remove_ = nullptr;
};

}  // namespace binade::app
