// SPDX-License-Identifier: Apache-2.0
// Unsaved edits: asked about once at close and before something replaces them, recovered after a crash, and files that
// others change or remove while they are open.
#include "app/session/edit_recovery.h"
#include "app/session/write_file.h"
#include "app/window/banner.h"
#include "app/window/banner_questions.h"
#include "app/window/recovery_offer.h"
#include "tests/app/answer.h"
#include "tests/app/app_fixture.h"
#include "tests/app/fake_run.h"
#include "tests/support/suite.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>

namespace {

using namespace binade;
using test::Answer;
using test::Explorer;

const policy::SiteKey kUnsavedKey{"conv1", "", "aten::conv2d", "", 0};

void editPolicy(Explorer& explorer) {
  explorer.session().document().setFormat({kUnsavedKey}, formats::kBFloat16);
}

void editDescription(Explorer& explorer) {
  wire::RunConfig config = test::FakeRun::config();
  config.name = "mine";
  explorer.session().description().edit(QStringLiteral("edit"), config);
}

bool engineIsReady(Explorer& explorer) {
  explorer.show();
  return QTest::qWaitFor([&] { return explorer.session().engine().state() == app::EngineClient::State::kReady; },
                         10000);
}

QString policyIn(const QString& folder, const policy::Policy& policy) {
  const QString file = folder + QStringLiteral("/shared.policy.json");
  if (app::replaceFile(file, QByteArray::fromStdString(policy::to_json(policy)))) qFatal("no file");
  return file;
}

policy::Policy named(const std::string& name) {
  policy::Policy policy;
  policy.name = name;
  return policy;
}

/// Edits in a folder, as a killed program left them.
bool leaveEdits(const QString& folder) {
  QProcess editor;
  editor.start(QStringLiteral(BINADE_CRASHING_EDITOR), {folder});
  QByteArray output;
  const bool kept = QTest::qWaitFor([&] { return (output += editor.readAllStandardOutput()).contains("kept"); }, 10000);
  editor.kill();
  return editor.waitForFinished() && kept;
}

class UnsavedEditsAsked : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void closingAsksOnceAboutEverything() {
    Explorer explorer;
    explorer.showFed(5);
    editPolicy(explorer);
    editDescription(explorer);
    {
      const Answer stay(QMessageBox::Cancel);
      QVERIFY(!explorer.window().close());
      QVERIFY(stay.given());
      QVERIFY2(stay.question().contains(QStringLiteral("cuda-amp")) && stay.question().contains(QStringLiteral("mine")),
               qPrintable(stay.question()));
    }
    QVERIFY(explorer.window().isVisible());
    const Answer leave(QMessageBox::Discard);
    QVERIFY(explorer.window().close());
    QVERIFY(leave.given());
  }

  void closingASecondTimeWhileTheQuestionIsShownAsksNoSecondQuestion() {
    Explorer explorer;
    explorer.showFed(5);
    editPolicy(explorer);
    QTimer::singleShot(50, this, [&] { explorer.window().close(); });
    QTimer::singleShot(200, this, [] {
      auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
      if (box != nullptr) box->button(QMessageBox::Cancel)->click();
    });
    QVERIFY(!explorer.window().close());
    QVERIFY(explorer.window().isVisible());
    QVERIFY(QApplication::activeModalWidget() == nullptr);
  }

  void savedOnesCloseWithoutAQuestion() {
    Explorer explorer;
    explorer.showFed(5);
    editPolicy(explorer);
    editDescription(explorer);
    QVERIFY(!explorer.session().document().save(explorer.folder() + QStringLiteral("/a.policy.json")));
    QVERIFY(!explorer.session().description().save(explorer.folder() + QStringLiteral("/a.run.json")));
    const Answer nobody(QMessageBox::Cancel);
    QVERIFY(explorer.window().close());
    QCOMPARE(nobody.count(), 0);
  }

