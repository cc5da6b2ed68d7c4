// SPDX-License-Identifier: Apache-2.0
#include "engine/targets/op_names.h"

namespace binade::targets {

const std::vector<OpName>& op_names() {
  static const std::vector<OpName> rows{
#include "op_names.inc"
  };
  return rows;
}

bool is_in_place(std::string_view op) {
  return op.ends_with('_') && !op.ends_with("__");
}

std::vector<std::string> names_in(std::string_view program, std::string_view op) {
  constexpr std::string_view kNamespace = "aten::";
  if (!op.starts_with(kNamespace)) return {};
  op.remove_prefix(kNamespace.size());
  if (is_in_place(op)) op.remove_suffix(1);
  std::vector<std::string> names;
  for (const OpName& row : op_names()) {
    if (row.program == program && row.op == op) names.emplace_back(row.name);
  }
  return names;
}

std::string_view list_of(std::string_view program, std::string_view name) {
  for (const OpName& row : op_names()) {
    if (row.program == program && row.name == name) return row.list;
  }
  return "none";
}

}  // namespace binade::targets
