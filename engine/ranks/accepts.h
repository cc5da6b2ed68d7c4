// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace binade::ranks {

/// Whether a program accepts connections at an address and port. Waits at most a second for each address that the name
/// of the host has.
bool accepts(const std::string& host, int port);

}  // namespace binade::ranks
