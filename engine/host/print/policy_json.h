// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/policy/resolve.h"

#include <nlohmann/json.hpp>

namespace binade::host {

/// Prints one line of a command's `--json` output. Invalid UTF-8 is replaced.
void print_json(const nlohmann::ordered_json& line);

/// Returns the treatment of a call of `site` and the layer that decided it. `inside`: see policy::SitePlace.
nlohmann::ordered_json to_json(const policy::Policy& policy, const policy::SiteKey& site,
                               const policy::Decision& decision, bool inside = false);

}  // namespace binade::host
