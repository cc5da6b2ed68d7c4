// SPDX-License-Identifier: Apache-2.0
#include "engine/train/loss_text.h"

#include "engine/formats/error.h"

#include <array>
#include <string_view>

namespace binade::train {

namespace {

struct Body {
  std::string_view kind;
  std::string_view expression;  // in terms of output (or output1, output2) and target
};

// Reduction numbers are ATen's: 1 is the mean, 2 the sum.
constexpr std::array<Body, 8> kWithTarget{{
    {"nll", "torch.nll_loss_nd(output, target)"},
    {"mse", "torch.mse_loss(output, target)"},
    {"l1", "torch.l1_loss(output, target)"},
    {"smooth_l1", "torch.smooth_l1_loss(output, target)"},
    {"huber", "torch.huber_loss(output, target)"},
    {"bce_with_logits", "torch.binary_cross_entropy_with_logits(output, target)"},
    {"kl_div", "torch.kl_div(output, target, 2) / output.size(0)"},
    {"cosine_embedding", "torch.cosine_embedding_loss(output1, output2, target)"},
}};

std::string function(std::string_view arguments, std::string_view expression) {
  return "def loss(" + std::string(arguments) + ") -> Tensor:\n    return " + std::string(expression) + "\n";
}

}  // namespace

std::string loss_text(const std::string& kind, TargetKind target) {
  constexpr const char* kTwo = "output: Tensor, target: Tensor";
  if (kind == "cross_entropy" && target == TargetKind::kNumbers) {
    return function(kTwo, "torch.cross_entropy_loss(output, target)");
  }
  if (kind == "cross_entropy") {
    // The policy answers the query, as in a model. Like cross_entropy_loss, log_softmax names its dtype: so CUDA's
    // list, which gives log_softmax float32 only if it names none, leaves it in the output's dtype.
    return "def loss(output: Tensor, target: Tensor) -> Tensor:\n"
           "    if torch.is_autocast_cpu_enabled():\n"
           "        result = torch.cross_entropy_loss(output, target)\n"
           "    else:\n"
           "        result = torch.nll_loss_nd(torch.log_softmax(output, 1, output.dtype), target)\n"
           "    return result\n";
  }
  if (kind == "mse" && target != TargetKind::kNumbers) {
    return function("output: Tensor", "torch.mse_loss(output, torch.zeros_like(output))");
  }
  for (const Body& body : kWithTarget) {
    if (body.kind != kind) continue;
    const bool pair = kind == "cosine_embedding";
    return function(pair ? "output1: Tensor, output2: Tensor, target: Tensor" : kTwo, body.expression);
  }
  throw Error(ErrorCode::kBadRun, "The loss \"" + kind + "\" is unknown",
              "Write your own loss in TorchScript, with the kind text.");
}

}  // namespace binade::train
