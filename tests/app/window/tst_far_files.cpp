// SPDX-License-Identifier: Apache-2.0
// Files of the engine's computer: browsed, chosen, and copied here. The fake engine lists folders of this one.
#include "app/form/data_section.h"
#include "app/form/form_table.h"
#include "app/form/run_form.h"
#include "app/form/setup_page.h"
#include "app/session/far_copy.h"
#include "app/session/far_folder.h"
#include "app/window/actions.h"
#include "app/window/far_file_dialog.h"
#include "app/window/far_run_dialog.h"
#include "tests/app/app_fixture.h"
#include "tests/app/fake_ssh.h"
#include "tests/support/suite.h"
#include "tests/support/warnings.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <QToolButton>

#include <memory>
#include <optional>

namespace {

using namespace binade;
using app::FarFileDialog;
using app::FileQuestion;
using test::Explorer;

bool writeFile(const QString& path, const QByteArray& content) {
  QFile file(path);
  return file.open(QIODevice::WriteOnly) && file.write(content) == content.size();
}

QStringList shownNames(const FarFileDialog& dialog) {
  QStringList names;
  const QAbstractItemModel* rows = dialog.list()->model();
  for (int row = 0; row < rows->rowCount(); ++row) names << rows->index(row, 0).data().toString();
  return names;
}

class FarFiles : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void init() {
    test::failOnWarnings();
    ssh_.emplace();
    explorer_ = std::make_unique<Explorer>();
    explorer_->window().show();
    explorer_->session().connectTo(app::remoteCommand(
        QStringLiteral("box"),
        QStringLiteral(BINADE_FAKE_ENGINE " --log ") + explorer_->folder() + QStringLiteral("/requests.log")));
    QTRY_VERIFY(explorer_->session().engine().state() == app::EngineClient::State::kReady);
    far_ = explorer_->folder() + QStringLiteral("/far");
    QVERIFY(QDir().mkpath(far_ + QStringLiteral("/nets")));
    QVERIFY(writeFile(far_ + QStringLiteral("/net10.pt"), "123"));
    QVERIFY(writeFile(far_ + QStringLiteral("/net9.pt"), "1234567"));
    QVERIFY(writeFile(far_ + QStringLiteral("/notes.txt"), "1"));
    QVERIFY(writeFile(far_ + QStringLiteral("/.hidden.pt"), "1"));
    QVERIFY(writeFile(far_ + QStringLiteral("/nets/deep.pt"), "1"));
  }
  void cleanup() {
    explorer_.reset();
    ssh_.reset();
  }

  void foldersComeFirstNamesAreNaturalAndFiltersHide() {
    const auto dialog = open(FileQuestion::Kind::kFile);
    QCOMPARE(shownNames(*dialog),
             (QStringList{QStringLiteral("nets/"), QStringLiteral("net9.pt"), QStringLiteral("net10.pt")}));
    dialog->list()->sortByColumn(app::FarFolderModel::kSize, Qt::DescendingOrder);
    QCOMPARE(shownNames(*dialog),
             (QStringList{QStringLiteral("nets/"), QStringLiteral("net9.pt"), QStringLiteral("net10.pt")}));
    dialog->list()->sortByColumn(app::FarFolderModel::kSize, Qt::AscendingOrder);
    QCOMPARE(shownNames(*dialog).last(), QStringLiteral("net9.pt"));
    dialog->filter()->setCurrentIndex(1);
    QVERIFY(shownNames(*dialog).contains(QStringLiteral("notes.txt")));
    dialog->hidden()->setChecked(true);
    QTRY_VERIFY(shownNames(*dialog).contains(QStringLiteral(".hidden.pt")));
  }

