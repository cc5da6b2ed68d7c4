// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/run_model.h"

#include <QString>
#include <QStringList>

namespace binade::app {

/// What a card says where the device's curve would be.
struct Reason {
  QString headline;
  QString sentence;  ///< what is the case
  QString next;      ///< what would change it
  QString code;      ///< `no-driver`; empty where nobody has looked yet
  QStringList missing;
  QStringList working;  ///< what can be measured all the same
};

/// Why there is no curve in a run, from what it was told of its sources.
Reason reasonOf(const RunModel& run);

/// The headline for a state of the profiler, by its code.
QString reasonHeadline(const std::string& state);

}  // namespace binade::app
