// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/error.h"
#include "engine/formats/json_fault.h"
#include "engine/formats/newer_version.h"
#include "engine/formats/printable.h"
#include "engine/policy/base_policy.h"
#include "engine/policy/iso_date.h"
#include "engine/policy/near_name.h"
#include "engine/policy/policy.h"

#include <nlohmann/json.hpp>

#include <limits>
#include <set>

namespace binade::policy {

namespace {

using Json = nlohmann::json;
using Names = std::vector<std::string>;

const Names kFormats{"float32", "tfloat32", "bfloat16", "float16", "float8_e4m3fn", "float8_e5m2"};
const Names kTreatments{"low", "promote", "follow", "banned"};
const Names kBases{"cuda-amp", "cpu-amp", "apex-o0", "apex-o1", "apex-o2", "apex-o3", "all-float32"};
const Names kBehaviours{"fixed", "pytorch-2.11"};
const Names kExecutions{"auto", "native", "emulated"};
const Names kOverflows{"infinity", "saturate"};
const Names kPolicyFields{"$schema", "binade_policy", "name", "behaviour", "base",
                          "low",     "execution",     "ops",  "sites",     "provenance"};
const Names kSiteFields{"match",   "call",       "format",      "backward", "execution", "overflow",
                        "forward", "grad_input", "grad_weight", "rounding", "transform", "why"};
const Names kProductFields{"forward", "grad_input", "grad_weight", "rounding", "transform"};
const Names kRoundings{"nearest", "stochastic"};
const Names kTransforms{"none", "hadamard"};
const Names kProvenanceFields{"made_by", "date", "run", "step", "try", "model", "op_calls", "from", "evidence"};

std::string joined(const Names& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

/// Names from other programs that users may write.
constexpr std::pair<std::string_view, std::string_view> kAliases[] = {
    {"fp32", "float32"},
    {"float", "float32"},
    {"single", "float32"},
    {"tf32", "tfloat32"},
    {"bf16", "bfloat16"},
    {"fp16", "float16"},
    {"half", "float16"},
    {"e4m3fn", "float8_e4m3fn"},
    {"lower", "low"},
    {"none", "follow"},
    {"float8_e4m3", "float8_e4m3fn"},
    {"leave", "follow"},
};

std::string suggestion(std::string_view text, const Names& known) {
  for (const auto& [alias, meant] : kAliases) {
    if (alias != text) continue;
    for (const std::string& name : known) {
      if (name == meant) return "Did you mean \"" + name + "\"? ";
    }
  }
  return did_you_mean(text, known);
}

/// `"text"` for messages, shortened if it is long.
std::string quoted(const std::string& text) {
  constexpr std::size_t kLongest = 80;
  if (text.size() <= kLongest) return "\"" + text + "\"";
  return "\"" + std::string(formats::beginning(text, kLongest)) + "...\"";
}

std::string kind_of(const Json& json) {
  if (json.is_object()) return "an object";
  if (json.is_array()) return "an array";
  if (json.is_string()) return "a string";
  if (json.is_number()) return "a number";
  if (json.is_boolean()) return json.get<bool>() ? "true" : "false";
  return "null";
}

/// Finds a key that occurs twice in one JSON object while the text is parsed. JSON readers silently keep the last.
class JsonPositions {
 public:
  /// Callback for nlohmann::json's parser; needs every event, in order. Always returns true.
  bool see(Json::parse_event_t event, const Json& parsed) {
    using Event = Json::parse_event_t;
    if (event == Event::key) {
      frames_.back().key = parsed.get<std::string>();
      if (twice_.empty() && !frames_.back().seen.insert(frames_.back().key).second) twice_ = path();
    } else if (event == Event::object_end || event == Event::array_end) {
      frames_.pop_back();
    } else {
      if (!frames_.empty()) ++frames_.back().index;
      if (event == Event::object_start || event == Event::array_start) frames_.push_back({});
    }
    return true;
  }

  /// Path of the first repeated key, such as `sites[1].format`; empty if there is none.
  const std::string& twice() const { return twice_; }

 private:
  struct Frame {
    std::string key;  // in an object; an array has none
    int index = -1;
    std::set<std::string> seen;
  };

  std::string path() const {
    std::string text;
    for (const Frame& frame : frames_) {
      if (frame.seen.empty()) {
        text += "[" + std::to_string(frame.index) + "]";
      } else if (frame.key.find_first_of(":. \"") != std::string::npos) {
        text += "[\"" + frame.key + "\"]";
      } else {
        text += (text.empty() ? "" : ".") + frame.key;
      }
    }
    return text;
  }

  std::vector<Frame> frames_;
  std::string twice_;
};

class Reader {
 public:
  explicit Reader(const std::string& source) : source_(source) {}

  Policy read(std::string_view text) const {
    const Json json = parse(text);
    if (!json.is_object()) fail("", "contains " + kind_of(json) + ", but a policy must be an object", kStart);
    const Json* version = find(json, "binade_policy");
    if (version == nullptr && find(json, "binade_run") != nullptr) {
      fail("", "is a run description, not a policy",
           std::string("`binade-engine train` takes a run description. ") + kStart);
    }
    if (version == nullptr) fail("binade_policy", "is missing", kStart);
    if (!version->is_number_integer())
      fail("binade_policy", "is " + kind_of(*version) + ", not a version number", kStart);
    if (*version != 1) {
      const std::string what = "is version " + version->dump() + "; this program supports version 1";
      const Json* needed = find(json, std::string(kNeedsField));
      const std::string needs = needed != nullptr && needed->is_string() ? needed->get<std::string>() : "";
      fail("binade_policy", what, *version > 1 ? newer_version_hint(needs) : kStart);
    }
    check_fields(json, "", kPolicyFields, "a policy");

    Policy policy;
    text_of(json, "", "$schema");
    policy.name = text_of(json, "", "name").value_or("");
    policy.behaviour = choice(json, "", "behaviour", kBehaviours) == 1 ? Behaviour::kPyTorch211 : Behaviour::kFixed;
    policy.base = static_cast<Base>(choice(json, "", "base", kBases).value_or(0));
    policy.low = format(json, "", "low").value_or(base_policy(name(policy.base))->low);
    policy.execution = static_cast<Execution>(choice(json, "", "execution", kExecutions).value_or(0));
    read_ops(json, policy);
    read_sites(json, policy);
    read_provenance(json, policy.provenance);
    return policy;
  }

  Products read_products(std::string_view text) const {
    const Json json = parse(text);
    if (!json.is_object()) fail("", "contains " + kind_of(json) + ", but products must be an object", kMend);
    check_fields(json, "", kProductFields, "products");
    return products(json, "");
  }

 private:
  static constexpr const char* kStart = R"(A policy file starts with { "binade_policy": 1, ... }.)";
  static constexpr const char* kMend = "Correct the text at this position, or save the policy again from Binade.";

  /// `what` continues the sentence that its place begins (`is missing`), or is a text of its own behind a colon.
  [[noreturn]] void fail(const std::string& path, const std::string& what, const std::string& hint) const {
    const std::string place = source_.empty() || path.empty() ? source_ + path : source_ + ": " + path;
    const bool continues = what.starts_with("is ") || what.starts_with("contains ");
    throw Error(ErrorCode::kBadPolicy, place + (place.empty() ? "" : continues ? " " : ": ") + what, hint);
  }

  Json parse(std::string_view text) const {
    if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) fail("", "is empty", kStart);
    JsonPositions positions;
    Json json;
    try {
      json = Json::parse(
          text, [&positions](int, Json::parse_event_t event, Json& parsed) { return positions.see(event, parsed); });
    } catch (const Json::exception& error) {
      const JsonFault fault = json_fault(error.what());
      if (fault.place.empty()) fail("", "is not JSON: " + fault.reason, kMend);
      fail(fault.place, "not JSON: " + fault.reason, kMend);
    }
    if (!positions.twice().empty()) fail(positions.twice(), "is given twice", "Remove one of them.");
    return json;
  }

  static const Json* find(const Json& object, const std::string& field) {
    const auto found = object.find(field);
    return found != object.end() ? &*found : nullptr;
  }

  static std::string under(const std::string& path, const std::string& field) {
    return path.empty() ? field : path + "." + field;
  }

  void check_fields(const Json& object, const std::string& path, const Names& known, const char* of) const {
    for (const auto& item : object.items()) {
      bool listed = false;
      for (const std::string& field : known) listed = listed || field == item.key();
      if (!listed) {
        fail(under(path, item.key()), std::string("is not a field of ") + of,
             did_you_mean(item.key(), known) + "Known fields: " + joined(known) + ".");
      }
    }
  }

  std::optional<std::string> text_of(const Json& object, const std::string& path, const std::string& field) const {
    const Json* value = find(object, field);
    if (value == nullptr) return std::nullopt;
    if (!value->is_string()) {
      fail(under(path, field), "is " + kind_of(*value) + ", not a string", "Give a string in quotes.");
    }
    return value->get<std::string>();
  }

  std::optional<int> choice(const Json& object, const std::string& path, const std::string& field,
                            const Names& known) const {
    const std::optional<std::string> text = text_of(object, path, field);
    if (!text) return std::nullopt;
    for (std::size_t i = 0; i < known.size(); ++i) {
      if (known[i] == *text) return static_cast<int>(i);
    }
    fail(under(path, field), "unknown value " + quoted(*text),
         suggestion(*text, known) + "Known: " + joined(known) + ".");
  }

  std::optional<formats::Format> format(const Json& object, const std::string& path, const std::string& field) const {
    const std::optional<std::string> text = text_of(object, path, field);
    if (!text) return std::nullopt;
    const std::optional<formats::Format> parsed = formats::parse(*text);
    if (parsed) return parsed;
    if (scaled::parse(*text)) {
      fail(under(path, field), quoted(*text) + " is a format with scales, which only operands of products have",
           "Name it as forward, grad_input or grad_weight, and here the format of the results, such as bfloat16.");
    }
    for (const std::string& treatment : kTreatments) {
      if (*text != treatment) continue;
      fail(under(path, field), quoted(*text) + " is not a format",
           "`" + treatment + "` is allowed only for ops, under \"ops\". Formats: " + joined(kFormats) + ".");
    }
    unknown_format(under(path, field), *text, kFormats);
  }

  /// A format of the operands of a product.
  std::optional<OperandFormat> operand(const Json& object, const std::string& path, Product product) const {
    const std::string field = name(product);
    const std::optional<std::string> text = text_of(object, path, field);
    if (!text) return std::nullopt;
    if (const std::optional<OperandFormat> parsed = parse_operand(*text)) return parsed;
    if (scaled::parse(*text)) {
      fail(under(path, field), quoted(*text) + " states rounding or a transform, which depend on the operand",
           R"(Write "rounding": "stochastic" or "transform": "hadamard" beside the formats of the rule.)");
    }
    Names known;
    for (const scaled::NamedScaledFormat& each : scaled::named_formats()) known.emplace_back(each.name);
    known.insert(known.end(), kFormats.begin(), kFormats.end());
    unknown_format(under(path, field), *text, known);
  }

  Products products(const Json& json, const std::string& path) const {
    Products products;
    products.forward = operand(json, path, Product::kForward);
    products.grad_input = operand(json, path, Product::kGradInput);
    products.grad_weight = operand(json, path, Product::kGradWeight);
    const std::optional<int> rounding = choice(json, path, "rounding", kRoundings);
    const std::optional<int> transform = choice(json, path, "transform", kTransforms);
    if (rounding == 1) products.rounding = Rounding::kStochastic;
    if (transform == 1) products.transform = Transform::kHadamard;
    if (rounding && products.empty()) without_product(path, "rounding");
    if (transform && products.empty()) without_product(path, "transform");
    return products;
  }

  [[noreturn]] void without_product(const std::string& path, const std::string& field) const {
    fail(under(path, field), "has no effect, because the rule names no product",
         "Name the format of a product beside it: forward, grad_input or grad_weight.");
  }

  [[noreturn]] void unknown_format(const std::string& path, const std::string& text, const Names& known) const {
    if (const std::string problem = formats::out_of_range(text); !problem.empty()) {
      fail(path, quoted(text) + " " + problem,
           "Write your own format as e<E>m<M>, for example e5m10 for the layout of float16.");
    }
    fail(path, "unknown format " + quoted(text),
         suggestion(text, known) + "Known: " + joined(known) +
             ", or e<E>m<M> with 2 to 8 exponent and 1 to 23 mantissa bits.");
  }

  void read_ops(const Json& json, Policy& policy) const {
    const Json* ops = find(json, "ops");
    if (ops == nullptr) return;
    if (!ops->is_object()) {
      fail("ops", "is " + kind_of(*ops) + ", not an object", R"(Write it as { "aten::layer_norm": "float32" }.)");
    }
    for (const auto& item : ops->items()) {
      const std::string path = "ops[\"" + item.key() + "\"]";
      check_op(item.key(), path);
      if (!item.value().is_string()) {
        fail(path, "is " + kind_of(item.value()) + ", not a string",
             "Give a format, or one of " + joined(kTreatments) + ".");
      }
      policy.ops[item.key()] = op_change(item.value().get<std::string>(), path);
    }
  }

  OpChange op_change(const std::string& text, const std::string& path) const {
    if (const std::optional<formats::Format> parsed = formats::parse(text)) return *parsed;
    Names known = kTreatments;
    for (std::size_t i = 0; i < kTreatments.size(); ++i) {
      if (kTreatments[i] == text) return static_cast<Treatment>(i);
    }
    known.insert(known.end(), kFormats.begin(), kFormats.end());
    unknown_format(path, text, known);
  }

  static bool is_identifier(std::string_view text) {
    for (const char c : text) {
      const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
      if (!letter && !(c >= '0' && c <= '9')) return false;
    }
    return !text.empty() && !(text[0] >= '0' && text[0] <= '9');
  }

  /// Accepts `ns::op` and `ns::op.overload`. Whether such an op exists depends on the model and its LibTorch.
  void check_op(const std::string& key, const std::string& path) const {
    const std::size_t colons = key.find("::");
    const std::string_view all = key;
    if (colons != std::string::npos) {
      std::string_view op = all.substr(colons + 2);
      const std::size_t dot = op.find('.');
      const bool overload = dot == std::string_view::npos || is_identifier(op.substr(dot + 1));
      if (dot != std::string_view::npos) op = op.substr(0, dot);
      if (overload && is_identifier(all.substr(0, colons)) && is_identifier(op)) return;
    }
    const bool bare = colons == std::string::npos && is_identifier(key);
    fail(path, "is not an op name",
         (bare ? "Did you mean \"aten::" + key + "\"? " : std::string()) +
             "Write an op as ns::op or ns::op.overload, for example aten::add.Tensor.");
  }

  void read_sites(const Json& json, Policy& policy) const {
    const Json* sites = find(json, "sites");
    if (sites == nullptr) return;
    if (!sites->is_array()) {
      fail("sites", "is " + kind_of(*sites) + ", not an array",
           R"(Write it as [ { "match": "fc/aten::linear#0", "format": "float32" } ].)");
    }
    for (std::size_t i = 0; i < sites->size(); ++i) {
      policy.sites.push_back(read_site((*sites)[i], "sites[" + std::to_string(i) + "]"));
    }
  }

  SiteRule read_site(const Json& json, const std::string& path) const {
    if (!json.is_object()) {
      fail(path, "is " + kind_of(json) + ", not an object",
           R"(Write it as { "match": "fc/aten::linear#0", "format": "float32" }.)");
    }
    check_fields(json, path, kSiteFields, "a site rule");
    SiteRule rule;
    for (const char* field : {"match", "format"}) {
      if (find(json, field) == nullptr) {
        fail(under(path, field), "is missing", "A site rule needs the op calls that it matches and their format.");
      }
    }
    rule.match = *text_of(json, path, "match");
    check_match(rule.match, under(path, "match"));
    if (const Json* call = find(json, "call")) {
      const bool count = call->is_number_unsigned() && call->get<std::uint64_t>() <= 0x7fffffff;
      if (!count)
        fail(under(path, "call"),
             "is " + (call->is_number() ? call->dump() : kind_of(*call)) + ", not a whole number of at least 0",
             "The first call is 0.");
      rule.call = call->get<int>();
    }
    rule.format = *format(json, path, "format");
    rule.backward = format(json, path, "backward");
    rule.execution = static_cast<Execution>(choice(json, path, "execution", kExecutions).value_or(0));
    if (const std::optional<int> overflow = choice(json, path, "overflow", kOverflows)) {
      rule.overflow = *overflow == 1 ? formats::Overflow::kSaturate : formats::Overflow::kInfinity;
    }
    rule.products = products(json, path);
    rule.why = text_of(json, path, "why").value_or("");
    return rule;
  }

  /// Accepts `path[::method]/ns::op#n`, `ns::op#n` for the root, and module paths. An op call with a wildcard is not
  /// checked.
  void check_match(const std::string& match, const std::string& path) const {
    if (match.empty()) fail(path, "is empty", "Write * for every op call.");
    const std::size_t slash = match.rfind('/');
    const bool module = slash == std::string::npos && match.find('#') == std::string::npos;
    if (module && !match.starts_with("aten::")) return;
    const std::string_view call = std::string_view(match).substr(slash == std::string::npos ? 0 : slash + 1);
    if (call.find('*') != std::string_view::npos) return;
    const std::size_t colons = call.find("::");
    const std::size_t hash = call.find('#');
    const bool named = colons != std::string_view::npos && colons > 0 && hash != std::string_view::npos &&
                       hash > colons + 2 && hash + 1 < call.size() &&
                       call.find_first_not_of("0123456789", hash + 1) == std::string_view::npos;
    if (!named) {
      const bool whole_op = colons != std::string_view::npos && hash == std::string_view::npos;
      fail(path, quoted(match) + " names no op call",
           (whole_op ? "To match every call of the op, write */" + std::string(call) + "#*. " : std::string()) +
               "Write path/ns::op#n, for example layer1.0.conv1/aten::conv2d#0. Use * for any characters, or a module "
               "path for all op calls in it.");
    }
  }

  void read_provenance(const Json& json, Provenance& provenance) const {
    const std::string path = "provenance";
    const Json* object = find(json, path);
    if (object == nullptr) return;
    if (!object->is_object()) {
      fail(path, "is " + kind_of(*object) + ", not an object",
           R"(Write it as { "run": "tuned.binade", "step": 900 }.)");
    }
    check_fields(*object, path, kProvenanceFields, "the provenance");
    const auto text = [&](const char* field) { return text_of(*object, path, field).value_or(""); };
    provenance.made_by = text("made_by");
    const std::string date = text("date");
    if (!date.empty() && !is_date(date)) {
      fail(under(path, "date"), quoted(date) + " is not an ISO 8601 date",
           "Write it as 2026-11-26, or with a time as 2026-11-26T05:01:13Z.");
    }
    provenance.date = date;
    provenance.run = text("run");
    provenance.step = count(*object, path, "step");
    provenance.attempt = text("try");
    provenance.model = text("model");
    provenance.op_calls = count(*object, path, "op_calls");
    provenance.from = texts(*object, path, "from");
    provenance.evidence = texts(*object, path, "evidence");
  }

  std::optional<std::int64_t> count(const Json& object, const std::string& path, const std::string& field) const {
    const Json* value = find(object, field);
    if (value == nullptr) return std::nullopt;
    constexpr std::uint64_t kLargest = std::numeric_limits<std::int64_t>::max();
    if (!value->is_number_unsigned() || value->get<std::uint64_t>() > kLargest) {
      fail(under(path, field),
           "is " + (value->is_number() ? value->dump() : kind_of(*value)) + ", not a whole number of at least 0",
           "Give a number, or leave the field out.");
    }
    return value->get<std::int64_t>();
  }

  std::vector<std::string> texts(const Json& object, const std::string& path, const std::string& field) const {
    std::vector<std::string> all;
    const Json* list = find(object, field);
    if (list == nullptr) return all;
    const std::string hint = "Give a list of strings.";
    if (!list->is_array()) fail(under(path, field), "is " + kind_of(*list) + ", not an array", hint);
    for (const Json& each : *list) {
      const std::string place = under(path, field) + "[" + std::to_string(all.size()) + "]";
      if (!each.is_string()) fail(place, "is " + kind_of(each) + ", not a string", hint);
      all.push_back(each.get<std::string>());
    }
    return all;
  }

  const std::string& source_;
};

}  // namespace

Products parse_products(std::string_view text, const std::string& source) {
  return Reader(source).read_products(text);
}

Policy parse_policy(std::string_view text, const std::string& source) {
  return Reader(source).read(text);
}

}  // namespace binade::policy
