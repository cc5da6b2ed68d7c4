// SPDX-License-Identifier: Apache-2.0
#include "engine/host/at_least.h"

#include <charconv>

namespace binade::host {

CLI::Validator at_least(std::int64_t least, const std::string& name) {
  return {[least](std::string& text) {
            std::int64_t number = 0;
            const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
            const bool fits = error == std::errc() && end == text.data() + text.size() && number >= least;
            return fits ? std::string() : text + " is not a whole number of at least " + std::to_string(least);
          },
          name};
}

}  // namespace binade::host
