// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/model/run_model.h"

#include <QList>
#include <QString>
#include <QStringList>

#include <string>

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

/// One of the things that counters need, and whether the device has it.
struct DeviceCheck {
  enum class Result {
    kPassed,
    kFailed,
    kNotReached,   ///< comes after the one that failed
    kNotReported,  ///< the state of the profiler does not say it
  };
  QString name;    ///< `NVIDIA driver`
  QString answer;  ///< `not found`
  Result result = Result::kNotReached;
};

/// The checks of a device in their order, as far as a profiler state tells their results: the first that failed is the
/// reason for having no counters. Empty for a state that is not the answer of such a check: `off`, `lost`.
QList<DeviceCheck> deviceChecks(const std::string& state);

}  // namespace binade::app
