// SPDX-License-Identifier: Apache-2.0
#pragma once

// Private to engine/wire: the writer and the reader of JSON objects behind encode, decode and run files.

#include "engine/formats/error.h"
#include "engine/wire/attach_fields.h"
#include "engine/wire/comparison_fields.h"
#include "engine/wire/data_fields.h"
#include "engine/wire/enum_text.h"
#include "engine/wire/fields.h"
#include "engine/wire/profile_fields.h"
#include "engine/wire/quantized_fields.h"
#include "engine/wire/savings_fields.h"
#include "engine/wire/silent_fields.h"
#include "engine/wire/trial_fields.h"
#include "engine/wire/utf8.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace binade::wire {

template <class T>
inline constexpr bool kIsVector = false;
template <class T>
inline constexpr bool kIsVector<std::vector<T>> = true;

template <class T>
inline constexpr bool kIsMap = false;
template <class T>
inline constexpr bool kIsMap<std::map<std::string, T>> = true;

template <class T>
inline constexpr bool kIsOneOrMore = false;
template <class T>
inline constexpr bool kIsOneOrMore<OneOrMore<T>> = true;

/// Makes a JSON object from a struct's fields. Json is nlohmann::json, or ordered_json for text that people read.
template <class Json>
class Writer {
 public:
  template <class T>
  void operator()(const char* name, const T& value) {
    object_[name] = make(value);
  }
  /// An empty optional is not written.
  template <class T>
  void operator()(const char* name, const std::optional<T>& value) {
    if (value) object_[name] = make(*value);
  }

  template <class T>
  static Json make(const T& value) {
    if constexpr (std::is_arithmetic_v<T>) {
      return value;
    } else if constexpr (std::same_as<T, std::string>) {
      return valid_utf8(value);  // a library's message or a file's name may be invalid
    } else if constexpr (kIsVector<T>) {
      Json array = Json::array();
      for (const auto& each : value) array.push_back(make(each));
      return array;
    } else if constexpr (kIsOneOrMore<T>) {
      return value.values.size() == 1 ? make(value.values.front()) : make(value.values);
    } else if constexpr (kIsMap<T>) {
      Json object = Json::object();
      for (const auto& [key, each] : value) object[key] = make(each);
      return object;
    } else if constexpr (Worded<T>) {
      return word(value);
    } else if constexpr (std::same_as<T, formats::Format>) {
      return formats::name(value);
    } else if constexpr (std::same_as<T, formats::TensorStats>) {
      const std::string bytes = formats::pack(value);
      return Json::binary({bytes.begin(), bytes.end()});
    } else if constexpr (std::same_as<T, Bytes>) {
      return Json::binary({value.value.begin(), value.value.end()});
    } else if constexpr (std::same_as<T, policy::Policy> || std::same_as<T, policy::Products>) {
      return Json::parse(policy::to_json(value));
    } else {
      Writer writer;
      fields(writer, value);
      return std::move(writer.object_);
    }
  }

 private:
  Json object_ = Json::object();
};

/// Path of a value in a message; becomes text only in an error.
struct Place {
  const Place* parent = nullptr;
  std::string_view name;  ///< of a field; empty for an element of a list
  std::size_t index = 0;

  std::string text() const;
};

/// Rules of a Reader.
struct ReadRules {
  ErrorCode code = ErrorCode::kUsage;
  std::string source = {};  ///< begins every message; a file's name, or empty
  bool by_hand = false;     ///< written by a person: fields have defaults, and unknown fields are errors
  bool spelt = false;       ///< NaN and infinities are spelt as encode_text() spells them
};

inline constexpr const char* kInfinity = "Infinity";
inline constexpr const char* kMinusInfinity = "-Infinity";

/// Fills a struct from an object. Throws Error with the path of a value that does not fit.
class Reader {
 public:
  Reader(const nlohmann::json& object, const Place& place, const ReadRules& rules);

  template <class T>
  void operator()(const char* name, T& value) {
    const Place place{&place_, name};
    if (const nlohmann::json* found = find(name, place)) read(*found, place, rules_, value);
  }
  template <class T>
  void operator()(const char* name, std::optional<T>& value) {
    const Place place{&place_, name};
    value.reset();
    if (const nlohmann::json* found = find(name, place, /*optional=*/true)) {
      read(*found, place, rules_, value.emplace());
    }
  }

