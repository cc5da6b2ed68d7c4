// SPDX-License-Identifier: Apache-2.0
#include "engine/batches/spec.h"

#include "engine/formats/error.h"
#include "engine/graph/dtypes.h"
#include "engine/policy/near_name.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace binade::batches {

namespace {

constexpr int kDeepest = 16;  // depth of nested lists

/// Complex dtypes are not supported.
constexpr auto kTypes = [] {
  std::array<graph::NamedDtype, 10> types{};
  std::copy_n(graph::kDtypes.begin(), types.size(), types.begin());
  return types;
}();
static_assert(kTypes.back().dtype == at::kBool);  // complex dtypes follow it

class Parser {
 public:
  Parser(std::string_view text, ErrorCode code) : text_(text), code_(code) {}

  Spec whole() {
    Spec spec = value(0);
    skip_spaces();
    if (at_ != text_.size()) fail("the end");
    return spec;
  }

 private:
  [[noreturn]] void fail(const std::string& expected) const {
    const std::string found = at_ < text_.size() ? "'" + std::string(1, text_[at_]) + "'" : "the end";
    refuse("expected " + expected + ", found " + found);
  }

  [[noreturn]] void refuse(const std::string& what, const std::string& hint = {}) const {
    throw Error(code_,
                "In the input \"" + std::string(text_) + "\", character " + std::to_string(at_ + 1) + ": " + what,
                hint +
                    "Examples of inputs: float32[2,3,32,32], float32[2]<1, int64[2,16]<1000, int64[2]=50,40, bool[4], "
                    "list(float32[2], float32[3]), tuple(...), dict(\"x\": float32[2]), none, true, 3, 0.5, \"text\".");
  }

  void skip_spaces() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
  }

  bool take(char wanted) {
    skip_spaces();
    if (at_ >= text_.size() || text_[at_] != wanted) return false;
    ++at_;
    return true;
  }

  void need(char wanted) {
    if (!take(wanted)) fail("'" + std::string(1, wanted) + "'");
  }

