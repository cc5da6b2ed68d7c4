// SPDX-License-Identifier: Apache-2.0
// What a person expects of any desktop program: a start page, settings with a preview, hints, errors that can be
// reported.
#include "app/session/diagnostics.h"
#include "app/session/problem_details.h"
#include "app/window/actions.h"
#include "app/window/arrangement_hint.h"
#include "app/window/banner.h"
#include "app/window/diagnostics_dialog.h"
#include "app/window/preferences.h"
#include "app/window/run_bar.h"
#include "app/window/settings_dialog.h"
#include "app/window/start_page.h"
#include "app/window/time_line_bar.h"
#include "app/window/window_dialogs.h"
#include "tests/app/app_fixture.h"
#include "tests/app/choose_file.h"
#include "tests/support/suite.h"
#include "views/style/looks.h"
#include "views/theme.h"
#include "views/values/numbers.h"

#include <QActionGroup>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QDockWidget>
#include <QFile>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QLocale>
#include <QMenuBar>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <QTimer>
#include <QToolButton>

namespace {

using namespace binade;
using app::Arrangement;
using app::SettingsDialog;
using test::Explorer;

SettingsDialog* openSettings(Explorer& explorer) {
  explorer.window().actions()->settings->trigger();
  return explorer.window().findChild<SettingsDialog*>();
}

QToolButton* buttonOf(Explorer& explorer, const QAction* action) {
  for (QToolButton* button : explorer.window().findChildren<QToolButton*>()) {
    if (button->defaultAction() == action) return button;
  }
  return nullptr;
}

class ProgramManners : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void cleanup() { app::applyLooks({}); }

  void theStartPageHasFourDoorsLessonsAndRecentFilesWithDetails() {
    Explorer explorer;
    const QString model = explorer.folder() + QStringLiteral("/net.pt");
    QVERIFY(QFile(model).open(QIODevice::WriteOnly));
    explorer.session().recentFiles().add(model);
    explorer.session().recentFiles().note(model, QStringLiteral("17 op calls"));
    explorer.window().resize(1600, 1000);
    explorer.window().show();
    const app::StartPage* page = explorer.window().startPage();
    QCOMPARE(page->doors().size(), 5);  // the last one is that of the lessons
    for (const QAction* door : page->doors()) QVERIFY(door->isEnabled());
    QTRY_VERIFY(page->findChild<QToolButton*>(QStringLiteral("lesson10")) != nullptr);
    // The lower part of the page is in use.
    const auto* last = page->findChild<QToolButton*>(QStringLiteral("lesson10"));
    QTRY_VERIFY(last->mapTo(page, QPoint(0, 0)).y() > page->height() / 2);
    const auto* recent = page->findChild<QTableView*>(QStringLiteral("recentFiles"));
    QCOMPARE(recent->model()->index(0, app::RecentFiles::kDetails).data().toString(), QStringLiteral("17 op calls"));
    QVERIFY(!recent->model()->index(0, app::RecentFiles::kFolder).data().toString().isEmpty());
    // The numbers of lessons end in one line, so that their titles begin in one.
    const auto textOf = [page](int number) {
      return page->findChild<QToolButton*>(QStringLiteral("lesson%1").arg(number))->text();
    };
    QVERIFY(textOf(1).startsWith(QStringLiteral("\u20071  ")) && textOf(10).startsWith(QStringLiteral("10  ")));
    Explorer::picture(&explorer.window(), QStringLiteral("start-page"));
    page->findChild<QToolButton*>(QStringLiteral("lesson2"))->click();
    QVERIFY(explorer.window().showsRun() && explorer.window().arrangement() == Arrangement::kLearn);
  }

