// SPDX-License-Identifier: Apache-2.0
#include "engine/train/loss.h"

#include "engine/formats/error.h"

namespace binade::train {

namespace {

// What torch.nn.functional.cross_entropy does, in its two steps: each is a site.
constexpr const char* kCrossEntropy = R"(
def loss(output: Tensor, target: Tensor) -> Tensor:
    return torch.nll_loss_nd(torch.log_softmax(output, 1), target)
)";

constexpr const char* kMeanSquare = R"(
def loss(output: Tensor) -> Tensor:
    return torch.mse_loss(output, torch.zeros_like(output))
)";

const char* text_of(const std::string& kind) {
  if (kind == "cross_entropy") return kCrossEntropy;
  if (kind == "mse") return kMeanSquare;
  throw Error(ErrorCode::kBadRun, "loss is \"" + kind + "\", which is not known", "Use cross_entropy or mse.");
}

}  // namespace

Loss::Loss(const std::string& kind, int first_site)
    : takes_target_(kind == "cross_entropy"),
      graph_(graph::FlatGraph::from_text(text_of(kind), "loss", "loss", first_site)) {}

at::Tensor Loss::operator()(const at::Tensor& output, const at::Tensor& target,
                            std::span<graph::SiteHook* const> hooks) {
  std::vector<c10::IValue> inputs{output};
  if (takes_target_) inputs.emplace_back(target);
  return graph_.run(std::move(inputs), hooks).toTensor();
}

}  // namespace binade::train
