// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/policy/resolve.h"

#include <nlohmann/json.hpp>

namespace binade::host {

/// One line of a command's `--json` output. Text that is no UTF-8 does not stop it.
void print_json(const nlohmann::ordered_json& line);

/// What a call of `site` does and who says so; `inside` as policy::SitePlace says it of the site.
nlohmann::ordered_json to_json(const policy::Policy& policy, const policy::SiteKey& site,
                               const policy::Decision& decision, bool inside = false);

}  // namespace binade::host
