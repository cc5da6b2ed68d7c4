// SPDX-License-Identifier: Apache-2.0
// The docks Edits and Changes: every edit with its step, back to any of them; what departs from the base list.
#include "app/docks/changes_dock.h"
#include "app/docks/edits_dock.h"
#include "app/docks/empty_state.h"
#include "app/session/policy_document.h"
#include "app/session/run_document.h"
#include "app/session/tries.h"
#include "tests/app/app_fixture.h"
#include "tests/app/fake_run.h"
#include "tests/app/fake_sites.h"
#include "tests/support/suite.h"
#include "views/values/numbers.h"
#include "views/values/roles.h"

#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>

namespace {

using namespace binade;
using test::Explorer;

const policy::SiteKey kConvEdit{"conv1", "", "aten::conv2d", "", 0};
const policy::SiteKey kFcEdit{"fc1", "", "aten::linear", "", 0};

QString cellText(const QTableView* table, int row, int role) {
  return table->model()->index(row, 0).data(role).toString();
}

void clickEdit(QTableView* table, int row) {
  const QRect place = table->visualRect(table->model()->index(row, 0));
  QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, place.center());
}

/// A window's documents with the dock of their edits.
struct ShownEdits {
  ShownEdits() : dock(&run, &policy, &description) {
    dock.resize(320, 600);
    dock.show();
  }
  app::RunModel run;
  app::PolicyDocument policy;
  app::RunDocument description;
  app::EditsDock dock;
};

