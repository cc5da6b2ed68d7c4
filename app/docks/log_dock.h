// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/docks/dock.h"
#include "app/present/log_model.h"

namespace binade::app {

/// Messages of engine and explorer. Follows the newest line unless the user has scrolled away from it.
class LogDock : public Dock {
  Q_OBJECT

 public:
  /// `log` must outlive the dock.
  explicit LogDock(LogModel* log, QWidget* parent = nullptr);
};

}  // namespace binade::app
