// SPDX-License-Identifier: Apache-2.0
#include "engine/compare/what_if_formats.h"

#include "engine/autocast/operand_matrices.h"
#include "engine/compare/worst_blocks.h"
#include "engine/formats/error.h"
#include "engine/train/batch_pass.h"
#include "engine/train/training_state_guard.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace binade::compare {

namespace {

/// An operand as its product has it.
struct Captured {
  at::Tensor values;  ///< on the CPU
  autocast::OperandMatrices matrices;
  scaled::RandomBits draws;
  std::uint64_t sign_seed = 0;
  /// How the policy quantizes it; nullopt: its product has an ordinary format.
  struct Present {
    scaled::ScaledFormat format;
    scaled::Scale scale;  ///< of the tensor: that of earlier steps, where scaling is delayed
    scaled::BlockStats stats;
  };
  std::optional<Present> present;
};

scaled::ScaledFormat format_named(const std::string& text) {
  const auto format = scaled::parse(text);
  if (!format) throw Error(ErrorCode::kUsage, "format: " + scaled::why_not(text));
  return *format;
}

bool is_scaled(const std::optional<policy::OperandFormat>& format) {
  return format && std::holds_alternative<scaled::ScaledFormat>(*format);
}

/// Gives a product a format with scales, so that its operands are reported. They are made before it: its format does
/// not change them.
void quantize(policy::Decision& decision, policy::Product product) {
  policy::Products& products = decision.products;
  std::optional<policy::OperandFormat>& format = product == policy::Product::kForward     ? products.forward
                                                 : product == policy::Product::kGradInput ? products.grad_input
                                                                                          : products.grad_weight;
  if (is_scaled(format)) return;
  format = format_named("mxfp8");
  if (decision.kind == policy::Decision::Kind::kFormat) return;
  decision.kind = policy::Decision::Kind::kFormat;
  decision.format = formats::kFloat32;
}

/// The policy in force, with operands of the asked product that are reported.
std::shared_ptr<const policy::Resolved> with_product(const train::Training& training, const wire::AskWhatIf& asked) {
  auto policy = std::make_shared<policy::Resolved>(*training.policy);
  quantize(policy->sites[static_cast<std::size_t>(asked.site)], asked.product);
  for (auto& [place, decision] : policy->calls)
    if (place.first == asked.site) quantize(decision, asked.product);
  return policy;
}

Captured captured(train::Training& training, const wire::AskWhatIf& asked, std::int64_t step) {
  const train::TrainingStateGuard guard(training);
  std::optional<Captured> found;
  bool in_parts = false;
  autocast::Autocast casts(training.device.type());
  casts.set_policy(with_product(training, asked));
  casts.products().follow(training.autocast.products());
  casts.products().begin_step(training.config.seed, step);
  casts.products().unshared = asked.site;  // every product reports its own operands
  casts.set_product_watch([&](const autocast::QuantizedOperand& seen) {
    if (found || seen.site != asked.site || seen.product != asked.product || seen.operand != asked.operand) return;
    in_parts = seen.matrices == nullptr;
    if (in_parts) return;
    found.emplace(Captured{.values = seen.from.detach().to(at::kCPU).contiguous().clone(),
                           .matrices = *seen.matrices,
                           .draws = casts.products().draws(seen.site, seen.call, seen.product, seen.operand),
                           .sign_seed = casts.products().sign_seed(),
                           .present = {}});
    const policy::Decision& decision = training.policy->decision_for(seen.site, seen.call);
    if (is_scaled(decision.products.of(seen.product))) found->present = {seen.format, seen.tensor, seen.stats};
  });
  const batches::Batch batch = train::on_device(training, training.data->peek(0));
  std::vector<graph::SiteHook*> hooks{&casts};
  std::vector<at::Tensor> sums;
  {
    train::BatchPass pass(training, casts, batch, hooks);
    for (std::size_t i = 0; i < training.losses.size(); ++i) pass.add(i, pass.loss(i));
    sums = pass.finish();
  }
  for (std::size_t i = 0; i < sums.size() && asked.product != policy::Product::kForward; ++i) {
    if (sums[i].defined()) sums[i].mul(training.scalers.scale(i)).backward({}, /*retain_graph=*/true);
  }
  casts.set_product_watch({});
  if (found) return std::move(*found);
  if (in_parts) {
    throw Error(ErrorCode::kUsage, "The input of a convolution is quantized in parts for the gradient of the weight",
                "Ask for its forward product, or for the gradient.");
  }
  throw Error(ErrorCode::kUsage, "The next step does not quantize this operand",
              "The op call may not run, or nothing before it needs a gradient.");
}

/// Every format that an operand can have, with what rounding and transform do where formats of 4 bits need them.
std::vector<scaled::ScaledFormat> candidates(policy::Product product, policy::Operand operand) {
  std::vector<scaled::ScaledFormat> formats;
  const auto add = [&](const scaled::ScaledFormat& named, const policy::Products& options) {
    const scaled::ScaledFormat format = policy::operand_format(named, product, operand, options);
    if (std::find(formats.begin(), formats.end(), format) == formats.end()) formats.push_back(format);
  };
  for (const scaled::NamedScaledFormat& each : scaled::named_formats()) {
    if (each.format.scaling == scaled::Scaling::kDelayed) continue;  // its scale is that of earlier steps
    if (each.format.block.rows > 1 && operand != policy::Operand::kWeight) continue;
    add(each.format, {});
    if (each.format.element != scaled::Element::kE2M1) continue;
    policy::Products stochastic;
    stochastic.rounding = policy::Rounding::kStochastic;
    add(each.format, stochastic);
    policy::Products transformed;
    transformed.transform = policy::Transform::kHadamard;
    add(each.format, transformed);
  }
  return formats;
}

/// Quantizes the operand. `scale` receives the scale of the tensor.
at::Tensor quantized_to(const Captured& operand, const scaled::ScaledFormat& format, scaled::Scale& scale,
                        scaled::BlockStats& stats) {
  const scaled::Quantizer quantizer(format, operand.draws, operand.sign_seed);
  if (format.scaling == scaled::Scaling::kDelayed && operand.present) scale = operand.present->scale;
  if (format.needs_largest())
    scale = scaled::tensor_scale(format, autocast::largest_of(operand.values, operand.matrices, quantizer));
  return autocast::quantized(operand.values, operand.matrices, quantizer, scale, &stats);
}

}  // namespace

