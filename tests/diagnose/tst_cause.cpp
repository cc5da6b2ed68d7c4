// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/error.h"
#include "engine/graph/samples.h"
#include "engine/run/step.h"
#include "tests/diagnose/faults.h"
#include "tests/run/small_run.h"
#include "tests/support/suite.h"

#include <cstdio>

using namespace binade;
using test::Fault;

namespace {

std::string joined(const std::set<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

struct Score {
  int cases = 0;
  int right = 0;
  int thrown = 0;  ///< an infinity can take the model to an empty list, where no numbers are wrong
};

/// Tries one case; prints a miss.
void tryCase(const std::string& sample, Fault fault, std::uint64_t seed, const std::string& folder, Score& score) {
  std::optional<test::Case> made;
  run::StepOutcome outcome;
  try {
    made = test::makeCase(sample, fault, seed, folder);
    if (!made) return;
    outcome = run::Stepper(*made->training).run(0);
  } catch (const Error& error) {
    ++score.thrown;
    std::printf("no case: %s, %s, seed %llu: %s\n", sample.c_str(), test::name(fault),
                static_cast<unsigned long long>(seed), error.what());
    return;
  }
  ++score.cases;
  std::string verdict = "none";
  std::set<std::string> roots;
  if (outcome.diagnosis) {
    verdict = wire::name(outcome.diagnosis->verdict);
    roots = test::rootsOf(*outcome.diagnosis, *made->training);
  }
  if (verdict == wire::name(made->expected.verdict) && roots == made->expected.roots) {
    ++score.right;
    return;
  }
  std::printf("miss: %s, %s, seed %llu, behind %s: %s at {%s}, expected %s at {%s}\n", sample.c_str(),
              test::name(fault), static_cast<unsigned long long>(seed), made->place.c_str(), verdict.c_str(),
              joined(roots).c_str(), wire::name(made->expected.verdict).c_str(), joined(made->expected.roots).c_str());
}

Score sweep(std::uint64_t seeds) {
  const std::string folder = test::temporaryFolder().toStdString();
  Score score;
  for (const graph::Sample& sample : graph::samples()) {
    if (sample.faulty) continue;
    for (const Fault fault : test::allFaults()) {
      for (std::uint64_t seed = 1; seed <= seeds; ++seed) tryCase(sample.name, fault, seed, folder, score);
    }
  }
  std::printf("%d cases, %d right; in %d more the model threw\n", score.cases, score.right, score.thrown);
  std::fflush(stdout);
  return score;
}

}  // namespace

/// A tenth of the sweep, one seed a pair of sample and fault.
class TestCause : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void seededFaultsAreNamed() {
    const Score score = sweep(1);
    QVERIFY(score.cases >= 50);
    QVERIFY(score.right >= 0.97 * score.cases);
  }
};

class TestCauseAll : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void fiveHundredSeededFaultsAreNamed() {
    const Score score = sweep(8);
    QVERIFY(score.cases >= 500);
    QVERIFY(score.right >= 0.97 * score.cases);
  }
};

BINADE_SUITE(TestCause);
BINADE_SUITE(TestCauseAll);
#include "tst_cause.moc"
