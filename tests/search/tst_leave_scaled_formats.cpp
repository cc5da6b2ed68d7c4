// SPDX-License-Identifier: Apache-2.0
#include "engine/policy/recipes.h"
#include "engine/search/reference.h"
#include "tests/search/simulated_training.h"
#include "tests/support/suite.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

using namespace binade;
using policy::Product;

namespace {

/// Products of op calls, by the index of the op call.
using Needed = std::set<std::pair<std::size_t, Product>>;

constexpr std::array kAll{Product::kForward, Product::kGradInput, Product::kGradWeight};

search::Order nvfp4() {
  search::Order order;
  order.base = *policy::recipe("nvfp4");
  order.goal = search::Goal::kRepair;
  return order;
}

/// Twelve op calls, of which the recipe quantizes those of `linear`: 0, 3, 6 and 9.
search::StepEvidence quantized_calls() {
  search::StepEvidence evidence = test::some_calls(12, formats::kBFloat16);
  for (std::size_t i = 0; i < evidence.calls.size(); i += 3) {
    evidence.calls[i].now.products = policy::recipe("nvfp4")->sites.front().products;
    evidence.calls[i].error = 0.1 + 0.01 * static_cast<double>(i);
  }
  return evidence;
}

/// The products of op calls that a policy takes out of nvfp4. Rules must name op calls singly.
Needed taken_out(const policy::Policy& policy, const search::StepEvidence& evidence) {
  Needed out;
  for (std::size_t i = 0; i < evidence.calls.size(); ++i) {
    policy::Products products = evidence.calls[i].now.products;
    for (const policy::SiteRule& rule : policy.sites) {
      if (rule.match == evidence.calls[i].call) products = rule.products;
    }
    for (const Product product : kAll) {
      if (evidence.calls[i].now.products.of(product) && !products.of(product)) out.insert({i, product});
    }
  }
  return out;
}

search::Progress searched(const search::Order& order, const Needed& needed, const search::Progress& from = {}) {
  const search::StepEvidence evidence = quantized_calls();
  const search::Prove prove = [&](const policy::Policy& policy) {
    const Needed out = taken_out(policy, evidence);
    search::Proof proof;
    proof.verdict = std::includes(out.begin(), out.end(), needed.begin(), needed.end())
                        ? wire::TrialVerdict::kInsideNoise
                        : wire::TrialVerdict::kWorse;
    return proof;
  };
  return search::run(order, evidence, prove, {}, from);
}

Needed found(const search::Progress& progress) {
  const search::Point* const best = test::cheapest(progress);
  return best ? taken_out(best->policy, quantized_calls()) : Needed{};
}

}  // namespace

/// Search for the op calls and products that must leave scaled formats, on simulated trainings.
class SearchLeaveScaledFormats : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void theNeededProductsAreFound_data();
  void theNeededProductsAreFound();
  void theRuleStatesWhatTheOtherProductsKeep();
  void onlyAPolicyWithProductsLeavesThem();
  void theReferenceHasNoScaledFormats();
  void aSearchGoesOnWhereItEnded();
  void opCallsThatMustNotChangeStay();
  void theBudgetEndsItWithWhatWasFound();
};

void SearchLeaveScaledFormats::theNeededProductsAreFound_data() {
  QTest::addColumn<int>("set");
  for (int set = 1; set < 4096; set += 67) QTest::addRow("%d", set) << set;
}

void SearchLeaveScaledFormats::theNeededProductsAreFound() {
  QFETCH(int, set);
  Needed needed;
  for (std::size_t i = 0; i < 12; ++i) {
    if (set >> i & 1) needed.insert({i / 3 * 3, kAll.at(i % 3)});
  }
  const search::Progress progress = searched(nvfp4(), needed);
  QVERIFY(found(progress) == needed);
  QVERIFY2(progress.sentence.ends_with(", and nothing of it can be left out."), progress.sentence.c_str());
  const double all = static_cast<double>(needed.size()) / 3;
  QVERIFY(std::abs(test::cheapest(progress)->proof.cost - all) < 1e-9);
  // The policy and its reference, halves of 4 op calls, then up to 12 products one by one; not the 4,095 subsets.
  QVERIFY2(progress.tries <= 24, std::to_string(progress.tries).c_str());
}

