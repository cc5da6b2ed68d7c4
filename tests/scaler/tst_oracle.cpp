// SPDX-License-Identifier: Apache-2.0
#include "tests/scaler/oracle_case.h"
#include "tests/scaler/oracle_file.h"
#include "tests/support/suite.h"

#include <ATen/Parallel.h>

#include <map>
#include <set>
#include <string>

using namespace binade::test;

/// PyTorch 2.11's own GradScaler, recorded call by call with every value as a hexadecimal float.
class TestOracle : public Suite {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase();
  void everyCallMatchesPyTorchBitForBit_data();
  void everyCallMatchesPyTorchBitForBit();
  void onlyWhatCppCannotSayIsSkipped();

 private:
  std::vector<nlohmann::json> cases_;
};

void TestOracle::initTestCase() {
  at::set_num_threads(1);
  cases_ = readJsonLines(std::string(BINADE_TEST_DATA) + "/scaler/gradscaler_oracle.jsonl.zst");
  QCOMPARE(cases_.size(), 808u);
}

void TestOracle::everyCallMatchesPyTorchBitForBit_data() {
  QTest::addColumn<QString>("group");
  std::set<std::string> groups;
  for (const auto& recorded : cases_) groups.insert(recorded["group"].get<std::string>());
  for (const auto& group : groups) QTest::newRow(group.c_str()) << QString::fromStdString(group);
}

void TestOracle::everyCallMatchesPyTorchBitForBit() {
  QFETCH(const QString, group);
  int replayed = 0;
  int skipped = 0;
  int calls = 0;
  int differing = 0;
  for (const auto& recorded : cases_) {
    if (recorded["group"].get<std::string>() != group.toStdString()) continue;
    if (!whySkipped(recorded).empty()) {
      ++skipped;
      continue;
    }
    ++replayed;
    const std::string difference = replay(recorded, calls);
    if (difference.empty()) continue;
    ++differing;
    qInfo("%s %s", recorded["id"].get<std::string>().c_str(), difference.c_str());
  }
  qInfo("%s: %d cases replayed (%d calls), %d skipped", qPrintable(group), replayed, calls, skipped);
  QCOMPARE(differing, 0);
}

void TestOracle::onlyWhatCppCannotSayIsSkipped() {
  std::map<std::string, int> reasons;
  int replayed = 0;
  for (const auto& recorded : cases_) {
    const std::string reason = whySkipped(recorded);
    if (reason.empty()) {
      ++replayed;
    } else {
      ++reasons[reason];
    }
  }
  for (const auto& [reason, count] : reasons) qInfo("skipped %3d: %s", count, reason.c_str());
  qInfo("replayed %d of %zu cases", replayed, cases_.size());
  QCOMPARE(replayed, 730);
}

BINADE_SUITE(TestOracle);
#include "tst_oracle.moc"
