// SPDX-License-Identifier: Apache-2.0
#include "engine/checkpoint/checkpoint_folder.h"
#include "engine/formats/error.h"
#include "engine/graph/samples.h"
#include "engine/run/run_loop.h"
#include "engine/words/silent_text.h"
#include "tests/diagnose/faults.h"
#include "tests/run/listening.h"
#include "tests/support/suite.h"

#include <algorithm>
#include <cstdio>

using namespace binade;
using test::Fault;

namespace {

struct Score {
  int cases = 0;
  int right = 0;
};

/// Trains a few steps with the fault; right is that the underflow of the largest share is named where it was planted.
void tryCase(const std::string& sample, Fault fault, std::uint64_t seed, const std::string& folder, Score& score) {
  auto made = test::makeCase(sample, fault, seed, folder);
  if (!made) return;
  train::Training& training = *made->training;
  training.config.observe = {.level = "histogram", .every = 1};
  training.config.steps = 5;
  training.config.optimizer.kind = "none";
  test::Listening listening;
  run::Control control;
  checkpoint::CheckpointFolder none({}, {});
  run::RunLoop(training, none, 0, listening, control).run();
  ++score.cases;
  const wire::SilentFault* first = nullptr;
  if (!listening.silent.empty()) {
    for (const wire::SilentFault& found : listening.silent.back().faults) {
      if (found.kind != wire::SilentFault::Kind::kUnderflow) continue;
      first = &found;
      break;
    }
  }
  const auto direction = fault == Fault::kUnderflowForward ? wire::Direction::kForward : wire::Direction::kBackward;
  if (first != nullptr && first->site == made->root && first->direction == direction) {
    ++score.right;
    return;
  }
  std::printf("miss: %s, %s, seed %llu, behind %s: expected %s, found %s\n", sample.c_str(), test::name(fault),
              static_cast<unsigned long long>(seed), made->place.c_str(), made->expected.roots.begin()->c_str(),
              first == nullptr ? "none" : words::silent_sentence(*first, training.info.sites).c_str());
}

}  // namespace

/// Underflow behind random op calls of every sample, forward and backward: is the site that adds the largest lost share
/// of a norm the one where it was planted?
class UnderflowScore : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void seededUnderflowsAreRankedFirst() {
    const std::string folder = test::temporaryFolder().toStdString();
    Score score;
    for (const graph::Sample& sample : graph::samples()) {
      if (sample.faulty) continue;
      for (const Fault fault : {Fault::kUnderflowForward, Fault::kUnderflowBackward}) {
        for (std::uint64_t seed = 1; seed <= 4; ++seed) tryCase(sample.name, fault, seed, folder, score);
      }
    }
    std::printf("%d cases, %d right\n", score.cases, score.right);
    std::fflush(stdout);
    QVERIFY(score.cases >= 30);
    QVERIFY(score.right >= 0.97 * score.cases);
  }
};

BINADE_SUITE(UnderflowScore);
#include "tst_underflow_score.moc"
