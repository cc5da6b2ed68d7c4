// SPDX-License-Identifier: Apache-2.0
#include "profiler/monitor.h"
#include "tests/profiler/fake_machine.h"
#include "tests/support/places.h"
#include "tests/support/suite.h"

#include <fstream>
#include <string>

using namespace binade::profiler;

namespace binade::test {

/// Every reason why nothing can be measured has a code, a sentence and a next step, and none is a crash or a zero.
class States : public Suite {
  Q_OBJECT

 private Q_SLOTS:
  void everyReasonIsToldInWords_data();
  void everyReasonIsToldInWords();
  void cuptiIsNotCalledBeforeTheDriverRuns_data();
  void cuptiIsNotCalledBeforeTheDriverRuns();
  void aMachineThatCanSaysWhatItHas();
  void aPartOfAnotherVersionIsNamed();
  void nvmlSaysItsOwnReasons();
  void everyCodeHasWordsOfItsOwn();
  void theExplorerIsTestedWithTheseWords();
};

namespace {

using Arrange = std::function<void(FakeMachine&)>;

struct Row {
  const char* what;
  Arrange arrange;
  const char* code;
  const char* words;
};

const std::vector<Row>& rows() {
  static const std::vector<Row> all{
      {"no driver", [](FakeMachine& m) { m.driver.reset(); }, "no-driver", "No NVIDIA driver on this computer."},
      {"the toolkit's stub", [](FakeMachine& m) { m.driver->init_result = 34; }, "driver-init", "stub"},
      {"driver and module differ", [](FakeMachine& m) { m.driver->init_result = 803; }, "driver-init", "CUresult 803"},
      {"no device", [](FakeMachine& m) { m.driver->init_result = 100; }, "no-device", "sees no GPU"},
      {"hidden devices", [](FakeMachine& m) { m.driver->devices = 0; }, "no-device", "sees no GPU"},
      {"driver too old", [](FakeMachine& m) { m.cupti.initialize = 15; }, "cupti-init", "do not match"},
      {"CUPTI without its host part", [](FakeMachine& m) { m.cupti.host = 15; }, "no-cupti", "libnvperf_host.so"},
      {"a host part that fails", [](FakeMachine& m) { m.cupti.host = 999; }, "cupti-init", "999"},
      {"a chip that CUPTI does not know", [](FakeMachine& m) { m.cupti.host = 46; }, "no-metric", "GH100"},
      {"a device of which CUPTI knows nothing",
       [](FakeMachine& m) { m.cupti.support_level = CUPTI_PROFILER_CONFIGURATION_UNKNOWN; }, "unsupported",
       "CUPTI gives no reason"},
      {"older than Turing", [](FakeMachine& m) { m.cupti.support_level = CUPTI_PROFILER_CONFIGURATION_UNSUPPORTED; },
       "unsupported", "older than Turing"},
      {"SLI, by mode", [](FakeMachine& m) { m.cupti.refused_mode = "sli"; }, "unsupported", "SLI is on"},
      {"confidential computing, by mode", [](FakeMachine& m) { m.cupti.refused_mode = "confidential"; }, "unsupported",
       "confidential computing is on"},
      {"a mining processor, by mode", [](FakeMachine& m) { m.cupti.refused_mode = "cmp"; }, "unsupported", "mining"},
      {"WSL, by mode", [](FakeMachine& m) { m.cupti.refused_mode = "wsl"; }, "unsupported", "WSL"},
      {"vGPU, switched off",
       [](FakeMachine& m) {
         m.cupti.support_level = CUPTI_PROFILER_CONFIGURATION_UNSUPPORTED;
         m.cupti.vgpu_level = CUPTI_PROFILER_CONFIGURATION_DISABLED;
       },
       "vgpu", "switched off for this virtual GPU"},
      {"no permission", [](FakeMachine& m) { m.cupti.availability = 35; }, "no-permission", "administrators only"},
      {"held by another tool", [](FakeMachine& m) { m.cupti.availability = 26; }, "busy", "DCGM"},
      {"MIG", [](FakeMachine& m) { m.cupti.availability = 43; }, "mig", "MIG slice"},
      {"vGPU", [](FakeMachine& m) { m.cupti.availability = 33; }, "vgpu", "virtual GPU"},
      {"vGPU without the right", [](FakeMachine& m) { m.cupti.availability = 40; }, "vgpu", "virtual GPU"},
      {"confidential computing", [](FakeMachine& m) { m.cupti.availability = 41; }, "unsupported", "confidential"},
      {"a mining processor", [](FakeMachine& m) { m.cupti.availability = 42; }, "unsupported", "mining"},
      {"SLI", [](FakeMachine& m) { m.cupti.availability = 44; }, "unsupported", "SLI"},
      {"WSL", [](FakeMachine& m) { m.cupti.availability = 45; }, "unsupported", "WSL"},
      {"an error of no name", [](FakeMachine& m) { m.cupti.availability = 999; }, "cupti-init", "999"},
      {"Volta", [](FakeMachine& m) { m.cupti.chip = "GV100"; }, "no-metric", "GV100"},
      {"Turing without tensor cores", [](FakeMachine& m) { m.cupti.chip = "TU116"; }, "no-metric", "no tensor cores"},
      {"a chip without the metric", [](FakeMachine& m) { m.cupti.chip = "ZZ999"; }, "no-metric", "ZZ999"},
      {"an unknown chip that has one", [](FakeMachine& m) { m.cupti.chip = "XY100"; }, "available", "XY100"},
      {"all well", [](FakeMachine&) {}, "available", "GH100"},
  };
  return all;
}

}  // namespace

void States::everyReasonIsToldInWords_data() {
  QTest::addColumn<int>("row");
  for (std::size_t i = 0; i < rows().size(); ++i) QTest::newRow(rows()[i].what) << static_cast<int>(i);
}

void States::everyReasonIsToldInWords() {
  QFETCH(int, row);
  const Row& expected = rows()[static_cast<std::size_t>(row)];
  FakeMachine machine;
  expected.arrange(machine);
  Parts parts = machine.parts();
  if (!machine.driver) parts.cupti.state = status(Code::kNoDriver);
  const Readiness ready = look(parts, 0);
  QCOMPARE(std::string(name(ready.cupti.code)), std::string(expected.code));
  QVERIFY2(ready.cupti.sentence.find(expected.words) != std::string::npos, ready.cupti.sentence.c_str());
  QVERIFY2(ready.cupti.ok() || !ready.cupti.next.empty(), expected.what);
  QVERIFY(ready.cupti.sentence.find('%') == std::string::npos || ready.cupti.sentence.find(" %") != std::string::npos);
  QVERIFY(machine.cupti.crimes().empty());
  if (machine.driver) QCOMPARE(machine.driver->contexts.load(), 0);

  // The monitor says the same when it is asked to measure, shows nothing, and ends.
  Monitor monitor([&] { return parts; });
  monitor.start({});
  const Monitor::State state = monitor.state();
  QCOMPARE(state.counters.ok(), ready.cupti.ok());
  if (!ready.cupti.ok()) {
    QCOMPARE(std::string(name(state.counters.code)), std::string(expected.code));
    QVERIFY(state.source == Source::kNone);
    QVERIFY(monitor.take_bins().empty());
  }
  monitor.stop();
  QVERIFY(machine.cupti.crimes().empty());
  QVERIFY(!machine.cupti.subscribed());
}

void States::cuptiIsNotCalledBeforeTheDriverRuns_data() {
  QTest::addColumn<int>("result");
  for (const int result : {34, 100, 803, 999}) QTest::addRow("cuInit answers %d", result) << result;
}

void States::cuptiIsNotCalledBeforeTheDriverRuns() {
  QFETCH(int, result);
  FakeMachine machine;
  machine.driver->init_result = result;
  Monitor monitor([&] { return machine.parts(); });
  monitor.start({});
  monitor.push(op_key(1, Phase::kForward));
  monitor.pop();
  QVERIFY(!monitor.state().curve.ok());
  QVERIFY(!monitor.state().ops.ok());
  monitor.stop();
  QVERIFY(machine.cupti.crimes().empty());
  QCOMPARE(machine.cupti.configurations(), 0);
}

void States::aMachineThatCanSaysWhatItHas() {
  FakeMachine machine;
  machine.nvml = FakeNvml::functions();
  const Readiness ready = look(machine.parts(), 0);
  QVERIFY(ready.cuda.ok() && ready.cupti.ok() && ready.nvml.ok());
  QCOMPARE(ready.chip, std::string("GH100"));
  QCOMPARE(ready.metric, std::string("sm__pipe_tensor_cycles_active_realtime.avg.pct_of_peak_sustained_elapsed"));
  QCOMPARE(ready.cuda.sentence, std::string("NVIDIA Pretend H100, driver for CUDA 13.0."));
}

void States::aPartOfAnotherVersionIsNamed() {
  for (const Status& state :
       {status(Code::kCuptiVersion, "CUPTI 12 in old/libcupti.so.12"),
        status(Code::kNoCupti, "; libnvperf_host.so is not beside lib/libcupti.so.13"), status(Code::kBuiltWithout)}) {
    FakeMachine machine;
    Parts parts = machine.parts();
    parts.cupti.functions.reset();
    parts.cupti.state = state;
    QVERIFY(look(parts, 0).cupti == state);
    Monitor monitor([&] { return parts; });
    monitor.start({});
    QVERIFY(monitor.state().counters == state);
    QVERIFY(monitor.state().ops == state);
    QVERIFY(!state.next.empty());
  }
}

void States::nvmlSaysItsOwnReasons() {
  FakeMachine machine;
  QVERIFY(look(machine.parts(), 0).nvml.code == Code::kNoNvml);
  machine.nvml = FakeNvml::functions();
  FakeNvml::hopper = false;
  QVERIFY(look(machine.parts(), 0).nvml.code == Code::kNoGpm);
  FakeNvml::init_result = 9;
  QVERIFY(look(machine.parts(), 0).nvml.code == Code::kNvmlInit);
}

void States::everyCodeHasWordsOfItsOwn() {
  std::vector<std::string> names;
  for (int i = 0; i <= static_cast<int>(Code::kNoGpm); ++i) {
    const auto code = static_cast<Code>(i);
    const Status told = status(code, "detail");
    QVERIFY(told.code == code);
    QVERIFY2(told.sentence.size() > 10 && told.sentence.back() == '.', told.sentence.c_str());
    // Whatever keeps figures away, or makes them less than they could be, comes with a next step.
    QVERIFY2(code == Code::kAvailable || code == Code::kRunning || !told.next.empty(), told.sentence.c_str());
    for (const std::string& other : names) QVERIFY(other != name(code));
    names.emplace_back(name(code));
  }
}

// The explorer cannot link the profiler: its cards are tested on a copy of these words.
void States::theExplorerIsTestedWithTheseWords() {
  std::ifstream file(BINADE_TEST_DATA "/profiler/states.tsv");
  std::string line;
  int code = 0;
  for (; std::getline(file, line); ++code) {
    const Status told = status(static_cast<Code>(code), "DETAIL");
    const std::string expected = std::string(name(told.code)) + '\t' + told.sentence + '\t' + told.next;
    QCOMPARE(line, expected);
  }
  QCOMPARE(code, static_cast<int>(Code::kNoGpm) + 1);
}

BINADE_SUITE(States);

}  // namespace binade::test

#include "tst_states.moc"