  /// In an object written by a person, throws for fields that were never read.
  void finish() const;

  template <class T>
  static void read(const nlohmann::json& json, const Place& place, const ReadRules& rules, T& value) {
    if constexpr (std::same_as<T, bool>) {
      value = boolean(json, place, rules);
    } else if constexpr (std::same_as<T, std::uint64_t>) {
      value = natural(json, place, rules);
    } else if constexpr (std::is_integral_v<T>) {
      value = static_cast<T>(integer(json, place, rules, std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
    } else if constexpr (std::is_floating_point_v<T>) {
      value = static_cast<T>(number(json, place, rules));
    } else if constexpr (std::same_as<T, std::string>) {
      value = text(json, place, rules);
    } else if constexpr (kIsVector<T>) {
      const std::size_t size = array_size(json, place, rules);
      value.clear();
      value.reserve(size);
      for (std::size_t i = 0; i < size; ++i) {
        read(json[i], Place{&place, {}, i}, rules, value.emplace_back());
      }
    } else if constexpr (kIsOneOrMore<T>) {
      value.values.clear();
      if (json.is_array()) {
        read(json, place, rules, value.values);
      } else {
        read(json, place, rules, value.values.emplace_back());
      }
    } else if constexpr (kIsMap<T>) {
      if (!json.is_object()) wrong_kind(json, place, rules, "an object", "{...}");
      value.clear();
      for (const auto& [key, each] : json.items()) read(each, Place{&place, key}, rules, value[key]);
    } else if constexpr (Worded<T>) {
      const std::string& known = text(json, place, rules);
      const auto found = from_word<T>(known);
      if (!found) fail(place, rules, "is \"" + known + "\", which is not one of its values");
      value = *found;
    } else if constexpr (std::same_as<T, formats::Format>) {
      const std::string& known = text(json, place, rules);
      const auto found = formats::parse(known);
      if (!found) fail(place, rules, "is \"" + known + "\", which is not a number format");
      value = *found;
    } else if constexpr (std::same_as<T, formats::TensorStats>) {
      value = stats(json, place, rules);
    } else if constexpr (std::same_as<T, Bytes>) {
      value.value = bytes(json, place, rules);
    } else if constexpr (std::same_as<T, policy::Policy>) {
      value = policy_object(json, place, rules);
    } else if constexpr (std::same_as<T, policy::Products>) {
      value = products_object(json, place, rules);
    } else {
      Reader reader(json, place, rules);
      fields(reader, value);
      reader.finish();
    }
  }

 private:
  const nlohmann::json* find(const char* name, const Place& place, bool optional = false);

  /// Name of a JSON type for messages.
  static std::string kind_of(const nlohmann::json& json);

  [[noreturn]] static void fail(const Place& place, const ReadRules& rules, const std::string& what,
                                const std::string& hint = {});
  /// `wanted` and `example` describe the kind that was expected. A person gets the example as the next step.
  [[noreturn]] static void wrong_kind(const nlohmann::json& json, const Place& place, const ReadRules& rules,
                                      std::string_view wanted, std::string_view example);
  static bool boolean(const nlohmann::json& json, const Place& place, const ReadRules& rules);
  static std::int64_t integer(const nlohmann::json& json, const Place& place, const ReadRules& rules, std::int64_t low,
                              std::int64_t high);
  static std::uint64_t natural(const nlohmann::json& json, const Place& place, const ReadRules& rules);
  static double number(const nlohmann::json& json, const Place& place, const ReadRules& rules);
  static const std::string& text(const nlohmann::json& json, const Place& place, const ReadRules& rules);
  static std::size_t array_size(const nlohmann::json& json, const Place& place, const ReadRules& rules);
  static std::string bytes(const nlohmann::json& json, const Place& place, const ReadRules& rules);
  static formats::TensorStats stats(const nlohmann::json& json, const Place& place, const ReadRules& rules);
  static policy::Policy policy_object(const nlohmann::json& json, const Place& place, const ReadRules& rules);
  static policy::Products products_object(const nlohmann::json& json, const Place& place, const ReadRules& rules);

  const nlohmann::json& object_;
  const Place& place_;
  const ReadRules& rules_;
  std::vector<std::string> known_;
};

}  // namespace binade::wire
