// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/json_fault.h"

namespace binade {

// The message has the form "[json.exception.parse_error.101] parse error at line 3, column 5: syntax error while
// parsing value - ...; last read: '...'".
JsonFault json_fault(const char* message) {
  std::string what = message;
  what = what.substr(0, what.find("; last read:"));
  const std::size_t at = what.find("line ");
  const std::size_t colon = what.find(": ", at == std::string::npos ? 0 : at);
  const std::size_t reason = what.find(" - ");
  const std::size_t tag = what.find("] ");
  if (at == std::string::npos || colon == std::string::npos)
    return {"", tag == std::string::npos ? what : what.substr(tag + 2)};
  return {what.substr(at, colon - at), what.substr(reason != std::string::npos ? reason + 3 : colon + 2)};
}

}  // namespace binade
