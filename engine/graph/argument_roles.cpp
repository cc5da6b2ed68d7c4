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

// Schemas mark what an in-place op writes, but not the running statistics of a normalisation. If those were cast, the
// op would update temporaries, and training would silently stop updating them.
constexpr auto kStatistics = std::to_array<std::string_view>({
    "aten::batch_norm",
    "aten::_batch_norm_impl_index",
    "aten::native_batch_norm",
    "aten::_native_batch_norm_legit",
    "aten::_native_batch_norm_legit_functional",
    "aten::_native_batch_norm_legit_no_training",
    "aten::batch_norm_elemt",
    "aten::cudnn_batch_norm",
    "aten::miopen_batch_norm",
    "aten::instance_norm",
    "aten::batch_norm_update_stats",
    "aten::batch_norm_gather_stats",
    "aten::batch_norm_gather_stats_with_counts",
    "aten::_batch_norm_with_update",
    "aten::_batch_norm_with_update_functional",
    "aten::_batch_norm_no_update",
});

// Under autocast these kernels expect half activations with float32 weights.
constexpr auto kMixed = std::to_array<std::string_view>({
    "aten::layer_norm",
    "aten::native_layer_norm",
    "aten::group_norm",
    "aten::native_group_norm",
});

// Arguments whose name does not determine their role. Integers are never cast anyway; the role also keeps a
// floating-point argument from following the data. A target that may hold probabilities (cross_entropy_loss) or is
// compared with the data (mse_loss) is data.
constexpr auto kByOp = std::to_array<Row>({
    {"aten::nll_loss", "target", Role::kIndex},
    {"aten::nll_loss_forward", "target", Role::kIndex},
    {"aten::nll_loss2d", "target", Role::kIndex},
    {"aten::nll_loss2d_forward", "target", Role::kIndex},
    {"aten::nll_loss_nd", "target", Role::kIndex},
    {"aten::multi_margin_loss", "target", Role::kIndex},
    {"aten::multilabel_margin_loss", "target", Role::kIndex},
    {"aten::multilabel_margin_loss_forward", "target", Role::kIndex},
    {"aten::ctc_loss", "targets", Role::kIndex},
    {"aten::_ctc_loss", "targets", Role::kIndex},
    {"aten::one_hot", "self", Role::kIndex},
    {"aten::type_as", "other", Role::kIndex},  // only its dtype is used
    {"aten::bincount", "self", Role::kIndex},
    {"aten::_cudnn_rnn", "dropout_state", Role::kIndex},
    // Scale and zero point are float32 whatever the dtype of the data.
    {"aten::fake_quantize_per_tensor_affine", "scale", Role::kStatistics},
    {"aten::fake_quantize_per_tensor_affine", "zero_point", Role::kStatistics},
    {"aten::fake_quantize_per_channel_affine", "scale", Role::kStatistics},
    {"aten::fake_quantize_per_channel_affine", "zero_point", Role::kStatistics},
});

// Names with one meaning wherever ATen uses them for a tensor.
constexpr auto kIndexNames = std::to_array<std::string_view>({
    "index",
    "indices",
    "offsets",
    "mask",
    "condition",
    "batch_sizes",
    "input_lengths",
    "target_lengths",
    "lengths",
    "repeats",
    "sorter",
    "LU_pivots",
    "pivots",
    "src_key_padding_mask",
});
constexpr auto kWeightNames = std::to_array<std::string_view>({
    "weight",
    "bias",
    "params",
    "weights",
    "w_ih",
    "w_hh",
    "b_ih",
    "b_hh",
    "weight0",
    "weight1",
    "weight2",
    "weight3",
    "weight_buf",
    "weight_arr",
});

template <class Names>
bool listed(const Names& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_weight(std::string_view argument) {
  return listed(kWeightNames, argument) || argument.ends_with("_weight") || argument.ends_with("_bias");
}

Role role_by_name(std::string_view argument) {
  if (listed(kIndexNames, argument)) return Role::kIndex;
  return is_weight(argument) ? Role::kWeight : Role::kData;
}

bool is_tensor_type(const c10::TypePtr& type) {
  if (type->kind() == c10::TypeKind::TensorType) return true;
  if (const auto optional = type->cast<c10::OptionalType>()) return is_tensor_type(optional->getElementType());
  if (const auto list = type->cast<c10::ListType>()) return is_tensor_type(list->getElementType());
  return false;
}

}  // namespace

std::vector<Role> roles_of(const c10::FunctionSchema& schema) {
  const std::string& op = schema.name();
  // In-place variants have the roles of the op that they are named after.
  const std::string plain = !op.empty() && op.back() == '_' ? op.substr(0, op.size() - 1) : op;
  std::vector<Role> roles;
  for (std::size_t i = 0; i < schema.arguments().size(); ++i) {
    const c10::Argument& argument = schema.arguments()[i];
    Role role = Role::kOther;
    if (is_tensor_type(argument.type())) {
      role = role_by_name(argument.name());
      // A batch norm keeps its affine parameters in float32 like its statistics; only `input` is data.
      if (listed(kStatistics, plain) && i > 0) role = Role::kStatistics;
      for (const Row& row : kByOp) {
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
