// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/search/search.h"

#include <string>
#include <vector>

namespace binade::host {

/// Parses what a search may use up: `30min`, `90s`, `1.5h`, `40tries`, at most one time and one number of tries, as
/// texts of their own or with a comma between. Throws Error{kUsage} for anything else, for no limit at all, and for a
/// limit that allows no try.
search::Budget parse_budget(const std::vector<std::string>& texts);

}  // namespace binade::host