  std::string_view word() {
    skip_spaces();
    const std::size_t begin = at_;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0 || text_[at_] == '_'))
      ++at_;
    return text_.substr(begin, at_ - begin);
  }

  std::int64_t integer(const std::string& expected) {
    skip_spaces();
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), number);
    if (error != std::errc()) fail(expected);
    at_ = static_cast<std::size_t>(end - text_.data());
    return number;
  }

  /// Parses an integer, or a number with a point, an exponent, `inf` or `nan`.
  c10::Scalar number() {
    skip_spaces();
    const char* const begin = text_.data() + at_;
    const char* const end = text_.data() + text_.size();
    std::int64_t whole = 0;
    double real = 0;
    const auto as_whole = std::from_chars(begin, end, whole);
    const auto as_real = std::from_chars(begin, end, real);
    if (as_real.ec != std::errc()) fail("a number");
    at_ = static_cast<std::size_t>(as_real.ptr - text_.data());
    if (as_whole.ec == std::errc() && as_whole.ptr == as_real.ptr) return {whole};
    return {real};
  }

  /// Parses `true`, `false`, 0 or 1.
  c10::Scalar truth() {
    const std::size_t begin = at_;
    const std::string_view name = word();
    if (name == "true" || name == "1") return {true};
    if (name == "false" || name == "0") return {false};
    at_ = begin;
    fail("true, false, 1 or 0");
  }

  Spec value(int depth) {
    if (depth > kDeepest) fail("fewer nested lists");
    skip_spaces();
    if (at_ >= text_.size()) fail("an input");
    const char first = text_[at_];
    if (first == '"') return {text()};
    if (std::isdigit(static_cast<unsigned char>(first)) != 0 || first == '-' || first == '.') return literal();
    const std::size_t begin = at_;
    const std::string_view name = word();
    if (name == "none") return {Spec::None{}};
    if (name == "true") return {true};
    if (name == "false") return {false};
    if (name == "inf" || name == "nan") {
      at_ = begin;
      return literal();
    }
    if (name == "list") return {Spec::List{members(depth)}};
    if (name == "tuple") return {Spec::Tuple{members(depth)}};
    if (name == "dict") return {Spec::Dict{entries(depth)}};
    for (const graph::NamedDtype& type : kTypes) {
      if (type.name == name) return {tensor(type.dtype)};
    }
    const bool sized = at_ < text_.size() && text_[at_] == '[';
    at_ = begin;
    std::string known;
    std::vector<std::string> names;
    for (const graph::NamedDtype& type : kTypes) {
      names.emplace_back(type.name);
      known += names.back() + ", ";
    }
    const std::string near = policy::did_you_mean(name, names);
    if (!name.empty() && (sized || !near.empty()))
      refuse("unknown dtype \"" + std::string(name) + "\"",
             near + "Dtypes: " + known.substr(0, known.size() - 2) + ". ");
    fail(known + "list, tuple, dict, none or a literal");
  }

  Spec literal() {
    const c10::Scalar found = number();
    if (found.isFloatingPoint()) return {found.toDouble()};
    return {found.toLong()};
  }

  std::string text() {
    ++at_;
    std::string read;
    while (at_ < text_.size() && text_[at_] != '"') {
      if (text_[at_] == '\\' && at_ + 1 < text_.size()) ++at_;
      read += text_[at_++];
    }
    if (at_ >= text_.size()) fail("'\"'");
    ++at_;
    return read;
  }

  std::vector<Spec> members(int depth) {
    std::vector<Spec> all;
    need('(');
    if (take(')')) return all;
    do {
      all.push_back(value(depth + 1));
    } while (take(','));
    need(')');
    return all;
  }

  std::vector<Entry> entries(int depth) {
    std::vector<Entry> all;
    need('(');
    if (take(')')) return all;
    do {
      skip_spaces();
      if (at_ >= text_.size() || text_[at_] != '"') fail("a key in quotes");
      std::string key = text();
      need(':');
      all.push_back({std::move(key), value(depth + 1)});
    } while (take(','));
    need(')');
    return all;
  }

  TensorSpec tensor(at::ScalarType dtype) {
    TensorSpec spec;
    spec.dtype = dtype;
    need('[');
    std::int64_t elements = 1;
    if (!take(']')) {
      do {
        skip_spaces();
        const std::int64_t size = integer("a size");
        if (size < 0) fail("a size of 0 or more before this");
        if (size != 0 && elements > kMostElements / size) fail("a smaller tensor");
        elements *= size;
        spec.shape.push_back(size);
      } while (take(','));
      need(']');
    }
    if (take('<')) {
      if (dtype == at::kBool) fail("no limit for a bool");
      spec.below = integer("a limit");
      if (*spec.below < 1) fail("a limit above 0 before this");
    } else if (take('=')) {
      for (std::int64_t i = 0; i < elements; ++i) {
        if (i > 0 && !take(',')) fail("',' and " + std::to_string(elements - i) + " more values");
        spec.values.push_back(dtype == at::kBool ? truth() : number());
        if (spec.values.back().isFloatingPoint() && !c10::isFloatingType(dtype)) fail("an integer before this");
      }
    }
    return spec;
  }

  std::string_view text_;
  ErrorCode code_;
  std::size_t at_ = 0;
};

void collect(Spec& spec, std::vector<TensorSpec*>& to) {
  if (auto* tensor = std::get_if<TensorSpec>(&spec.value)) to.push_back(tensor);
  if (auto* list = std::get_if<Spec::List>(&spec.value)) {
    for (Spec& member : list->members) collect(member, to);
  } else if (auto* tuple = std::get_if<Spec::Tuple>(&spec.value)) {
    for (Spec& member : tuple->members) collect(member, to);
  } else if (auto* dict = std::get_if<Spec::Dict>(&spec.value)) {
    for (Entry& entry : dict->entries) collect(entry.value, to);
  }
}

}  // namespace

std::vector<TensorSpec*> tensors_of(Spec& spec) {
  std::vector<TensorSpec*> all;
  collect(spec, all);
  return all;
}

Spec parse_spec(std::string_view text, ErrorCode code) {
  return Parser(text, code).whole();
}

}  // namespace binade::batches
