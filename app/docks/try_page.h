// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/model/run_model.h"
#include "app/present/trial_rows.h"

#include <QFrame>
#include <QWidget>

class QGridLayout;
class QLabel;

namespace binade::views {
class LinePlot;
}

namespace binade::app {

/// The result of a Try: title and verdict, how it was measured, a row for each quantity with its difference beside the
/// band of noise, and the loss over the steps. Independent of how it was made.
class TryPage : public QWidget {
  Q_OBJECT

 public:
  explicit TryPage(QWidget* parent = nullptr);

  /// `run`: whose revisions name the policies.
  void setTrial(const RunModel& run, const wire::Trial& trial);

  QLabel* title() const { return title_; }
  QLabel* setup() const { return setup_; }
  QLabel* verdict() const { return verdict_; }
  QLabel* note() const { return note_; }
  views::LinePlot* plot() const { return plot_; }
  const QList<TrialRow>& rows() const { return rows_; }

 private:
  void showRows();
  /// Returns the line below the row.
  int addRow(int line, const TrialRow& row);
  void showCurve(const wire::Trial& trial);

  QList<TrialRow> rows_;
  QLabel* title_;
  QLabel* setup_;
  QWidget* table_;
  QGridLayout* grid_;
  views::LinePlot* plot_;
  int series_ = 0;
  QFrame* verdict_box_;
  QLabel* verdict_;
  QLabel* note_;
};

}  // namespace binade::app
