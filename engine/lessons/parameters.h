// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/format.h"

#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace binade::lessons {

struct FigureKind;

/// The parameters of a figure: every one that its kind has, each within its range. A plain value.
class Parameters {
 public:
  using Value = std::variant<double, std::vector<double>, std::vector<formats::Format>>;

  /// Defaults of a kind.
  explicit Parameters(const FigureKind& kind);
  Parameters() = default;

  /// Value of a parameter. The kind must have one of this name and type.
  double number(std::string_view name) const;
  int count(std::string_view name) const;
  const std::vector<double>& numbers(std::string_view name) const;
  const std::vector<formats::Format>& formats(std::string_view name) const;
  const formats::Format& format(std::string_view name) const;

  void set(const std::string& name, Value value) { values_.insert_or_assign(name, std::move(value)); }

 private:
  std::map<std::string, Value, std::less<>> values_;
};

struct ParameterKind;

/// Why a text is no value of a parameter: what is wrong and what to write instead, as one sentence each.
struct NotAValue {
  std::string message;
  std::string hint;
};

/// Parses and checks the text of one parameter.
std::variant<Parameters::Value, NotAValue> parse_parameter(const ParameterKind& kind, std::string_view text);

}  // namespace binade::lessons
