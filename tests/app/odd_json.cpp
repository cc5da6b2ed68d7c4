// SPDX-License-Identifier: Apache-2.0
#include "tests/app/odd_json.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace binade::test {

namespace {

using nlohmann::json;

json oddValue(std::mt19937& random) {
  static const std::vector<json> kValues{0,
                                         -1,
                                         -2,
                                         1,
                                         1000,
                                         1'000'000'000,
                                         std::numeric_limits<std::int32_t>::max(),
                                         std::numeric_limits<std::int32_t>::min(),
                                         std::numeric_limits<std::int64_t>::max(),
                                         std::numeric_limits<std::int64_t>::min(),
                                         std::numeric_limits<std::uint64_t>::max(),
                                         std::nan(""),
                                         std::numeric_limits<double>::infinity(),
                                         -1e308,
                                         5e-324,
                                         "",
                                         "float16",
                                         "\xFF\xFE",
                                         true,
                                         nullptr,
                                         json::array(),
                                         json::object(),
                                         json::binary({1, 2, 3})};
  return kValues[random() % kValues.size()];
}

/// Numbers are what tables are indexed, sorted and drawn by: most changes are of numbers by numbers.
json oddNumber(const json& value, std::mt19937& random) {
  switch (random() % 4) {
    case 0:
      if (value.is_number_float()) return -value.get<double>() * 1e300;
      return static_cast<std::int64_t>(value.get<std::uint64_t>() * 100'000);  // wraps around
    case 1:
      return value.is_number_float() ? json(std::nan("")) : json(-1 - value.get<std::int64_t>() / 2);
    default:
      return oddValue(random);
  }
}

}  // namespace

void makeOdd(json& message, std::mt19937& random) {
  json* at = &message;
  while (at->is_structured() && !at->empty()) {
    auto child = at->begin();
    std::advance(child, static_cast<long>(random() % at->size()));
    if (random() % 12 == 0) {
      if (at->is_array() && random() % 2 == 0) {
        at->push_back(json(*child));  // one too many
      } else {
        at->erase(child);
      }
      return;
    }
    at = &*child;
  }
  if (at->is_binary() && random() % 2 == 0) {
    auto& bytes = at->get_binary();
    if (!bytes.empty() && random() % 2 == 0) bytes[random() % bytes.size()] = static_cast<std::uint8_t>(random());
    if (random() % 2 == 0) bytes.resize(bytes.size() / 2);
    return;
  }
  *at = at->is_number() ? oddNumber(*at, random) : oddValue(random);
}

}  // namespace binade::test
