// SPDX-License-Identifier: Apache-2.0
// The engine of another computer, with a stand-in for ssh on PATH.
#include "app/form/setup_page.h"
#include "app/session/recent_hosts.h"
#include "app/window/actions.h"
#include "app/window/banner.h"
#include "app/window/connect_dialog.h"
#include "app/window/far_file_dialog.h"
#include "app/window/host_fields.h"
#include "app/window/ssh_failure.h"
#include "app/window/start_page.h"
#include "tests/app/app_fixture.h"
#include "tests/app/fake_ssh.h"
#include "tests/support/suite.h"

#include <QComboBox>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QTest>

namespace {

using namespace binade;
using app::ConnectDialog;
using app::EngineClient;
using test::Explorer;
using test::FakeSsh;

ConnectDialog* openDialog(Explorer& explorer) {
  explorer.window().startPage()->doors()[3]->trigger();
  return explorer.window().findChild<ConnectDialog*>();
}

class Connecting : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void theFourthDoorAsksForAHostAndShowsTheErrorOfSsh() {
    const FakeSsh ssh;
    Explorer explorer;
    explorer.show();
    QTRY_VERIFY(explorer.session().engine().state() == EngineClient::State::kReady);
    QVERIFY(QTest::qWaitForWindowActive(&explorer.window()));
    QTest::keyClick(explorer.window().startPage(), Qt::Key_4);
    auto* dialog = explorer.window().findChild<ConnectDialog*>();
    QVERIFY(dialog != nullptr && dialog->isVisible());
    dialog->host()->setEditText(QStringLiteral("nowhere"));
    dialog->connectButton()->click();
    QTRY_VERIFY(!dialog->failure().isEmpty());
    QCOMPARE(dialog->errorOutput(),
             QStringLiteral("ssh: Could not resolve hostname nowhere: Name or service not known"));
    QCOMPARE(ssh.calls(), QStringList{QStringLiteral("nowhere binade-engine serve")});
    QVERIFY(dialog->isVisible() && dialog->connectButton()->isEnabled());
    // The engine in use goes on, and a host that failed is not remembered.
    QVERIFY(explorer.session().engine().state() == EngineClient::State::kReady);
    QVERIFY(explorer.session().host().isEmpty());
    QVERIFY(app::recentHosts(explorer.settings()).isEmpty());
  }

  void theFieldsOfAHostKnowTheHostsUsedBefore() {
    QSettings settings(test::temporaryFolder() + QStringLiteral("/settings.ini"), QSettings::IniFormat);
    app::addRecentHost(settings, {QStringLiteral("old"), QStringLiteral("/opt/binade-engine serve")});
    app::addRecentHost(settings, {QStringLiteral("new"), {}});
    app::HostFields another(&settings, app::HostFields::Empty::kNotAllowed);
    QCOMPARE(another.hostName(), QStringLiteral("new"));
    QCOMPARE(another.host()->count(), 2);
    app::HostFields any(&settings, app::HostFields::Empty::kThisComputer);
    QCOMPARE(any.hostName(), QString());
    QCOMPARE(any.host()->count(), 3);
    QSignalSpy edited(&any, &app::HostFields::edited), chosen(&any, &app::HostFields::hostChosen);
    any.host()->setCurrentIndex(2);
    Q_EMIT any.host()->activated(2);
    QCOMPARE(chosen.size(), 1);
    QVERIFY(!edited.isEmpty());
    QCOMPARE(any.hostName(), QStringLiteral("old"));
    QCOMPARE(any.command()->text(), QStringLiteral("/opt/binade-engine serve"));
    QCOMPARE(app::hostOf(any.engine()), QStringLiteral("old"));
    any.host()->setCurrentIndex(0);
    Q_EMIT any.host()->activated(0);  // this computer has no command of its own
    QVERIFY(any.command()->text().isEmpty());
    any.remember();
    QCOMPARE(app::recentHosts(settings).size(), 2);
    any.host()->setEditText(QStringLiteral("  third "));
    any.remember();
    QCOMPARE(app::recentHosts(settings).front(), (app::RecentHost{QStringLiteral("third"), {}}));
  }

  void aFailureIsHiddenUntilThereIsOne() {
    app::SshFailure failure;
    auto* said = failure.findChild<QPlainTextEdit*>();
    QVERIFY(said != nullptr && failure.isHidden());
    failure.setFailure(QStringLiteral("No engine answered.\n"), QStringLiteral("ssh: no"));
    QVERIFY(!failure.isHidden() && !said->isHidden() && said->isReadOnly());
    QCOMPARE(failure.reason(), QStringLiteral("No engine answered."));
    QCOMPARE(failure.said(), QStringLiteral("ssh: no"));
    failure.setFailure(QStringLiteral("Type a host."), {});
    QVERIFY(!failure.isHidden() && said->isHidden());
    failure.clear();
    QVERIFY(failure.isHidden() && failure.reason().isEmpty());
  }

