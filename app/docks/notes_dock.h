// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/docks/dock.h"
#include "app/model/run_model.h"
#include "app/present/cell_model.h"
#include "app/session/notes.h"

#include <functional>
#include <optional>

class QPushButton;
class QTableView;

namespace binade::views {
class StepAxis;
}

namespace binade::app {

class EmptyState;

/// The user's notes on steps of the run: written, changed and removed here or in a chart, which shows them as sheets;
/// copied and exported as CSV. A selected note moves the cursor of all charts to its step.
class NotesDock : public Dock {
  Q_OBJECT

 public:
  /// Asks for the text of a note; nullopt: cancelled.
  using Ask = std::function<std::optional<QString>(std::int64_t step, const QString& text)>;

  /// `run` and `axis` must outlive the dock. Charts on the axis offer notes from now on.
  NotesDock(RunModel* run, views::StepAxis* axis, QWidget* parent = nullptr);

  QTableView* table() const { return table_; }
  QPushButton* writeButton() const { return write_; }
  QPushButton* removeButton() const { return remove_; }
  EmptyState* empty() const { return empty_; }
  /// All notes as CSV (RFC 4180): step, time in UTC, text.
  QString csv() const;
  /// Replaces the dialog. For tests.
  void setAsk(Ask ask) { ask_ = std::move(ask); }

 public Q_SLOTS:
  /// Asks for the note of a step and writes it.
  void edit(qint64 step);
  /// Asks for a file and writes csv() to it.
  void exportCsv();

 Q_SIGNALS:
  void problem(const binade::app::Problem& problem);

 private:
  void refill();
  void updateButtons();
  std::optional<std::int64_t> chosenStep() const;

  RunModel* run_;
  views::StepAxis* axis_;
  Notes notes_;
  CellModel* model_;
  QTableView* table_;
  QPushButton* write_;
  QPushButton* remove_;
  EmptyState* empty_;
  Ask ask_;
};

}  // namespace binade::app
