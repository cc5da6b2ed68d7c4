// SPDX-License-Identifier: Apache-2.0
// Own data in the window: the real window and the real engine, with every kind of file that a run reads.
#include "app/form/data_section.h"
#include "app/form/run_form.h"
#include "app/form/setup_page.h"
#include "app/session/session.h"
#include "app/window/banner.h"
#include "app/window/main_window.h"
#include "tests/app/journey.h"
#include "tests/support/places.h"
#include "tests/support/suite.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QFileInfo>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>

#include <memory>

namespace {

using namespace binade;

/// A copy of tests/data/journeys, which make_journeys.py made.
QString copyOfData() {
  const QString from = QStringLiteral(BINADE_TEST_DATA "/journeys");
  const QString to = test::temporaryFolder();
  QDirIterator walk(from, QDir::Files, QDirIterator::Subdirectories);
  while (walk.hasNext()) {
    const QString file = walk.next();
    const QString copy = to + u'/' + QDir(from).relativeFilePath(file);
    QDir().mkpath(QFileInfo(copy).path());
    QFile::copy(file, copy);
    QFile::setPermissions(copy, QFile::permissions(copy) | QFile::WriteOwner);
  }
  return to;
}

class DataJourneys : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() {
    if (!QFileInfo::exists(test::enginePath())) QSKIP("binade-engine is not built");
    data_ = copyOfData();
    qputenv("XDG_DATA_HOME", (data_ + QStringLiteral("/own")).toUtf8());
    settings_ = std::make_unique<QSettings>(data_ + QStringLiteral("/settings.ini"), QSettings::IniFormat);
    session_ = std::make_unique<app::Session>(
        app::EngineCommand{test::enginePath(), {QStringLiteral("serve")}, app::Confinement::kIfPossible},
        settings_.get());
    window_ = std::make_unique<app::MainWindow>(session_.get(), settings_.get());
    window_->resize(1600, 1000);
    window_->show();
    session_->startEngine();
    QTRY_VERIFY_WITH_TIMEOUT(session_->engine().state() == app::EngineClient::State::kReady, test::kPatience);
    problems_ = std::make_unique<QSignalSpy>(session_.get(), &app::Session::problem);
  }
  void cleanupTestCase() {
    problems_.reset();
    window_.reset();
    session_.reset();
    settings_.reset();
  }

  void everyKindIsOpenedLookedAtAndTrained_data() {
    QTest::addColumn<int>("batch");
    const QDir folder(QStringLiteral(BINADE_TEST_DATA "/journeys"));
    const QStringList all = folder.entryList({QStringLiteral("*.run.json")}, QDir::Files);
    for (const QString& each : all) QTest::newRow(qPrintable(each)) << 8;
    QVERIFY(all.size() >= 14);
  }
  void everyKindIsOpenedLookedAtAndTrained() {
    const QString file = data_ + u'/' + QString::fromLatin1(QTest::currentDataTag());
    const qint64 engine = session_->engine().processId();
    problems_->clear();
    open(file);
    if (QTest::currentTestFailed()) return;
    app::SetupPage* page = window_->setupPage();

    // The batch as the training would have it: an argument and a target, eight examples of each.
    auto* data = page->form()->data();
    const auto buttons = data->findChildren<QPushButton*>();
    const auto look = std::find_if(buttons.begin(), buttons.end(), [](const QPushButton* button) {
      return button->text() == QStringLiteral("Preview a batch");
    });
    QVERIFY(look != buttons.end());
    QTest::mouseClick(*look, Qt::LeftButton);
    QTRY_VERIFY2_WITH_TIMEOUT(!data->previewTable()->isHidden(), qPrintable(page->problem()), test::kPatience);
    const QAbstractItemModel* batch = data->previewTable()->model();
    QCOMPARE(batch->rowCount(), 2);
    QVERIFY2(batch->index(0, 2).data().toString().startsWith(QStringLiteral("[8, ")),
             qPrintable(batch->index(0, 2).data().toString()));
    QVERIFY(batch->index(1, 0).data().toString().contains(QStringLiteral("(target)")));
    QCOMPARE(page->problem(), QString());

    QTest::mouseClick(page->startButton(), Qt::LeftButton);
    app::RunModel& run = session_->run();
    QTRY_VERIFY2_WITH_TIMEOUT(run.isActive() && run.steps().size() >= 3, qPrintable(said()), test::kPatience);
    QVERIFY(window_->showsRun());
    session_->stop();
    QTRY_VERIFY_WITH_TIMEOUT(run.finished().has_value(), test::kPatience);
    QVERIFY(run.finished()->outcome == wire::Outcome::kStopped);
    QVERIFY2(problems_->isEmpty(), qPrintable(said()));
    QCOMPARE(session_->engine().processId(), engine);  // it was the same one all along
  }

  void whatIsMissingIsCalledMissing() {
    QFile::remove(data_ + QStringLiteral("/y.npy"));
    open(data_ + QStringLiteral("/npy.run.json"));
    if (QTest::currentTestFailed()) return;
    QTest::mouseClick(window_->setupPage()->startButton(), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(!window_->setupPage()->problem().isEmpty(), test::kPatience);
    const QString problem = window_->setupPage()->problem();
    QVERIFY2(problem.contains(QStringLiteral("y.npy does not exist")), qPrintable(problem));
    QVERIFY(session_->engine().state() == app::EngineClient::State::kReady);
  }

  void aFileThatIsCutShortEndsTheRunAndNotTheEngine() {
    const qint64 engine = session_->engine().processId();
    open(data_ + QStringLiteral("/safetensors.run.json"));
    if (QTest::currentTestFailed()) return;
    problems_->clear();
    QTest::mouseClick(window_->setupPage()->startButton(), Qt::LeftButton);
    app::RunModel& run = session_->run();
    QTRY_VERIFY2_WITH_TIMEOUT(run.isActive() && run.steps().size() >= 3, qPrintable(said()), test::kPatience);
    QVERIFY(QFile::resize(data_ + QStringLiteral("/set.safetensors"), 300));
    QTRY_VERIFY_WITH_TIMEOUT(run.finished().has_value(), test::kPatience);
    QVERIFY(run.finished()->outcome == wire::Outcome::kFailed);
    const QString message = QString::fromStdString(run.finished()->message);
    QVERIFY2(message.contains(QStringLiteral("set.safetensors was truncated while it was in use")),
             qPrintable(message));
    QCOMPARE(session_->engine().processId(), engine);
    QVERIFY(session_->engine().state() == app::EngineClient::State::kReady);
  }

 private:
  /// Opens a run description as a person does, and waits for its card.
  void open(const QString& file) {
    window_->openFiles({file});
    QTRY_VERIFY2_WITH_TIMEOUT(window_->showsSetup() && session_->description().file() == file, qPrintable(said()),
                              test::kPatience);
  }
  /// What the window was told of as problems.
  QString said() const {
    QStringList all;
    for (const auto& each : *problems_) all << each.front().value<app::Problem>().message;
    return all.join(u'\n');
  }

  QString data_;
  std::unique_ptr<QSettings> settings_;
  std::unique_ptr<app::Session> session_;
  std::unique_ptr<app::MainWindow> window_;
  std::unique_ptr<QSignalSpy> problems_;
};

BINADE_SUITE(DataJourneys);

}  // namespace

#include "tst_data_journeys.moc"
