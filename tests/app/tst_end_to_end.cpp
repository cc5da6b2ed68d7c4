// SPDX-License-Identifier: Apache-2.0
// The explorer with the real engine: what the two programs say to each other must mean the same to both.
#include "app/form/synthetic_inputs.h"
#include "app/model/run_file_source.h"
#include "app/session/assigned_run.h"
#include "app/session/export_job.h"
#include "app/session/session.h"
#include "engine/targets/checked_text.h"
#include "tests/app/journey.h"
#include "tests/app/wait_opened.h"
#include "tests/support/places.h"
#include "tests/support/suite.h"

#include <QDir>
#include <QFileInfo>
#include <QProcess>
#include <QSettings>
#include <QSignalSpy>
#include <QTest>

#include <algorithm>
#include <csignal>
#include <memory>

namespace {

using namespace binade;

class EndToEnd : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() {
    if (!QFileInfo::exists(test::enginePath())) QSKIP("binade-engine is not built");
  }
  void cleanup() {
    session_.reset();
    settings_.reset();
  }

  void aModelIsInspectedTrainedEditedKilledAndStartedAgain() {
    open();
    const QString model = writeSample(QStringLiteral("cnn"));
    std::optional<wire::ModelInfo> info;
    connect(session_.get(), &app::Session::modelInspected, this, [&](const wire::ModelInfo& found) { info = found; });
    QSignalSpy problems(session_.get(), &app::Session::problem);
    session_->openFile(model);
    QTRY_VERIFY_WITH_TIMEOUT(info.has_value(), test::kPatience);
    QVERIFY(!info->sites.empty());

    session_->startRun(smallRun(*info));
    app::RunModel& run = session_->run();
    QTRY_VERIFY_WITH_TIMEOUT(run.steps().size() >= 5 && run.hasObservations(), test::kPatience);
    QCOMPARE(problems.count(), 0);
    session_->pause();
    QTRY_VERIFY_WITH_TIMEOUT(run.state() == wire::RunState::kPaused, test::kPatience);

    // Outputs come as scans, and their largest magnitudes are known.
    const auto scanned = [](const auto& each) {
      const app::TensorTrack& track = each.second;
      return track.tensor.kind == wire::WatchedTensor::Kind::kOutput && track.histograms.empty() &&
             !track.scans.empty() && track.scans.back().largest > 0;
    };
    QVERIFY(std::any_of(run.tensors().begin(), run.tensors().end(), scanned));
    session_->setObserve({"histogram", 4});
    QTRY_COMPARE_WITH_TIMEOUT(run.config().observe.every, 4, test::kPatience);

    // An edit holds from the next step on, and the call's tensors are then held in the new format.
    const int site = firstIn(formats::kFloat16);
    QVERIFY(site >= 0);
    session_->document().setFormat({run.sites()[static_cast<std::size_t>(site)].key}, formats::kBFloat16);
    const std::size_t before = run.steps().size();
    session_->step();
    QTRY_VERIFY_WITH_TIMEOUT(run.policies().size() == 2 && run.steps().size() > before, test::kPatience);
    QVERIFY(run.decision(site)->format == formats::kBFloat16);
    QCOMPARE(run.policies().back().revision, session_->document().revision());

    // Killed: shown once, and the edit comes back with the next run.
    ::kill(static_cast<pid_t>(session_->engine().processId()), SIGKILL);
    QTRY_COMPARE_WITH_TIMEOUT(problems.count(), 1, test::kPatience);
    QVERIFY(!run.isActive());
    const QString first_file = run.runFile();
    QTRY_VERIFY_WITH_TIMEOUT(session_->engine().state() == app::EngineClient::State::kReady, test::kPatience);
    session_->startAgain();
    QTRY_VERIFY_WITH_TIMEOUT(run.isActive() && run.steps().size() >= 2, test::kPatience);
    QVERIFY(run.decision(site)->format == formats::kBFloat16);
    QVERIFY(session_->document().undoStack()->canUndo());
    session_->stop();
    QTRY_VERIFY_WITH_TIMEOUT(run.finished().has_value(), test::kPatience);
    QCOMPARE(problems.count(), 1);

    // The run file of the killed engine opens.
    app::RunModel killed;
    const auto problem = app::loadRunFile(first_file, killed);
    QVERIFY2(!problem, problem ? qPrintable(problem->message) : "");
    QVERIFY(killed.steps().size() >= before);
  }