  // Models and run files may come from strangers.
  void recentFilesAreListedAndNeverOpenedByThemselves() {
    Explorer explorer({QStringLiteral("--refuse"), QStringLiteral("model.inspect")});
    for (const char* name : {"old.binade", "run.json", "net.pt"}) {
      QFile file(explorer.folder() + u'/' + QString::fromLatin1(name));
      QVERIFY(file.open(QIODevice::WriteOnly));
      explorer.session().recentFiles().add(file.fileName());
    }
    QSignalSpy problems(&explorer.session(), &app::Session::problem);
    explorer.show();
    QTRY_VERIFY(explorer.session().engine().state() == app::EngineClient::State::kReady);
    auto* recent = explorer.window().startPage()->findChild<QTableView*>(QStringLiteral("recentFiles"));
    QTRY_COMPARE(recent->model()->rowCount(), 3);
    explorer.window().grab();
    QVERIFY(!explorer.window().showsRun() && !explorer.window().showsSetup() && problems.isEmpty());
    for (const char* method : {"model.inspect", "run.start", "run.demo", "file.read", "data.preview"})
      QVERIFY2(explorer.requests(QString::fromLatin1(method)).isEmpty(), method);
    // The one that is activated is opened.
    Q_EMIT recent->activated(recent->model()->index(0, 0));
    QTRY_COMPARE(explorer.requests(QStringLiteral("model.inspect")).size(), 1);
    QTRY_COMPARE(problems.count(), 1);
  }

  void aNoteOnARecentFileIsKept() {
    Explorer explorer;
    const QString file = explorer.folder() + QStringLiteral("/a.binade");
    app::RecentFiles(&explorer.settings()).add(file);
    app::RecentFiles(&explorer.settings()).note(file, QStringLiteral("12 steps"));
    app::RecentFiles again(&explorer.settings());
    again.add(file);  // opened once more: the note stays
    QCOMPARE(again.index(0, app::RecentFiles::kDetails).data().toString(), QStringLiteral("12 steps"));
  }

  void anArrangementIsLitOnlyWhileItIsShown() {
    Explorer explorer;
    explorer.window().show();
    const QActionGroup* group = explorer.window().actions()->arrangements;
    QVERIFY(group->checkedAction() == nullptr);
    group->actions()[1]->trigger();  // Tune, without a run
    QVERIFY(group->checkedAction() == nullptr);
    explorer.showFed(5);
    QVERIFY(group->checkedAction() == group->actions()[1]);
    group->actions()[1]->trigger();  // again: it stays lit
    QVERIFY(group->checkedAction() == group->actions()[1]);
    explorer.window().showStart();
    QVERIFY(group->checkedAction() == nullptr);
  }

  void theStateOfTheRunIsAFilledButton() {
    Explorer explorer;
    explorer.showFed(5);
    const QToolButton* run = buttonOf(explorer, explorer.window().actions()->run);
    const QToolButton* pause = buttonOf(explorer, explorer.window().actions()->pause);
    QVERIFY(run != nullptr && pause != nullptr);
    QVERIFY(views::isLit(pause) && !views::isLit(run));
    explorer.session().run().setState({wire::RunState::kRunning, 5});
    QVERIFY(views::isLit(run) && !views::isLit(pause));
    QVERIFY(!views::isLit(buttonOf(explorer, explorer.window().actions()->stop)));
  }

  void settingsAreShownAtOnceAndCancelRestoresThem() {
    app::applyLooks({});
    Explorer explorer;
    explorer.window().show();
    const int pixels = QApplication::font().pixelSize();
    const QString number = views::grouped(1234567);
    SettingsDialog* dialog = openSettings(explorer);
    QVERIFY(dialog != nullptr);
    dialog->theme()->setCurrentIndex(dialog->theme()->findData(static_cast<int>(app::ThemeChoice::kDark)));
    dialog->textSize()->setCurrentIndex(dialog->textSize()->findData(130));
    dialog->numbers()->setCurrentIndex(dialog->numbers()->findData(static_cast<int>(app::NumberStyle::kCommaAndPoint)));
    QVERIFY(views::colors().theme == views::Theme::kDark);
    QVERIFY(QApplication::font().pixelSize() > pixels);
    QCOMPARE(views::grouped(1234567), QStringLiteral("1.234.567"));
    dialog->reject();
    QVERIFY(views::colors().theme != views::Theme::kDark);
    QCOMPARE(QApplication::font().pixelSize(), pixels);
    QCOMPARE(views::grouped(1234567), number);
    QCOMPARE(app::preferences(explorer.settings()), app::Preferences());
  }

