// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace binade::targets {

/// A name that another program has for an ATen op. See resources/targets/README.md.
struct OpName {
  std::string_view program;
  std::string_view op;    ///< without namespace: `conv2d`
  std::string_view name;  ///< `Conv2D`
  std::string_view list;  ///< the program's own list for the name; `none` if it is on none
};

/// All rows of the table, in its order.
const std::vector<OpName>& op_names();

/// Whether `aten::relu_` writes its argument.
bool is_in_place(std::string_view op);

/// The names of a program for `ns::op`. An in-place op has the names of its functional form. Empty if there are none.
std::vector<std::string> names_in(std::string_view program, std::string_view op);

/// The program's own list for a name: that of its first row. `none` for an unknown name.
std::string_view list_of(std::string_view program, std::string_view name);

}  // namespace binade::targets
