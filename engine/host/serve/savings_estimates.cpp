// SPDX-License-Identifier: Apache-2.0
#include "engine/host/serve/savings_estimates.h"

#include "profiler/step_estimate.h"

#include <algorithm>
#include <array>
#include <string>

namespace binade::host {

namespace {

bool is_quoted(const formats::Format& format) {
  const std::array quoted{formats::kFloat32, formats::kTFloat32, formats::kBFloat16, formats::kFloat16};
  return std::find(quoted.begin(), quoted.end(), format) != quoted.end();
}

std::vector<profiler::StepProduct> products_in(const wire::Savings& savings,
                                               formats::Format wire::SavingsProduct::*side) {
  std::vector<profiler::StepProduct> products;
  for (const wire::SavingsProduct& each : savings.products) {
    products.push_back({.shape = {.m = each.m, .n = each.n, .k = each.k, .batches = each.batches},
                        .format = formats::name(each.*side),
                        .calls = each.calls});
  }
  return products;
}

}  // namespace

std::vector<wire::TrialEstimate> savings_estimates(const wire::Savings& savings) {
  const bool quoted = std::all_of(savings.products.begin(), savings.products.end(), [](const auto& product) {
    return is_quoted(product.before) && is_quoted(product.after);
  });
  if (savings.products.empty() || !quoted) return {};
  const auto before = products_in(savings, &wire::SavingsProduct::before);
  const auto after = products_in(savings, &wire::SavingsProduct::after);
  std::vector<wire::TrialEstimate> estimates;
  for (const profiler::QuotedPeak& gpu : profiler::quoted_peaks()) {
    estimates.push_back({.gpu = std::string(gpu.gpu),
                         .before = profiler::step_seconds(gpu, before, savings.before.bytes),
                         .after = profiler::step_seconds(gpu, after, savings.after.bytes)});
  }
  return estimates;
}

}  // namespace binade::host
