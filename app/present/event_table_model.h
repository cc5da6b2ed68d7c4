// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/model/run_model.h"

#include <QAbstractTableModel>

#include <cstddef>

namespace binade::app {

/// Events of the run, one row each, newest first. Grows with the run. The start-up group (start_up.h) comes last, below
/// a heading row if it has at least two events and the optimizer has taken a step since its first:
///
///   rows 0 to N-G-1      events N-1 down to G
///   row  N-G             the heading
///   rows N-G+1 to N      events G-1 down to 0
///
/// for N events, of which G belong to the group. Without a heading, row r is event N-1-r.
class EventTableModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  /// The heading's text is in kWhat.
  enum Column { kStep, kWhat, kCalls, kTensor, kLargest, kDoublings, kSafe, kScale, kVerdict, kSentence, kColumns };

  /// `run` must outlive the model.
  explicit EventTableModel(RunModel* run, QObject* parent = nullptr);

  /// The event of a row, as index of RunModel::events(); -1: the heading, or no such row.
  int eventAt(int row) const;
  /// The row of an event; -1: no such event.
  int rowOf(int event) const;
  /// Number of events.
  int events() const { return events_; }
  /// Number of events in the start-up group; 0 before the optimizer has taken a step since the first event.
  int startUp() const { return start_up_; }
  /// The row of the group's heading; -1: there is none.
  int headingRow() const { return hasHeading(start_up_) ? events_ - start_up_ : -1; }
  /// Whether the heading says that its group is unfolded. Views hide the rows.
  bool isOpen() const { return open_; }
  void setOpen(bool open);

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

 private:
  enum class Names { kWhole, kShort };  ///< `fc2/aten::linear#0`; `fc2`
  static bool hasHeading(int start_up) { return start_up >= 2; }
  void add(int event);
  void formGroup();
  bool tookStep();
  QVariant headingData(int column, int role) const;
  QVariant figureData(const wire::Event& event, int column, int role) const;
  QStringList callsOf(const wire::Event& event, Names names) const;
  QString callsText(const wire::Event& event, Names names) const;
  QString footText(const wire::Event& event) const;

  RunModel* run_;
  int events_ = 0;
  int start_up_ = 0;
  bool took_step_ = false;         ///< since the first event
  std::size_t checked_steps_ = 0;  ///< of the run, for took_step_
  bool open_ = true;
};

}  // namespace binade::app
