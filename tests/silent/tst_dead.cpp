// SPDX-License-Identifier: Apache-2.0
#include "engine/silent/dead.h"
#include "tests/silent/seen_steps.h"
#include "tests/support/suite.h"

#include <string>
#include <vector>

using namespace binade;
using test::Compared;
using test::SeenStep;
using Kind = wire::WatchedTensor::Kind;
using wire::Direction;

/// Op calls that give only zeros.
class SilentDead : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void onlyTheFirstOfDeadSitesIsNamed();
  void zerosWithoutAGradientAreByDesign();
  void whatCanOnlyBeZeroIsNotDead();
  void ofSeveralResultsOneThatLivesIsEnough();
  void zerosFromAFormatAreReported();
  void aGradientThatIsAllZeroIsNamedFromTheEnd();
  void whatIsDividedByAnInfinityIsNotDeadByItself();
  void aBufferThatIsInfiniteIsNamed();
};

void SilentDead::onlyTheFirstOfDeadSitesIsNamed() {
  SeenStep step;
  for (int site = 0; site < 5; ++site) {
    step.add(site, Kind::kOutput, {site == 1 || site == 2 || site == 4 ? 0.0f : 1.0f});
    step.add(site, Kind::kOutputGradient, {site < 2 ? 0.0f : 1.0f});
  }
  const auto symptoms = silent::dead_symptoms(step.record, step.tensors, test::someSites(5));
  QCOMPARE(symptoms.size(), std::size_t{2});
  QCOMPARE(symptoms[0].site, 1);  // 2 inherits it, and so do the gradients before it
  QCOMPARE(symptoms[1].site, 4);
  QCOMPARE(test::sentence(symptoms[0]), std::string("layer1 (linear) gives only zeros."));
}

void SilentDead::zerosWithoutAGradientAreByDesign() {
  SeenStep step;
  step.add(0, Kind::kOutput, {0, 0});
  QVERIFY(silent::dead_symptoms(step.record, step.tensors, test::someSites(1)).empty());
  SeenStep loss;
  loss.add(0, Kind::kOutput, {0});
  loss.add(0, Kind::kOutputGradient, {1});
  auto sites = test::someSites(1);
  sites[0].key.path = "loss";
  QVERIFY(silent::dead_symptoms(loss.record, loss.tensors, sites).empty());
}

void SilentDead::whatCanOnlyBeZeroIsNotDead() {
  SeenStep step;
  for (int site = 0; site < 3; ++site) {
    step.add(site, Kind::kOutput, {site == 1 ? 0.0f : 1.0f});
    step.add(site, Kind::kOutputGradient, {site == 0 ? 0.0f : 1.0f});
  }
  const auto sites = test::someSites(3);
  const std::vector<int> by_design{1};
  QVERIFY(silent::dead_symptoms(step.record, step.tensors, sites, by_design).empty());
  QCOMPARE(silent::dead_symptoms(step.record, step.tensors, sites).size(), std::size_t{1});
}

void SilentDead::ofSeveralResultsOneThatLivesIsEnough() {
  const auto dead = [](float first, float second) {
    SeenStep step;
    step.add(0, Kind::kOutput, {first});
    step.add(0, Kind::kOutput, {second});
    step.tensors[1].argument = "1";
    step.add(0, Kind::kOutputGradient, {1});
    return !silent::dead_symptoms(step.record, step.tensors, test::someSites(1)).empty();
  };
  QVERIFY(dead(0, 0));
  QVERIFY(!dead(0, 1) && !dead(1, 0));
}

