// SPDX-License-Identifier: Apache-2.0
#include "engine/host/commands/replayed_rank.h"
#include "tests/support/suite.h"

using namespace binade;
using host::replayed_rank;

namespace {

wire::RunStarted runOf(int ranks, const std::string& batch_norm, const std::string& op) {
  wire::RunStarted run;
  run.config.batch_norm = batch_norm;
  run.model.sites.emplace_back().key.op = op;
  for (int i = 0; i < ranks; ++i) run.ranks.push_back({i, "host", "CPU"});
  return run;
}

wire::Event eventOf(std::optional<int> rank) {
  wire::Event event;
  event.rank = rank;
  return event;
}

}  // namespace

/// Which part of the batch one process replays, and what it says.
class ReplayedRanks : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void aRunOfOneProcessIsReplayedWhole() {
    const auto chosen = replayed_rank(runOf(0, "synchronised", "aten::batch_norm"), eventOf({}));
    QVERIFY(!chosen.rank && chosen.limits.empty());
    QCOMPARE(chosen.shard.count, 1);
  }

  void theRankThatCausedTheEventIsReplayed() {
    for (const char* norm : {"local", "synchronised"}) {
      const bool has_norm = norm == std::string("local");
      const auto chosen = replayed_rank(runOf(4, norm, has_norm ? "aten::batch_norm" : "aten::linear"), eventOf(2));
      QCOMPARE(chosen.rank, std::optional(2));
      QCOMPARE(chosen.shard.index, 2);
      QCOMPARE(chosen.shard.count, 4);
      QVERIFY(chosen.limits.empty());
    }
  }

  void synchronisedNormsCannotBeRepeatedByOneRank() {
    const auto chosen = replayed_rank(runOf(4, "synchronised", "aten::batch_norm"), eventOf(2));
    QVERIFY(!chosen.rank);
    QCOMPARE(chosen.shard.count, 1);
    QVERIFY(chosen.limits.find("synchronised") != std::string::npos);
    QVERIFY(chosen.limits.find("4 ranks") != std::string::npos);
  }

  void anEventOfTheSumTakesTheWholeBatch() {
    const auto chosen = replayed_rank(runOf(2, "local", "aten::batch_norm"), eventOf({}));
    QVERIFY(!chosen.rank);
    QVERIFY(chosen.limits.find("which were local") != std::string::npos);
    QVERIFY(replayed_rank(runOf(2, "local", "aten::linear"), eventOf(7)).limits.find("which were local") ==
            std::string::npos);
  }
};

BINADE_SUITE(ReplayedRanks);
#include "tst_replayed_rank.moc"