  void settingsAreKept() {
    Explorer explorer;
    explorer.window().show();
    SettingsDialog* dialog = openSettings(explorer);
    QVERIFY(dialog != nullptr);
    dialog->textSize()->setCurrentIndex(dialog->textSize()->findData(115));
    dialog->engine()->setText(QStringLiteral(BINADE_FAKE_ENGINE));
    dialog->accept();
    const app::Preferences kept = app::preferences(explorer.settings());
    QCOMPARE(kept.text_percent, 115);
    QCOMPARE(kept.engine, QStringLiteral(BINADE_FAKE_ENGINE));
    // Another engine is started at once.
    QCOMPARE(explorer.session().engine().command().program, QStringLiteral(BINADE_FAKE_ENGINE));
    QTRY_VERIFY(explorer.session().engine().state() == app::EngineClient::State::kReady);
  }

  void settingsThatCannotBeReadAreTheDefaults() {
    Explorer explorer;
    explorer.settings().setValue(QStringLiteral("numberStyle"), QStringLiteral("many"));
    explorer.settings().setValue(QStringLiteral("textPercent"), 1000000);
    explorer.settings().setValue(QStringLiteral("theme"), QStringLiteral("of a newer version"));
    const app::Preferences read = app::preferences(explorer.settings());
    QVERIFY(read.numbers == app::NumberStyle::kSystem && read.theme == app::ThemeChoice::kSystem);
    QVERIFY(read.text_percent <= 150);
  }

  void eachArrangementHasAHintUntilItIsClosed() {
    Explorer explorer;
    explorer.window().show();
    app::ArrangementHint* hint = explorer.window().dialogs()->hint();
    QVERIFY(!hint->isVisible());  // the start page explains itself
    explorer.showFed(5);
    QVERIFY(hint->isVisible());
    const QString explore = hint->text();
    hint->closeButton()->click();
    QVERIFY(!hint->isVisible());
    explorer.window().setArrangement(Arrangement::kTune);
    QVERIFY(hint->isVisible() && hint->text() != explore);
    const auto* time_line = explorer.window().findChild<app::TimeLineBar*>();
    QVERIFY(time_line != nullptr && time_line->isVisible());
    QTRY_VERIFY(!hint->geometry().intersects(time_line->geometry()));  // its handle stays within reach
    // In a window of usual size it covers nothing: no dock, and no menu.
    explorer.window().resize(1600, 1000);
    const QMenuBar* menus = explorer.window().menuBar();
    QTRY_VERIFY(hint->geometry().top() == 0 &&
                hint->geometry().left() > menus->actionGeometry(menus->actions().constLast()).right());
    for (const QToolButton* button : explorer.window().findChild<app::RunBar*>()->findChildren<QToolButton*>()) {
      const QRect place(button->mapTo(&explorer.window(), QPoint()), button->size());
      QVERIFY2(!button->isVisible() || !hint->geometry().intersects(place), qPrintable(button->text()));
    }
    for (const app::Dock* dock : explorer.window().docks()->all())
      QVERIFY(!dock->isVisible() || !hint->geometry().intersects(dock->geometry()));
    explorer.window().setArrangement(Arrangement::kExplore);
    QVERIFY(!hint->isVisible());
    QVERIFY(explorer.settings().value(QStringLiteral("hints/closed/explore")).toBool());
    explorer.window().actions()->show_hints->trigger();
    QVERIFY(hint->isVisible());
    QVERIFY(explorer.window().rect().contains(hint->geometry()));
    for (const Arrangement each : app::kArrangements) QVERIFY(!app::hintText(each).isEmpty());
  }

