// SPDX-License-Identifier: Apache-2.0
#include "tests/profiler/fake_machine.h"
#include "tests/support/suite.h"

#include <algorithm>
#include <thread>

using namespace binade::profiler;

namespace binade::test {

/// Kernel records with the op call that launched them.
class KernelRecords : public Suite {
  Q_OBJECT

 private Q_SLOTS:
  void aKernelBelongsToTheInnermostMark();
  void everyThreadHasMarksOfItsOwn();
  void aCorrelationMayComeAfterItsKernel();
  void whatNoOpLaunchedIsKeptApart();
  void aLaunchHasItsTimeMarkedOrNot();
  void launchesByAnUnknownCallMakeEveryCallRecorded();
  void aNameThatMovedIsReadAgain();
  void kernelsWithoutTimesCountAsDropped();
  void anotherToolIsNamed();
  void droppedRecordsAreCounted();
  void aMillionKernelsStayWithinBounds();
  void afterStopNothingIsHeldAndMarksCostNothing();
};

namespace {

constexpr std::uint64_t kStart = 1'000'000'000;

}  // namespace

void KernelRecords::aKernelBelongsToTheInnermostMark() {
  FakeMachine machine;
  machine.driver->init();
  const auto source = make_activity_source(machine.cupti.functions());
  QVERIFY(source->start().ok());
  source->push(op_key(4, Phase::kForward));
  machine.cupti.launch("_Z4gemmPfi", kStart, kStart + 80);
  source->push(op_key(4, Phase::kObserve));
  machine.cupti.launch("statistics", kStart + 100, kStart + 110);
  source->pop();
  machine.cupti.launch("round", kStart + 120, kStart + 130);
  source->pop();
  source->flush();
  const std::vector<Kernel> kernels = source->take();
  QCOMPARE(kernels.size(), std::size_t{3});
  QCOMPARE(kernels[0].op, op_key(4, Phase::kForward));
  QCOMPARE(kernels[0].end - kernels[0].start, std::uint64_t{80});
  QCOMPARE(kernels[1].op, op_key(4, Phase::kObserve));
  QCOMPARE(kernels[2].op, op_key(4, Phase::kForward));
  QCOMPARE(source->names()[kernels[0].name], std::string("gemm(float*, int)"));
  QCOMPARE(source->counts().unattributed, std::size_t{0});
}

void KernelRecords::everyThreadHasMarksOfItsOwn() {
  FakeMachine machine;
  machine.driver->init();
  const auto source = make_activity_source(machine.cupti.functions());
  QVERIFY(source->start().ok());
  source->push(op_key(1, Phase::kForward));
  std::thread([&] {
    source->push(op_key(1, Phase::kBackward));
    machine.cupti.launch("gradient", kStart, kStart + 5);
    source->pop();
  }).join();
  machine.cupti.launch("value", kStart + 10, kStart + 15);
  source->pop();
  source->flush();
  const std::vector<Kernel> kernels = source->take();
  QCOMPARE(kernels[0].op, op_key(1, Phase::kBackward));
  QCOMPARE(kernels[1].op, op_key(1, Phase::kForward));
}

void KernelRecords::aCorrelationMayComeAfterItsKernel() {
  FakeMachine machine;
  machine.driver->init();
  machine.cupti.late_correlation = true;
  const auto source = make_activity_source(machine.cupti.functions());
  QVERIFY(source->start().ok());
  source->push(op_key(2, Phase::kBackward));
  machine.cupti.launch("gemm", kStart, kStart + 5);
  source->pop();
  source->flush();
  QVERIFY(source->take().empty());  // it waits
  source->flush();
  const std::vector<Kernel> kernels = source->take();
  QCOMPARE(kernels.size(), std::size_t{1});
  QCOMPARE(kernels[0].op, op_key(2, Phase::kBackward));
}

void KernelRecords::whatNoOpLaunchedIsKeptApart() {
  FakeMachine machine;
  machine.driver->init();
  const auto source = make_activity_source(machine.cupti.functions());
  QVERIFY(source->start().ok());
  machine.cupti.launch("adam", kStart, kStart + 5);
  source->flush();
  std::vector<Kernel> kernels;
  for (int i = 0; i < 4 && kernels.empty(); ++i) kernels = source->take();
  QCOMPARE(kernels.size(), std::size_t{1});
  QCOMPARE(kernels[0].op, kOutsideOps);
  QCOMPARE(source->counts().unattributed, std::size_t{1});
}

void KernelRecords::aLaunchHasItsTimeMarkedOrNot() {
  FakeMachine machine;
  machine.driver->init();
  const auto source = make_activity_source(machine.cupti.functions());
  QVERIFY(source->start().ok());
  machine.cupti.launch_time = kStart - 700;
  source->push(op_key(2, Phase::kForward));
  machine.cupti.launch("gemm", kStart, kStart + 5);
  source->pop();
  machine.cupti.launch_time = kStart - 300;
  machine.cupti.launch("adam", kStart + 10, kStart + 15);
  source->flush();
  std::vector<Kernel> kernels;
  for (int i = 0; i < 4 && kernels.size() < 2; ++i) {
    for (const Kernel& kernel : source->take()) kernels.push_back(kernel);
  }
  QCOMPARE(kernels.size(), std::size_t{2});
  QCOMPARE(kernels[0].launched, kStart - 700);
  QCOMPARE(kernels[1].launched, kStart - 300);
  QCOMPARE(kernels[1].op, kOutsideOps);
}

void KernelRecords::launchesByAnUnknownCallMakeEveryCallRecorded() {
  FakeMachine machine;
  machine.driver->init();
  machine.cupti.launched_by_another_call = true;
  const auto source = make_activity_source(machine.cupti.functions());
  QVERIFY(source->start().ok());
  const auto launch = [&](std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      source->push(op_key(3, Phase::kForward));
      machine.cupti.launch("gemm", kStart, kStart + 5);
      source->pop();
    }
    source->flush();
  };
  launch(10);
  QVERIFY(machine.cupti.records_calls());
  QVERIFY(!machine.cupti.every_call());  // too few to tell
  launch(600);
  QVERIFY(machine.cupti.every_call());
  while (!source->take().empty() || source->counts().unattributed < 610) {
  }
  launch(20);
  const std::vector<Kernel> kernels = source->take();
  QCOMPARE(kernels.size(), std::size_t{20});
  QCOMPARE(kernels[0].op, op_key(3, Phase::kForward));
  source->stop();
  QVERIFY(!machine.cupti.records_calls());
}

