// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace binade::app {

class RunForm;
class Session;

/// Answers a form's requests for the arrays of data files, and for a preview of a batch, with the session's engine.
/// The connections exist as long as `form`, which `session` must outlive.
void answerRequests(RunForm* form, Session* session);

}  // namespace binade::app