  void aLiveRunAndItsFileAreTheSame() {
    open();
    const QString model = writeSample(QStringLiteral("mlp"));
    std::optional<wire::ModelInfo> info;
    connect(session_.get(), &app::Session::modelInspected, this, [&](const wire::ModelInfo& found) { info = found; });
    session_->openFile(model);
    QTRY_VERIFY_WITH_TIMEOUT(info.has_value(), test::kPatience);
    wire::RunConfig config = smallRun(*info);
    config.steps = 12;
    session_->startRun(config);
    app::RunModel& live = session_->run();
    QTRY_VERIFY_WITH_TIMEOUT(live.finished().has_value(), test::kPatience);
    app::RunModel file;
    QVERIFY(!app::loadRunFile(live.runFile(), file).has_value());
    QCOMPARE(file.steps().size(), std::size_t{12});
    QCOMPARE(live.steps().size(), file.steps().size());
    for (std::size_t i = 0; i < live.steps().size(); ++i) {
      QCOMPARE(live.steps()[i].loss, file.steps()[i].loss);
      QCOMPARE(live.steps()[i].scale, file.steps()[i].scale);
    }
    QVERIFY(live.events() == file.events());
    QCOMPARE(live.tensors().size(), file.tensors().size());
  }

  void aComparisonAndTheCastsOfALiveRunAreInItsFile() {
    open();
    const QString model = writeSample(QStringLiteral("mlp"));
    std::optional<wire::ModelInfo> info;
    connect(session_.get(), &app::Session::modelInspected, this, [&](const wire::ModelInfo& found) { info = found; });
    session_->openFile(model);
    QTRY_VERIFY_WITH_TIMEOUT(info.has_value(), test::kPatience);
    session_->startRun(smallRun(*info));
    app::RunModel& live = session_->run();
    QTRY_VERIFY_WITH_TIMEOUT(live.steps().size() >= 5 && !live.casts().empty(), test::kPatience);
    session_->pause();
    QTRY_VERIFY_WITH_TIMEOUT(live.state() == wire::RunState::kPaused, test::kPatience);
    session_->compareWithFloat32();
    QTRY_VERIFY_WITH_TIMEOUT(live.comparison().has_value(), test::kPatience);
    session_->stop();
    QTRY_VERIFY_WITH_TIMEOUT(live.finished().has_value(), test::kPatience);
    app::RunModel file;
    QVERIFY(!app::loadRunFile(live.runFile(), file).has_value());
    QVERIFY(file.comparison() == live.comparison());
    QVERIFY(file.casts() == live.casts());
  }

  // The engine has the run's end; another engine reads its last checkpoint, also for the run file alone.
  void aCompletedRunGivesItsModelAndAComparison() {
    open();
    const QString model = writeSample(QStringLiteral("mlp"));
    std::optional<wire::ModelInfo> info;
    connect(session_.get(), &app::Session::modelInspected, this, [&](const wire::ModelInfo& found) { info = found; });
    session_->openFile(model);
    QTRY_VERIFY_WITH_TIMEOUT(info.has_value(), test::kPatience);
    wire::RunConfig config = smallRun(*info);
    config.steps = 4;
    session_->startRun(config);
    app::RunModel& run = session_->run();
    QTRY_VERIFY_WITH_TIMEOUT(run.finished().has_value(), test::kPatience);
    QVERIFY(run.finished()->outcome == wire::Outcome::kCompleted);
    QVERIFY(!run.checkpoints().empty());
    QSignalSpy problems(session_.get(), &app::Session::problem);
    const auto saved = [&](const char* name) {
      const QString file = folder_ + u'/' + QLatin1String(name);
      session_->saveModel(file);
      const bool there = QTest::qWaitFor([&] { return QFileInfo::exists(file); }, test::kPatience);
      QFile read(file);
      return there && read.open(QIODevice::ReadOnly) ? read.readAll() : QByteArray();
    };
    const QByteArray trained = saved("trained.pt");
    QVERIFY(!trained.isEmpty());
    session_->compareWithFloat32();
    QTRY_VERIFY_WITH_TIMEOUT(run.comparison().has_value(), test::kPatience);
    QCOMPARE(run.comparison()->step, 4);
    QCOMPARE(problems.count(), 0);

    const QString run_file = run.runFile();
    const wire::Float32Comparison compared = *run.comparison();
    session_->restartEngine();
    QTRY_VERIFY_WITH_TIMEOUT(session_->engine().state() == app::EngineClient::State::kReady, test::kPatience);
    session_->openFile(run_file);
    test::waitOpened(*session_);
    QVERIFY(run.source() == app::RunModel::Source::kFile);
    QVERIFY(!saved("from-file.pt").isEmpty());
    session_->compareWithFloat32();
    QTRY_VERIFY_WITH_TIMEOUT(run.comparison().has_value(), test::kPatience);
    QCOMPARE(run.comparison()->step, 4);
    QCOMPARE(run.comparison()->loss, compared.loss);
    QCOMPARE(run.comparison()->float32_loss, compared.float32_loss);
    QCOMPARE(problems.count(), 0);
  }

