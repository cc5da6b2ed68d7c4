// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/error.h"
#include "engine/ranks/place.h"
#include "tests/support/suite.h"

#include <QTest>

#include <map>
#include <set>
#include <string>

using namespace binade;

namespace {

using Variables = std::map<std::string, std::string>;

std::optional<ranks::Place> placeOf(const Variables& variables) {
  return ranks::place_of([&variables](const char* name) -> const char* {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  });
}

std::string refusalOf(const Variables& variables) {
  try {
    placeOf(variables);
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

const Variables kTorchrun{{"RANK", "3"},
                          {"WORLD_SIZE", "8"},
                          {"LOCAL_RANK", "1"},
                          {"MASTER_ADDR", "n01"},
                          {"MASTER_PORT", "29500"},
                          {"TORCHELASTIC_USE_AGENT_STORE", "True"},
                          {"TORCHELASTIC_RESTART_COUNT", "2"},
                          {"TORCHELASTIC_RUN_ID", "x"}};

const Variables kStep{{"SLURM_PROCID", "5"},
                      {"SLURM_STEP_NUM_TASKS", "6"},
                      {"SLURM_NTASKS", "12"},
                      {"SLURM_LOCALID", "1"},
                      {"SLURM_STEP_NODELIST", "n[03-05,9],m1"},
                      {"SLURM_STEP_NUM_NODES", "5"},
                      {"SLURM_JOB_ID", "41234"},
                      {"SLURM_STEP_ID", "0"}};

}  // namespace

class RankPlaces : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void noneOfAPlainProcess() {
    QVERIFY(!placeOf({}));
    QVERIFY(!placeOf({{"RANK", "0"}, {"WORLD_SIZE", "1"}}));
  }

  void ofTorchrun() {
    const auto place = placeOf(kTorchrun);
    QVERIFY(place.has_value());
    QCOMPARE(place->rank, 3);
    QCOMPARE(place->ranks, 8);
    QCOMPARE(place->local_rank, 1);
    QCOMPARE(place->address, std::string("n01"));
    QCOMPARE(place->port, 29500);
    QVERIFY(place->hosted);
    QCOMPARE(place->restart, 2);
    QCOMPARE(place->launcher, std::string("torchrun"));
  }

  void variablesGiveThePlaceBack() {
    ranks::Place place;
    place.rank = 2;
    place.ranks = 4;
    place.local_rank = 2;
    place.address = "127.0.0.1";
    place.port = 4711;
    place.hosted = true;
    place.restart = 5;
    place.launcher = "launch";
    Variables variables;
    for (const std::string& each : ranks::variables_of(place)) {
      const std::size_t equals = each.find('=');
      variables[each.substr(0, equals)] = each.substr(equals + 1);
    }
    QVERIFY(placeOf(variables) == place);
  }

  void ofAStepOfSlurm() {
    const auto place = placeOf(kStep);
    QVERIFY(place.has_value());
    QCOMPARE(place->rank, 5);
    QCOMPARE(place->ranks, 6);
    QCOMPARE(place->local_rank, 1);
    QCOMPARE(place->address, std::string("n03"));
    QVERIFY(place->port >= 20000 && place->port < 32768);
    QVERIFY(!place->hosted);
  }

  void onOneNodeItsNameIsNotNeeded() {
    Variables step = kStep;
    step["SLURM_STEP_NODELIST"] = "n03";
    step["SLURM_STEP_NUM_NODES"] = "1";
    QCOMPARE(placeOf(step)->address, std::string("127.0.0.1"));
    step["MASTER_ADDR"] = "n03-ib";
    QCOMPARE(placeOf(step)->address, std::string("n03-ib"));
  }

  void anArbitraryDistributionNeedsTheAddressOfRank0() {
    Variables step = kStep;
    step["SLURM_DISTRIBUTION"] = "arbitrary";
    QVERIFY(refusalOf(step).find("SLURM_DISTRIBUTION") != std::string::npos);
    step["MASTER_ADDR"] = "n05";
    QCOMPARE(placeOf(step)->address, std::string("n05"));
  }

  void portsReservedBySlurmAreUsed() {
    Variables step = kStep;
    step["SLURM_STEP_RESV_PORTS"] = "23001-23004";
    QCOMPARE(placeOf(step)->port, 23001);
    step["SLURM_STEP_RESV_PORTS"] = "23015";
    QCOMPARE(placeOf(step)->port, 23015);
    step["MASTER_PORT"] = "29500";
    QCOMPARE(placeOf(step)->port, 29500);
  }

  /// Jobs of an array run side by side, each at another of its steps.
  void neighbouringStepsHaveDifferentPorts() {
    std::set<int> ports;
    for (int job = 0; job < 100; ++job) {
      for (int number = 0; number < 50; ++number) {
        Variables step = kStep;
        step["SLURM_JOB_ID"] = std::to_string(41234 + job);
        step["SLURM_STEP_ID"] = std::to_string(number);
        const int port = placeOf(step)->port;
        QVERIFY(port >= 20000 && port < 32768);
        QVERIFY2(ports.insert(port).second, qPrintable(QStringLiteral("job %1, step %2").arg(job).arg(number)));
      }
    }
  }

  void aJobOfAFederationHasAPort() {
    Variables step = kStep;
    step["SLURM_JOB_ID"] = "4227858437";  // the fifth job of cluster 63
    const int port = placeOf(step)->port;
    QVERIFY(port >= 20000 && port < 32768);
  }

  void aTaskUsesTheGpusThatItSees_data() {
    QTest::addColumn<QString>("visible");
    QTest::addColumn<QString>("ofStep");
    QTest::addColumn<int>("gpu");
    QTest::newRow("no GPU") << QString() << QString() << 3;
    QTest::newRow("every GPU of the step") << QStringLiteral("0,1,2,3") << QStringLiteral("4") << 3;
    QTest::newRow("a GPU of its own") << QStringLiteral("3") << QStringLiteral("4") << 0;
    QTest::newRow("two GPUs of its own") << QStringLiteral("6,7") << QStringLiteral("8") << 1;
    // Too few GPUs must stay an error of the device.
    QTest::newRow("one GPU for all tasks") << QStringLiteral("0") << QStringLiteral("1") << 3;
    QTest::newRow("no GPUs counted") << QStringLiteral("0") << QString() << 3;
  }

  void aTaskUsesTheGpusThatItSees() {
    QFETCH(QString, visible);
    QFETCH(QString, ofStep);
    QFETCH(int, gpu);
    Variables step = kStep;
    step["SLURM_LOCALID"] = "3";
    step["CUDA_VISIBLE_DEVICES"] = visible.toStdString();
    step["SLURM_GPUS_ON_NODE"] = ofStep.toStdString();
    QCOMPARE(placeOf(step)->local_rank, gpu);
  }

  void aBatchScriptOfSlurmIsNoRank() {
    QVERIFY(!placeOf({{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "12"}, {"SLURM_JOB_ID", "41234"}}));
  }

  // A container may pass only some variables on; each task would train alone without a word.
  void aStepWithMissingVariablesIsRefused() {
    for (const std::string lacks : {"SLURM_PROCID", "SLURM_STEP_NODELIST"}) {
      Variables step = kStep;
      step.erase(lacks);
      const std::string refusal = refusalOf(step);
      QVERIFY2(refusal.find(lacks) != std::string::npos, refusal.c_str());
      step["SLURM_STEP_NUM_TASKS"] = "1";
      QVERIFY(!placeOf(step));
    }
  }

  void aBrokenListOfNodesIsNamed() {
    Variables step = kStep;
    step["SLURM_STEP_NODELIST"] = "node[1-";
    QVERIFY2(refusalOf(step).find("SLURM_STEP_NODELIST is \"node[1-\"") != std::string::npos, refusalOf(step).c_str());
    step["MASTER_ADDR"] = "node1";
    QCOMPARE(placeOf(step)->address, std::string("node1"));
  }

  void firstHosts() {
    QCOMPARE(ranks::first_host("alone"), std::string("alone"));
    QCOMPARE(ranks::first_host("m1,n[03-05]"), std::string("m1"));
    QCOMPARE(ranks::first_host("n[03-05,9]"), std::string("n03"));
    QCOMPARE(ranks::first_host("n[9,11]-ib"), std::string("n9-ib"));
    QCOMPARE(ranks::first_host("n[9,11]-ib,m1"), std::string("n9-ib"));
    QCOMPARE(ranks::first_host("r[1-2]n[03-04],r3n1"), std::string("r1n03"));
    QCOMPARE(ranks::first_host("127.0.0.[1-2]"), std::string("127.0.0.1"));
  }

  void aWrongVariableIsNamed() {
    for (const char* name : {"RANK", "WORLD_SIZE", "MASTER_PORT", "LOCAL_RANK"}) {
      for (const char* value : {"", "x", "-1", "9999999999", "1.5"}) {
        Variables variables = kTorchrun;
        variables[name] = value;
        if (std::string(name) == "LOCAL_RANK" && std::string(value).empty()) continue;  // rank by default
        const std::string refusal = refusalOf(variables);
        QVERIFY2(refusal.find(name) != std::string::npos, (std::string(name) + "=" + value + ": " + refusal).c_str());
      }
    }
    Variables beyond = kTorchrun;
    beyond["RANK"] = "8";
    QVERIFY(refusalOf(beyond).find("0 to 7") != std::string::npos);
  }
};

BINADE_SUITE(RankPlaces);
#include "tst_place.moc"
