// SPDX-License-Identifier: Apache-2.0
#include "profiler/device_curve.h"
#include "tests/profiler/fake_machine.h"
#include "tests/support/suite.h"

#include <cmath>

using namespace binade::profiler;

namespace binade::test {

/// The device's curve, from samples that stand-ins make.
class DeviceCurves : public Suite {
  Q_OBJECT

 private Q_SLOTS:
  void aSquareWaveComesOutAsOne();
  void samplesOfNoUseAreDropped();
  void lostSamplesLengthenTheInterval();
  void aPollThatCameLateLosesNothing();
  void samplesThatNoPollCatchesUpWithLengthenTheInterval();
  void imagesAreEmptiedTheFasterWay();
  void anEmptyImageIsNotMadeAnew();
  void aLoadThatNoIntervalBearsEndsInWords();
  void aDriverThatIsLostEndsInWords_data();
  void aDriverThatIsLostEndsInWords();
  void countersThatAnotherToolTakesAreSaidToBe();
  void samplesWithoutValuesAreNoCurve();
  void anotherSourceTakesOver_data();
  void anotherSourceTakesOver();
  void whereNoOtherStartsTheFirstReasonStays();
  void aStartThatIsRefusedLeavesNothingOpen_data();
  void aStartThatIsRefusedLeavesNothingOpen();
  void stoppingKeepsWhatWasUnderWay();
  void hardwareThatCountsClocksIsAskedInClocks();
  void nvmlStandsInWithItsName();
  void aLostNvmlEndsInWords();
  void nvmlThatGivesNoSampleSaysWhy();

