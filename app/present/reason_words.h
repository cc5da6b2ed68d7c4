// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/model/run_model.h"

#include <QString>
#include <QStringList>

namespace binade::app {

/// Text of a card shown in place of the device's curve.
struct Reason {
  QString headline;
  QString sentence;  ///< what the state is
  QString next;      ///< what would change it
  QString code;      ///< `no-driver`; empty if nothing was checked yet
  QStringList missing;
  QStringList working;  ///< what can be measured nevertheless
};

/// Returns why a run has no curve, from its reported sources.
Reason reasonOf(const RunModel& run);

/// The headline for a profiler state, by its code.
QString reasonHeadline(const std::string& state);

}  // namespace binade::app