  void aProblemIsCopiedWithItsDetails() {
    Explorer explorer;
    explorer.window().show();
    explorer.session().log().add({"info", "a line of the log"});
    explorer.session().openFile(QStringLiteral("/nowhere/gone.binade"));
    app::Banner* banner = explorer.window().banner();
    QVERIFY(banner->isVisible() && banner->copyButton()->isVisible());
    banner->copyButton()->click();
    const QString copied = QApplication::clipboard()->text();
    for (const QString& part : {banner->message(), banner->hint(), QStringLiteral("binade: "),
                                QString::fromLatin1(qVersion()), QStringLiteral("a line of the log")}) {
      QVERIFY2(copied.contains(part), qPrintable(part + QStringLiteral(" is not in ") + copied));
    }
    banner->dismiss();
    QVERIFY(banner->showNotice(QStringLiteral("Done."), {}));
    // A notice about a dock goes when the user sees the dock.
    QDockWidget dock;
    banner->showNoticeOf(&dock, QStringLiteral("The search ended."), {});
    QCOMPARE(banner->message(), QStringLiteral("The search ended."));
    dock.show();
    QTRY_VERIFY(banner->isHidden());
    QTRY_VERIFY(!dock.visibleRegion().isEmpty());
    banner->showNoticeOf(&dock, QStringLiteral("The search ended again."), {});
    QVERIFY(banner->isHidden());
    QVERIFY(banner->showNotice(QStringLiteral("Done."), {}));
    QVERIFY(!banner->copyButton()->isVisible());
  }

  void diagnosticsAreListedAndLeaveOutPrivatePaths() {
    Explorer explorer;
    explorer.window().show();
    const QString secret = QDir::homePath() + QStringLiteral("/secret/net.pt");
    explorer.session().recentFiles().add(secret);
    explorer.settings().setValue(QStringLiteral("lastFolder"), secret);
    explorer.settings().setValue(QStringLiteral("theme"), QStringLiteral("dark"));
    explorer.session().log().add({"info", ("Read " + secret).toStdString()});
    explorer.window().actions()->save_diagnostics->trigger();
    auto* dialog = explorer.window().findChild<app::DiagnosticsDialog*>();
    QVERIFY(dialog != nullptr);
    QVERIFY(dialog->list()->count() >= 4);
    const QString all = dialog->text();
    for (int row = 0; row < dialog->list()->count(); ++row) {
      QVERIFY2(all.contains(QStringLiteral("== ") + dialog->list()->item(row)->text()), qPrintable(all));
    }
    QVERIFY2(all.contains(QStringLiteral("theme = dark")) && all.contains(QStringLiteral("~/secret")), qPrintable(all));
    QVERIFY2(!all.contains(secret) && !all.contains(QStringLiteral("lastFolder")), qPrintable(all));
    dialog->list()->item(2)->setCheckState(Qt::Unchecked);
    QVERIFY(!dialog->text().contains(QStringLiteral("secret")));
    const QString file = explorer.folder() + QStringLiteral("/diagnostics.txt");
    QVERIFY(!dialog->save(file));
    QFile saved(file);
    QVERIFY(saved.open(QIODevice::ReadOnly));
    QCOMPARE(QString::fromUtf8(saved.readAll()), dialog->text());
    const auto failed = dialog->save(QStringLiteral("/nowhere/at/all.txt"));
    QVERIFY(failed && failed->message.contains(QStringLiteral("/nowhere/at/all.txt")));
  }

  void openBeginsWhereAFileWasChosenLast() {
    Explorer explorer;
    explorer.showFed(3);
    const QString folder = explorer.folder() + QStringLiteral("/mine");
    QVERIFY(QDir().mkpath(folder));
    const QString file = folder + QStringLiteral("/a.policy.json");
    QVERIFY(!explorer.session().document().save(file));
    test::chooseFile(file);
    explorer.window().actions()->open->trigger();
    QCOMPARE(explorer.settings().value(QStringLiteral("open/folder")).toString(), folder);
    // Qt's dialog remembers a folder too, but not over starts.
    const QString before = explorer.folder() + QStringLiteral("/before");
    QVERIFY(QDir().mkpath(before));
    explorer.settings().setValue(QStringLiteral("open/folder"), before);
    QString begins;
    QTimer::singleShot(0, qApp, [&begins] {
      auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
      if (dialog == nullptr) return;
      begins = dialog->directory().absolutePath();
      dialog->reject();
    });
    explorer.window().actions()->open->trigger();
    QCOMPARE(begins, before);
  }
};

BINADE_SUITE(ProgramManners);

}  // namespace

#include "tst_program_manners.moc"
