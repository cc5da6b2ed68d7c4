// SPDX-License-Identifier: Apache-2.0
#include "engine/policy_tools/model_calls.h"

#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>
#include <utility>

namespace binade::policy_tools {

namespace {

using policy::SiteKey;

/// Ops that the losses of run descriptions and usual loss functions consist of.
constexpr std::string_view kOpsOfLosses[] = {"abs",
                                             "add",
                                             "binary_cross_entropy",
                                             "binary_cross_entropy_with_logits",
                                             "cdist",
                                             "clamp",
                                             "clamp_max",
                                             "clamp_min",
                                             "cosine_embedding_loss",
                                             "cosine_similarity",
                                             "cross_entropy_loss",
                                             "ctc_loss",
                                             "dist",
                                             "div",
                                             "exp",
                                             "expm1",
                                             "hinge_embedding_loss",
                                             "huber_loss",
                                             "kl_div",
                                             "l1_loss",
                                             "linalg_vector_norm",
                                             "log",
                                             "log10",
                                             "log1p",
                                             "log2",
                                             "log_sigmoid",
                                             "log_softmax",
                                             "logsumexp",
                                             "margin_ranking_loss",
                                             "max",
                                             "maximum",
                                             "mean",
                                             "minimum",
                                             "mse_loss",
                                             "mul",
                                             "multi_margin_loss",
                                             "multilabel_margin_loss",
                                             "neg",
                                             "nll_loss",
                                             "nll_loss2d",
                                             "nll_loss_nd",
                                             "norm",
                                             "pairwise_distance",
                                             "poisson_nll_loss",
                                             "pow",
                                             "prod",
                                             "rsub",
                                             "sigmoid",
                                             "smooth_l1_loss",
                                             "soft_margin_loss",
                                             "softmax",
                                             "softplus",
                                             "sqrt",
                                             "square",
                                             "std",
                                             "sub",
                                             "sum",
                                             "triplet_margin_loss",
                                             "var",
                                             "xlogy"};

SiteKey call_in(const char* path, std::string op, int ordinal) {
  SiteKey key;
  key.path = path;
  key.op = std::move(op);
  key.ordinal = ordinal;
  return key;
}

/// The overload that an op change names of an op of losses: `int` for `aten::log_softmax.int`. Empty for others.
std::string overload_in_loss(std::string_view key, std::string_view op) {
  constexpr std::string_view kPrefix = "aten::";
  if (!key.starts_with(kPrefix)) return {};
  key.remove_prefix(kPrefix.size());
  if (!key.starts_with(op) || key.size() <= op.size() || key[op.size()] != '.') return {};
  const std::string_view overload = key.substr(op.size() + 1);
  return overload == "default" ? std::string() : std::string(overload);
}

/// The op call that `loss/ns::op#n` names; nothing for other texts.
bool read_call(std::string_view match, SiteKey& key) {
  const std::size_t slash = match.find('/');
  const std::size_t hash = match.rfind('#');
  if (slash == std::string_view::npos || hash == std::string_view::npos || hash < slash) return false;
  if (match.find('*') != std::string_view::npos || match.substr(0, slash).find("::") != std::string_view::npos) {
    return false;
  }
  key.path = match.substr(0, slash);
  key.op = match.substr(slash + 1, hash - slash - 1);
  const std::string_view number = match.substr(hash + 1);
  return std::from_chars(number.data(), number.data() + number.size(), key.ordinal).ec == std::errc();
}

}  // namespace

ModelCalls with_loss(ModelCalls model, const policy::Policy& policy) {
  const bool places = !model.places.empty();
  const bool guarded = !model.guarded.empty();
  const auto add = [&](SiteKey key) {
    if (std::find(model.keys.begin(), model.keys.end(), key) != model.keys.end()) return;
    model.keys.push_back(std::move(key));
    if (places) model.places.push_back({});
    if (guarded) model.guarded.push_back(true);
    ++model.stand_ins;
  };
  for (const char* path : {"loss", "loss.0"}) {
    for (const std::string_view op : kOpsOfLosses) {
      add(call_in(path, "aten::" + std::string(op), 0));
      for (const auto& [key, change] : policy.ops) {
        std::string overload = overload_in_loss(key, op);
        if (overload.empty()) continue;
        SiteKey call = call_in(path, "aten::" + std::string(op), 0);
        call.overload = std::move(overload);
        add(std::move(call));
      }
    }
  }
  for (const policy::SiteRule& rule : policy.sites) {
    SiteKey key;
    if (policy::speaks_of_loss(rule) && read_call(rule.match, key)) add(std::move(key));
  }
  return model;
}

}  // namespace binade::policy_tools
