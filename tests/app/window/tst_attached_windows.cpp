// SPDX-License-Identifier: Apache-2.0
// A window attached to a training: its strip, its dialog, its actions, and how it is closed.
#include "app/docks/sites_dock.h"
#include "app/session/attachment.h"
#include "app/window/actions.h"
#include "app/window/attach_bar.h"
#include "app/window/attach_dialog.h"
#include "app/window/attach_flow.h"
#include "app/window/banner.h"
#include "app/window/status_line.h"
#include "engine/formats/format.h"
#include "tests/app/app_fixture.h"
#include "tests/app/fake_ssh.h"
#include "tests/support/suite.h"

#include <QApplication>
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QTimer>
#include <QTreeWidget>

namespace {

using namespace binade;
using app::Attachment;
using app::EngineClient;
using test::Explorer;

// Presses the button with this text in the next message box.
void answer(const QString& text) {
  QTimer::singleShot(0, qApp, [text] {
    auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
    if (box == nullptr) return;
    for (QAbstractButton* button : box->buttons()) {
      if (button->text().remove(u'&') == text) return button->click();
    }
    box->reject();
  });
}

class AttachedWindows : public test::Suite {
  Q_OBJECT

 private:
  static QStringList options(const Explorer& explorer, const QStringList& more = {}) {
    return QStringList{QStringLiteral("--log"), explorer.folder() + QStringLiteral("/attached.log"),
                       QStringLiteral("--attached"), QStringLiteral("20")} +
           more;
  }
  static bool attach(Explorer& explorer, const QStringList& more = {}) {
    explorer.window().resize(1400, 900);
    explorer.window().show();
    explorer.session().attachTo(test::fakeEngine(options(explorer, more)));
    return QTest::qWaitFor([&] {
      return explorer.session().run().steps().size() > 25 && explorer.session().attachment().caughtUp().has_value();
    });
  }
  static bool requested(const Explorer& explorer, const char* method) {
    QFile log(explorer.folder() + QStringLiteral("/attached.log"));
    return log.open(QIODevice::ReadOnly) && log.readAll().contains('"' + QByteArray(method) + '"');
  }
  static bool stopRequested(const Explorer& explorer) { return requested(explorer, "run.stop"); }

 private Q_SLOTS:
  void theStripNamesTheRoleAndIsHiddenWithoutATraining() {
    Explorer explorer;
    const app::AttachBar* bar = explorer.window().attach()->bar();
    explorer.window().show();
    QVERIFY(bar->isHidden());
    QVERIFY(!explorer.window().actions()->let_go->isEnabled());
    QVERIFY(attach(explorer));
    QVERIFY(bar->isVisible());
    QCOMPARE(bar->role(), QStringLiteral("EDITOR"));
    QVERIFY(bar->text().contains(QStringLiteral("made-up")));
    QVERIFY(bar->text().contains(QStringLiteral("does not stop the training")));
    test::Explorer::picture(&explorer.window(), QStringLiteral("attached"));
    bar->letGoButton()->click();
    QTRY_VERIFY(bar->isHidden());
    QCOMPARE(explorer.window().statusLine()->stateText(), QStringLiteral("Let go; the training goes on"));
    QVERIFY(!stopRequested(explorer));
  }

  void aWatchersActionsSayWhyTheyAreOff() {
    Explorer explorer;
    QVERIFY(attach(explorer, {QStringLiteral("--other-edits")}));
    const app::AttachBar* bar = explorer.window().attach()->bar();
    app::Actions* actions = explorer.window().actions();
    QCOMPARE(bar->role(), QStringLiteral("WATCHER"));
    QVERIFY(bar->text().contains(QStringLiteral("anna at desk edits")));
    explorer.session().selection().setSites({1});
    for (QAction* action : {actions->pause, actions->stop, actions->save_checkpoint, actions->set_float32}) {
      QVERIFY2(!action->isEnabled(), qPrintable(action->objectName()));
      QVERIFY2(app::whyDisabled(action).contains(QStringLiteral("anna at desk")), qPrintable(action->objectName()));
    }
    QVERIFY(actions->take_editing->isEnabled());
    // Profile starts to measure by itself, but not in the training of another person.
    explorer.window().setArrangement(app::Arrangement::kProfile);
    explorer.window().setArrangement(app::Arrangement::kExplore);
    bar->roleButton()->click();
    QTRY_COMPARE(bar->role(), QStringLiteral("EDITOR"));  // the engine has answered all requests before
    QVERIFY(!requested(explorer, "profiler.set"));
    QVERIFY(actions->pause->isEnabled() && actions->set_float32->isEnabled() && !actions->take_editing->isEnabled());
    QCOMPARE(bar->roleButton()->text(), QStringLiteral("Let others edit"));
  }

  void closingTheWindowAsksNothingAndStopsNothing() {
    Explorer explorer;
    QVERIFY(attach(explorer));
    const auto key = explorer.session().run().sites()[1].key;
    explorer.session().document().setFormat({key}, formats::kFloat32);
    QTRY_VERIFY(explorer.session().isUndisturbed());
    // A question would be a message box, and would keep the window open.
    bool asked = false;
    QTimer::singleShot(0, qApp, [&asked] {
      if (QWidget* box = QApplication::activeModalWidget()) {
        asked = true;
        box->close();
      }
    });
    QVERIFY(explorer.window().close());
    QCoreApplication::processEvents();
    QVERIFY(!asked);
    QVERIFY(!stopRequested(explorer));
  }

