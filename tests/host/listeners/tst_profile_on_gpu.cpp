// SPDX-License-Identifier: Apache-2.0
#include "engine/host/listeners/profile_listener.h"
#include "engine/words/profile_text.h"
#include "tests/profiler/fake_machine.h"
#include "tests/support/suite.h"

#include <cmath>
#include <thread>

using namespace binade;
using observe::Part;

namespace {

/// The newest profile that a run told.
class Heard : public run::Listener {
 public:
  void receive(wire::NotificationRef notification) override {
    const auto* told = notification.get_if<wire::Profile>();
    if (told == nullptr) return;
    profile = *told;
    ++count;
  }
  wire::Profile profile;
  int count = 0;
};

wire::RunStarted run_on_gpu() {
  wire::RunStarted started;
  started.config.device = "cuda";
  for (const char* op : {"aten::linear", "aten::relu"}) {
    wire::SiteInfo site;
    site.key.op = op;
    started.model.sites.push_back(site);
    policy::Decision decision;
    decision.kind = policy::Decision::Kind::kFormat;
    decision.format = formats::kFloat16;
    decision.execution = policy::Execution::kNative;
    started.policy.decisions.push_back(decision);
  }
  return started;
}

/// A step of 800 us on the device: the product keeps the tensor pipes at 70 % for 300 us, the relu's backward none.
constexpr std::uint64_t kPeriod = 800'000;
constexpr int kSteps = 12'000;

class Step {
 public:
  Step(test::FakeMachine& machine, host::ProfileListener& profiles)
      : machine_(machine), profiles_(profiles), next_(machine.cupti.now / kPeriod * kPeriod + kPeriod) {}

