// SPDX-License-Identifier: Apache-2.0
#include "profiler/monitor.h"
#include "tests/profiler/fake_machine.h"
#include "tests/profiler/simulated_steps.h"
#include "tests/support/suite.h"

#include <QDir>

#include <cmath>

using namespace binade::profiler;

namespace binade::test {

/// Everything together, on a machine of stand-ins.
class Monitors : public Suite {
  Q_OBJECT

 private Q_SLOTS:
  void anIdleMonitorHasNoThreadAndOpensNothing();
  void figuresPerOpCallComeFromCountersAndKernels();
  void withoutPermissionNvmlStandsInAndTheReasonIsSaid();
  void whereAnotherToolTracesTheCurveGoesOn();
  void whereCountersAreBusyKernelsGoOn();
  void whereCountersAreLostInMidRunNvmlStandsIn();
  void kernelsOfStepsWithoutMarksAreNobodys();
  void itCanBeSwitchedOnAndOff();
  void catchingUpHandsOverWhatHasRun();
  void droppedRecordsAreSaid();
  void aDriverThatIsLostWhileKernelsAreRecordedIsSaid();
};

namespace {

qsizetype threads() {
  return QDir(QStringLiteral("/proc/self/task")).entryList(QDir::Dirs | QDir::NoDotAndDotDot).size();
}

/// Bins are taken once: QTRY_VERIFY would look twice.
bool bins_come(Monitor& monitor) {
  return QTest::qWaitFor([&] { return !monitor.take_bins().empty(); });
}

}  // namespace

void Monitors::anIdleMonitorHasNoThreadAndOpensNothing() {
  const auto before = threads();
  int opened = 0;
  Monitor monitor([&] {
    ++opened;
    return Parts{};
  });
  monitor.push(op_key(1, Phase::kForward));
  monitor.pop();
  QVERIFY(monitor.take_bins().empty());
  QVERIFY(monitor.take_ops().empty());
  QCOMPARE(opened, 0);
  QCOMPARE(threads(), before);
  QVERIFY(monitor.state().curve.code == Code::kOff);
}

void Monitors::figuresPerOpCallComeFromCountersAndKernels() {
  FakeMachine machine;
  // Op calls of 300 and 500 us in turn; the first keeps the tensor pipes busy at 70 %.
  constexpr std::uint64_t kPeriod = 800'000;
  machine.cupti.tensor = [](std::uint64_t time) { return time % kPeriod < 300'000 ? 70.0 : 0.0; };
  const auto before = threads();
  Monitor monitor([&] { return machine.parts(); });
  // The fake's time runs with its samples: the kernels of the next seconds are launched ahead.
  const std::uint64_t first = machine.cupti.now / kPeriod * kPeriod + kPeriod;
  monitor.start({});
  QVERIFY(monitor.state().ops.ok());
  for (std::uint64_t i = 0; i < 12'000; ++i) {
    const std::uint64_t start = first + i * kPeriod;
    monitor.push(op_key(0, Phase::kForward));
    machine.cupti.launch("nvjet_hsh_256x128", start, start + 300'000);
    monitor.pop();
    monitor.push(op_key(1, Phase::kBackward));
    machine.cupti.launch("reduce", start + 300'000, start + 800'000);
    monitor.pop();
  }
  std::vector<OpFigures> figures;
  QVERIFY(QTest::qWaitFor(
      [&] {
        const std::vector<OpFigures> newest = monitor.take_ops();
        if (!newest.empty()) figures = newest;
        const bool joined = monitor.state().samples.samples > 4'000;
        if (joined && (figures.empty() || figures[0].percent < 0)) {
          // Figures come with the next launches.
          monitor.push(op_key(0, Phase::kForward));
          machine.cupti.launch("nvjet_hsh_256x128", first, first + 1);
          monitor.pop();
          monitor.push(op_key(1, Phase::kBackward));
          machine.cupti.launch("reduce", first, first + 1);
          monitor.pop();
        }
        return figures.size() == 2 && figures[0].percent >= 0;
      },
      20'000));
  QCOMPARE(site_of(figures[0].op), 0);
  QVERIFY2(std::abs(figures[0].percent - 70) < 1, qPrintable(QString::number(figures[0].percent)));
  QVERIFY(figures[1].percent < 1);
  QVERIFY(phase_of(figures[1].op) == Phase::kBackward);
  QVERIFY(figures[0].confidence == Confidence::kGood);
  QCOMPARE(figures[0].kernels.front().name, std::string("nvjet_hsh_256x128"));
  QVERIFY(figures[0].kernels.front().by_name == KernelClass::kTensor);
  const Monitor::State state = monitor.state();
  QVERIFY(state.source == Source::kPmSampling);
  QCOMPARE(state.chip, std::string("GH100"));
  QVERIFY(!monitor.take_bins().empty());

  // Once nothing is sampled any more the figure goes, and the times stay.
  machine.cupti.decode = 999;
  QTRY_VERIFY(monitor.state().counters.code == Code::kLost);
  QVERIFY(QTest::qWaitFor([&] {
    monitor.push(op_key(0, Phase::kForward));
    machine.cupti.launch("nvjet_hsh_256x128", first, first + 300'000);
    monitor.pop();
    const std::vector<OpFigures> newest = monitor.take_ops();
    return !newest.empty() && newest[0].percent < 0 && newest[0].seconds > 0;
  }));
  monitor.stop();
  QCOMPARE(threads(), before);
  QVERIFY(machine.cupti.crimes().empty());
}

void Monitors::withoutPermissionNvmlStandsInAndTheReasonIsSaid() {
  FakeMachine machine;
  machine.cupti.availability = 35;
  machine.nvml = FakeNvml::functions();
  Monitor monitor([&] { return machine.parts(); });
  monitor.start({});
  const Monitor::State state = monitor.state();
  QVERIFY(state.source == Source::kGpm);
  QVERIFY(state.counters.code == Code::kNoPermission);
  QVERIFY(state.curve.ok());
  QVERIFY(state.curve.sentence.find("administrators only. Shown meanwhile: NVML's") != std::string::npos);
  QVERIFY(state.curve.next.find("NVreg_RestrictProfilingToAdminUsers=0") != std::string::npos);
  QVERIFY(state.ops.ok());  // kernel records need no right
  QVERIFY(bins_come(monitor));
}

void Monitors::whereAnotherToolTracesTheCurveGoesOn() {
  FakeMachine machine;
  machine.cupti.subscribe = 39;
  machine.cupti.old_subscriber = "CUPTI for kineto";
  Monitor monitor([&] { return machine.parts(); });
  monitor.start({});
  QVERIFY(monitor.state().ops.code == Code::kOtherTool);
  QVERIFY(monitor.state().curve.code == Code::kRunning);
  QVERIFY(bins_come(monitor));
}

void Monitors::whereCountersAreBusyKernelsGoOn() {
  FakeMachine machine;
  machine.cupti.enable = 26;
  Monitor monitor([&] { return machine.parts(); });
  monitor.start({});
  QVERIFY(monitor.state().counters.code == Code::kBusy);
  QVERIFY(monitor.state().source == Source::kNone);
  monitor.push(op_key(5, Phase::kForward));
  machine.cupti.launch("gemm", 1'000, 2'000'000);
  monitor.pop();
  std::vector<OpFigures> figures;
  QVERIFY(QTest::qWaitFor([&] {
    figures = monitor.take_ops();
    return !figures.empty();
  }));
  QCOMPARE(figures[0].seconds, 1'999'000e-9);
  QVERIFY(figures[0].percent < 0);  // a time, and no figure: not measured is not 0
  QVERIFY(figures[0].confidence == Confidence::kNone);
}

void Monitors::whereCountersAreLostInMidRunNvmlStandsIn() {
  FakeMachine machine;
  machine.nvml = FakeNvml::functions();
  Monitor monitor([&] { return machine.parts(); });
  monitor.start({});
  QVERIFY(monitor.state().source == Source::kPmSampling);
  QVERIFY(bins_come(monitor));
  machine.cupti.decode = 26;  // another tool has taken them
  QTRY_VERIFY(monitor.state().source == Source::kGpm);
  Monitor::State state = monitor.state();
  QVERIFY(state.counters.code == Code::kBusy);
  QVERIFY(state.curve.ok());
  QVERIFY2(state.curve.sentence.find("holds the counters. Shown meanwhile: NVML's coarser") != std::string::npos,
           state.curve.sentence.c_str());
  QCOMPARE(state.curve.next, state.counters.next);
  QVERIFY(bins_come(monitor));
  QVERIFY(state.ops.ok());  // kernels and their names come still

  FakeNvml::sample_result = 15;  // and now the device itself
  QTRY_VERIFY(monitor.state().curve.code == Code::kLost);
  state = monitor.state();
  QVERIFY2(state.curve.sentence.find("NVML gives no sample") != std::string::npos, state.curve.sentence.c_str());
  QVERIFY(state.counters.code == Code::kBusy);
  monitor.push(op_key(5, Phase::kForward));
  machine.cupti.launch("sm90_xmma_gemm", 1'000, 2'000'000);
  monitor.pop();
  monitor.catch_up();
  const std::vector<OpFigures> figures = monitor.take_ops();
  QCOMPARE(figures.size(), std::size_t{1});
  QVERIFY(figures[0].percent < 0);
  QVERIFY(figures[0].kernels[0].by_name == KernelClass::kTensor);  // what is left, and a hint only
  monitor.stop();
  QCOMPARE(FakeNvml::open_samples, 0);
  QVERIFY(machine.cupti.crimes().empty());
}

void Monitors::kernelsOfStepsWithoutMarksAreNobodys() {
  FakeMachine machine;
  Monitor monitor([&] { return machine.parts(); });
  monitor.start({.curve = false});
  monitor.begin_step(true);
  monitor.push(op_key(3, Phase::kForward));
  machine.cupti.launch("gemm", 1'000, 2'000'000);
  monitor.pop();
  machine.cupti.launch("adam", 2'000'000, 2'500'000);
  monitor.end_step();
  machine.cupti.launch("evaluation", 2'500'000, 9'500'000);
  monitor.begin_step(false);
  machine.cupti.launch("gemm", 9'500'000, 11'500'000);
  machine.cupti.launch("adam", 11'500'000, 12'000'000);
  monitor.end_step();
  monitor.begin_step(true);
  machine.cupti.launch("adam", 12'000'000, 12'500'000);
  monitor.catch_up();
  const std::vector<OpFigures> figures = monitor.take_ops();
  QCOMPARE(figures.size(), std::size_t{2});
  QCOMPARE(figures[0].op, kOutsideOps);
  QCOMPARE(figures[0].launches, std::uint64_t{2});
  QCOMPARE(figures[0].seconds, 1e-3);
  QCOMPARE(figures[1].seconds, 1'999'000e-9);
}

void Monitors::itCanBeSwitchedOnAndOff() {
  FakeMachine machine;
  Monitor monitor([&] { return machine.parts(); });
  for (int i = 0; i < 3; ++i) {
    monitor.start({.interval = std::chrono::microseconds(20)});
    QVERIFY(monitor.state().curve.code == Code::kRunning);
    QVERIFY(monitor.state().ops.code == Code::kRunning);
    monitor.stop();
    QVERIFY(!monitor.running());
  }
  monitor.start({.curve = false});
  QVERIFY(monitor.state().curve.code == Code::kOff);
  monitor.stop();
  QCOMPARE(machine.driver->contexts.load(), 0);
  QVERIFY(machine.cupti.crimes().empty());
}

void Monitors::catchingUpHandsOverWhatHasRun() {
  FakeMachine machine;
  Monitor monitor([&] { return machine.parts(); });
  monitor.catch_up();  // of nothing: returns at once
  monitor.start({.curve = false});
  monitor.push(op_key(3, Phase::kForward));
  machine.cupti.launch("gemm", 1'000, 2'000'000);
  monitor.pop();
  machine.cupti.launch("adam", 2'000'000, 2'500'000);  // of no op call: held back for a while
  monitor.catch_up();
  const std::vector<OpFigures> figures = monitor.take_ops();
  QCOMPARE(figures.size(), std::size_t{2});
  QCOMPARE(figures[0].op, kOutsideOps);
  QCOMPARE(figures[1].seconds, 1'999'000e-9);
  machine.cupti.flush = 999;
  QTRY_VERIFY(monitor.state().ops.code == Code::kLost);
  monitor.catch_up();  // nobody works any more
}

void Monitors::droppedRecordsAreSaid() {
  FakeMachine machine;
  Monitor monitor([&] { return machine.parts(); });
  monitor.start({});
  machine.cupti.dropped = 77;
  machine.cupti.launch("gemm", 1'000, 2'000);
  QTRY_VERIFY(monitor.state().ops.code == Code::kDropped);
  QVERIFY(monitor.state().ops.sentence.find("77") != std::string::npos);
  QVERIFY(monitor.state().ops.ok());
}

void Monitors::aDriverThatIsLostWhileKernelsAreRecordedIsSaid() {
  FakeMachine machine;
  Monitor monitor([&] { return machine.parts(); });
  monitor.start({.curve = false});
  monitor.push(op_key(3, Phase::kForward));
  machine.cupti.launch("gemm", 1'000, 2'000'000);
  monitor.pop();
  std::vector<OpFigures> figures;
  QVERIFY(QTest::qWaitFor([&] {
    figures = monitor.take_ops();
    return !figures.empty();
  }));
  QVERIFY(monitor.state().ops.code == Code::kRunning);
  machine.cupti.flush = 999;
  QTRY_VERIFY(monitor.state().ops.code == Code::kLost);
  QVERIFY2(monitor.state().ops.sentence.find("not handed over any more") != std::string::npos,
           monitor.state().ops.sentence.c_str());
  QVERIFY(!monitor.state().ops.next.empty());
  monitor.push(op_key(3, Phase::kForward));  // training goes on marking, and nothing is harmed
  monitor.pop();
  monitor.stop();
  QVERIFY(machine.cupti.crimes().empty());
  QVERIFY(!machine.cupti.subscribed());
}

BINADE_SUITE(Monitors);

}  // namespace binade::test

#include "tst_monitor.moc"