  void stoppingTheTrainingOfOthersAsksFirst() {
    Explorer explorer;
    QVERIFY(attach(explorer));
    answer(QStringLiteral("Cancel"));
    explorer.window().actions()->stop->trigger();
    QVERIFY(explorer.session().attachment().isOn() && explorer.session().run().isActive());
    QVERIFY(!stopRequested(explorer));
    answer(QStringLiteral("Let go"));
    explorer.window().actions()->stop->trigger();
    QVERIFY(!explorer.session().attachment().isOn());
    QVERIFY(!stopRequested(explorer));
    QVERIFY(attach(explorer));
    answer(QStringLiteral("Stop the training"));
    explorer.window().actions()->stop->trigger();
    QTRY_VERIFY(stopRequested(explorer));
    QTRY_VERIFY(explorer.session().run().finished().has_value());
    QVERIFY(!explorer.session().hasLetGo());
  }

  void aCutConnectionIsSaidInTheStripAndMadeAgainAtOnceOnRequest() {
    Explorer explorer;
    explorer.session().attachment().setFirstPause(std::chrono::hours(1));
    QVERIFY(attach(explorer,
                   {QStringLiteral("--cut-once"), QStringLiteral("60"), explorer.folder() + QStringLiteral("/cut")}));
    const app::AttachBar* bar = explorer.window().attach()->bar();
    QTRY_COMPARE(bar->role(), QStringLiteral("LOST"));
    QVERIFY(bar->text().contains(QStringLiteral("the training goes on")));
    QVERIFY(bar->reconnectButton()->isVisible() && !bar->roleButton()->isVisible());
    QVERIFY(explorer.window().showsRun());
    const std::size_t steps = explorer.session().run().steps().size();
    QVERIFY(steps >= 60);
    QVERIFY(!explorer.window().actions()->pause->isEnabled());
    // The policy can be edited meanwhile; the edits wait for an answer.
    explorer.session().document().setFormat({explorer.session().run().sites()[1].key}, formats::kFloat32);
    bar->reconnectButton()->click();
    QTRY_COMPARE(bar->role(), QStringLiteral("EDITOR"));
    QTRY_VERIFY(explorer.session().run().steps().size() > steps);
    QTRY_VERIFY(explorer.window().banner()->message().contains(QStringLiteral("while the connection was lost")));
    explorer.window().banner()->offered()->click();
    QTRY_VERIFY(explorer.session().run().policies().back().policy == explorer.session().document().policy());
    QVERIFY(!explorer.session().attachment().keepsEdits());
  }

  void theDialogListsTheTrainingsOfAComputerAndAttaches() {
    const test::FakeSsh ssh;
    Explorer explorer;
    explorer.show();
    app::AttachDialog dialog(&explorer.session(), &explorer.settings());
    QSignalSpy chosen(&dialog, &app::AttachDialog::chosen);
    dialog.show();
    // While it asks this computer: another one can be asked at once.
    dialog.host()->setEditText(QStringLiteral("nowhere"));
    dialog.listButton()->click();
    QTRY_VERIFY(!dialog.failure().isEmpty());
    QVERIFY(dialog.failure().contains(QStringLiteral("Check the name")));
    QVERIFY(dialog.errorOutput().contains(QStringLiteral("Could not resolve hostname")));
    QVERIFY(!dialog.attachButton()->isEnabled());
    dialog.host()->setEditText(QStringLiteral("box"));
    dialog.command()->setText(QStringLiteral(BINADE_FAKE_ENGINE));
    dialog.listButton()->click();
    QTRY_COMPARE(dialog.trainings()->topLevelItemCount(), 1);
    QVERIFY(dialog.failure().isEmpty());
    QCOMPARE(dialog.trainings()->topLevelItem(0)->text(0), QStringLiteral("made-up"));
    QCOMPARE(ssh.calls().last(), QStringLiteral("box " BINADE_FAKE_ENGINE " attach --list --json"));
    QVERIFY(dialog.attachButton()->isEnabled());
    // Under another name, the trainings of the first one are not offered.
    dialog.host()->setEditText(QStringLiteral("box2"));
    QCOMPARE(dialog.trainings()->topLevelItemCount(), 0);
    QVERIFY(!dialog.attachButton()->isEnabled());
    dialog.host()->setEditText(QStringLiteral("box"));
    dialog.listButton()->click();
    QTRY_COMPARE(dialog.trainings()->topLevelItemCount(), 1);
    dialog.attachButton()->click();
    QCOMPARE(chosen.count(), 1);
    const auto engine = chosen.front().front().value<app::EngineCommand>();
    explorer.session().attachTo(engine);
    QTRY_VERIFY(explorer.session().run().steps().size() > 25);
    QCOMPARE(ssh.calls().last(), QStringLiteral("box " BINADE_FAKE_ENGINE " attach 4242"));
    QCOMPARE(explorer.session().attachment().trainingText(), QStringLiteral("made-up on box"));
    // Over ssh the link may be slow: the engine is told to measure it.
    QCOMPARE(explorer.session().host(), QStringLiteral("box"));
  }

  void aSlowLinkIsSaidInTheStatusBar() {
    Explorer explorer;
    QVERIFY(attach(explorer, {QStringLiteral("--slow-link")}));
    const QLabel* link = nullptr;
    for (const QLabel* each : explorer.window().statusLine()->findChildren<QLabel*>()) {
      if (each->accessibleName() == QStringLiteral("Link to the engine")) link = each;
    }
    QVERIFY(link != nullptr);
    QTRY_VERIFY(link->isVisible());
    QCOMPARE(link->text(), QStringLiteral("Slow link: less detail"));
    QVERIFY(link->toolTip().contains(QStringLiteral("12")));
    QVERIFY(link->toolTip().contains(QStringLiteral("run file has everything")));
  }
};

BINADE_SUITE(AttachedWindows);

}  // namespace

#include "tst_attached_windows.moc"
