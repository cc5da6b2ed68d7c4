// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/profile.h"

#include <string>

namespace binade::words {

/// Why tensor cores are or are not used at a site: `10 outputs; float16 tensor cores want a multiple of 8.`
std::string profile_verdict(const wire::SiteProfile& site);

/// The edit that would change it, and the next obstacle after that edit. Empty if no edit helps.
std::string profile_edit(const wire::TensorVerdict& verdict);

}  // namespace binade::words
