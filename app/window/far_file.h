// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/form/file_question.h"

class QSettings;

namespace binade::app {

class Session;

/// Asks for files on the computer of the session's engine: in a file dialog of the system on this one, else in a
/// FarFileDialog. Both must outlive the function.
AskFiles askWhereTheEngineIs(Session* session, QSettings* settings);

}  // namespace binade::app
