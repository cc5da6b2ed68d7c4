// SPDX-License-Identifier: Apache-2.0
// The explorer and its engine with hostile files: each is opened, trusted where the check refuses it, and trained.
#include "app/session/session.h"
#include "engine/confine/confined_process.h"
#include "tests/confine/hostile_ground.h"
#include "tests/graph/text_model.h"
#include "tests/support/places.h"

#include <QFileInfo>
#include <QSettings>
#include <QSignalSpy>
#include <QTest>

#include <cstdio>
#include <string>

namespace binade {

namespace {

using test::HostileGround;

constexpr int kPatienceMs = 60'000;

wire::RunConfig trainingOf(const HostileGround& ground, int number) {
  wire::RunConfig config;
  config.name = "hostile";
  config.model = ground.model().toStdString();
  config.run_file = ground.inside().toStdString() + "/" + std::to_string(number) + ".binade";
  config.data.kind = "synthetic";
  config.data.inputs = {"float32[2,3]"};
  config.data.classes = 3;
  config.batch = 2;
  config.steps = 1;
  return config;
}

/// Whether a problem reports an engine that ended by a signal, and not by a refusal: EngineClient and Front say so.
bool isCrash(const app::Problem& problem) {
  return problem.message.contains(QStringLiteral("signal"));
}

}  // namespace

class HostileSession : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void theExplorerSurvivesEveryHostileFile();
};

void HostileSession::theExplorerSurvivesEveryHostileFile() {
  if (!QFileInfo::exists(QStringLiteral(BINADE_BIN_DIR "/binade-engine"))) QSKIP("binade-engine is not built");
  if (!confine::why_unavailable().empty()) QSKIP("processes cannot be confined here");
  const HostileGround ground;
  qputenv("XDG_CONFIG_HOME", ground.inside().toUtf8());  // of the list of trusted models
  QSettings settings(ground.inside() + QStringLiteral("/settings.ini"), QSettings::IniFormat);
  app::Session session(app::EngineCommand{QStringLiteral(BINADE_BIN_DIR "/binade-engine"), {QStringLiteral("serve")}},
                       &settings);
  const QSignalSpy problems(&session, &app::Session::problem);
  const QSignalSpy refusals(&session, &app::Session::modelRefused);
  const QSignalSpy inspected(&session, &app::Session::modelInspected);
  auto files = test::files_that_run_code(ground.outside().toStdString());
  for (auto& each : test::files_that_exhaust(ground.outside().toStdString())) files.push_back(std::move(each));
  const auto before = ground.contents();
  int refused = 0;
  int opened = 0;
  int trained = 0;
  int told = 0;
  int number = 0;
  int crashes = 0;
  for (const test::HostileFile& file : files) {
    ground.put(file);
    const auto problems_before = problems.count();
    const auto refusals_before = refusals.count();
    const auto inspected_before = inspected.count();
    session.openFile(ground.model());
    QVERIFY2(QTest::qWaitFor([&] { return problems.count() > problems_before || inspected.count() > inspected_before; },
                             kPatienceMs),
             file.name.c_str());
    // The signal of a refusal follows that of its problem.
    if (refusals.count() > refusals_before) {
      ++refused;
      const auto again = problems.count();
      session.trustRefusedModel();
      QVERIFY2(QTest::qWaitFor([&] { return problems.count() > again || inspected.count() > inspected_before; },
                               kPatienceMs),
               file.name.c_str());
    }
    if (inspected.count() > inspected_before) {
      ++opened;
      const auto again = problems.count();
      session.startRun(trainingOf(ground, ++number));
      const auto over = [&] {
        return problems.count() > again ||
               (session.run().finished() && session.run().runFile().endsWith(QStringLiteral("/%1.binade").arg(number)));
      };
      QVERIFY2(QTest::qWaitFor(over, kPatienceMs), file.name.c_str());
      if (problems.count() == again) ++trained;
      QVERIFY2(QTest::qWaitFor([&] { return !session.run().isActive(); }, kPatienceMs), file.name.c_str());
    }
    if (problems.count() > problems_before) {
      ++told;
      const auto last = problems.last().first().value<app::Problem>();
      QVERIFY2(!last.message.trimmed().isEmpty(), file.name.c_str());
    }
    for (auto i = problems_before; i < problems.count(); ++i) {
      if (!isCrash(problems.at(i).first().value<app::Problem>())) continue;
      ++crashes;
      std::printf("%s: an engine crashed\n", file.name.c_str());
    }
    QVERIFY2(ground.contents() == before, file.name.c_str());
  }
  // The window and its engine still work.
  ground.put({"plain", test::model_with("    return x\n").archive()});
  const auto inspected_before = inspected.count();
  session.openFile(ground.model());
  QVERIFY(QTest::qWaitFor([&] { return inspected.count() > inspected_before; }, kPatienceMs));
  qunsetenv("XDG_CONFIG_HOME");
  std::printf(
      "explorer: %d hostile files, %d refused line by line and then trusted, %d opened, %d trained to the end, %d "
      "answered with a problem, 0 writes outside, %d crashes of an engine, 0 of the explorer\n",
      static_cast<int>(files.size()), refused, opened, trained, told, crashes);
  QVERIFY(files.size() >= 60);
  QVERIFY(refused >= 60);
  QCOMPARE(crashes, 0);
}

BINADE_SUITE(HostileSession);

}  // namespace binade

#include "tst_hostile_session.moc"