class EditDocks : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void everyEditHasItsWordsAndItsStep() {
    ShownEdits shown;
    const QAbstractItemModelTester tester(shown.dock.table()->model());
    QVERIFY(shown.dock.empty()->isShownEmpty());
    shown.policy.setFormat({kConvEdit}, formats::kFloat32);
    test::feedRun(shown.run, 1801);
    shown.policy.setFormat({kFcEdit}, formats::kBFloat16);
    QVERIFY(!shown.dock.empty()->isShownEmpty());
    const QTableView* table = shown.dock.table();
    QCOMPARE(table->model()->rowCount(), 3);  // newest first, then the state without edits
    QVERIFY(cellText(table, 0, views::HeadRole).contains(QStringLiteral("fc1")));
    QCOMPARE(cellText(table, 0, views::HeadNoteRole), QStringLiteral("2"));
    QVERIFY2(cellText(table, 0, views::FootRole).contains(views::grouped(1800)),
             qPrintable(cellText(table, 0, views::FootRole)));
    QVERIFY(cellText(table, 1, views::FootRole).contains(QStringLiteral("before the first step")));
    QVERIFY(table->model()->index(0, 0).data(views::NowRole).toBool());
    QCOMPARE(cellText(table, 0, views::HeadRole), shown.policy.undoStack()->undoText());
  }

  void aClickAndEnterGoToAState() {
    ShownEdits shown;
    QTableView* table = shown.dock.table();
    shown.policy.setFormat({kConvEdit}, formats::kFloat32);
    shown.policy.setFormat({kFcEdit}, formats::kFloat32);
    shown.policy.setFormat({kFcEdit}, formats::kBFloat16);
    const policy::Policy last = shown.policy.policy();
    clickEdit(table, 2);  // the first edit
    QCOMPARE(shown.policy.undoStack()->index(), 1);
    QCOMPARE(shown.policy.policy().sites.size(), std::size_t{1});
    QVERIFY(table->model()->index(0, 0).data(views::StruckRole).toBool());
    QVERIFY(table->model()->index(2, 0).data(views::NowRole).toBool());
    clickEdit(table, 3);
    QVERIFY(shown.policy.policy() == policy::Policy());
    table->setFocus();
    table->setCurrentIndex(table->model()->index(0, 0));
    QTest::keyClick(table, Qt::Key_Return);
    QVERIFY(shown.policy.policy() == last);
    // A new edit takes the place of undone ones.
    clickEdit(table, 2);
    shown.policy.setBase(policy::Base::kAllFloat32);
    QCOMPARE(table->model()->rowCount(), 3);
    QVERIFY(cellText(table, 0, views::HeadRole).contains(QStringLiteral("all-float32")));
  }

  void aRepeatedEditKeepsItsStep() {
    ShownEdits shown;
    test::feedRun(shown.run, 6);
    shown.policy.setFormat({kConvEdit}, formats::kFloat32);
    test::feedRun(shown.run, 20);
    shown.policy.undoStack()->undo();
    shown.policy.undoStack()->redo();
    QVERIFY2(cellText(shown.dock.table(), 0, views::FootRole).contains(QStringLiteral("step 5")),
             qPrintable(cellText(shown.dock.table(), 0, views::FootRole)));
  }

  void theListThatIsEditedIsShown() {
    ShownEdits shown;
    shown.policy.setFormat({kConvEdit}, formats::kFloat32);
    QCOMPARE(shown.dock.choice()->currentIndex(), 0);
    wire::RunConfig config;
    config.steps = 12;
    shown.description.edit(QStringLiteral("Steps 12"), config, QStringLiteral("steps"));
    QCOMPARE(shown.dock.choice()->currentIndex(), 1);
    QCOMPARE(cellText(shown.dock.table(), 0, views::HeadRole), QStringLiteral("Steps 12"));
    clickEdit(shown.dock.table(), 1);
    QVERIFY(shown.description.config() == wire::RunConfig());
    shown.description.adopt({});  // another run: its edits are forgotten
    QVERIFY(shown.dock.empty()->isShownEmpty());
    shown.dock.choice()->setCurrentIndex(0);
    QCOMPARE(shown.dock.table()->model()->rowCount(), 2);
  }

  void aScaleOfARunIsAnEditToo() {
    Explorer explorer;
    QVERIFY(explorer.playAndPause(10));
    explorer.session().setScale(256);
    explorer.window().docks()->edits->show();
    const QTableView* table = explorer.window().docks()->edits->table();
    QCOMPARE(table->model()->rowCount(), 2);
    QVERIFY2(cellText(table, 0, views::HeadRole).contains(QStringLiteral("scale")),
             qPrintable(cellText(table, 0, views::HeadRole)));
    QVERIFY(cellText(table, 0, views::FootRole).contains(QStringLiteral("at step")));
  }

  void anEditIsTriedAgainstWhatItReplaced() {
    ShownEdits shown;
    const QSignalSpy tries(&shown.dock, &app::EditsDock::tryRequested);
    const QPushButton* button = shown.dock.tryButton();
    QVERIFY(button->isHidden());
    shown.policy.setFormat({kConvEdit}, formats::kFloat32);
    const policy::Policy first = shown.policy.policy();
    shown.policy.setFormat({kFcEdit}, formats::kFloat32);
    const policy::Policy second = shown.policy.policy();
    QVERIFY(button->isVisible() && button->isEnabled());
    QCOMPARE(button->text(), QStringLiteral("Try this edit"));  // as in History
    shown.dock.tryButton()->click();
    QCOMPARE(tries.count(), 1);
    auto wish = tries.back().front().value<app::TryWish>();
    QVERIFY(wish.before == first && wish.after == second);
    // An edit that the keyboard selects, or that is undone, has the policies of its time.
    shown.dock.table()->setFocus();
    QTest::keyClick(shown.dock.table(), Qt::Key_Down);
    QCOMPARE(shown.policy.undoStack()->index(), 2);
    shown.dock.tryButton()->click();
    wish = tries.back().front().value<app::TryWish>();
    QVERIFY(wish.before == policy::Policy() && wish.after == first);
    clickEdit(shown.dock.table(), 2);  // without edits
    QVERIFY(!button->isEnabled());
    QCOMPARE(button->toolTip(), QStringLiteral("This entry is no edit of the policy."));
    shown.dock.table()->setCurrentIndex(shown.dock.table()->model()->index(0, 0));
    shown.dock.tryButton()->click();
    QCOMPARE(tries.count(), 3);
    wish = tries.back().front().value<app::TryWish>();
    QVERIFY(wish.before == first && wish.after == second);
  }

  void anEditOfTheDescriptionIsNotTried() {
    ShownEdits shown;
    wire::RunConfig config;
    config.steps = 12;
    shown.policy.setFormat({kConvEdit}, formats::kFloat32);
    shown.description.edit(QStringLiteral("Steps 12"), config, QStringLiteral("steps"));
    QCOMPARE(shown.dock.choice()->currentIndex(), 1);
    QVERIFY(!shown.dock.tryButton()->isEnabled());
    QVERIFY(!shown.dock.tryButton()->toolTip().isEmpty());
    shown.dock.choice()->setCurrentIndex(0);
    QVERIFY(shown.dock.tryButton()->isEnabled());
  }

  void noTryStartsWhileASearchTrains() {
    ShownEdits shown;
    shown.policy.setFormat({kConvEdit}, formats::kFloat32);
    shown.dock.setWhyNoTry(QStringLiteral("A search is in progress."));
    QVERIFY(!shown.dock.tryButton()->isEnabled());
    QCOMPARE(shown.dock.tryButton()->toolTip(), QStringLiteral("A search is in progress."));
    shown.dock.setWhyNoTry({});
    QVERIFY(shown.dock.tryButton()->isEnabled());
  }

  void aChangeIsTriedAgainstThePolicyWithoutIt() {
    app::RunModel run;
    app::PolicyDocument document;
    app::Selection selection;
    app::ChangesDock dock(&run, &document, &selection);
    dock.show();
    test::feedRun(run, 10);
    const QSignalSpy tries(&dock, &app::ChangesDock::tryRequested);
    QPushButton* button = dock.tryButton();
    QVERIFY(button->isHidden());
    document.setFormat({kConvEdit}, formats::kFloat32);
    const policy::Policy first = document.policy();
    document.setFormat({kFcEdit}, formats::kFloat32);
    QVERIFY(button->isVisible() && !button->isEnabled());
    QCOMPARE(button->toolTip(), QStringLiteral("No change is selected."));
    QCOMPARE(button->text(), QStringLiteral("Try this change"));
    dock.table()->selectRow(1);
    QVERIFY(button->isEnabled());
    button->click();
    QCOMPARE(tries.count(), 1);
    const auto wish = tries.front().front().value<app::TryWish>();
    QVERIFY(wish.before == first && wish.after == document.policy());
    QCOMPARE(document.policy().sites.size(), std::size_t{2});  // nothing was edited
    dock.setWhyNoTry(QStringLiteral("A Try is in progress."));
    QVERIFY(!button->isEnabled());
    QCOMPARE(button->toolTip(), QStringLiteral("A Try is in progress."));
  }

  void theWindowGivesBothDocksTheReason() {
    Explorer explorer;
    const app::DockSet* docks = explorer.window().docks();
    explorer.session().document().setFormat({kConvEdit}, formats::kFloat32);
    QVERIFY(!docks->edits->tryButton()->isEnabled());
    QCOMPARE(docks->edits->tryButton()->toolTip(), explorer.session().tries().whyNot()->message);
    QCOMPARE(docks->changes->tryButton()->toolTip(), docks->edits->tryButton()->toolTip());
    QVERIFY(explorer.playAndPause(10));
    explorer.session().document().setFormat({kFcEdit}, formats::kFloat32);
    // A run changes the answer; the button has the new one.
    const auto why = explorer.session().tries().whyNot();
    QCOMPARE(docks->edits->tryButton()->isEnabled(), !why);
    if (why) QCOMPARE(docks->edits->tryButton()->toolTip(), why->message);
  }

  void changesAreListedSelectedRemovedAndCopied() {
    Explorer explorer;
    explorer.showFed(10);
    QVERIFY(QTest::qWaitForWindowActive(&explorer.window()));
    app::ChangesDock* dock = explorer.window().docks()->changes;
    app::DockSet::raise(dock);
    QVERIFY(dock->empty()->isShownEmpty());
    QVERIFY(dock->removeButton()->isHidden());
    app::PolicyDocument& document = explorer.session().document();
    document.setFormat({kConvEdit}, formats::kFloat32);
    document.setFormat({kFcEdit}, formats::kFloat32);
    QTRY_COMPARE(dock->table()->model()->rowCount(), 2);
    QVERIFY(dock->headline()->text().startsWith(QStringLiteral("2 changes")));
    QVERIFY(!dock->removeButton()->isEnabled());
    dock->copyButton()->click();
    const QString copied = QGuiApplication::clipboard()->text();
    QVERIFY2(copied.contains(QStringLiteral("conv1/aten::conv2d#0: float16 → float32")), qPrintable(copied));
    dock->table()->setFocus();
    dock->table()->selectRow(1);
    QVERIFY(dock->removeButton()->isEnabled());
    QCOMPARE(explorer.session().selection().sites(), std::vector<int>{test::kFc1});
    dock->removeButton()->click();
    QCOMPARE(dock->table()->model()->rowCount(), 1);
    QCOMPARE(document.policy().sites.size(), std::size_t{1});
    QCOMPARE(document.policy().sites.front().match, kConvEdit.name());
    document.undoStack()->undo();
    QCOMPARE(dock->table()->model()->rowCount(), 2);
    dock->table()->selectRow(0);
    dock->table()->setFocus();
    QTest::keyClick(dock->table(), Qt::Key_Delete);
    QCOMPARE(document.policy().sites.size(), std::size_t{1});
    QCOMPARE(document.policy().sites.front().match, kFcEdit.name());
  }
};

BINADE_SUITE(EditDocks);

}  // namespace

#include "tst_edit_docks.moc"
