// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/files/progress.h"

namespace binade::host {

/// Returns a Progress that prints the progress of a set-up on standard error and never cancels it.
files::Progress reported_progress();

}  // namespace binade::host
