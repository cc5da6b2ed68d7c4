// SPDX-License-Identifier: Apache-2.0
#include "engine/train/losses.h"

#include "engine/formats/error.h"
#include "engine/graph/dtype_name.h"
#include "engine/train/loss_text.h"
#include "engine/train/output_path.h"

#include <algorithm>
#include <map>
#include <regex>

namespace binade::train {

namespace {

TargetKind kind_of_target(const wire::LossConfig& config, const batches::BatchSource& data) {
  const auto& targets = data.targets();
  if (targets.empty()) return TargetKind::kNone;
  for (const batches::TargetInfo& target : targets) {
    if (config.target.empty() ? targets.size() > 1 : target.name != config.target) continue;
    // Integers in a target that an mse loss names explicitly are values to compare with.
    const bool labels = target.labels && (config.target.empty() || config.kind != "mse");
    return labels ? TargetKind::kLabels : TargetKind::kNumbers;
  }
  return TargetKind::kNumbers;  // Batch::target() reports the fault
}

std::string text_of(const wire::LossConfig& config, const batches::BatchSource& data) {
  return config.kind == "text" ? config.text : loss_text(config.kind, kind_of_target(config, data));
}

std::vector<std::string> split(const std::string& paths) {
  std::vector<std::string> all;
  std::size_t begin = 0;
  for (;;) {
    const std::size_t comma = paths.find(',', begin);
    std::string path = paths.substr(begin, comma - begin);
    path.erase(0, path.find_first_not_of(' '));
    path.erase(path.find_last_not_of(' ') + 1);
    all.push_back(std::move(path));
    if (comma == std::string::npos) return all;
    begin = comma + 1;
  }
}

/// Returns a hint for common errors in a text that does not compile.
std::string hint_for(const std::string& text, const std::string& message) {
  if (message.find("builtin cannot be used as a value") != std::string::npos) {
    static const std::regex dtype(
        R"(torch\.(float16|half|bfloat16|float32|float|float64|double|int64|long|int32|int|bool)\b)");
    static const std::map<std::string, int> kNumbers{{"float16", 5}, {"half", 5},    {"bfloat16", 15}, {"float32", 6},
                                                     {"float", 6},   {"float64", 7}, {"double", 7},    {"int64", 4},
                                                     {"long", 4},    {"int32", 3},   {"int", 3},       {"bool", 11}};
    std::smatch found;
    if (std::regex_search(text, found, dtype)) {
      return "In TorchScript a dtype is a number: write " + std::to_string(kNumbers.at(found[1].str())) + " for " +
             found[0].str() + ", for example dtype=" + std::to_string(kNumbers.at(found[1].str())) + ".";
    }
  }
  if (text.find("torch.nn") != std::string::npos || std::regex_search(message, std::regex("undefined value F\\b"))) {
    return "torch.nn.functional is not available. Use torch.cross_entropy_loss(output, target), torch.mse_loss(output, "
           "target), torch.log_softmax(output, 1), or arithmetic.";
  }
  return "A loss is one function, def loss(output: Tensor, target: Tensor) -> Tensor:, in TorchScript.";
}

/// The field of the run description for a loss's path: `loss`, or `losses[1]` for `loss.1`.
std::string field_of(const std::string& path) {
  const std::size_t dot = path.find('.');
  return dot == std::string::npos ? path : "losses[" + path.substr(dot + 1) + "]";
}

graph::FlatGraph compile(const std::string& text, const std::string& path, int first_site) {
  try {
    return graph::FlatGraph::from_text(text, "loss", path, first_site);
  } catch (const graph::CompileError& error) {
    throw Error(ErrorCode::kBadRun, error.what(), hint_for(text, error.what())).at(field_of(path));
  } catch (const Error& error) {
    throw Error(error.code == ErrorCode::kUnsafe ? error.code : ErrorCode::kBadRun, error.what(), error.hint)
        .at(field_of(path));
  }
}

/// Losses that compare element by element.
bool compares_alike(const std::string& kind) {
  return kind == "mse" || kind == "l1" || kind == "smooth_l1" || kind == "huber" || kind == "bce_with_logits" ||
         kind == "kl_div";
}

/// LibTorch would broadcast [N] against [N,1]: a mean over N squared pairs, with which a model learns only the mean.
void refuse_broadcast(const at::Tensor& output, const at::Tensor& target, const std::string& name,
                      const std::string& path, const std::string& kind) {
  if (output.sizes() == target.sizes()) return;
  const bool fits = output.numel() == target.numel() && output.dim() > 0;
  throw Error(ErrorCode::kBadData,
              path + ": the target" + (name.empty() ? "" : " " + name) + " is " + graph::shape_name(target) +
                  ", but the output that " + kind + " compares it with " + graph::shape_name(output),
              fits ? "Both must have the same shape. Write \"shape\": " + graph::shape_text(output.sizes().slice(1)) +
                         " in data.targets" + (name.empty() ? "" : "." + name) + "."
                   : "Both must have the same shape. Choose another output or target, or write the loss as text.")
      .at(field_of(path));
}

}  // namespace

Loss::Loss(const wire::LossConfig& config, const std::string& path, int first_site, const batches::BatchSource& data)
    : config_(config),
      path_(path),
      outputs_(split(config.output)),
      graph_(compile(text_of(config, data), path, first_site)) {
  const std::size_t arguments = graph_.schema().arguments().size();
  takes_target_ = arguments == outputs_.size() + 1;
  if (!takes_target_ && arguments != outputs_.size()) {
    throw Error(ErrorCode::kBadRun,
                path_ + ": it takes " + std::to_string(arguments) + " arguments, but \"output\" names " +
                    std::to_string(outputs_.size()),
                "Name the outputs that it takes in \"output\", separated by commas. The target follows them.")
        .at(field_of(path_));
  }
  classifies_ = (config_.kind == "cross_entropy" || config_.kind == "nll") &&
                kind_of_target(config_, data) == TargetKind::kLabels;
  numbers_ = !classifies_ && config_.kind != "text" && config_.kind != "nll";
}

at::Tensor Loss::operator()(const c10::IValue& output, const batches::Batch& batch,
                            std::span<graph::SiteHook* const> hooks) {
  std::vector<c10::IValue> inputs;
  for (const std::string& path : outputs_) inputs.emplace_back(select_output(output, path));
  if (takes_target_) {
    at::Tensor target = batch.target(config_.target);
    if (numbers_ && !target.is_floating_point()) target = target.to(at::kFloat);
    if (compares_alike(config_.kind)) {
      const std::string& name = config_.target.empty() ? batch.targets.front().first : config_.target;
      refuse_broadcast(inputs.front().toTensor(), target, name, path_, config_.kind);
    }
    inputs.emplace_back(std::move(target));
  }
  const c10::IValue result = graph_.run(std::move(inputs), hooks);
  if (!result.isTensor() || result.toTensor().numel() != 1 || !result.toTensor().is_floating_point()) {
    throw Error(ErrorCode::kBadRun,
                path_ + ": it returned " +
                    (result.isTensor() ? graph::shape_name(result.toTensor()) : result.tagKind()) +
                    ", but a loss must be one number",
                "End it with a mean or a sum.")
        .at(field_of(path_));
  }
  return result.toTensor().reshape({});
}

std::vector<Loss> make_losses(const wire::RunConfig& config, int first_site, const batches::BatchSource& data) {
  const auto all = wire::losses_of(config);
  std::vector<Loss> losses;
  losses.reserve(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::string path = all.size() == 1 ? "loss" : "loss." + std::to_string(i);
    losses.emplace_back(all[i], path, first_site, data);
    first_site += static_cast<int>(losses.back().graph().sites().size());
  }
  return losses;
}

}  // namespace binade::train