  void savingFromTheQuestionWritesBothFiles() {
    Explorer explorer;
    explorer.showFed(5);
    const QString policy = explorer.folder() + QStringLiteral("/a.policy.json");
    const QString run = explorer.folder() + QStringLiteral("/a.run.json");
    QVERIFY(!explorer.session().document().save(policy));
    editDescription(explorer);
    QVERIFY(!explorer.session().description().save(run));
    editPolicy(explorer);
    wire::RunConfig config = explorer.session().description().config();
    config.steps = 77;
    explorer.session().description().edit(QStringLiteral("steps"), config);
    const Answer save(QMessageBox::Save);
    QVERIFY(explorer.window().close());
    QVERIFY(save.given());
    QCOMPARE(app::readPolicyFile(policy).policy->sites.size(), std::size_t{1});
    QCOMPARE(app::readRunDescription(run).config->steps, std::int64_t{77});
  }

  void aFileThatCannotBeOpenedAsksNothingAndLosesNothing() {
    Explorer explorer;
    explorer.showFed(5);
    editPolicy(explorer);
    editDescription(explorer);
    const Answer nobody(QMessageBox::Cancel);
    QSignalSpy problems(&explorer.session(), &app::Session::problem);
    for (const char* name : {"junk.binade", "junk.policy.json", "junk.run.json"}) {
      const QString file = explorer.folder() + u'/' + QLatin1String(name);
      QVERIFY(!app::replaceFile(file, "\x01 this is nothing"));
      explorer.window().openFiles({file});
      QTRY_VERIFY(!explorer.session().isOpening());
    }
    QTRY_COMPARE(problems.count(), 3);
    QCOMPARE(nobody.count(), 0);
    QVERIFY(explorer.session().document().isModified());
  }

  void whatCannotBeSavedKeepsTheWindowOpen() {
    Explorer explorer;
    explorer.showFed(5);
    const QString folder = explorer.folder() + QStringLiteral("/gone");
    QVERIFY(QDir().mkpath(folder));
    QVERIFY(!explorer.session().document().save(folder + QStringLiteral("/a.policy.json")));
    editPolicy(explorer);
    QVERIFY(QDir(folder).removeRecursively());
    const Answer save(QMessageBox::Save);
    QVERIFY(!explorer.window().close());
    QVERIFY(explorer.session().document().isModified());
    QVERIFY2(explorer.window().banner()->message().contains(QStringLiteral("a.policy.json")),
             qPrintable(explorer.window().banner()->message()));
  }

  void openingAPolicyAsksAboutTheOneThatItReplaces() {
    Explorer explorer;
    explorer.showFed(5);
    editPolicy(explorer);
    const QString file = policyIn(explorer.folder(), named("theirs"));
    {
      const Answer stay(QMessageBox::Cancel);
      explorer.window().openFiles({file});
      QVERIFY(stay.given());
    }
    QCOMPARE(explorer.session().document().policy().sites.size(), std::size_t{1});
    const Answer replace(QMessageBox::Discard);
    explorer.window().openFiles({file});
    QVERIFY(replace.given());
    QCOMPARE(explorer.session().document().title(), QStringLiteral("theirs"));
  }

  void recoveredEditsAreTheWindowsAgain() {
    Explorer explorer;
    QVERIFY(engineIsReady(explorer));
    const QString folder = explorer.folder() + QStringLiteral("/recovery");
    QVERIFY(leaveEdits(folder));
    app::Session& session = explorer.session();
    app::EditRecovery recovery(&session.document(), &session.description(), folder, 0);
    app::RecoveryOffer offer(&session, &recovery, explorer.window().questions());
    offer.begin();
    const app::Banner* banner = explorer.window().banner();
    QVERIFY2(
        banner->message().contains(QStringLiteral("cuda-amp")) && banner->message().contains(QStringLiteral("mine")),
        qPrintable(banner->message()));
    QVERIFY2(banner->hint().contains(QRegularExpression(QStringLiteral("\\d"))), qPrintable(banner->hint()));
    banner->offered()->click();
    QTRY_VERIFY(explorer.window().showsSetup());
    QCOMPARE(session.document().policy().sites.size(), std::size_t{1});
    QVERIFY(session.document().isModified() && session.document().undoStack()->canUndo());
    QCOMPARE(session.description().config().name, std::string("mine"));
    QVERIFY(session.description().isModified());
    QVERIFY(recovery.takeAbandoned().empty());
    QTRY_COMPARE(QDir(folder).entryList({QStringLiteral("*.json")}).size(), 1);  // kept again, as its own
  }

