// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace binade {

/// Where a text is not JSON, and why.
struct JsonFault {
  std::string place;   ///< `line 3, column 5`; empty if the parser names none
  std::string reason;  ///< `invalid literal`
};

/// Reads the message of an exception of nlohmann::json::parse(). The part that the parser read last is left out, since
/// it may be invalid UTF-8, which no message may contain.
JsonFault json_fault(const char* message);

}  // namespace binade
