// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace binade::policy {

/// Whether a text starts with an ISO 8601 date, and continues, if at all, with a time.
bool is_date(std::string_view text);

}  // namespace binade::policy
