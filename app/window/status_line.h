// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/observe_cost.h"

#include <QStatusBar>

#include <optional>

class QLabel;
class QPushButton;

namespace binade::app {

class Session;

/// The status bar: state, step rate, emulated or native, cost of observing; run file, engine. Whole sentences, updated
/// at most a few times per second. While a run file is being read, it shows the progress and a button that cancels.
class StatusLine : public QStatusBar {
  Q_OBJECT

 public:
  /// `session` must outlive the status bar.
  explicit StatusLine(Session* session, QWidget* parent = nullptr);

  /// Shows a sentence in place of the state during longer work; empty: none.
  void setBusy(const QString& what);
  /// Says of a run in progress whether it is the experiment of a lesson: `Lesson: paused`.
  void setLesson(bool lesson);
  /// Shows a note beside the run file, such as the progress in the lessons; empty: none.
  void setNote(const QString& note);
  QString stateText() const;
  QPushButton* cancelButton() const { return cancel_; }

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  /// Hides what is shown elsewhere in a narrow window, where the texts would be cut: of the engine, the tool bar has
  /// the device and the state, and *Help › About* the versions; the title has the name of an opened run file.
  void makeRoom();
  void refresh();
  void showState();
  void showOpening(const QString& what);
  void showExecution();
  void showFile();
  void showEngine();
  void showObserving();
  void showLink();

  Session* session_;
  bool lesson_ = false;  ///< the run is the experiment of a lesson
  QString busy_;
  QString opening_;  ///< shown before busy_
  QLabel* dot_;
  QLabel* state_;
  QPushButton* cancel_;
  QLabel* rate_;
  QLabel* badge_;
  QLabel* execution_;
  QLabel* observing_;
  QLabel* accuracy_;
  QLabel* link_;
  QLabel* note_;
  QLabel* file_;
  QLabel* engine_;
  std::optional<wire::ObserveCost> cost_;  ///< of the current run
};

}  // namespace binade::app