  void keysEnterGoUpAndChoose() {
    const auto dialog = open(FileQuestion::Kind::kFile);
    QSignalSpy chosen(dialog.get(), &FarFileDialog::chosen);
    QVERIFY(QTest::qWaitForWindowActive(dialog.get()));
    dialog->list()->setFocus();
    dialog->list()->setCurrentIndex(dialog->list()->model()->index(0, 0));
    QTest::keyClick(dialog->list(), Qt::Key_Return);
    QTRY_COMPARE(dialog->folder(), canonical(far_ + QStringLiteral("/nets")));
    QTest::keyClick(dialog->list(), Qt::Key_Backspace);
    QTRY_COMPARE(dialog->folder(), canonical(far_));
    // The folder that was left is current, so Return goes back into it.
    QCOMPARE(dialog->list()->currentIndex().data().toString(), QStringLiteral("nets/"));
    dialog->list()->setCurrentIndex(dialog->list()->model()->index(1, 0));
    QTest::keyClick(dialog->list(), Qt::Key_Return);
    QCOMPARE(chosen.count(), 1);
    QCOMPARE(chosen.front().front().toStringList(), QStringList{canonical(far_) + QStringLiteral("/net9.pt")});
    // The next dialog begins there.
    QCOMPARE(app::recentFarFolders(explorer_->settings(), QStringLiteral("box")), QStringList{canonical(far_)});
    QVERIFY(app::recentFarFolders(explorer_->settings(), QStringLiteral("elsewhere")).isEmpty());
  }

  void aFolderThatIsNotThereIsExplainedInPlaceAndTheOldOneStays() {
    const auto dialog = open(FileQuestion::Kind::kFile);
    const QStringList before = shownNames(*dialog);
    dialog->go(far_ + QStringLiteral("/nowhere"));
    QVERIFY(dialog->isReading());
    QTRY_VERIFY(!dialog->failure().isEmpty());
    QVERIFY(dialog->failure().contains(QStringLiteral("does not exist")));
    QCOMPARE(shownNames(*dialog), before);
    QVERIFY(!dialog->isReading() && dialog->isVisible());
    dialog->go(far_);
    QTRY_VERIFY(dialog->failure().isEmpty());
  }

  void severalFilesAndFoldersCanBeChosen() {
    const auto dialog = open(FileQuestion::Kind::kFiles);
    QSignalSpy chosen(dialog.get(), &FarFileDialog::chosen);
    QVERIFY(!dialog->chooseButton()->isEnabled());
    dialog->list()->selectAll();
    dialog->chooseButton()->click();
    QCOMPARE(chosen.front().front().toStringList().size(), 2);

    const auto folder = open(FileQuestion::Kind::kFolder);
    QSignalSpy picked(folder.get(), &FarFileDialog::chosen);
    QCOMPARE(shownNames(*folder), QStringList{QStringLiteral("nets/")});
    folder->chooseButton()->click();
    QCOMPARE(picked.front().front().toStringList(), QStringList{canonical(far_)});
  }

  void anExistingFileIsReplacedOnlyAfterAWarning() {
    const auto dialog = open(FileQuestion::Kind::kNewFile);
    QSignalSpy chosen(dialog.get(), &FarFileDialog::chosen);
    dialog->name()->setText(QStringLiteral("net9.pt"));
    dialog->chooseButton()->click();
    QCOMPARE(chosen.count(), 0);
    QVERIFY(dialog->failure().contains(QStringLiteral("net9.pt exists")));
    dialog->chooseButton()->click();
    QCOMPARE(chosen.count(), 1);
  }

  void theFormAsksThere() {
    explorer_->session().openModel(QStringLiteral("net.pt"));
    QTRY_VERIFY(explorer_->window().showsSetup());
    auto* data = explorer_->window().setupPage()->form()->data();
    wire::RunConfig config = explorer_->session().description().config();
    config.data.kind = "files";
    explorer_->session().description().edit(QStringLiteral("files"), config);
    QPushButton* add = nullptr;
    for (auto* each : data->findChildren<QPushButton*>()) {
      if (each->text() == QStringLiteral("Add files…")) add = each;
    }
    QVERIFY(add != nullptr);
    add->click();
    auto* dialog = data->findChild<FarFileDialog*>();
    QVERIFY(dialog != nullptr);
    dialog->go(far_);
    QTRY_COMPARE(dialog->folder(), canonical(far_));
    dialog->name()->setText(QStringLiteral("net9.pt"));
    dialog->chooseButton()->click();
    QCOMPARE(explorer_->session().description().config().data.files,
             std::vector<std::string>{(canonical(far_) + QStringLiteral("/net9.pt")).toStdString()});
  }

