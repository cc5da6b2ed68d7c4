// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/model_info.h"
#include "engine/wire/silent_fault.h"

#include <QString>

#include <vector>

namespace binade::app {

/// A silent fault in a few words, for places where words::silent_sentence() does not fit: `conv1 loses 42 %`. No full
/// stop.
QString silentBrief(const wire::SilentFault& fault, const std::vector<wire::SiteInfo>& sites);

}  // namespace binade::app
