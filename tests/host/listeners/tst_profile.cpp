// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/error.h"
#include "engine/graph/samples.h"
#include "engine/host/listeners/listeners.h"
#include "engine/host/listeners/profile_listener.h"
#include "engine/host/print/profile_report.h"
#include "engine/run/trainer.h"
#include "engine/words/profile_text.h"
#include "tests/record/run_file.h"
#include "tests/support/places.h"
#include "tests/support/suite.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>

#include <cmath>

using namespace binade;

namespace {

wire::RunConfig profiledRun(std::int64_t steps, const std::string& level = "times") {
  wire::RunConfig config;
  config.name = "profiled";
  config.model = "sample:cnn";
  config.data.inputs = {"float32[8,1,28,28]"};
  config.batch = 8;
  config.steps = steps;
  config.scaler.init_scale = 1024;
  config.profile.level = level;
  return config;
}

/// Keeps what a run tells.
class Heard : public run::Listener {
 public:
  void receive(wire::NotificationRef notification) override {
    notification.visit(wire::Overloaded{
        [this](const wire::RunStarted& started) { run = started; },
        [this](const wire::StepRecord& step) { losses.push_back(step.loss); },
        [this](const wire::StepTimes& told) { times.push_back(told); },
        [this](const wire::Profile& profile) { profiles.push_back(profile); },
        [this](const wire::Finished& /*finished*/) { profiles_at_end = profiles.size(); },
        [](const auto& /*other*/) {},
    });
  }

  wire::RunStarted run;
  std::vector<double> losses;
  std::vector<wire::StepTimes> times;
  std::vector<wire::Profile> profiles;
  std::size_t profiles_at_end = 0;
};

profiler::Parts noDriver() {
  profiler::Parts parts;
  parts.cupti.state = profiler::status(profiler::Code::kNoDriver);
  return parts;
}

Heard runProfiled(const wire::RunConfig& config) {
  Heard heard;
  host::Listeners listeners;
  host::ProfileListener profiles(listeners, noDriver);
  listeners.add(&profiles);
  listeners.add(&heard);
  run::Trainer trainer(config, listeners);
  trainer.set_marks(&profiles);
  run::Control control(/*attended=*/false);
  trainer.run(control);
  return heard;
}

}  // namespace