  void aRunFileIsCopiedHereWithItsProgress() {
    const QByteArray content(10'000, 'b');
    QVERIFY(writeFile(far_ + QStringLiteral("/run.binade"), content));
    app::FarRunDialog dialog(&explorer_->session(), far_ + QStringLiteral("/run.binade"), true);
    dialog.show();
    QSignalSpy fetched(&dialog, &app::FarRunDialog::fetched);
    const QString to = explorer_->folder() + QStringLiteral("/copy.binade");
    dialog.saveTo(to);
    QVERIFY(!dialog.saveButton()->isEnabled() && dialog.progress()->isVisible());
    QTRY_COMPARE(fetched.count(), 1);
    QFile copy(to);
    QVERIFY(copy.open(QIODevice::ReadOnly));
    QCOMPARE(copy.readAll(), content);
    QCOMPARE(explorer_->requests(QStringLiteral("file.read")).size(), 4);  // one prepares, three read
  }

  void aCancelledCopyLeavesNothing() {
    QVERIFY(writeFile(far_ + QStringLiteral("/run.binade"), QByteArray(100'000, 'b')));
    app::FarCopy copy(&explorer_->session().engine());
    QSignalSpy finished(&copy, &app::FarCopy::finished);
    QSignalSpy progress(&copy, &app::FarCopy::progress);
    const QString to = explorer_->folder() + QStringLiteral("/copy.binade");
    // While the engine is asked, and as an answer to each kind of progress: being prepared, in the middle, at the end.
    copy.start(far_ + QStringLiteral("/run.binade"), to);
    copy.cancel();
    QVERIFY(!copy.isRunning());
    for (const double done : {0.0, 0.5, 1.0}) {
      progress.clear();
      const auto cancel = connect(&copy, &app::FarCopy::progress, &copy, [&](bool ready, double part, qint64) {
        if (done == 0 || (ready && part >= done)) copy.cancel();
      });
      copy.start(far_ + QStringLiteral("/run.binade"), to);
      QTRY_VERIFY(!copy.isRunning());
      disconnect(cancel);
      const auto reports = progress.count();
      QVERIFY(reports > 0);
      QTest::qWait(300);  // longer than the pause between two questions
      QCOMPARE(progress.count(), reports);
    }
    QCOMPARE(finished.count(), 0);
    QVERIFY(!QFile::exists(to));
    // A file that is not there fails, and the object can be used again.
    copy.start(far_ + QStringLiteral("/none.binade"), to);
    QTRY_COMPARE(finished.count(), 1);
    QVERIFY(finished.front()[1].value<std::optional<app::Problem>>().has_value());
    QVERIFY(!QFile::exists(to));
  }

  void namesAreTakenApartAsFileDialogsDo() {
    const auto filters = app::nameFilters(QStringLiteral("Data (*.npy *.csv);;All files (*)"));
    QCOMPARE(filters.size(), 2);
    QCOMPARE(filters[0].patterns, (QStringList{QStringLiteral("*.npy"), QStringLiteral("*.csv")}));
    QCOMPARE(app::farPath(QStringLiteral("/a"), QStringLiteral("b")), QStringLiteral("/a/b"));
    QCOMPARE(app::farPath(QStringLiteral("/"), QStringLiteral("b")), QStringLiteral("/b"));
    QCOMPARE(app::farPath(QStringLiteral("/a"), QStringLiteral("/b")), QStringLiteral("/b"));
  }

 private:
  static QString canonical(const QString& path) { return QFileInfo(path).canonicalFilePath(); }

  std::unique_ptr<FarFileDialog> open(FileQuestion::Kind kind) {
    FileQuestion question{kind, QStringLiteral("Open"), far_, QStringLiteral("Models (*.pt);;All files (*)")};
    if (kind == FileQuestion::Kind::kNewFile) question.start = far_ + QStringLiteral("/new.pt");
    auto dialog = std::make_unique<FarFileDialog>(&explorer_->session(), &explorer_->settings(), question);
    dialog->show();
    if (kind == FileQuestion::Kind::kNewFile) dialog->go(far_);
    [&] { QTRY_COMPARE(dialog->folder(), canonical(far_)); }();
    return dialog;
  }

  std::optional<test::FakeSsh> ssh_;
  std::unique_ptr<Explorer> explorer_;
  QString far_;
};

BINADE_SUITE(FarFiles);

}  // namespace

#include "tst_far_files.moc"
