// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/observe_cost.h"

#include <QStatusBar>

#include <optional>

class QLabel;

namespace binade::app {

class Session;

/// The status bar: state, step rate, emulated or native, what observing costs; run file, engine. Always whole
/// sentences, refreshed a few times a second at most.
class StatusLine : public QStatusBar {
  Q_OBJECT

 public:
  /// `session` must outlive it.
  explicit StatusLine(Session* session, QWidget* parent = nullptr);

  /// A sentence in place of the state while something takes a moment; empty for none.
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
  std::optional<wire::ObserveCost> cost_;  ///< of the present run
};

}  // namespace binade::app
