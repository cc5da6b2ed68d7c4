// SPDX-License-Identifier: Apache-2.0
#include "engine/wire/archive.h"

#include "engine/policy/near_name.h"
#include "engine/wire/utf8.h"

#include <algorithm>

namespace binade::wire {

namespace {

std::string hint_for(const std::string& unknown, const std::vector<std::string>& known) {
  if (const auto near = policy::nearest_name(unknown, known)) return "Did you mean \"" + *near + "\"?";
  std::string list;
  for (const auto& each : known) list += (list.empty() ? "" : ", ") + each;
  return "Known fields: " + list + ".";
}

/// Next step for a value of the wrong kind: `Write 100, without quotes.`, `For example: "steps": 100`, or
/// `Write a list in [ ].`
std::string hint_on_kind(const nlohmann::json& given, const Place& place, std::string_view example) {
  if (example == "[...]") return "Write a list in [ ].";
  if (example == "{...}") return "Write an object in { }.";
  const auto wanted = nlohmann::json::parse(example, nullptr, /*allow_exceptions=*/false);
  if (wanted.is_string()) {
    return given.is_primitive() && !given.is_null() ? "Write \"" + given.dump() + "\", with quotes."
                                                    : "Write a text in quotes.";
  }
  if (given.is_string()) {
    const auto bare = nlohmann::json::parse(given.get_ref<const std::string&>(), nullptr, /*allow_exceptions=*/false);
    const bool number = wanted.is_number_integer() ? bare.is_number_integer() : wanted.is_number() && bare.is_number();
    if (number || (wanted.is_boolean() && bare.is_boolean())) return "Write " + bare.dump() + ", without quotes.";
  }
  if (wanted.is_number_float()) {  // an example may be out of the field's range
    const bool scale = place.name.find("scale") != std::string_view::npos;
    if (scale) return "For example: \"" + std::string(place.name) + "\": 65536";
    return given.is_string() ? "Write a number without quotes." : "Write a number.";
  }
  const std::string field = place.name.empty() ? std::string() : "\"" + std::string(place.name) + "\": ";
  return "For example: " + field + std::string(example);
}

}  // namespace

std::string Place::text() const {
  if (parent == nullptr) return {};
  const std::string before = parent->text();
  if (name.empty()) return before + "[" + std::to_string(index) + "]";
  return before.empty() ? std::string(name) : before + "." + std::string(name);
}

Reader::Reader(const nlohmann::json& object, const Place& place, const ReadRules& rules)
    : object_(object), place_(place), rules_(rules) {
  if (!object.is_object()) wrong_kind(object, place_, rules_, "an object", "{...}");
}

std::string Reader::kind_of(const nlohmann::json& json) {
  switch (json.type()) {
    case nlohmann::json::value_t::null:
      return "null";
    case nlohmann::json::value_t::object:
      return "an object";
    case nlohmann::json::value_t::array:
      return "a list";
    case nlohmann::json::value_t::string:
      return "a string";
    case nlohmann::json::value_t::boolean:
      return "true or false";
    case nlohmann::json::value_t::binary:
      return "bytes";
    default:
      return "a number";
  }
}

const nlohmann::json* Reader::find(const char* name, const Place& place, bool optional) {
  if (rules_.by_hand) known_.emplace_back(name);
  const auto found = object_.find(name);
  if (found != object_.end()) return &*found;
  if (!rules_.by_hand && !optional) fail(place, rules_, "is missing");
  return nullptr;
}

void Reader::finish() const {
  if (!rules_.by_hand) return;
  for (const auto& [name, value] : object_.items()) {
    if (std::find(known_.begin(), known_.end(), name) != known_.end()) continue;
    throw Error(rules_.code,
                rules_.source + ": " + Place{&place_, name}.text() + " is not a field of a run description",
                hint_for(name, known_))
        .at(Place{&place_, name}.text());
  }
}

void Reader::fail(const Place& place, const ReadRules& rules, const std::string& what, const std::string& hint) {
  const std::string path = place.text();
  const std::string subject = path.empty() ? "the value" : path;
  throw Error(rules.code, (rules.source.empty() ? "" : rules.source + ": ") + subject + " " + what, hint).at(path);
}

void Reader::wrong_kind(const nlohmann::json& json, const Place& place, const ReadRules& rules, std::string_view wanted,
                        std::string_view example) {
  const bool fraction = json.is_number() && wanted.starts_with("a whole number");
  fail(place, rules, "must be " + std::string(wanted) + ", not " + (fraction ? json.dump() : kind_of(json)),
       rules.by_hand ? hint_on_kind(json, place, example) : std::string());
}

bool Reader::boolean(const nlohmann::json& json, const Place& place, const ReadRules& rules) {
  if (!json.is_boolean()) wrong_kind(json, place, rules, "true or false", "true");
  return json.get<bool>();
}

std::int64_t Reader::integer(const nlohmann::json& json, const Place& place, const ReadRules& rules, std::int64_t low,
                             std::int64_t high) {
  if (!json.is_number_integer()) wrong_kind(json, place, rules, "a whole number", "100");
  const bool beyond = json.is_number_unsigned() &&
                      json.get<std::uint64_t>() > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (beyond || json.get<std::int64_t>() < low || json.get<std::int64_t>() > high) {
    fail(place, rules, "is out of range: " + json.dump());
  }
  return json.get<std::int64_t>();
}

std::uint64_t Reader::natural(const nlohmann::json& json, const Place& place, const ReadRules& rules) {
  const bool negative = !json.is_number_unsigned() && json.is_number_integer() && json.get<std::int64_t>() < 0;
  if (!json.is_number_integer() || negative) wrong_kind(json, place, rules, "a whole number from 0", "100");
  return json.get<std::uint64_t>();
}

double Reader::number(const nlohmann::json& json, const Place& place, const ReadRules& rules) {
  if (rules.spelt && json.is_null()) return std::numeric_limits<double>::quiet_NaN();
  if (rules.spelt && json == kInfinity) return std::numeric_limits<double>::infinity();
  if (rules.spelt && json == kMinusInfinity) return -std::numeric_limits<double>::infinity();
  if (!json.is_number()) wrong_kind(json, place, rules, "a number", "0.1");
  return json.get<double>();
}

const std::string& Reader::text(const nlohmann::json& json, const Place& place, const ReadRules& rules) {
  if (!json.is_string()) wrong_kind(json, place, rules, "a string", "\"text\"");
  const auto& text = json.get_ref<const std::string&>();
  if (!is_utf8(text)) fail(place, rules, "is not UTF-8");
  return text;
}

std::size_t Reader::array_size(const nlohmann::json& json, const Place& place, const ReadRules& rules) {
  if (!json.is_array()) wrong_kind(json, place, rules, "a list", "[...]");
  return json.size();
}

std::string Reader::bytes(const nlohmann::json& json, const Place& place, const ReadRules& rules) {
  if (!json.is_binary()) fail(place, rules, "must be bytes, not " + kind_of(json));
  const auto& binary = json.get_binary();
  return {binary.begin(), binary.end()};
}

formats::TensorStats Reader::stats(const nlohmann::json& json, const Place& place, const ReadRules& rules) {
  const std::string packed = bytes(json, place, rules);
  try {
    return formats::unpack(packed);
  } catch (const Error& error) {
    fail(place, rules, std::string("does not hold statistics: ") + error.what());
  }
}

policy::Policy Reader::policy_object(const nlohmann::json& json, const Place& place, const ReadRules& rules) {
  if (!json.is_object()) wrong_kind(json, place, rules, "an object", "{...}");
  // parse_policy() takes text, so that messages are the same however a policy arrives.
  const std::string source = rules.source.empty() ? place.text() : rules.source + ": " + place.text();
  return policy::parse_policy(json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace), source);
}

policy::Products Reader::products_object(const nlohmann::json& json, const Place& place, const ReadRules& rules) {
  if (!json.is_object()) wrong_kind(json, place, rules, "an object", "{...}");
  // parse_products() takes text, so that messages are the same however a policy arrives.
  const std::string source = rules.source.empty() ? place.text() : rules.source + ": " + place.text();
  return policy::parse_products(json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace), source);
}

}  // namespace binade::wire