  void discardedEditsAreGone() {
    Explorer explorer;
    explorer.showFed(5);
    const QString folder = explorer.folder() + QStringLiteral("/recovery");
    QVERIFY(leaveEdits(folder));
    QVERIFY(leaveEdits(folder));
    app::Session& session = explorer.session();
    app::EditRecovery recovery(&session.document(), &session.description(), folder, 0);
    app::RecoveryOffer offer(&session, &recovery, explorer.window().questions());
    offer.begin();
    const app::Banner* banner = explorer.window().banner();
    for (int left = 2; left > 0; --left) {
      QCOMPARE(QDir(folder).entryList({QStringLiteral("*.json")}).size(), left);
      QTRY_VERIFY(!banner->isHidden());
      banner->otherOffered()->click();
    }
    QCOMPARE(QDir(folder).entryList(QDir::Files), QStringList());
    QVERIFY(banner->isHidden());
    QVERIFY(!session.document().isModified());
  }

  void aQuestionWaitsBehindAProblem() {
    Explorer explorer;
    explorer.showFed(5);
    app::Banner* banner = explorer.window().banner();
    banner->showProblem({QStringLiteral("Something is wrong."), {}});
    int answered = 0;
    explorer.window().questions()->ask({.id = QStringLiteral("q"),
                                        .message = QStringLiteral("Shall it?"),
                                        .hint = {},
                                        .yes = QStringLiteral("Yes"),
                                        .on_yes = [&] { ++answered; },
                                        .no = QStringLiteral("No"),
                                        .on_no = {}});
    QCOMPARE(banner->message(), QStringLiteral("Something is wrong."));
    banner->dismiss();
    QTRY_COMPARE(banner->message(), QStringLiteral("Shall it?"));
    banner->dismiss();  // no answer
    QVERIFY(explorer.window().questions()->isAsked(QStringLiteral("q")));
    explorer.window().questions()->repeat();
    QVERIFY(!banner->isHidden());
    banner->offered()->click();
    QCOMPARE(answered, 1);
    QVERIFY(!explorer.window().questions()->isAsked(QStringLiteral("q")));
  }

  void aSecondWindowIsToldOfTheFirstOnesSave() {
    Explorer first;
    Explorer second;
    first.showFed(5);
    second.showFed(5);
    const QString file = policyIn(first.folder(), named("shared"));
    for (Explorer* each : {&first, &second}) {
      QVERIFY(!each->session().document().open(file));
    }
    editPolicy(first);
    QVERIFY(!first.session().document().save(file));
    const app::Banner* banner = second.window().banner();
    QTRY_VERIFY(!banner->isHidden());
    QVERIFY2(banner->message().contains(QStringLiteral("shared.policy.json")), qPrintable(banner->message()));
    QVERIFY(first.window().banner()->isHidden());
    banner->offered()->click();
    QVERIFY(second.session().document().policy() == first.session().document().policy());
    QVERIFY(!second.session().document().isModified());
    QVERIFY(second.session().document().undoStack()->canUndo());
  }