 private:
  static std::unique_ptr<SampleSource> source(FakeMachine& machine) {
    return make_pm_source(machine.cupti.functions(), machine.driver, 0,
                          probe_counters(*machine.driver, machine.cupti.library(), 0));
  }
};

void DeviceCurves::aSquareWaveComesOutAsOne() {
  FakeMachine machine;
  machine.cupti.tensor = [](std::uint64_t time) { return time / 10'000'000 % 2 == 0 ? 80.0 : 0.0; };
  DeviceCurve curve(source(machine), {});
  QVERIFY2(curve.status().ok(), curve.status().sentence.c_str());
  QTRY_VERIFY(curve.counts().samples > 2000);
  curve.stop();
  const std::vector<Bin> bins = curve.take_bins();
  QVERIFY(bins.size() >= 10);
  for (std::size_t i = 1; i + 1 < bins.size(); ++i) {
    QCOMPARE(bins[i].width, std::uint64_t{10'000'000});
    QCOMPARE(bins[i].values[Channel::kTensor], bins[i].start / 10'000'000 % 2 == 0 ? 80.0F : 0.0F);
    QCOMPARE(bins[i].values[Channel::kClock], 1.755e9F);
    QCOMPARE(bins[i].covered, 1.0);
  }
  QVERIFY(machine.cupti.crimes().empty());
  QCOMPARE(machine.driver->contexts.load(), 0);
  QVERIFY(!machine.cupti.sampling());
}

void DeviceCurves::samplesOfNoUseAreDropped() {
  FakeMachine machine;
  machine.cupti.zero_times = true;
  DeviceCurve curve(source(machine), {});
  QTRY_VERIFY(curve.counts().samples > 500);
  const CurveCounts counts = curve.counts();
  QVERIFY(counts.discarded > counts.samples / 3);  // every third, and the very first
  QCOMPARE(curve.status().code, Code::kRunning);
}

void DeviceCurves::lostSamplesLengthenTheInterval() {
  FakeMachine machine;
  machine.cupti.shortest_interval = 150'000;
  DeviceCurve curve(source(machine), {.interval = std::chrono::microseconds(50)});
  QTRY_COMPARE(curve.counts().restarts, std::size_t{2});
  QTRY_VERIFY(curve.counts().samples > 100);
  QCOMPARE(machine.cupti.interval(), std::uint64_t{200'000});
  QCOMPARE(curve.counts().interval_seconds, 200e-6);
  QVERIFY(curve.status().code == Code::kOverflow);
  QVERIFY2(curve.status().sentence.find("going on at 200 µs") != std::string::npos, curve.status().sentence.c_str());
  QVERIFY(machine.cupti.crimes().empty());
}

void DeviceCurves::aPollThatCameLateLosesNothing() {
  FakeMachine machine;
  machine.cupti.step = 100'000'000;  // an image holds some 43 ms
  DeviceCurve curve(source(machine), {});
  QTRY_VERIFY(curve.counts().samples > 10'000);
  const CurveCounts counts = curve.counts();
  QCOMPARE(counts.restarts, std::size_t{0});
  QCOMPARE(counts.gaps, std::size_t{0});
  QCOMPARE(counts.discarded, std::size_t{1});  // the very first
  QVERIFY(curve.status().code == Code::kRunning);
  curve.stop();
  QVERIFY(machine.cupti.crimes().empty());
}

void DeviceCurves::samplesThatNoPollCatchesUpWithLengthenTheInterval() {
  FakeMachine machine;
  machine.cupti.step = 1'000'000'000;
  DeviceCurve curve(source(machine), {});
  QTRY_VERIFY(curve.counts().restarts > 0);
  QVERIFY(curve.counts().interval_seconds > 50e-6);
  QVERIFY(curve.status().code == Code::kOverflow || curve.status().code == Code::kLost);
}

void DeviceCurves::imagesAreEmptiedTheFasterWay() {
  for (const bool slow : {false, true}) {
    FakeMachine machine;
    machine.cupti.slow_images = slow;
    DeviceCurve curve(source(machine), {});
    QTRY_VERIFY(curve.counts().samples > 2000);
    if (slow) QCOMPARE(machine.cupti.images_made.load(), 1);
    curve.stop();
    QCOMPARE(curve.counts().gaps, std::size_t{0});
    QVERIFY(machine.cupti.crimes().empty());
  }
}

void DeviceCurves::anEmptyImageIsNotMadeAnew() {
  FakeMachine machine;
  machine.cupti.step = 0;  // nothing is sampled
  DeviceCurve curve(source(machine), {});
  QTRY_VERIFY(machine.cupti.looks_at_an_image > 3);
  curve.stop();
  QCOMPARE(curve.counts().samples, std::size_t{0});
  QVERIFY(curve.take_bins().empty());
}

void DeviceCurves::aLoadThatNoIntervalBearsEndsInWords() {
  FakeMachine machine;
  machine.cupti.shortest_interval = 1'000'000'000;
  DeviceCurve curve(source(machine), {.longest_interval = std::chrono::microseconds(100)});
  QTRY_VERIFY(curve.status().code == Code::kLost);
  QVERIFY(curve.status().sentence.find("too high even for a sample every 100 µs") != std::string::npos);
  QTRY_COMPARE(machine.driver->contexts.load(), 0);  // given back although nobody called stop()
}

void DeviceCurves::aDriverThatIsLostEndsInWords_data() {
  QTest::addColumn<int>("result");
  QTest::newRow("unknown error") << 999;
  QTest::newRow("device gone") << 2;
}

void DeviceCurves::aDriverThatIsLostEndsInWords() {
  QFETCH(int, result);
  FakeMachine machine;
  DeviceCurve curve(source(machine), {});
  QTRY_VERIFY(curve.counts().samples > 100);
  machine.cupti.decode = result;
  QTRY_VERIFY(curve.status().code == Code::kLost);
  QVERIFY(!curve.take_bins().empty());  // what was measured before stays
  curve.stop();
  QVERIFY(machine.cupti.crimes().empty());
}

void DeviceCurves::countersThatAnotherToolTakesAreSaidToBe() {
  for (const auto& [result, code] : {std::pair(26, Code::kBusy), std::pair(35, Code::kNoPermission)}) {
    FakeMachine machine;
    DeviceCurve curve(source(machine), {});
    QTRY_VERIFY(curve.counts().samples > 100);
    machine.cupti.decode = result;
    QTRY_VERIFY(curve.status().code == code);
    QTRY_COMPARE(machine.driver->contexts.load(), 0);
  }
}

void DeviceCurves::samplesWithoutValuesAreNoCurve() {
  FakeMachine machine;
  DeviceCurve curve(source(machine), {});
  QTRY_VERIFY(curve.counts().samples > 100);
  machine.cupti.evaluate = 999;
  QTRY_VERIFY(curve.status().code == Code::kLost);
  QVERIFY2(curve.status().sentence.find("the samples give no values") != std::string::npos,
           curve.status().sentence.c_str());
  curve.stop();
  for (const Bin& bin : curve.take_bins()) QCOMPARE(bin.values[Channel::kTensor], 50.0F);  // none made up
}

void DeviceCurves::anotherSourceTakesOver_data() {
  QTest::addColumn<QByteArray>("what");
  QTest::addColumn<QByteArray>("code");
  for (const auto& [what, code] :
       {std::pair("never starts", "busy"), std::pair("is lost", "lost"), std::pair("is taken", "busy"),
        std::pair("is refused after an overflow", "busy"), std::pair("bears no interval", "lost")}) {
    QTest::newRow(what) << QByteArray(what) << QByteArray(code);
  }
}

void DeviceCurves::anotherSourceTakesOver() {
  QFETCH(QByteArray, what);
  QFETCH(QByteArray, code);
  FakeMachine machine;
  const auto nvml = FakeNvml::functions();
  auto pm = source(machine);
  if (what == "never starts") machine.cupti.enable = 26;
  const bool starts = machine.cupti.enable == 0;
  {
    DeviceCurve curve(std::move(pm), {}, make_gpm_source(nvml, machine.driver, 0));
    if (starts) QTRY_VERIFY(curve.counts().samples > 100);
    if (what == "is lost") machine.cupti.decode = 999;
    if (what == "is taken") machine.cupti.decode = 26;
    if (what == "is refused after an overflow") machine.cupti.enable = 26;
    if (what.contains("overflow") || what.contains("interval")) machine.cupti.shortest_interval = 1'000'000'000;
    QTRY_VERIFY(curve.state().source == Source::kGpm);
    const CurveState state = curve.state();
    QVERIFY(state.status.code == Code::kRunning);
    QVERIFY(state.given_up);
    QCOMPARE(QByteArray::fromStdString(std::string(name(state.given_up->code))), code);
    QCOMPARE(state.metric, std::string("NVML GPM any-tensor utilization"));
    curve.take_bins();
    QVERIFY(QTest::qWaitFor([&] {
      const std::vector<Bin> bins = curve.take_bins();
      return !bins.empty() && bins.back().values[Channel::kTensor] == 43.0F;
    }));
    QVERIFY(curve.take_samples().empty());  // too coarse to be joined with kernels
    QVERIFY(!machine.cupti.sampling());
  }
  QCOMPARE(FakeNvml::open_samples, 0);
  QCOMPARE(machine.driver->contexts.load(), 0);
  QVERIFY(machine.cupti.crimes().empty());
}

void DeviceCurves::whereNoOtherStartsTheFirstReasonStays() {
  FakeMachine machine;
  const auto nvml = FakeNvml::functions();
  FakeNvml::hopper = false;
  DeviceCurve curve(source(machine), {}, make_gpm_source(nvml, machine.driver, 0));
  QTRY_VERIFY(curve.counts().samples > 100);
  machine.cupti.decode = 26;
  QTRY_VERIFY(curve.status().code == Code::kBusy);
  QVERIFY(curve.state().source == Source::kPmSampling);
  QVERIFY(!curve.state().given_up);
  QVERIFY(!curve.take_bins().empty());  // what was measured before stays
}

void DeviceCurves::aStartThatIsRefusedLeavesNothingOpen_data() {
  QTest::addColumn<QByteArray>("call");
  QTest::addColumn<int>("result");
  QTest::addColumn<QByteArray>("code");
  const auto row = [](const char* call, int result, const char* code) {
    QTest::addRow("%s answers %d", call, result) << QByteArray(call) << result << QByteArray(code);
  };
  row("enable", 7, "busy");
  row("enable", 35, "no-permission");
  row("config", 27, "unsupported");
  row("start", 26, "busy");
  row("host", 15, "no-cupti");
  row("host", 999, "cupti-init");
  row("start", 7, "cupti-init");  // that it is sampled already is said of enabling alone
  row("context", 2, "driver-init");
}

void DeviceCurves::aStartThatIsRefusedLeavesNothingOpen() {
  QFETCH(QByteArray, call);
  QFETCH(int, result);
  QFETCH(QByteArray, code);
  FakeMachine machine;
  auto pm = source(machine);
  if (call == "enable") machine.cupti.enable = result;
  if (call == "config") machine.cupti.set_config = result;
  if (call == "start") machine.cupti.start = result;
  if (call == "host") machine.cupti.host = result;
  if (call == "context") machine.driver->context_result = result;
  DeviceCurve curve(std::move(pm), {});
  QCOMPARE(QByteArray::fromStdString(std::string(name(curve.status().code))), code);
  QVERIFY(curve.take_bins().empty());
  curve.stop();
  QCOMPARE(machine.driver->contexts.load(), 0);
  QVERIFY(machine.cupti.crimes().empty());
}

void DeviceCurves::stoppingKeepsWhatWasUnderWay() {
  FakeMachine machine;
  DeviceCurve curve(source(machine), {});
  QTRY_VERIFY(curve.counts().samples > 0);
  curve.stop();
  double seconds = 0;
  for (const Bin& bin : curve.take_bins()) seconds += 1e-9 * bin.covered * static_cast<double>(bin.width);
  // All of the fake's time but the first sample.
  QVERIFY2(std::abs(seconds - 1e-9 * static_cast<double>(machine.cupti.now - 1'000'000'000'000) + 100e-6) < 1e-6,
           qPrintable(QString::number(seconds)));
  QVERIFY(curve.status().code == Code::kOff);
}

void DeviceCurves::hardwareThatCountsClocksIsAskedInClocks() {
  FakeMachine machine;
  machine.cupti.chip = "GA100";
  machine.cupti.step = 0;
  DeviceCurve curve(source(machine), {.interval = std::chrono::microseconds(100)});
  QVERIFY(curve.status().ok());
  QCOMPARE(machine.cupti.interval(), std::uint64_t{140'000});  // 100 us at some 1.4 GHz
}

void DeviceCurves::nvmlStandsInWithItsName() {
  FakeMachine machine;
  const auto nvml = FakeNvml::functions();
  DeviceCurve curve(make_gpm_source(nvml, machine.driver, 0), {});
  QVERIFY(curve.state().source == Source::kGpm);
  QTRY_VERIFY(curve.counts().samples > 2);
  curve.stop();
  const std::vector<Bin> bins = curve.take_bins();
  QVERIFY(!bins.empty());
  QCOMPARE(bins[0].values[Channel::kTensor], 43.0F);
  QVERIFY(std::isnan(bins[0].values[Channel::kImma]));  // NVML said that it has none
  QCOMPARE(FakeNvml::open_samples, 0);
}

void DeviceCurves::aLostNvmlEndsInWords() {
  FakeMachine machine;
  DeviceCurve curve(make_gpm_source(FakeNvml::functions(), machine.driver, 0), {});
  QTRY_VERIFY(curve.counts().samples > 1);
  FakeNvml::sample_result = 15;  // NVML_ERROR_GPU_IS_LOST
  QTRY_VERIFY(curve.status().code == Code::kLost);
  QVERIFY2(curve.status().sentence.find("NVML gives no sample") != std::string::npos, curve.status().sentence.c_str());
  curve.stop();
  QVERIFY(!curve.take_bins().empty());  // what was measured before stays
  QCOMPARE(FakeNvml::open_samples, 0);
}

void DeviceCurves::nvmlThatGivesNoSampleSaysWhy() {
  FakeMachine machine;
  const auto nvml = FakeNvml::functions();
  const auto told = [&](int result) {
    FakeNvml::sample_result = result;
    DeviceCurve curve(make_gpm_source(nvml, machine.driver, 0), {});
    return curve.status();
  };
  QVERIFY(told(3).code == Code::kNoGpm);
  QVERIFY2(told(3).sentence.find("MIG") != std::string::npos, told(3).sentence.c_str());
  QVERIFY(told(4).code == Code::kNoPermission);
  QVERIFY(told(999).code == Code::kNvmlInit);
  QCOMPARE(FakeNvml::open_samples, 0);
}

BINADE_SUITE(DeviceCurves);

}  // namespace binade::test

#include "tst_curve.moc"
