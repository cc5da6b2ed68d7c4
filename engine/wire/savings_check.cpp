// SPDX-License-Identifier: Apache-2.0
#include "engine/wire/run_gate.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace binade::wire {

namespace {

bool is_amount(double value) {
  return std::isfinite(value) && value >= 0;
}

bool is_valid(const SavingsSide& side) {
  return is_amount(side.casts) && is_amount(side.bytes) && is_amount(side.seconds.value_or(0));
}

/// The first field that is not valid; empty: none.
std::string misfit_in(const SavingsProduct& product) {
  if (product.m < 1) return "m";
  if (product.n < 1) return "n";
  if (product.k < 1) return "k";
  if (product.batches < 1) return "batches";
  return is_amount(product.calls) ? "" : "calls";
}

/// The first field that is not valid; an empty `what`: none.
Misfit misfit_in(const Savings& savings, std::size_t sites) {
  const auto unknown = [sites](int site) { return site < 0 || static_cast<std::size_t>(site) >= sites; };
  const auto unknown_site = std::find_if(savings.sites.begin(), savings.sites.end(), unknown);
  if (unknown_site != savings.sites.end())
    return {{}, 0, "sites", "has " + std::to_string(*unknown_site) + ", which is no op call of the run"};
  if (savings.policy_revision < 0) return {{}, 0, "policy_revision", "is below 0"};
  if (savings.step < 0) return {{}, 0, "step", "is not a step"};
  if (!is_valid(savings.before)) return {{}, 0, "before", "has a figure that is no amount"};
  if (!is_valid(savings.after)) return {{}, 0, "after", "has a figure that is no amount"};
  for (std::size_t i = 0; i < savings.products.size(); ++i) {
    if (unknown(savings.products[i].site)) return {"products", i, "site", "is no op call of the run"};
    if (const std::string field = misfit_in(savings.products[i]); !field.empty())
      return {"products", i, field, "is no size of a matrix product"};
  }
  for (std::size_t i = 0; i < savings.estimates.size(); ++i) {
    if (!is_amount(savings.estimates[i].before)) return {"estimates", i, "before", "is not a duration"};
    if (!is_amount(savings.estimates[i].after)) return {"estimates", i, "after", "is not a duration"};
  }
  return {};
}

}  // namespace

// Its figures belong together, so none is removed alone.
bool RunGate::admit(Savings& savings) {
  return open_ && holds(misfit_in(savings, sites_));
}

}  // namespace binade::wire
