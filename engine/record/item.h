// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/notifications.h"

namespace binade::record {

/// What a run file holds, one after the other. The first is RunStarted, the last Finished (absent after a crash).
using Item = wire::RecordedNotification;

}  // namespace binade::record
