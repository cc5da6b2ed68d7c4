// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/model/run_model.h"
#include "engine/policy/policy.h"

#include <QList>
#include <QString>

namespace binade::app {

/// A policy that a person can choose by name.
struct PolicyChoice {
  QString text;  ///< `Revision 7, in force`
  policy::Policy policy;
};

/// The policies of a run that can be compared: the edited one, the newest revisions, its base list, everything in
/// float32, and those of earlier Tries. Each appears once.
QList<PolicyChoice> policyChoices(const RunModel& run, const policy::Policy& edited);

}  // namespace binade::app
