// SPDX-License-Identifier: Apache-2.0
#pragma once

class QSettings;

namespace binade::app {

class RunForm;
class Session;

/// Answers a form's requests for the arrays of data files, and for a preview of a batch, with the session's engine, and
/// lets it ask for files on the engine's computer. The connections exist as long as `form`, which `session` and
/// `settings` must outlive.
void answerRequests(RunForm* form, Session* session, QSettings* settings);

}  // namespace binade::app
