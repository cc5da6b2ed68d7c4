// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace binade::ranks {

/// Returns the numeric address by which this computer reaches `host`, and by which others in that network reach this
/// computer: `127.0.0.1` for itself. The address of the computer's own name may be one that only itself reaches. Sends
/// nothing. Empty if there is no route.
std::string own_address_towards(const std::string& host, int port);

}  // namespace binade::ranks
