// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/lessons/source_blocks.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace binade::lessons {

/// One `key: value` of a directive. Lines that begin with two spaces go on with the value.
struct Field {
  std::string key;
  std::string value;
  std::size_t line = 0;
};

/// The fields of one directive. Reports lines that are none, keys that stand twice, keys that nobody asked for, and
/// required keys that are missing.
class Fields {
 public:
  Fields(const SourceBlock& block, Problems& problems);

  /// Takes the field of a key; null if it is missing. The result is valid while this object is.
  const Field* take(std::string_view key);
  /// As take(), but reports a missing or empty field; `hint` is an example, such as `name: sums`.
  const Field* need(std::string_view key, const std::string& hint);
  /// Takes all fields whose key begins with `prefix` and a space.
  std::vector<const Field*> take_all(std::string_view prefix);
  /// Reports the fields that were not taken. `known` lists the keys that may stand.
  void report_rest(const std::vector<std::string>& known);

  std::size_t line() const { return line_; }

 private:
  std::string directive_;
  std::size_t line_;
  std::vector<Field> fields_;
  std::vector<bool> taken_;
  Problems& problems_;
};

}  // namespace binade::lessons
