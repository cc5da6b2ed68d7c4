// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/run_config.h"

#include <QMenu>

class QActionGroup;

namespace binade::app {

/// What is watched of a run's tensors, and on how many of its steps. Shows what the run does each time it opens;
/// choosing only asks.
class ObserveMenu : public QMenu {
  Q_OBJECT

 public:
  explicit ObserveMenu(QWidget* parent = nullptr);

  void setObserve(const wire::ObserveConfig& observe);
  /// Whether a run listens.
  void setActive(bool active);

 Q_SIGNALS:
  void observeRequested(const binade::wire::ObserveConfig& observe);

 private:
  void addLevel(const char* level, const QString& text, const QString& tip);
  void addSampling(int every, const QString& text);
  void update();

  wire::ObserveConfig observe_;
  bool active_ = false;
  QActionGroup* levels_;
  QActionGroup* samplings_;
};

}  // namespace binade::app
