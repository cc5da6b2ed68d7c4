// SPDX-License-Identifier: Apache-2.0
#include "engine/host/serve/savings_estimates.h"

#include "profiler/step_estimate.h"

#include <algorithm>
#include <array>
#include <string>

namespace binade::host {

namespace {

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
  const auto before = products_in(savings, &wire::SavingsProduct::before);
  const auto after = products_in(savings, &wire::SavingsProduct::after);
  const auto quoted = [](const profiler::StepProduct& product) { return profiler::is_quoted(product.format); };
  if (before.empty() || !std::all_of(before.begin(), before.end(), quoted)) return {};
  if (!std::all_of(after.begin(), after.end(), quoted)) return {};
  std::vector<wire::TrialEstimate> estimates;
  for (const profiler::QuotedPeak& gpu : profiler::quoted_peaks()) {
    estimates.push_back({.gpu = std::string(gpu.gpu),
                         .before = profiler::step_seconds(gpu, before, savings.before.bytes),
                         .after = profiler::step_seconds(gpu, after, savings.after.bytes)});
  }
  return estimates;
}

wire::Savings with_estimates(wire::Savings savings) {
  savings.estimates = savings_estimates(savings);
  return savings;
}

}  // namespace binade::host
