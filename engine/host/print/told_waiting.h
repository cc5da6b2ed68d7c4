// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/files/waiting.h"

namespace binade::host {

/// Returns a Waiting that prints the progress of a set-up on standard error and never cancels it.
files::Waiting told_waiting();

}  // namespace binade::host
