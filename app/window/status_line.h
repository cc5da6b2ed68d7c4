// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/observe_cost.h"

#include <QStatusBar>

#include <optional>

class QLabel;

namespace binade::app {

class Session;

/// The status bar: state, step rate, emulated or native, cost of observing; run file, engine. Whole sentences, updated
/// at most a few times per second.
class StatusLine : public QStatusBar {
  Q_OBJECT

 public:
  /// `session` must outlive the status bar.
  explicit StatusLine(Session* session, QWidget* parent = nullptr);

  /// Shows a sentence in place of the state during longer work; empty: none.
  void setBusy(const QString& what);
  QString stateText() const;

 private:
  void refresh();
  void showState();
  void showExecution();
  void showFile();
  void showEngine();
  void showObserving();

  Session* session_;
  QString busy_;
  QLabel* dot_;
  QLabel* state_;
  QLabel* rate_;
  QLabel* badge_;
  QLabel* execution_;
  QLabel* observing_;
  QLabel* accuracy_;
  QLabel* file_;
  QLabel* engine_;
  std::optional<wire::ObserveCost> cost_;  ///< of the current run
};

}  // namespace binade::app