  void twoWindowsThatBothSaveLearnOfEachOther() {
    Explorer first;
    Explorer second;
    first.showFed(5);
    second.showFed(5);
    const QString file = policyIn(first.folder(), named("shared"));
    for (Explorer* each : {&first, &second}) QVERIFY(!each->session().document().open(file));
    editPolicy(first);
    second.session().document().setFormat({kUnsavedKey}, formats::kFloat32);
    QVERIFY(!first.session().document().save(file));
    const app::Banner* banner = second.window().banner();
    QTRY_VERIFY(!banner->isHidden());
    banner->otherOffered()->click();  // keeps its own
    QVERIFY(second.session().document().isModified());
    QVERIFY(!second.session().document().save(file));
    banner = first.window().banner();
    QTRY_VERIFY(!banner->isHidden());
    QVERIFY2(banner->message().contains(QStringLiteral("shared.policy.json")), qPrintable(banner->message()));
    // Neither version is lost: what the first saved is still in its window.
    QVERIFY(!(first.session().document().policy() == second.session().document().policy()));
    banner->otherOffered()->click();
    QVERIFY(first.session().document().isModified());
  }

  void aKeptVersionIsUnsaved() {
    Explorer explorer;
    explorer.showFed(5);
    const QString file = policyIn(explorer.folder(), named("shared"));
    QVERIFY(!explorer.session().document().open(file));
    policyIn(explorer.folder(), named("theirs"));
    const app::Banner* banner = explorer.window().banner();
    QTRY_VERIFY(!banner->isHidden());
    banner->otherOffered()->click();
    QCOMPARE(explorer.session().document().title(), QStringLiteral("shared"));
    QVERIFY(explorer.session().document().isModified());
    QVERIFY(explorer.window().isWindowModified());
  }

  void aRemovedFileIsReportedAndSavedAgain() {
    Explorer explorer;
    explorer.showFed(5);
    const QString file = policyIn(explorer.folder(), named("shared"));
    QVERIFY(!explorer.session().document().open(file));
    QVERIFY(QFile::remove(file));
    const app::Banner* banner = explorer.window().banner();
    QTRY_VERIFY(!banner->isHidden());
    QVERIFY2(banner->message().contains(QStringLiteral("deleted")), qPrintable(banner->message()));
    QVERIFY(explorer.session().document().isModified());
    banner->offered()->click();
    QVERIFY(QFile::exists(file));
    QVERIFY(!explorer.session().document().isModified());
    QTest::qWait(500);
    QVERIFY(banner->isHidden());  // its own file is no news
  }

  void aRemovedDescriptionIsReportedAndSavedAgain() {
    Explorer explorer;
    explorer.showFed(5);
    app::RunDocument& description = explorer.session().description();
    editDescription(explorer);
    const QString file = explorer.folder() + QStringLiteral("/shared.run.json");
    QVERIFY(!description.save(file));
    QVERIFY(QFile::remove(file));
    const app::Banner* banner = explorer.window().banner();
    QTRY_VERIFY(!banner->isHidden());
    QVERIFY2(banner->message().contains(QStringLiteral("shared.run.json")), qPrintable(banner->message()));
    QVERIFY(description.isModified());
    banner->offered()->click();
    QVERIFY(QFile::exists(file));
    QVERIFY(!description.isModified());
  }

  void aChangedDescriptionIsReloadedAsOneUndoStep() {
    Explorer explorer;
    explorer.showFed(5);
    app::RunDocument& description = explorer.session().description();
    editDescription(explorer);
    const QString file = explorer.folder() + QStringLiteral("/shared.run.json");
    QVERIFY(!description.save(file));
    wire::RunConfig theirs = description.complete();
    theirs.steps = 321;
    QVERIFY(!app::replaceFile(file, QByteArray::fromStdString(wire::to_json(theirs))));
    const app::Banner* banner = explorer.window().banner();
    QTRY_VERIFY(!banner->isHidden());
    banner->offered()->click();
    QCOMPARE(description.config().steps, std::int64_t{321});
    QVERIFY(!description.isModified());
    description.undoStack()->undo();
    QVERIFY(description.config().steps != 321);
  }
};

BINADE_SUITE(UnsavedEditsAsked);

}  // namespace

#include "tst_unsaved_edits.moc"
