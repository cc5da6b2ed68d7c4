// SPDX-License-Identifier: Apache-2.0
#include "engine/casts/policy_savings.h"

#include "engine/casts/tried_forward.h"
#include "engine/formats/error.h"
#include "engine/graph/dtype_format.h"
#include "engine/observe/site_timer.h"
#include "engine/policy/runs_alike.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace binade::casts {

namespace {

/// The matrix products of a forward with the formats that they run in, by site.
class ProductHook : public graph::SiteHook {
 public:
  struct Product {
    observe::MatmulShape shape;
    double calls = 0;
    formats::Format format;
  };

  ProductHook(const std::set<int>& sites, const policy::Resolved& policy) : sites_(sites), policy_(policy) {}

  void before(graph::Call& call) override {
    if (!sites_.contains(call.site.id)) return;
    const std::optional<observe::MatmulShape> shape = observe::matmul_shape_of(call);
    if (!shape) return;
    Product& product = products_[call.site.id];
    if (product.calls == 0) {
      product.shape = *shape;
      product.format = format_of(call);
    }
    ++product.calls;
  }

  const std::map<int, Product>& products() const { return products_; }

 private:
  formats::Format format_of(const graph::Call& call) const {
    const policy::Decision& decision = policy_.decision_for(call.site.id, call.index);
    // An emulated or custom format is not stored in a dtype of its own.
    if (decision.kind == policy::Decision::Kind::kFormat) return decision.format;
    for (std::size_t i = 0; i < call.site.inputs; ++i) {
      if (call.argument(i).isTensor() && call.argument(i).toTensor().defined())
        return graph::stored_format(call.argument(i).toTensor().scalar_type());
    }
    return formats::kFloat32;
  }

  const std::set<int>& sites_;
  const policy::Resolved& policy_;
  std::map<int, Product> products_;
};

std::set<int> sites_that_differ(const policy::Resolved& before, const policy::Resolved& after) {
  std::set<int> sites;
  for (std::size_t i = 0; i < before.sites.size(); ++i) {
    if (!policy::runs_alike(before.sites[i], after.sites[i])) sites.insert(static_cast<int>(i));
  }
  for (const auto* policy : {&before, &after}) {
    for (const auto& [place, decision] : policy->calls) {
      const auto& [site, call] = place;
      if (!policy::runs_alike(before.decision_for(site, call), after.decision_for(site, call))) sites.insert(site);
    }
  }
  return sites;
}

/// The figures of a step, which has one forward per micro-batch.
wire::SavingsSide side_of(const train::Training& training, const policy::Resolved& policy, const TriedForward& seen,
                          bool timed) {
  const auto forwards = static_cast<double>(training.config.accumulate);
  wire::SavingsSide side{
      .casts = seen.casts * forwards, .bytes = seen.bytes * forwards, .emulated = is_emulated(policy)};
  if (timed) side.seconds = seen.seconds * forwards;
  return side;
}

}  // namespace

wire::Savings policy_savings(train::Training& training, const policy::Policy& wanted, std::int64_t step) {
  if (wanted.base != training.config.policy.base) {
    throw Error(ErrorCode::kUsage, "What another base list would save is not measured",
                "Try the policy: a Try trains with both.");
  }
  const policy::Resolved& before = *training.policy;
  const auto after = train::resolve(training, wanted, before.revision);
  const std::set<int> sites = sites_that_differ(before, *after);
  ProductHook products_before(sites, before);
  ProductHook products_after(sites, *after);
  const TriedForward seen_before = try_forward(training, training.policy, &products_before);
  const TriedForward seen_after = try_forward(training, after, &products_after);
  const bool timed = shows_time(training, before) && shows_time(training, *after);
  wire::Savings savings;
  savings.policy_revision = before.revision;
  savings.step = step;
  savings.sites.assign(sites.begin(), sites.end());
  savings.before = side_of(training, before, seen_before, timed);
  savings.after = side_of(training, *after, seen_after, timed);
  for (const auto& [site, product] : products_before.products()) {
    const auto then = products_after.products().find(site);
    if (then == products_after.products().end()) continue;
    savings.products.push_back({.site = site,
                                .m = product.shape.m,
                                .n = product.shape.n,
                                .k = product.shape.k,
                                .batches = product.shape.batches,
                                .calls = product.calls * static_cast<double>(training.config.accumulate),
                                .before = product.format,
                                .after = then->second.format});
  }
  return savings;
}

}  // namespace binade::casts
