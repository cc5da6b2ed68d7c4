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
                                             "clamp",
                                             "clamp_min",
                                             "cosine_similarity",
                                             "cross_entropy_loss",
                                             "ctc_loss",
                                             "div",
                                             "exp",
                                             "hinge_embedding_loss",
                                             "huber_loss",
                                             "kl_div",
                                             "l1_loss",
                                             "linalg_vector_norm",
                                             "log",
                                             "log1p",
                                             "log_sigmoid",
                                             "log_softmax",
                                             "logsumexp",
                                             "mean",
                                             "margin_ranking_loss",
                                             "max",
                                             "mse_loss",
                                             "mul",
                                             "multi_margin_loss",
                                             "neg",
                                             "nll_loss",
                                             "nll_loss2d",
                                             "nll_loss_nd",
                                             "norm",
                                             "pow",
                                             "rsub",
                                             "sigmoid",
                                             "smooth_l1_loss",
                                             "soft_margin_loss",
                                             "softmax",
                                             "softplus",
                                             "sqrt",
                                             "square",
                                             "sub",
                                             "sum",
                                             "triplet_margin_loss"};

SiteKey call_in(const char* path, std::string op, int ordinal) {
  SiteKey key;
  key.path = path;
  key.op = std::move(op);
  key.ordinal = ordinal;
  return key;
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

ModelCalls with_loss(ModelCalls model, const std::vector<policy::SiteRule>& rules) {
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
    for (const std::string_view op : kOpsOfLosses) add(call_in(path, "aten::" + std::string(op), 0));
  }
  for (const policy::SiteRule& rule : rules) {
    SiteKey key;
    if (policy::speaks_of_loss(rule) && read_call(rule.match, key)) add(std::move(key));
  }
  return model;
}

}  // namespace binade::policy_tools