  void operator()() {
    profiles_.enter(0, Part::kForward);
    machine_.cupti.launch("nvjet_hsh_256x128", next_, next_ + 300'000);
    profiles_.enter(0, Part::kObserve);
    machine_.cupti.launch("binade_measure", next_ + 300'000, next_ + 310'000);
    profiles_.leave();
    profiles_.leave();
    profiles_.enter(1, Part::kBackward);
    machine_.cupti.launch("threshold_backward", next_ + 310'000, next_ + 700'000);
    profiles_.leave();
    profiles_.enter(0, Part::kAccumulate);
    machine_.cupti.launch("add", next_ + 700'000, next_ + 750'000);
    profiles_.leave();
    machine_.cupti.launch("adam", next_ + 750'000, next_ + kPeriod);
    next_ += kPeriod;
  }

  /// The same work, of which nobody hears whose it is.
  void unmarked() {
    machine_.cupti.launch("nvjet_hsh_256x128", next_, next_ + 300'000);
    machine_.cupti.launch("threshold_backward", next_ + 310'000, next_ + 700'000);
    machine_.cupti.launch("add", next_ + 700'000, next_ + 750'000);
    machine_.cupti.launch("adam", next_ + 750'000, next_ + kPeriod);
    next_ += kPeriod;
  }

 private:
  test::FakeMachine& machine_;
  host::ProfileListener& profiles_;
  std::uint64_t next_;
};

}  // namespace

/// What a profile says of a run on a GPU, with stand-ins for its driver, counters and kernels.
class ProfileOnGpu : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void kernelsOfEveryPhaseGoToTheirOpCall();
  void stepsThatAreNotProfiledSpoilNothing();
  void theCurveGoesOnBetweenProfiledSteps();
  void withoutPermissionTimesStayAndNoFigureIsMadeUp();
  void aShortRunsLastProfileHasAllItsKernels();
  void aRunOfOneStepTellsThatStep();
  void whereKernelsStayAwayLaunchTimesAreToldAsSuch();
};

void ProfileOnGpu::kernelsOfEveryPhaseGoToTheirOpCall() {
  test::FakeMachine machine;
  machine.cupti.tensor = [](std::uint64_t time) { return time % kPeriod < 300'000 ? 70.0 : 0.0; };
  Heard heard;
  host::ProfileListener profiles(heard, [&] { return machine.parts(); });
  profiles.receive(run_on_gpu());
  profiles.receive(wire::ProfileConfig{.level = "counters"});
  Step step(machine, profiles);
  for (int i = 0; i < kSteps; ++i) step();
  wire::StepTimes times;
  times.seconds = 800e-6;
  times.new_products = {{.site = 0, .m = 4096, .n = 4096, .k = 4096, .batches = 1}};
  bool bins = false;
  // The device's time runs with its samples; a profile is told twice a second.
  const bool joined = QTest::qWaitFor(
      [&] {
        profiles.receive(times);
        times.new_products.clear();
        ++times.step;
        step();
        bins = bins || !heard.profile.bins.empty();
        return heard.profile.sites.size() == 2 && !std::isnan(heard.profile.sites[0].tensor);
      },
      20'000);
  QVERIFY(joined);
  const wire::Profile& profile = heard.profile;
  QVERIFY(bins);
  QCOMPARE(profile.times.source, std::string("kernel-records"));
  QCOMPARE(profile.curve.source, std::string("pm-sampling"));
  QCOMPARE(profile.tensor.source, std::string("pm-sampling"));
  const wire::SiteProfile& product = profile.sites[0];
  QVERIFY(product.forward > 0 && product.observe > 0 && product.accumulate > 0);
  QCOMPARE(product.backward, 0.0);
  QVERIFY2(std::abs(product.tensor - 60) < 2, qPrintable(QString::number(product.tensor)));  // 300 of its 350 us
  QVERIFY(product.verdict.kind == wire::TensorVerdict::Kind::kUsed);
  QCOMPARE(product.confidence, std::string("good"));
  QCOMPARE(product.kernels.front().name, std::string("nvjet_hsh_256x128"));
  QVERIFY(product.launches > 0);
  const wire::SiteProfile& relu = profile.sites[1];
  QVERIFY(relu.backward > 0);
  QCOMPARE(relu.forward, 0.0);
  QVERIFY(relu.tensor < 1);
  QVERIFY(relu.verdict.kind == wire::TensorVerdict::Kind::kNotMatrix);
  QVERIFY(profile.outside > 0);  // the optimizer's

  // In another format it is another figure: none is told until there is one of it.
  profiles.receive(wire::PolicyApplied{});
  const int told = heard.count;
  QVERIFY(QTest::qWaitFor([&] {
    profiles.receive(times);
    ++times.step;
    step();
    return heard.count > told && heard.profile.sites.size() == 2;
  }));
  for (const wire::SiteProfile& site : heard.profile.sites) QVERIFY(std::isnan(site.tensor));
  profiles.receive(wire::Finished{});
  QVERIFY(machine.cupti.crimes().empty());
  QVERIFY(!machine.cupti.subscribed() && !machine.cupti.sampling());
}

void ProfileOnGpu::stepsThatAreNotProfiledSpoilNothing() {
  test::FakeMachine machine;
  machine.cupti.tensor = [](std::uint64_t time) { return time % kPeriod < 300'000 ? 70.0 : 0.0; };
  Heard heard;
  host::ProfileListener profiles(heard, [&] { return machine.parts(); });
  profiles.receive(run_on_gpu());
  // The fake's kernels begin and end on multiples of 50 us; longer samples would never see where they end.
  profiles.receive(wire::ProfileConfig{.level = "counters", .every = 5, .interval = 50});
  Step step(machine, profiles);
  wire::StepTimes times;
  times.seconds = 800e-6;
  // The kernels of the next seconds are launched ahead: the device's time runs with its samples.
  const auto run = [&](int steps) {
    for (int i = 0; i < steps; ++i, ++times.step) {
      const bool timed = times.step % 5 == 0;
      timed ? step() : step.unmarked();
      profiles.receive(wire::StepRecord{});
      if (timed) profiles.receive(times);
    }
  };
  run(kSteps);
  const bool joined = QTest::qWaitFor(
      [&] {
        run(5);
        return heard.profile.sites.size() == 2 && !std::isnan(heard.profile.sites[0].tensor);
      },
      20'000);
  QVERIFY(joined);
  const wire::SiteProfile& product = heard.profile.sites[0];
  QVERIFY2(std::abs(product.tensor - 60) < 2, qPrintable(QString::number(product.tensor)));
  QCOMPARE(product.confidence, std::string("good"));
  profiles.receive(wire::Finished{});

  // The optimizer's 50 us of each profiled step, and not all that other steps ran.
  Heard short_run;
  host::ProfileListener again(short_run, [&] { return machine.parts(); });
  again.receive(run_on_gpu());
  again.receive(wire::ProfileConfig{.level = "times", .every = 5});
  Step other(machine, again);
  times.seconds = 751e-6;
  for (times.step = 0; times.step < 11; ++times.step) {
    const bool timed = times.step % 5 == 0;
    timed ? other() : other.unmarked();
    again.receive(wire::StepRecord{});
    if (timed) again.receive(times);
    machine.cupti.launch("evaluation", machine.cupti.now, machine.cupti.now + 700'000);
  }
  again.receive(wire::Finished{});
  QCOMPARE(short_run.profile.steps, std::int64_t{2});  // the first warms up
  QVERIFY2(std::abs(short_run.profile.outside - 50e-6) < 1e-9, qPrintable(QString::number(short_run.profile.outside)));
  QVERIFY(std::abs(short_run.profile.sites[0].forward - 300e-6) < 1e-9);
  QVERIFY(machine.cupti.crimes().empty());
}

void ProfileOnGpu::theCurveGoesOnBetweenProfiledSteps() {
  test::FakeMachine machine;
  Heard heard;
  host::ProfileListener profiles(heard, [&] { return machine.parts(); });
  profiles.receive(run_on_gpu());
  profiles.receive(wire::ProfileConfig{.level = "counters", .every = 1000});
  Step step(machine, profiles);
  wire::StepTimes times;
  times.seconds = 800e-6;
  step();
  profiles.receive(wire::StepRecord{});
  profiles.receive(times);
  const auto told = [&](auto&& as_wanted) {
    return QTest::qWaitFor([&] {
      step.unmarked();
      profiles.receive(wire::StepRecord{});
      return as_wanted();
    });
  };
  // The first step warms up; none is profiled for long.
  for (int i = 0; i < 2; ++i) {
    const int before = heard.count;
    QVERIFY(told([&] { return heard.count > before; }));
    QCOMPARE(heard.profile.steps, std::int64_t{0});
    QVERIFY(heard.profile.sites.empty());
    QVERIFY(!heard.profile.bins.empty());
    QCOMPARE(heard.profile.curve.source, std::string("pm-sampling"));
  }
  // One that is comes with all of its kernels, though it is alone.
  step();
  times.step = 1000;
  profiles.receive(wire::StepRecord{});
  profiles.receive(times);
  QVERIFY(told([&] { return heard.profile.steps == 1; }));
  QCOMPARE(heard.profile.sites.size(), std::size_t{2});
  QVERIFY(std::abs(heard.profile.sites[0].forward - 300e-6) < 1e-9);
  QVERIFY(std::abs(heard.profile.sites[1].backward - 390e-6) < 1e-9);
  profiles.receive(wire::Finished{});
}

void ProfileOnGpu::withoutPermissionTimesStayAndNoFigureIsMadeUp() {
  test::FakeMachine machine;
  machine.cupti.availability = 35;
  Heard heard;
  host::ProfileListener profiles(heard, [&] { return machine.parts(); });
  profiles.receive(run_on_gpu());
  profiles.receive(wire::ProfileConfig{.level = "counters"});
  Step step(machine, profiles);
  wire::StepTimes times;
  times.seconds = 800e-6;
  times.new_products = {{.site = 0, .m = 4096, .n = 4096, .k = 4096, .batches = 1}};
  QVERIFY(QTest::qWaitFor([&] {
    step();
    profiles.receive(times);
    ++times.step;
    return heard.profile.sites.size() == 2;
  }));
  const wire::Profile& profile = heard.profile;
  QCOMPARE(profile.times.source, std::string("kernel-records"));
  for (const wire::ProfileSource& source : {profile.curve, profile.tensor}) {
    QCOMPARE(source.source, std::string("none"));
    QCOMPARE(source.state, std::string("no-permission"));
    QVERIFY(source.next.find("NVreg_RestrictProfilingToAdminUsers=0") != std::string::npos);
  }
  QVERIFY(profile.bins.empty());
  for (const wire::SiteProfile& site : profile.sites) QVERIFY(std::isnan(site.tensor));
  QVERIFY(profile.sites[0].forward > 0);
  // What is left is its kernel's name, and told as that.
  QVERIFY(profile.sites[0].verdict.kind == wire::TensorVerdict::Kind::kNotMeasured);
  const std::string why = words::profile_verdict(profile.sites[0]);
  QVERIFY2(why.find("named like those that use them: a hint") != std::string::npos, why.c_str());
}

void ProfileOnGpu::aShortRunsLastProfileHasAllItsKernels() {
  test::FakeMachine machine;
  Heard heard;
  host::ProfileListener profiles(heard, [&] { return machine.parts(); });
  profiles.receive(run_on_gpu());
  profiles.receive(wire::ProfileConfig{.level = "times"});
  Step step(machine, profiles);
  wire::StepTimes times;
  times.seconds = 900e-6;
  for (int i = 0; i < 3; ++i) {
    step();
    profiles.receive(times);
    ++times.step;
  }
  profiles.receive(wire::Finished{});
  QCOMPARE(heard.count, 1);
  const wire::Profile& profile = heard.profile;
  QCOMPARE(profile.steps, std::int64_t{2});  // the first warms up
  QCOMPARE(profile.sites.size(), std::size_t{2});
  QVERIFY(std::abs(profile.sites[0].forward - 300e-6) < 1e-9);
  QVERIFY(std::abs(profile.sites[0].launches - 3) < 1e-9);
  QVERIFY(std::abs(profile.sites[1].backward - 390e-6) < 1e-9);
  QVERIFY(profile.outside >= 50e-6);
  QVERIFY(profile.idle >= 0 && profile.idle < profile.outside);  // the optimizer's kernels are no idle time
  QCOMPARE(profile.curve.state, std::string("off"));
  QVERIFY(!profile.estimate);
}

void ProfileOnGpu::aRunOfOneStepTellsThatStep() {
  test::FakeMachine machine;
  Heard heard;
  host::ProfileListener profiles(heard, [&] { return machine.parts(); });
  profiles.receive(run_on_gpu());
  profiles.receive(wire::ProfileConfig{.level = "times"});
  Step step(machine, profiles);
  step();
  wire::StepTimes times;
  times.seconds = 900e-6;
  profiles.receive(times);
  profiles.receive(wire::Finished{});
  QCOMPARE(heard.profile.steps, std::int64_t{1});
  QCOMPARE(heard.profile.sites.size(), std::size_t{2});
  QVERIFY(std::abs(heard.profile.sites[0].forward - 300e-6) < 1e-9);
}

void ProfileOnGpu::whereKernelsStayAwayLaunchTimesAreToldAsSuch() {
  test::FakeMachine machine;
  machine.cupti.silent_beside_sampling = true;
  Heard heard;
  host::ProfileListener profiles(heard, [&] { return machine.parts(); });
  profiles.receive(run_on_gpu());
  profiles.receive(wire::ProfileConfig{.level = "counters"});
  Step step(machine, profiles);
  wire::StepTimes times;
  times.seconds = 0.5;
  times.sites = {{.site = 0, .calls = 1, .forward = 0.25}};
  QVERIFY(QTest::qWaitFor([&] {
    step();
    profiles.receive(times);
    ++times.step;
    return heard.profile.times.source == "cpu-clock";
  }));
  const wire::Profile& profile = heard.profile;
  QVERIFY(profile.times.sentence.find("CUPTI records no kernel of an op call") != std::string::npos);
  QVERIFY(profile.times.next.find("times") != std::string::npos);
  QCOMPARE(profile.tensor.state, std::string("lost"));
  QCOMPARE(profile.curve.source, std::string("pm-sampling"));  // the curve goes on
  QCOMPARE(profile.sites.size(), std::size_t{1});
  QCOMPARE(profile.sites[0].forward, 0.25);
  QVERIFY(std::isnan(profile.sites[0].tensor));
}

BINADE_SUITE(ProfileOnGpu);
#include "tst_profile_on_gpu.moc"