class TestProfile : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void everyOpCallHasATimeOnAnyMachine() {
    const Heard heard = runProfiled(profiledRun(6));
    QVERIFY(!heard.profiles.empty());
    QCOMPARE(heard.profiles_at_end, heard.profiles.size());  // the last one before the end
    std::int64_t steps = 0;
    for (const wire::Profile& profile : heard.profiles) steps += profile.steps;
    QCOMPARE(steps, std::int64_t{5});  // the first warms up
    QCOMPARE(heard.profiles.front().first_step, std::int64_t{1});
    const wire::Profile& profile = heard.profiles.front();
    QCOMPARE(profile.times.source, std::string("cpu-clock"));
    QVERIFY(profile.sites.size() >= 10);
    double within = 0;
    for (const wire::SiteProfile& site : profile.sites) {
      QVERIFY(site.calls >= 1);
      QVERIFY(site.forward > 0);
      within += site.forward + site.backward + site.accumulate + site.observe;
    }
    QVERIFY(within < profile.step_seconds);
    QVERIFY(std::abs(profile.outside - (profile.step_seconds - within)) < 1e-9);
    QVERIFY(std::isnan(profile.idle));
  }

  void everySampleHasTimesForwardAndBackward_data() {
    QTest::addColumn<QByteArray>("sample");
    for (const graph::Sample& sample : graph::samples()) {
      if (sample.faulty) continue;  // a step that is not finite is replayed
      QTest::newRow(sample.name.c_str()) << QByteArray(sample.name.c_str());
    }
  }

  void everySampleHasTimesForwardAndBackward() {
    QFETCH(QByteArray, sample);
    wire::RunConfig config = profiledRun(3);
    config.model = "sample:" + sample.toStdString();
    config.data.inputs = graph::find_sample(config.model)->inputs;
    if (sample == "control-flow") config.output = "[0]";  // its forward returns two
    const std::string& first = config.data.inputs.front();
    config.batch = std::stoll(first.substr(first.find('[') + 1));
    const Heard heard = runProfiled(config);
    QVERIFY(!heard.profiles.empty());
    QVERIFY(!heard.profiles.back().sites.empty());
    double forward = 0, backward = 0;
    for (const wire::SiteProfile& site : heard.profiles.back().sites) {
      QVERIFY(site.calls >= 1);
      forward += site.forward;
      backward += site.backward;
    }
    QVERIFY(forward > 0 && backward > 0);
    QVERIFY(forward + backward < heard.profiles.back().step_seconds);
  }

  void aRunOfOneStepTellsThatStep() {
    const Heard heard = runProfiled(profiledRun(1));
    QCOMPARE(heard.profiles.size(), std::size_t{1});
    QCOMPARE(heard.profiles[0].steps, std::int64_t{1});
    QVERIFY(heard.profiles[0].sites.size() >= 10);
  }

  void whatIsNotMeasuredIsNoZeroAndHasAReason() {
    const Heard heard = runProfiled(profiledRun(2, "counters"));
    const wire::Profile& profile = heard.profiles.front();
    QVERIFY(profile.bins.empty());
    for (const wire::ProfileSource& source : {profile.curve, profile.tensor}) {
      QCOMPARE(source.source, std::string("none"));
      QCOMPARE(source.state, std::string("no-driver"));
      QCOMPARE(source.sentence, std::string("No NVIDIA driver on this computer."));
      QVERIFY(!source.next.empty());
    }
    QVERIFY(!profile.sites.empty());
    using Kind = wire::TensorVerdict::Kind;
    for (const wire::SiteProfile& site : profile.sites) {
      QVERIFY(std::isnan(site.tensor));
      QVERIFY(std::isnan(site.launches));
      QCOMPARE(site.confidence, std::string("none"));
      const bool matrix = heard.run.model.sites[static_cast<std::size_t>(site.site)].key.op == "aten::conv2d";
      if (matrix) QVERIFY(site.verdict.kind == (site.emulated ? Kind::kEmulated : Kind::kNoGpu));
      if (!site.emulated && !matrix) continue;
      QVERIFY(!words::profile_edit(site.verdict).empty());
    }
  }

  void profilingChangesNoLoss() {
    QCOMPARE(runProfiled(profiledRun(5)).losses, runProfiled(profiledRun(5, "off")).losses);
  }

  void switchedOffNothingIsTold() {
    const Heard heard = runProfiled(profiledRun(3, "off"));
    QVERIFY(heard.profiles.empty());
    QVERIFY(heard.times.empty());
  }

  void everyNthStepIsTimed() {
    wire::RunConfig config = profiledRun(7);
    config.profile.every = 3;
    const Heard heard = runProfiled(config);
    QCOMPARE(heard.times.size(), std::size_t{3});
    QCOMPARE(heard.times[2].step, std::int64_t{6});
  }

  void theCommandTellsAndRecordsIt() {
    const QString folder = test::temporaryFolder();
    QFile run(folder + QStringLiteral("/run.json"));
    QVERIFY(run.open(QIODevice::WriteOnly));
    run.write(
        "{\"binade_run\": 1, \"model\": \"sample:mlp\", \"batch\": 8, "
        "\"data\": {\"inputs\": [\"float32[8,1,28,28]\"]}}");
    run.close();
    QProcess process;
    process.start(QStringLiteral(BINADE_BIN_DIR "/binade-engine"),
                  {QStringLiteral("train"), QStringLiteral("--json"), QStringLiteral("--profile"),
                   QStringLiteral("counters"), QStringLiteral("--run-file"), folder + QStringLiteral("/p.binade"),
                   QStringLiteral("--steps"), QStringLiteral("3"), run.fileName()});
    QVERIFY(process.waitForFinished(120000));
    QVERIFY2(process.exitCode() == 0, process.readAllStandardError().constData());
    int told = 0;
    for (const QByteArray& line : process.readAllStandardOutput().split('\n')) {
      const QJsonObject event = QJsonDocument::fromJson(line).object();
      if (event[QStringLiteral("event")].toString() != QStringLiteral("profile")) continue;
      told += event[QStringLiteral("steps")].toInt();
      const QJsonArray sites = event[QStringLiteral("sites")].toArray();
      QVERIFY(!sites.isEmpty());
      QVERIFY(sites[0].toObject()[QStringLiteral("site")].isString());
      QVERIFY(sites[0].toObject()[QStringLiteral("forward")].toDouble() > 0);
      QVERIFY(sites[0].toObject()[QStringLiteral("tensor")].isNull());
    }
    QCOMPARE(told, 2);  // the first warms up
    const record::RunReader reader((folder + QStringLiteral("/p.binade")).toStdString());
    const auto profiles = test::recordsOf<wire::Profile>(reader);
    QVERIFY(!profiles.empty());
    QVERIFY(!profiles.front().sites.empty());
  }

  void theReportNamesTheLongestFirst() {
    wire::Profile profile;
    profile.steps = 2;
    profile.step_seconds = 0.010;
    profile.times.sentence = "The times are those of the computing threads.";
    profile.curve = {"none", "no-driver", "No NVIDIA driver on this computer.", "Install it.", ""};
    const auto timed = [](int id, double forward, double backward, wire::TensorVerdict::Kind verdict) {
      wire::SiteProfile site;
      site.site = id;
      site.calls = 1;
      site.forward = forward;
      site.backward = backward;
      site.verdict.kind = verdict;
      return site;
    };
    profile.sites = {timed(0, 0.001, 0, wire::TensorVerdict::Kind::kNotMatrix),
                     timed(1, 0.002, 0.004, wire::TensorVerdict::Kind::kNoGpu)};
    profile.sites[0].observe = 0.0005;
    host::ProfileReport report;
    report.add(profile);
    report.add(profile);
    const std::string text = report.text({"relu", "fc/aten::linear#0"});
    QVERIFY2(text.find("fc/aten::linear#0") < text.find("relu"), text.c_str());
    QVERIFY2(text.find("60.0 %") != std::string::npos, text.c_str());
    QVERIFY(text.find("Tensor cores were not measured. No NVIDIA driver") != std::string::npos);
    QVERIFY2(text.find("5.0 % of a step is observation by Binade") != std::string::npos, text.c_str());
    QVERIFY2(text.find("25.0 % of a step is other work: optimizer, scaler, data\n") != std::string::npos, text.c_str());
    QVERIFY(report.text({"relu", "fc"}, true).find("data, sums over ranks\n") != std::string::npos);
    QVERIFY2(text.find(
                 "Why no tensor cores:\n  fc/aten::linear#0: The run is on the CPU, which has no tensor cores. Set the "
                 "run's device to cuda.\n") != std::string::npos,
             text.c_str());
  }
};

BINADE_SUITE(TestProfile);
#include "tst_profile.moc"
