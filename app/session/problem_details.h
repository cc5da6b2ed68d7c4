// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/model/problem.h"

#include <QString>
#include <QStringList>

namespace binade::app {

class LogModel;
class Session;

/// The versions in use, one a line: explorer, Qt, system, engine, LibTorch, device, computer of the engine.
QStringList versionLines(Session& session);

/// The newest lines of the log, oldest first: time, level, text.
QStringList newestLogLines(const LogModel& log, int most);

/// All that a report of a problem needs, as text: message, hint, field, run and model, versions, the newest lines of
/// the log. In English apart from the message and the log, since it is for reports.
QString problemDetails(const Problem& problem, Session& session);

}  // namespace binade::app
