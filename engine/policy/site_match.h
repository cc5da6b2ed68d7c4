// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/policy/resolve.h"

#include <string_view>

namespace binade::policy {

/// matches() for a caller who has made the site's name already: a policy asks every rule of every site.
bool matches(std::string_view match, const SiteKey& site, std::string_view name);

}  // namespace binade::policy