void KernelRecords::aNameThatMovedIsReadAgain() {
  FakeMachine machine;
  machine.driver->init();
  const auto source = make_activity_source(machine.cupti.functions());
  QVERIFY(source->start().ok());
  char name[] = "first";  // of a module that is unloaded, and whose memory another's name takes
  machine.cupti.launch(name, kStart, kStart + 5);
  machine.cupti.launch(name, kStart + 10, kStart + 15);
  source->flush();
  std::copy_n("other", 6, name);
  machine.cupti.launch(name, kStart + 20, kStart + 25);
  machine.cupti.launch("first", kStart + 30, kStart + 35);
  source->flush();
  std::vector<Kernel> kernels;
  for (int i = 0; i < 4 && kernels.empty(); ++i) kernels = source->take();
  QCOMPARE(kernels.size(), std::size_t{4});
  const auto names = source->names();
  QCOMPARE(names, (std::vector<std::string>{"first", "other"}));
  QCOMPARE(kernels[1].name, kernels[0].name);
  QCOMPARE(names[kernels[2].name], std::string("other"));
  QCOMPARE(kernels[3].name, kernels[0].name);
}

void KernelRecords::kernelsWithoutTimesCountAsDropped() {
  FakeMachine machine;
  machine.driver->init();
  const auto source = make_activity_source(machine.cupti.functions());
  QVERIFY(source->start().ok());
  machine.cupti.launch("gemm", 0, 0);  // the driver had no memory left to take its times
  machine.cupti.launch("gemm", kStart, kStart + 5);
  source->flush();
  QCOMPARE(source->counts().kernels, std::size_t{1});
  QCOMPARE(source->counts().dropped, std::size_t{1});
}

void KernelRecords::anotherToolIsNamed() {
  FakeMachine machine;
  machine.driver->init();
  machine.cupti.subscribe = 39;
  machine.cupti.old_subscriber = "Nsight Systems";
  const auto source = make_activity_source(machine.cupti.functions());
  const Status state = source->start();
  QVERIFY(state.code == Code::kOtherTool);
  QVERIFY2(state.sentence.find("\"Nsight Systems\" is tracing this process") != std::string::npos,
           state.sentence.c_str());
}

void KernelRecords::droppedRecordsAreCounted() {
  FakeMachine machine;
  machine.driver->init();
  const auto source = make_activity_source(machine.cupti.functions());
  QVERIFY(source->start().ok());
  machine.cupti.dropped = 1234;
  machine.cupti.launch("gemm", kStart, kStart + 5);
  source->flush();
  QCOMPARE(source->counts().dropped, std::size_t{1234});
}

void KernelRecords::aMillionKernelsStayWithinBounds() {
  FakeMachine machine;
  machine.driver->init();
  const auto source = make_activity_source(machine.cupti.functions());
  QVERIFY(source->start().ok());
  // A million a second for more than half a second, and nobody takes: half a million are kept, the rest is counted.
  constexpr std::size_t kLaunched = 600'000;
  for (std::size_t i = 0; i < kLaunched; ++i) machine.cupti.launch("tiny", kStart + 10 * i, kStart + 10 * i + 5);
  source->flush();
  const KernelCounts counts = source->counts();
  QCOMPARE(counts.kernels, std::size_t{500'000});
  QCOMPARE(counts.dropped, kLaunched - 500'000);
}

void KernelRecords::afterStopNothingIsHeldAndMarksCostNothing() {
  FakeMachine machine;
  machine.driver->init();
  const auto source = make_activity_source(machine.cupti.functions());
  QVERIFY(source->start().ok());
  QVERIFY(machine.cupti.subscribed());
  machine.cupti.launch("gemm", kStart, kStart + 5);
  source->stop();  // hands over what is left
  QVERIFY(!machine.cupti.subscribed());
  QCOMPARE(source->counts().kernels, std::size_t{1});
  const std::size_t pushed = machine.cupti.pushed();
  source->push(op_key(1, Phase::kForward));
  source->pop();
  QCOMPARE(machine.cupti.pushed(), pushed);
  machine.cupti.launch("late", kStart, kStart + 5);
  machine.cupti.hand_over();  // a buffer that comes after the end is freed and read by nobody
  QCOMPARE(source->counts().kernels, std::size_t{1});
}

BINADE_SUITE(KernelRecords);

}  // namespace binade::test

#include "tst_kernels.moc"
