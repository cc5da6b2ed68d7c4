// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/model/run_model.h"

#include <QStringList>

namespace binade::app {

/// Why an op call has its format under the policy in force: which rule or list decided, what that overrules, and for an
/// op that takes its format from its arguments, where each of these comes from. One sentence each; empty: unknown.
QStringList formatReasons(const RunModel& run, int site);

}  // namespace binade::app