void SilentDead::zerosFromAFormatAreReported() {
  SeenStep step;
  for (int site = 0; site < 3; ++site) {
    step.add(site, Kind::kOutput, {site == 2 ? 0.0f : 1.0f}, formats::kBFloat16);
    step.add(site, Kind::kOutputGradient, {1}, formats::kBFloat16);
  }
  const auto sites = test::someSites(3);
  const auto dead = silent::dead_symptoms(step.record, step.tensors, sites).at(0);
  wire::Float32Comparison compared;
  compared.sites = {Compared{.site = 0, .forward = 0.003, .added = 0.003, .becomes = 0.003},
                    Compared{.site = 1, .forward = 0.0004, .added = 0.0004, .becomes = 0.9, .becomes_at = 2},
                    Compared{.site = 2, .forward = 1, .arrived = 0.0004, .inherited = 1}};
  auto symptom = silent::explained(dead, compared, sites);
  QCOMPARE(test::sentence(symptom),
           std::string("layer2 (linear) gives only zeros, and would not in float32: the error of 0.04 % that layer1 "
                       "(linear) adds is 90 % of its result."));
  QCOMPARE(test::next(symptom), std::string("layer1/aten::linear#0 and layer2/aten::linear#0 in float32 keep it."));
  QCOMPARE(symptom.fix.rules.size(), std::size_t{2});
  QCOMPARE(symptom.fix.rules[0].match, std::string("layer1/aten::linear#0"));
  QCOMPARE(symptom.fix.rules[1].match, std::string("layer2/aten::linear#0"));
  auto with_cast = sites;
  with_cast[1].view = true;  // a cast of the model's own, which no rule changes
  symptom = silent::explained(dead, compared, with_cast);
  QVERIFY(symptom.fix.rules.empty());
  QVERIFY2(test::next(symptom).starts_with("Take the cast at layer1"), test::next(symptom).c_str());
  compared.sites[2].forward = 0;  // dead in float32 too
  symptom = silent::explained(dead, compared, sites);
  QVERIFY(symptom.facts == dead.facts && symptom.fix == dead.fix);
  compared.sites[2] = Compared{.site = 2, .forward = 1, .added = 1};  // its own doing
  compared.sites[1].becomes_at = -1;
  QCOMPARE(silent::explained(dead, compared, sites).fix.rules.at(0).match, std::string("layer2/aten::linear#0"));
}

void SilentDead::aGradientThatIsAllZeroIsNamedFromTheEnd() {
  SeenStep step;
  for (int site = 0; site < 4; ++site) {
    step.add(site, Kind::kOutput, {1});
    step.add(site, Kind::kOutputGradient, {site <= 2 ? 0.0f : 1.0f});
  }
  const auto symptoms = silent::dead_symptoms(step.record, step.tensors, test::someSites(4));
  QCOMPARE(symptoms.size(), std::size_t{1});
  QCOMPARE(symptoms[0].site, 2);
  QVERIFY(symptoms[0].direction == Direction::kBackward);
}

void SilentDead::whatIsDividedByAnInfinityIsNotDeadByItself() {
  SeenStep step;
  step.add(0, Kind::kOutput, {1, 2});
  step.add(1, Kind::kOutput, {std::numeric_limits<float>::infinity()});
  step.add(2, Kind::kOutput, {0, 0});
  step.add(2, Kind::kOutputGradient, {1, 1});
  const auto symptoms = silent::dead_symptoms(step.record, step.tensors, test::someSites(3));
  QCOMPARE(symptoms.size(), std::size_t{1});
  QCOMPARE(symptoms[0].facts.infinite_site, 1);
  QVERIFY(test::next(symptoms[0]).starts_with("layer1 (linear) before it gives infinities"));
}

void SilentDead::aBufferThatIsInfiniteIsNamed() {
  SeenStep step;
  step.add(0, Kind::kOutput, {1, 2});
  step.add(1, Kind::kOutput, {std::numeric_limits<float>::infinity()});
  step.add(2, Kind::kOutput, {0, 0});
  step.add(2, Kind::kOutputGradient, {1, 1});
  for (const int taker : {1, 2}) {  // what is infinite before the dead one takes it, or the dead one itself
    const std::vector<silent::BufferSeen> buffers{{"scale_est", "It is so since step 2.", {taker}}};
    const auto symptoms = silent::dead_symptoms(step.record, step.tensors, test::someSites(3), {}, buffers);
    QCOMPARE(symptoms.size(), std::size_t{1});
    QCOMPARE(test::next(symptoms[0]),
             std::string("The buffer scale_est holds NaN or infinity, and a number divided by infinity is 0. It is so "
                         "since step 2."));
  }
  const std::vector<silent::BufferSeen> others{{"scale_est", "It is so since step 2.", {0}}};
  const auto symptoms = silent::dead_symptoms(step.record, step.tensors, test::someSites(3), {}, others);
  QCOMPARE(symptoms.at(0).facts.infinite_site, 1);
}

BINADE_SUITE(SilentDead);
#include "tst_dead.moc"
