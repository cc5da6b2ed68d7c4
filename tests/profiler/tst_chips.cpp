// SPDX-License-Identifier: Apache-2.0
#include "profiler/cupti.h"
#include "tests/profiler/cupti_place.h"
#include "tests/support/suite.h"

#include <map>

using namespace binade::profiler;

namespace binade::test {

/// The choice of metrics for every chip that CUPTI 13 knows, by its own host side: no GPU and no driver is needed.
class Chips : public Suite {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase();
  void everyChipHasAFigureOrAReason();
  void hopperGivesTheSplitInOnePass();
  void turingSaysThatItsPipeIsShared();
  void nonsenseIsNoChip();
  void withoutADriverNoCounterIsAskedFor();

 private:
  MetricChoice choice(const char* chip) { return choose_metrics(*cupti_.functions, chip, {}); }
  Cupti cupti_;
};

namespace {

bool has(const MetricChoice& choice, Channel channel) {
  for (const auto& metric : choice.metrics) {
    if (metric.channel == channel) return true;
  }
  return false;
}

const char kPercent[] = ".avg.pct_of_peak_sustained_elapsed";

}  // namespace

void Chips::initTestCase() {
  qputenv("BINADE_CUPTI", BINADE_CUPTI_LIBRARY);
  cupti_ = open_cupti();
  QVERIFY2(cupti_.state.ok(), cupti_.state.sentence.c_str());
  QCOMPARE(cupti_.version / 10000, 13U);
  QVERIFY(!cupti_.nvperf.empty());
}

void Chips::everyChipHasAFigureOrAReason() {
  const std::vector<std::string> chips = known_chips(*cupti_.functions);
  QVERIFY(chips.size() >= 30);
  for (const std::string& chip : chips) {
    const MetricChoice found = choice(chip.c_str());
    const bool without = chip == "GV100" || chip == "GV11B" || chip == "TU116" || chip == "TU117";
    QVERIFY2(found.metrics.empty() == without, (chip + ": " + found.note).c_str());
    if (without) {
      QVERIFY(!found.note.empty());
      continue;
    }
    std::string headline = "sm__pipe_tensor_cycles_active_realtime";
    if (chip.compare(0, 2, "TU") == 0) headline = "sm__pipe_shared_cycles_active_realtime";
    if (chip.compare(0, 2, "AD") == 0) headline += "_v2";
    QCOMPARE(found.metrics.front().name, headline + kPercent);
    QVERIFY(found.metrics.front().channel == Channel::kTensor);
    QVERIFY(has(found, Channel::kSmActive));
    QVERIFY(has(found, Channel::kClock));
    // Blackwell splits by type, and so does Hopper; Ampere and Ada cannot in one pass.
    const bool splits = chip == "GH100" || (chip.compare(0, 2, "GB") == 0 && chip != "GB10B");
    QVERIFY2(has(found, Channel::kHmma) == splits, chip.c_str());
  }
}

void Chips::hopperGivesTheSplitInOnePass() {
  const MetricChoice hopper = choice("GH100");
  QCOMPARE(hopper.metrics.size(), std::size_t{6});
  for (const Channel channel :
       {Channel::kTensor, Channel::kHmma, Channel::kImma, Channel::kDmma, Channel::kSmActive, Channel::kClock}) {
    QVERIFY(has(hopper, channel));
  }
  QVERIFY(!hopper.shared_pipe);
}

void Chips::turingSaysThatItsPipeIsShared() {
  QVERIFY(choice("TU102").shared_pipe);
  QVERIFY(!choice("GA102").shared_pipe);
}

void Chips::nonsenseIsNoChip() {
  const MetricChoice none = choice("XX42");
  QVERIFY(none.metrics.empty());
  QVERIFY2(none.note.find("CUPTI_ERROR_INVALID_CHIP_NAME") != std::string::npos, none.note.c_str());
}

void Chips::withoutADriverNoCounterIsAskedFor() {
  // The real library crashes in these calls where no driver runs; it must not come to that.
  class NoDriver : public Driver {
   public:
    int init() override { return 34; }
    int version(int&) override { return 3; }
    int device_count(int&) override { return 3; }
    int device_name(int, std::string&) override { return 3; }
    int pci_bus_id(int, std::string&) override { return 3; }
    int use_primary_context(int) override { return 3; }
    void release_primary_context(int) override {}
  } driver;
  QVERIFY(probe_counters(driver, cupti_, 0).state.code == Code::kDriverInit);
}

BINADE_SUITE(Chips);

}  // namespace binade::test

#include "tst_chips.moc"
