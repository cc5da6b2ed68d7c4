// SPDX-License-Identifier: Apache-2.0
#include "engine/graph/argument_roles.h"

#include <algorithm>
#include <array>

namespace binade::graph {

namespace {

struct Row {
  std::string_view op;
  std::string_view argument;
  Role role;
};

// The schema marks what an in-place op writes, but not the running statistics of a normalisation: cast those, and the
// op updates a temporary, so that training silently stops learning them.
constexpr auto kStatistics = std::to_array<std::string_view>({
    "aten::batch_norm",
    "aten::_batch_norm_impl_index",
    "aten::native_batch_norm",
    "aten::_native_batch_norm_legit",
    "aten::cudnn_batch_norm",
    "aten::miopen_batch_norm",
    "aten::instance_norm",
    "aten::batch_norm_update_stats",
    "aten::batch_norm_gather_stats",
    "aten::batch_norm_gather_stats_with_counts",
    "aten::_batch_norm_with_update",
});

// Half activations beside float32 weights are what these kernels expect under autocast.
constexpr auto kMixed = std::to_array<std::string_view>({
    "aten::layer_norm",
    "aten::native_layer_norm",
    "aten::group_norm",
    "aten::native_group_norm",
});

// Arguments that are no data although they are tensors. Integers are never cast anyway; the role also tells what a
// value means, and keeps a floating-point target or mask from following the data.
constexpr auto kIndices = std::to_array<Row>({
    {"aten::embedding", "indices", Role::kIndex},     {"aten::embedding_bag", "indices", Role::kIndex},
    {"aten::embedding_bag", "offsets", Role::kIndex}, {"aten::index_select", "index", Role::kIndex},
    {"aten::gather", "index", Role::kIndex},          {"aten::scatter", "index", Role::kIndex},
    {"aten::scatter_add", "index", Role::kIndex},     {"aten::index_copy", "index", Role::kIndex},
    {"aten::index_add", "index", Role::kIndex},       {"aten::index", "indices", Role::kIndex},
    {"aten::index_put", "indices", Role::kIndex},     {"aten::masked_fill", "mask", Role::kIndex},
    {"aten::masked_select", "mask", Role::kIndex},    {"aten::where", "condition", Role::kIndex},
    {"aten::nll_loss", "target", Role::kIndex},       {"aten::nll_loss2d", "target", Role::kIndex},
    {"aten::nll_loss_nd", "target", Role::kIndex},    {"aten::lstm", "batch_sizes", Role::kIndex},
    {"aten::one_hot", "self", Role::kIndex},
});

bool is_weight(std::string_view argument) {
  constexpr auto names =
      std::to_array<std::string_view>({"weight", "bias", "params", "weights", "w_ih", "w_hh", "b_ih", "b_hh"});
  return std::find(names.begin(), names.end(), argument) != names.end();
}

bool holds_tensor(const c10::TypePtr& type) {
  if (type->kind() == c10::TypeKind::TensorType) return true;
  if (const auto optional = type->cast<c10::OptionalType>()) return holds_tensor(optional->getElementType());
  if (const auto list = type->cast<c10::ListType>()) return holds_tensor(list->getElementType());
  return false;
}

template <class Names>
bool listed(const Names& names, std::string_view op) {
  return std::find(names.begin(), names.end(), op) != names.end();
}

}  // namespace

std::vector<Role> roles_of(const c10::FunctionSchema& schema) {
  const std::string& op = schema.name();
  // In-place variants have the roles of the op they are named after.
  const std::string plain = !op.empty() && op.back() == '_' ? op.substr(0, op.size() - 1) : op;
  std::vector<Role> roles;
  for (std::size_t i = 0; i < schema.arguments().size(); ++i) {
    const c10::Argument& argument = schema.arguments()[i];
    Role role = Role::kOther;
    if (holds_tensor(argument.type())) {
      role = is_weight(argument.name()) ? Role::kWeight : Role::kData;
      // A batch norm keeps its affine parameters in float32 beside its statistics; only `input` is data.
      if (listed(kStatistics, plain) && i > 0) role = Role::kStatistics;
      for (const Row& row : kIndices) {
        if (row.op == plain && row.argument == argument.name()) role = row.role;
      }
      if (argument.alias_info() != nullptr && argument.alias_info()->isWrite()) role = Role::kWritten;
    }
    roles.push_back(role);
  }
  return roles;
}

bool takes_mixed_precision(std::string_view op) {
  return listed(kStatistics, op) || listed(kMixed, op);
}

}  // namespace binade::graph
