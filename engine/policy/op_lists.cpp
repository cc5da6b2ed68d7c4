// SPDX-License-Identifier: Apache-2.0
#include "engine/policy/op_lists.h"

#include <algorithm>
#include <array>
#include <tuple>

namespace binade::policy {

namespace {

struct TableRow {
  std::string_view list;
  std::string_view op;
  std::string_view overload;
  CastRule rule;
};

constexpr TableRow kTable[] = {
#include "op_rows.inc"
};

constexpr std::string_view kAny = "*";

std::string_view list_of(Base base) {
  switch (base) {
    case Base::kCudaAmp:
      return "cuda";
    case Base::kCpuAmp:
      return "cpu";
    case Base::kApexO1:
      return "apex-o1";
    case Base::kApexO2:
      return "apex-o2";
    case Base::kApexO3:
      return "apex-o3";
    case Base::kApexO0:
    case Base::kAllFloat32:
      break;
  }
  return {};
}

bool less(const OpRow& a, const OpRow& b) {
  return std::tie(a.op, a.overload) < std::tie(b.op, b.overload);
}

constexpr std::size_t kBaseCount = static_cast<std::size_t>(Base::kAllFloat32) + 1;

/// The rows of every base, sorted by op and overload.
std::array<std::vector<OpRow>, kBaseCount> sort_table() {
  std::array<std::vector<OpRow>, kBaseCount> all;
  for (std::size_t i = 0; i < kBaseCount; ++i) {
    const std::string_view list = list_of(static_cast<Base>(i));
    for (const TableRow& row : kTable) {
      if (row.list == list) all[i].push_back({row.op, row.overload, row.rule});
    }
    std::sort(all[i].begin(), all[i].end(), less);
  }
  return all;
}

/// Whether an op writes an argument, by ATen's naming convention: a name ending in one underscore writes the first
/// (`__and__` does not), an overload `out` or `..._out` the one it is named after.
bool writes_an_argument(std::string_view op, std::string_view overload) {
  return (op.ends_with('_') && !op.ends_with("__")) || overload == "out" || overload.ends_with("_out");
}

}  // namespace

const std::vector<OpRow>& rows(Base base) {
  static const std::array<std::vector<OpRow>, kBaseCount> all = sort_table();
  return all[static_cast<std::size_t>(base)];
}

CastRule rule_for(Base base, std::string_view op, std::string_view overload) {
  constexpr std::string_view kAten = "aten::";
  if (op.starts_with(kAten)) op.remove_prefix(kAten.size());
  if (op.find("::") != std::string_view::npos) return CastRule::kNone;

  const std::vector<OpRow>& list = rows(base);
  const auto find = [&list](std::string_view wanted, std::string_view wanted_overload) -> const OpRow* {
    const OpRow key{wanted, wanted_overload, CastRule::kNone};
    const auto found = std::lower_bound(list.begin(), list.end(), key, less);
    return found != list.end() && !less(key, *found) ? &*found : nullptr;
  };
  if (const OpRow* row = find(op, overload)) return row->rule;
  if (const OpRow* row = find(op, kAny)) return row->rule;
  if (const OpRow* row = find(kAny, kAny); row != nullptr && !writes_an_argument(op, overload)) return row->rule;
  return CastRule::kNone;
}

std::string_view name(CastRule rule) {
  switch (rule) {
    case CastRule::kNone:
      break;
    case CastRule::kLower:
      return "lower";
    case CastRule::kFloat32:
      return "fp32";
    case CastRule::kSetDtype:
      return "set-dtype";
    case CastRule::kAppendDtype:
      return "append-dtype";
    case CastRule::kPromote:
      return "promote";
    case CastRule::kBanned:
      return "banned";
    case CastRule::kCustom:
      return "custom";
  }
  return {};
}

}  // namespace binade::policy
