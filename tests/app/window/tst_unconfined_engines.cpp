// SPDX-License-Identifier: Apache-2.0
#include "app/session/session.h"
#include "app/window/preferences.h"
#include "app/window/unconfined_dialog.h"
#include "tests/support/suite.h"

#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>

namespace binade {

class UnconfinedEngines : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void anEngineThatCannotBeConfinedIsReportedWithItsReason();
  void anEngineThatFailsOtherwiseIsNotAskedAbout();
  void notToStartIsTheDefaultAndBothAnswersAreGiven();
  void theSettingDecidesHowEnginesAndCommandsAreStarted();
};

namespace {

/// An engine that reads a byte of the greeting, states a reason and ends with this exit code.
app::EngineCommand endingWith(int code) {
  return {QStringLiteral("/bin/sh"),
          {QStringLiteral("-c"), QStringLiteral("head -c 1 >/dev/null; echo no Landlock >&2; exit %1").arg(code)}};
}

}  // namespace

void UnconfinedEngines::anEngineThatCannotBeConfinedIsReportedWithItsReason() {
  QSettings settings(test::temporaryFolder() + QStringLiteral("/settings.ini"), QSettings::IniFormat);
  app::Session session(endingWith(3), &settings);
  const QSignalSpy problems(&session, &app::Session::problem);
  const QSignalSpy asked(&session, &app::Session::engineNotConfined);
  session.startEngine();
  QTRY_COMPARE(asked.count(), 1);
  QCOMPARE(problems.count(), 1);
  QVERIFY(asked.first().first().toString().contains(QStringLiteral("no Landlock")));
  QVERIFY(session.engine().state() == app::EngineClient::State::kStopped);
}

void UnconfinedEngines::anEngineThatFailsOtherwiseIsNotAskedAbout() {
  QSettings settings(test::temporaryFolder() + QStringLiteral("/settings.ini"), QSettings::IniFormat);
  app::Session session(endingWith(1), &settings);
  const QSignalSpy problems(&session, &app::Session::problem);
  const QSignalSpy asked(&session, &app::Session::engineNotConfined);
  session.startEngine();
  QTRY_COMPARE(problems.count(), 1);
  QCOMPARE(asked.count(), 0);
}

void UnconfinedEngines::notToStartIsTheDefaultAndBothAnswersAreGiven() {
  for (const bool start : {false, true}) {
    app::UnconfinedDialog dialog({}, QStringLiteral("no Landlock"));
    QVERIFY(dialog.refuseButton()->isDefault());
    QVERIFY(!dialog.startButton()->isDefault());
    const QSignalSpy answered(&dialog, &app::UnconfinedDialog::answered);
    (start ? dialog.startButton() : dialog.refuseButton())->click();
    QCOMPARE(answered.count(), 1);
    QCOMPARE(answered.first().first().toBool(), start);
  }
}

void UnconfinedEngines::theSettingDecidesHowEnginesAndCommandsAreStarted() {
  QSettings settings(test::temporaryFolder() + QStringLiteral("/settings.ini"), QSettings::IniFormat);
  app::Preferences wanted = app::preferences(settings);
  QVERIFY(wanted.unconfined == app::Unconfined::kAsk);
  const app::EngineCommand local{QStringLiteral("/opt/engine"), {QStringLiteral("serve")}};
  const app::EngineCommand asked = app::confinedAsWanted(local, wanted);
  QCOMPARE(app::servingArguments(asked), QStringList{QStringLiteral("serve")});
  QCOMPARE(app::modelCommand(asked, {QStringLiteral("try")}).arguments,
           (QStringList{QStringLiteral("try"), QStringLiteral("--confined")}));
  wanted.unconfined = app::Unconfined::kStart;
  app::storePreferences(settings, wanted);
  wanted = app::preferences(settings);
  const QString if_possible = QStringLiteral("--confined-if-possible");
  const app::EngineCommand allowed = app::confinedAsWanted(local, wanted);
  QCOMPARE(app::servingArguments(allowed), (QStringList{QStringLiteral("serve"), if_possible}));
  QCOMPARE(app::modelCommand(allowed, {QStringLiteral("try")}).arguments,
           (QStringList{QStringLiteral("try"), if_possible}));
  QVERIFY(app::isLocal(allowed));
  const app::EngineCommand far = app::confinedAsWanted(app::remoteCommand(QStringLiteral("box"), {}), wanted);
  QCOMPARE(app::servingArguments(far).last(), if_possible);
  // A command line of the user's own gets no options.
  const app::EngineCommand own{
      QStringLiteral("/opt/engine"), {QStringLiteral("--mine")}, app::Confinement::kIfPossible};
  QCOMPARE(app::servingArguments(own), QStringList{QStringLiteral("--mine")});
}

BINADE_SUITE(UnconfinedEngines);

}  // namespace binade

#include "tst_unconfined_engines.moc"
