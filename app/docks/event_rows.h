// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/present/event_table_model.h"
#include "app/session/selection.h"

#include <QObject>

#include <vector>

class QKeyEvent;
class QTableView;

namespace binade::app {

/// Hides rows of the list of events: consequences of another event of the same step, events of another rank than the
/// chosen one, and the start-up group while its heading is folded. The group is folded when the first event after it
/// arrives, and unfolded when one of its events is selected. A click on the heading, Return or Space folds and unfolds
/// it; Right unfolds, Left folds.
class EventRows : public QObject {
  Q_OBJECT

 public:
  /// All must outlive it; `model` must be the table's.
  EventRows(RunModel* run, Selection* selection, EventTableModel* model, QTableView* table);

  /// Number of events with a row, folded or not.
  int listed() const;
  /// Number of those that are of the shown steps; see RunModel::shownStep().
  int listedUntilShown() const;
  void setOpen(bool open);
  /// Sets the height of rows, in px.
  void setHeight(int height);

 Q_SIGNALS:
  /// Rows came or went.
  void changed();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void readAll();
  void take(int event);
  void takeGroup();
  void update(int event);
  void placeHeading();
  bool takeKey(const QKeyEvent& key);
  bool isInGroup(int event) const;
  /// Whether an event is about the examples of another rank than the chosen one.
  bool isOfOtherRank(int event) const;

  RunModel* run_;
  Selection* selection_;
  EventTableModel* model_;
  QTableView* table_;
  std::vector<bool> follows_;  ///< by event: a consequence
  int listed_ = 0;
  bool has_later_ = false;  ///< the group has a heading, and there are events after it
};

}  // namespace binade::app