  void thePolicyIsExportedByTheEnginesCommand() {
    const QString folder = test::temporaryFolder();
    app::ExportJob job({test::enginePath(), {QStringLiteral("serve")}, app::Confinement::kIfPossible});
    std::optional<app::ExportResult> result;
    connect(&job, &app::ExportJob::finished, this, [&](const app::ExportResult& came) { result = came; });
    app::ExportOrder order;
    order.model = QStringLiteral("sample:mlp");
    order.target = QStringLiteral("torchscript");
    order.file = folder + QStringLiteral("/exported.pt");
    for (int time = 0; time < 2; ++time) {  // the second takes the first one's place
      result.reset();
      job.start(order);
      QVERIFY(job.isRunning());
      QTRY_VERIFY_WITH_TIMEOUT(result.has_value(), test::kPatience);
      QVERIFY2(result->done, qPrintable(result->problem.message));
      QVERIFY(result->identical && result->casts > 0);
      QCOMPARE(QDir(folder).entryList(QDir::Files), QStringList{QStringLiteral("exported.pt")});
    }
    order.model = folder + QStringLiteral("/gone.pt");
    result.reset();
    job.start(order);
    QTRY_VERIFY_WITH_TIMEOUT(result.has_value(), test::kPatience);
    QVERIFY(!result->done);
    QVERIFY2(result->problem.message.contains(QStringLiteral("gone.pt")), qPrintable(result->problem.message));
    QCOMPARE(QDir(folder).entryList(QDir::Files), QStringList{QStringLiteral("exported.pt")});
  }

  void theTextsOfTheWindowAreThoseOfTheCommand() {
    open();
    const QString model = writeSample(QStringLiteral("cnn"));
    std::optional<wire::ModelInfo> info;
    connect(session_.get(), &app::Session::modelInspected, this, [&](const wire::ModelInfo& found) { info = found; });
    session_->openFile(model);
    QTRY_VERIFY_WITH_TIMEOUT(info.has_value(), test::kPatience);
    wire::RunConfig config = smallRun(*info);
    config.steps = 2;
    session_->startRun(config);
    app::RunModel& run = session_->run();
    QTRY_VERIFY_WITH_TIMEOUT(run.finished().has_value(), test::kPatience);
    QVERIFY(run.sites().size() > info->sites.size());  // with those of the loss
    const QString description = writeFile("run.json", wire::to_json(run.config()));

    policy::Policy tuned = run.config().policy;
    policy::SiteRule rule;
    rule.match = run.sites().front().key.name();
    tuned.sites.push_back(rule);
    rule.match = "loss";
    tuned.sites.push_back(rule);
    tuned.ops["aten::relu"] = formats::kBFloat16;
    policy::Policy other_list = tuned;
    other_list.base = policy::Base::kAllFloat32;
    int compared = 0;
    for (const policy::Policy& policy : {policy::Policy{}, tuned, other_list}) {
      const app::AssignedRun assigned(run.modelInfo(), run.config(), policy);
      const QString file = writeFile("tuned.policy.json", policy::to_json(policy));
      for (const targets::Target& target : targets::targets()) {
        const QString name = QString::fromStdString(std::string(target.name));
        QProcess command;
        command.start(test::enginePath(),
                      {QStringLiteral("export"), QString::fromStdString(run.config().model), QStringLiteral("--policy"),
                       file, QStringLiteral("--run"), description, QStringLiteral("--to"), name,
                       QStringLiteral("--out"), QStringLiteral("-"), QStringLiteral("--approximate")});
        QVERIFY(command.waitForFinished(test::kPatience));
        QVERIFY2(command.exitCode() == 0, command.readAllStandardError().constData());
        const QByteArray here =
            QByteArray::fromStdString(targets::checked_text(target, assigned.assignment()).written.text);
        QVERIFY2(command.readAllStandardOutput() == here, qPrintable(name));
        ++compared;
      }
    }
    QCOMPARE(static_cast<std::size_t>(compared), 3 * targets::targets().size());
  }

