// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace binade::test {

/// Seeded damage to input data: the same seed gives the same mutations on every machine.
class Mutator {
 public:
  explicit Mutator(std::uint32_t seed) : random_(seed) {}

  std::size_t below(std::size_t n) { return static_cast<std::size_t>(random_() % std::max<std::size_t>(n, 1)); }

  /// Overwrites, flips, removes, doubles or moves bytes, or cuts off the end. `text` must not be empty.
  std::string bytes(std::string text) {
    for (std::size_t edits = 1 + below(3); edits > 0 && !text.empty(); --edits) {
      const std::size_t at = below(text.size());
      const std::size_t size = std::min(text.size() - at, 1 + below(32));
      switch (below(8)) {
        case 0:
        case 1:
          text[at] = static_cast<char>(below(256));
          break;
        case 2:
          text[at] = static_cast<char>(text[at] ^ (1 << below(8)));
          break;
        case 3:
          text.erase(at, size);
          break;
        case 4:
          text.insert(below(text.size()), text.substr(at, size));
          break;
        case 5:
          for (std::size_t i = 0; i < size; ++i) text[at + i] = static_cast<char>(below(2) == 0 ? 0xFF : 0x00);
          break;
        case 6:
          text.replace(at, size, text.substr(below(text.size() - size + 1), size));
          break;
        default:
          if (below(8) == 0) text.resize(at);
      }
    }
    return text;
  }

  /// Replaces, removes, doubles or renames one or two values of a JSON text, which stays valid JSON.
  std::string json(const std::string& text) {
    auto root = nlohmann::ordered_json::parse(text);
    for (std::size_t edits = 1 + below(2); edits > 0; --edits) {
      std::vector<nlohmann::ordered_json*> all;
      collect(root, all);
      change(*all[below(all.size())]);
    }
    return root.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  }

 private:
  using Json = nlohmann::ordered_json;

  static void collect(Json& value, std::vector<Json*>& all) {
    all.push_back(&value);
    if (!value.is_structured()) return;
    for (Json& each : value) collect(each, all);
  }

  Json odd() {
    switch (below(16)) {
      case 0:
        return nullptr;
      case 1:
        return below(2) == 0;
      case 2:
        return -1;
      case 3:
        return 0;
      case 4:
        return std::int64_t{1} << below(63);
      case 5:
        return ~std::uint64_t{0};
      case 6:
        return 1e308;
      case 7:
        return -1e-320;
      case 8:
        return "";
      case 9:
        return std::string(1 + below(5000), 'x');
      case 10:
        return "float32[" + std::to_string(std::int64_t{1} << below(62)) + "]";
      case 11:
        return std::string("\xc3\xa4/../\\\n\t\"");
      case 12:
        return Json::array();
      case 13:
        return Json::object();
      case 14:
        return Json::array({nullptr, 1, "x", Json::object()});
      default:
        return 0.1 * static_cast<double>(below(100));
    }
  }

  void change(Json& value) {
    if (value.is_object() && !value.empty() && below(2) == 0) {
      auto at = value.begin();
      std::advance(at, static_cast<std::ptrdiff_t>(below(value.size())));
      const std::string key = at.key();
      const Json held = *at;
      if (below(2) == 0) {
        value.erase(key);
        if (below(2) == 0) value[key + "s"] = held;
      } else {
        value["a field of no run"] = held;
      }
      return;
    }
    if (value.is_array() && !value.empty() && below(2) == 0) {
      value.push_back(value[below(value.size())]);
      return;
    }
    if (value.is_number() && below(2) == 0) {  // close to the old value
      value = value.get<double>() * (below(2) == 0 ? -1 : 1000);
      return;
    }
    value = odd();
  }

  std::mt19937 random_;
};

}  // namespace binade::test