wire::WhatIf what_if_formats(train::Training& training, const wire::AskWhatIf& asked, std::int64_t step) {
  if (asked.site < 0 || static_cast<std::size_t>(asked.site) >= training.sites.size())
    throw Error(ErrorCode::kUsage, "site: " + std::to_string(asked.site) + " is no op call of the run");
  const policy::SiteKey& key = training.sites[static_cast<std::size_t>(asked.site)]->key;
  if (!policy::has_products(key.op, key.overload)) {
    throw Error(ErrorCode::kUsage, key.name() + " has no products",
                "Matrix products, linear and convolutions have operands that can be quantized.");
  }
  const auto wanted = asked.format.empty() ? std::nullopt : std::optional(format_named(asked.format));
  const Captured operand = captured(training, asked, step);
  wire::WhatIf result;
  result.step = step;
  result.site = asked.site;
  result.product = asked.product;
  result.operand = asked.operand;
  const std::optional<Captured::Present>& present = operand.present;
  if (present) {
    result.present = scaled::name(present->format);
    result.effects.push_back({result.present, present->stats});
  }
  for (const scaled::ScaledFormat& format : candidates(asked.product, asked.operand)) {
    if (present && format == present->format) continue;
    scaled::Scale scale;
    wire::FormatEffect& effect = result.effects.emplace_back();
    effect.format = scaled::name(format);
    quantized_to(operand, format, scale, effect.stats);
  }
  // A block shows values beside what becomes of them, which a transform would mix.
  scaled::ScaledFormat shown = wanted ? *wanted : present ? present->format : format_named("mxfp8");
  const bool has_scale = shown.scaling != scaled::Scaling::kDelayed || (present && shown == present->format);
  if (!has_scale) shown.scaling = scaled::Scaling::kCurrent;
  shown.transform = false;
  result.format = scaled::name(shown);
  scaled::Scale scale;
  scaled::BlockStats stats;
  const at::Tensor to = quantized_to(operand, shown, scale, stats);
  const int size = shown.scaling == scaled::Scaling::kBlocks ? shown.block.rows * shown.block.length : 1;
  const int most = std::clamp(wire::WhatIf::kMostValues / size, 1, wire::WhatIf::kMostBlocks);
  result.blocks = worst_blocks(operand.values, to, operand.matrices, shown, scale, most);
  return result;
}

}  // namespace binade::compare