  void aModelThatIsDeletedWhileItIsOpenIsOneMessage() {
    open();
    const QString model = writeSample(QStringLiteral("mlp"));
    std::optional<wire::ModelInfo> info;
    connect(session_.get(), &app::Session::modelInspected, this, [&](const wire::ModelInfo& found) { info = found; });
    session_->openFile(model);
    QTRY_VERIFY_WITH_TIMEOUT(info.has_value(), test::kPatience);
    QVERIFY(QFile::remove(model));
    QSignalSpy problems(session_.get(), &app::Session::problem);
    session_->startRun(smallRun(*info));
    QTRY_COMPARE_WITH_TIMEOUT(problems.count(), 1, test::kPatience);
    const auto problem = problems.front().front().value<app::Problem>();
    QVERIFY2(problem.message.contains(QStringLiteral("mlp.pt")), qPrintable(problem.message));
    QVERIFY(!session_->run().isActive());
    // The same engine trains it once it is there again.
    const qint64 engine = session_->engine().processId();
    QCOMPARE(writeSample(QStringLiteral("mlp")), model);
    wire::RunConfig again = smallRun(*info);
    again.run_file = (folder_ + QStringLiteral("/again.binade")).toStdString();
    session_->startRun(again);
    QTRY_VERIFY_WITH_TIMEOUT(session_->run().steps().size() >= 2, test::kPatience);
    QCOMPARE(session_->engine().processId(), engine);
    session_->stop();
    QTRY_VERIFY_WITH_TIMEOUT(session_->run().finished().has_value(), test::kPatience);
  }

  void whatIsNoModelIsOneMessage() {
    open();
    const QString text = folder_ + QStringLiteral("/notes.pt");
    QFile out(text);
    QVERIFY(out.open(QIODevice::WriteOnly));
    out.write("no model at all");
    out.close();
    QSignalSpy problems(session_.get(), &app::Session::problem);
    session_->openFile(text);
    QTRY_COMPARE_WITH_TIMEOUT(problems.count(), 1, test::kPatience);
    const auto problem = problems.front().front().value<app::Problem>();
    QVERIFY2(problem.message.contains(QStringLiteral("notes.pt")), qPrintable(problem.message));
    QVERIFY(session_->engine().state() == app::EngineClient::State::kReady);
  }

 private:
  void open() {
    folder_ = test::temporaryFolder();
    settings_ = std::make_unique<QSettings>(folder_ + QStringLiteral("/settings.ini"), QSettings::IniFormat);
    session_ = std::make_unique<app::Session>(
        app::EngineCommand{test::enginePath(), {QStringLiteral("serve")}, app::Confinement::kIfPossible},
        settings_.get());
  }

  QString writeFile(const char* name, const std::string& text) {
    const QString file = folder_ + u'/' + QLatin1String(name);
    QFile out(file);
    const auto size = static_cast<qint64>(text.size());
    return out.open(QIODevice::WriteOnly) && out.write(text.data(), size) == size ? file : QString();
  }

  QString writeSample(const QString& name) {
    const QString file = folder_ + u'/' + name + QStringLiteral(".pt");
    QProcess sample;
    sample.start(test::enginePath(), {QStringLiteral("sample"), name, QStringLiteral("--out"), file});
    return sample.waitForFinished(test::kPatience) && sample.exitCode() == 0 ? file : QString();
  }

  wire::RunConfig smallRun(const wire::ModelInfo& info) {
    wire::RunConfig config;
    config.name = "small";
    config.model = info.file;
    config.batch = 4;
    for (const auto& each : app::guessInputs(info, config.batch)) {
      config.data.inputs.push_back(each.spec.toStdString());
    }
    config.steps = 100000;
    config.scaler.init_scale = 1024;
    config.run_file = (folder_ + QStringLiteral("/small.binade")).toStdString();
    return config;
  }

  int firstIn(const formats::Format& format) {
    for (const wire::SiteInfo& site : session_->run().sites()) {
      const policy::Decision* decision = session_->run().decision(site.id);
      if (decision != nullptr && decision->kind == policy::Decision::Kind::kFormat && decision->format == format) {
        return site.id;
      }
    }
    return -1;
  }

  QString folder_;
  std::unique_ptr<QSettings> settings_;
  std::unique_ptr<app::Session> session_;
};

BINADE_SUITE(EndToEnd);

}  // namespace

#include "tst_end_to_end.moc"
