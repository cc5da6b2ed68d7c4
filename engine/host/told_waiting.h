// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/train/waiting.h"

namespace binade::host {

/// Somebody at a terminal, who hears on standard error how far a set-up has come.
train::Waiting told_waiting();

}  // namespace binade::host
