// SPDX-License-Identifier: Apache-2.0
#include "engine/train/output_path.h"

#include "engine/formats/error.h"
#include "engine/graph/dtype_name.h"
#include "engine/graph/failure.h"

#include <ATen/core/Dict.h>
#include <ATen/core/List.h>
#include <ATen/core/function_schema.h>
#include <ATen/core/ivalue_inl.h>
#include <ATen/core/jit_type.h>

#include <charconv>
#include <optional>
#include <utility>

namespace binade::train {

namespace {

using Member = std::pair<std::string, c10::IValue>;

/// Returns a container's members with their path segments; empty for other values.
std::vector<Member> members(const c10::IValue& value) {
  std::vector<Member> all;
  const auto indexed = [&all](std::size_t i, const c10::IValue& member) {
    all.emplace_back("[" + std::to_string(i) + "]", member);
  };
  if (value.isTuple()) {
    const auto& elements = value.toTupleRef().elements();
    for (std::size_t i = 0; i < elements.size(); ++i) indexed(i, elements[i]);
  } else if (value.isList()) {
    const auto list = value.toListRef();
    for (std::size_t i = 0; i < list.size(); ++i) indexed(i, list[i]);
  } else if (value.isTensorList()) {
    const auto list = value.toTensorVector();
    for (std::size_t i = 0; i < list.size(); ++i) indexed(i, list[i]);
  } else if (value.isGenericDict()) {
    for (const auto& entry : value.toGenericDict()) {
      if (entry.key().isString()) all.emplace_back(entry.key().toStringRef(), entry.value());
    }
  }
  return all;
}

/// Returns a named tuple's element names; empty for other values.
std::vector<std::string> names_of(const c10::IValue& value) {
  std::vector<std::string> names;
  if (!value.isTuple()) return names;
  const auto type = value.type()->cast<c10::TupleType>();
  if (type == nullptr || type->schema() == nullptr) return names;
  for (const auto& argument : type->schema()->arguments()) names.push_back(argument.name());
  return names;
}

void collect(const c10::IValue& value, const std::string& path, std::vector<std::string>& to) {
  if (value.isTensor()) {
    to.push_back((path.empty() ? "the output itself" : path) + " (" + graph::shape_name(value.toTensor()) + ")");
    return;
  }
  const auto names = names_of(value);
  const auto parts = members(value);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::string& segment = i < names.size() && !names[i].empty() ? names[i] : parts[i].first;
    const bool dot = !path.empty() && segment.front() != '[';
    std::string inner = path;
    if (dot) inner += '.';
    inner += segment;
    collect(parts[i].second, inner, to);
  }
}

[[noreturn]] void refuse(const c10::IValue& output, std::string_view path, const std::string& why) {
  std::string there;
  for (const std::string& each : tensors_in(output)) there += (there.empty() ? "" : ", ") + each;
  throw Error(ErrorCode::kBadRun,
              (path.empty() ? std::string("output") : "output \"" + std::string(path) + "\"") + ": " + why,
              there.empty() ? "The model's forward returns no tensor." : "Available: " + there + ".")
      .at("output");
}

/// Removes and returns the path's next segment, `[i]` or a name.
std::string next_segment(std::string_view& rest) {
  if (rest.front() == '.') rest.remove_prefix(1);
  std::size_t end = 0;
  if (!rest.empty() && rest.front() == '[') {
    end = rest.find(']');
    end = end == std::string_view::npos ? rest.size() : end + 1;
  } else {
    end = rest.find_first_of(".[");
    if (end == std::string_view::npos) end = rest.size();
  }
  const std::string segment(rest.substr(0, end));
  rest.remove_prefix(end);
  return segment;
}

std::optional<c10::IValue> member(const c10::IValue& value, const std::string& segment) {
  const auto parts = members(value);
  for (const auto& [name, part] : parts) {
    if (name == segment) return part;
  }
  const auto names = names_of(value);
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == segment) return parts[i].second;
  }
  std::int64_t index = 0;
  const char* const end = segment.data() + segment.size() - 1;
  if (segment.size() > 2 && segment.front() == '[' && *end == ']' &&
      std::from_chars(segment.data() + 1, end, index).ptr == end && index < 0 &&
      -index <= static_cast<std::int64_t>(parts.size()) && !value.isGenericDict()) {
    return parts[parts.size() + static_cast<std::size_t>(index)].second;
  }
  return std::nullopt;
}

}  // namespace

at::Tensor select_output(const c10::IValue& output, std::string_view path) {
  c10::IValue value = output;
  for (std::string_view rest = path; !rest.empty();) {
    const std::string segment = next_segment(rest);
    const auto found = segment.empty() ? std::nullopt : member(value, segment);
    if (!found) refuse(output, path, "forward's output has no part \"" + segment + "\"");
    value = *found;
  }
  if (!value.isTensor()) {
    refuse(output, path,
           (path.empty() ? "forward returns a " : "this is a ") + graph::without_addresses(value.type()->repr_str()) +
               ", but the loss takes one tensor");
  }
  return value.toTensor();
}

std::vector<std::string> tensors_in(const c10::IValue& output) {
  std::vector<std::string> all;
  collect(output, "", all);
  return all;
}

}  // namespace binade::train