  void anEngineThatAnswersTakesOver() {
    const FakeSsh ssh;
    Explorer explorer;
    explorer.show();
    ConnectDialog* dialog = openDialog(explorer);
    QVERIFY(dialog != nullptr && !dialog->hereButton()->isEnabled());
    dialog->host()->setEditText(QStringLiteral("box"));
    dialog->command()->setText(QStringLiteral(BINADE_FAKE_ENGINE));
    dialog->connectButton()->click();
    QTRY_COMPARE(explorer.session().host(), QStringLiteral("box"));
    QTRY_VERIFY(explorer.session().engine().state() == EngineClient::State::kReady);
    QVERIFY(explorer.window().banner()->message().contains(QStringLiteral("box")));
    QCOMPARE(app::recentHosts(explorer.settings()),
             (QList<app::RecentHost>{{QStringLiteral("box"), QStringLiteral(BINADE_FAKE_ENGINE)}}));
    // It trains there, and the run's file is not one of this computer.
    explorer.session().runDemo();
    QTRY_VERIFY(explorer.session().run().steps().size() > 5);
    QCOMPARE(explorer.session().recentFiles().rowCount(), 0);
    QVERIFY(!explorer.session().runFileFor(QStringLiteral("net.pt")).startsWith(u'/'));

    explorer.session().stop();
    QTRY_VERIFY(!explorer.session().run().isActive());
    explorer.window().showStart();
    dialog = openDialog(explorer);
    QTRY_VERIFY((dialog = explorer.window().findChild<ConnectDialog*>()) != nullptr &&
                dialog->hereButton()->isEnabled());
    QCOMPARE(dialog->host()->currentText(), QStringLiteral("box"));
    QCOMPARE(dialog->command()->text(), QStringLiteral(BINADE_FAKE_ENGINE));
    dialog->reject();
  }

  void aChangedHostKeyAndAMissingProgramComeWithTheNextStep() {
    const FakeSsh ssh;
    Explorer explorer;
    explorer.window().show();
    ConnectDialog* dialog = openDialog(explorer);
    dialog->host()->setEditText(QStringLiteral("changed"));
    dialog->connectButton()->click();
    QTRY_VERIFY(dialog->failure().contains(QStringLiteral("ssh-keygen -R changed")));
    QVERIFY(dialog->errorOutput().contains(QStringLiteral("IDENTIFICATION HAS CHANGED")));
    dialog->host()->setEditText(QStringLiteral("box"));
    dialog->command()->setText(QStringLiteral("/no/such/binade-engine serve"));
    dialog->connectButton()->click();
    QTRY_VERIFY(dialog->failure().contains(QStringLiteral("not on the PATH of box")));
    // A command that attaches belongs to another dialog.
    dialog->command()->setText(QStringLiteral("binade-engine attach"));
    dialog->connectButton()->click();
    QVERIFY(dialog->failure().contains(QStringLiteral("Attach to a running training")));
  }

  void anEngineOfAnotherVersionIsNamedWithBothVersions() {
    const FakeSsh ssh;
    Explorer explorer;
    explorer.window().show();
    ConnectDialog* dialog = openDialog(explorer);
    dialog->host()->setEditText(QStringLiteral("box"));
    dialog->command()->setText(QStringLiteral(BINADE_FAKE_ENGINE " --protocol 99"));
    dialog->connectButton()->click();
    QTRY_VERIFY(dialog->failure().contains(QStringLiteral("protocol 99")));
    QVERIFY(dialog->failure().contains(QStringLiteral("0.1.0")));
    QVERIFY(dialog->failure().contains(QStringLiteral("this program is of version")));
  }

  void aHostThatSshWouldTakeForAnOptionIsRefused() {
    const FakeSsh ssh;
    Explorer explorer;
    explorer.window().show();
    ConnectDialog* dialog = openDialog(explorer);
    QVERIFY(dialog != nullptr);
    dialog->host()->setEditText(QStringLiteral("-oProxyCommand=touch"));
    dialog->connectButton()->click();
    QVERIFY(dialog->failure().contains(QStringLiteral("hyphen")));
    QVERIFY(ssh.calls().isEmpty());
  }

  void filesAreNamedOnTheFarSide() {
    const FakeSsh ssh;
    Explorer explorer;
    explorer.window().show();
    explorer.session().connectTo(app::remoteCommand(
        QStringLiteral("box"),
        QStringLiteral(BINADE_FAKE_ENGINE " --log ") + explorer.folder() + QStringLiteral("/requests.log")));
    QTRY_VERIFY(explorer.session().engine().state() == EngineClient::State::kReady);
    // A run file that is there cannot be read here; the message says where to look.
    explorer.session().openFile(QStringLiteral("/far/run.binade"));
    QTRY_VERIFY(explorer.window().banner()->message().contains(QStringLiteral("on this computer")));
    QVERIFY(explorer.window().banner()->hint().contains(QStringLiteral("box")));
    // Open lists the folders there. A name that is typed is sent as it is.
    explorer.window().actions()->open->trigger();
    auto* ask = explorer.window().findChild<app::FarFileDialog*>();
    QVERIFY(ask != nullptr && ask->windowTitle().contains(QStringLiteral("box")));
    QTRY_VERIFY(!ask->isReading());
    ask->name()->setText(QStringLiteral("/nets/far.pt"));
    ask->chooseButton()->click();
    QTRY_COMPARE(explorer.requests(QStringLiteral("model.inspect")).size(), 1);
    QCOMPARE(explorer.requests(QStringLiteral("model.inspect")).front()[QLatin1String("file")].toString(),
             QStringLiteral("/nets/far.pt"));
    QTRY_VERIFY(explorer.window().showsSetup());
    bool said = false;
    for (const QLabel* label : explorer.window().setupPage()->findChildren<QLabel*>()) {
      said = said || label->text().contains(QStringLiteral("The engine runs on box."));
    }
    QVERIFY(said);
  }
};

BINADE_SUITE(Connecting);

}  // namespace

#include "tst_connecting.moc"