void SearchLeaveScaledFormats::theRuleStatesWhatTheOtherProductsKeep() {
  const search::Progress progress = searched(nvfp4(), {{6, Product::kGradWeight}});
  const policy::SiteRule rule = test::cheapest(progress)->policy.sites.back();
  QCOMPARE(rule.match, quantized_calls().calls[6].call);
  QVERIFY(rule.format == formats::kBFloat16);
  QVERIFY(rule.products.forward && rule.products.grad_input && !rule.products.grad_weight);
  QVERIFY(rule.products.rounding == policy::Rounding::kStochastic);
  QVERIFY2(rule.products.transform == policy::Transform::kNone, "it is for the gradient of the weight alone");
  QCOMPARE(progress.sentence,
           std::string("With decoder.layer6 (linear) in bfloat16 for grad_weight the policy trains, and nothing of it "
                       "can be left out."));
}

void SearchLeaveScaledFormats::onlyAPolicyWithProductsLeavesThem() {
  search::Order order = nvfp4();
  QVERIFY(search::leaves_scaled_formats(order));
  order.limits.formats = {formats::kFloat32};
  QVERIFY(!search::leaves_scaled_formats(order));
  order = nvfp4();
  order.goal = search::Goal::kTime;
  QVERIFY(!search::leaves_scaled_formats(order));
  order = nvfp4();
  order.base = policy::Policy();
  QVERIFY(!search::leaves_scaled_formats(order));
}

void SearchLeaveScaledFormats::theReferenceHasNoScaledFormats() {
  const policy::Policy reference = search::reference(nvfp4());
  QCOMPARE(reference.sites.size(), nvfp4().base.sites.size());
  for (const policy::SiteRule& rule : reference.sites) {
    QVERIFY(rule.products == policy::Products());
    QVERIFY(rule.format == formats::kBFloat16);
  }
}

void SearchLeaveScaledFormats::aSearchGoesOnWhereItEnded() {
  const Needed needed{{3, Product::kForward}, {9, Product::kGradInput}};
  search::Order order = nvfp4();
  const search::Progress whole = searched(order, needed);
  for (std::int64_t tries = 1; tries < whole.tries; ++tries) {
    order.budget.tries = tries;
    const search::Progress part = searched(order, needed);
    QCOMPARE(part.tries, tries);
    order.budget.tries.reset();
    const search::Progress rest = searched(order, needed, part);
    QCOMPARE(rest.tries, whole.tries);
    QCOMPARE(rest.sentence, whole.sentence);
  }
}

void SearchLeaveScaledFormats::opCallsThatMustNotChangeStay() {
  search::Order order = nvfp4();
  order.limits.fixed = {"decoder"};
  QVERIFY(found(searched(order, {{3, Product::kForward}})) == (Needed{{3, Product::kForward}}));
  const search::Progress progress = searched(order, {{9, Product::kForward}});
  QVERIFY(!test::cheapest(progress));
  QCOMPARE(progress.sentence, std::string("The policy does not hold even without scaled formats in these op calls."));
}

void SearchLeaveScaledFormats::theBudgetEndsItWithWhatWasFound() {
  search::Order order = nvfp4();
  const Needed needed{{0, Product::kForward}, {9, Product::kForward}};
  order.budget.tries = 0;
  QVERIFY(searched(order, needed).sentence.ends_with("No policy that holds was found."));
  const std::int64_t all = searched(nvfp4(), needed).tries;
  order.budget.tries = all - 1;
  const search::Progress progress = searched(order, needed);
  QVERIFY(test::cheapest(progress));
  QVERIFY2(progress.sentence.ends_with("which of their products can keep a scaled format was not tried to the end."),
           progress.sentence.c_str());
}

BINADE_SUITE(SearchLeaveScaledFormats);
#include "tst_leave_scaled_formats.moc"
