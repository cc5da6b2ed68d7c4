// SPDX-License-Identifier: Apache-2.0
// What people drop on the window by mistake, and files that disappear while they are open.
#include "app/present/log_model.h"
#include "app/window/banner.h"
#include "app/window/status_line.h"
#include "tests/app/app_fixture.h"
#include "tests/app/row_mutator.h"
#include "tests/app/wait_opened.h"
#include "tests/support/suite.h"

#include <QDir>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFile>
#include <QImage>
#include <QMimeData>
#include <QPushButton>
#include <QRandomGenerator>
#include <QSignalSpy>
#include <QTest>
#include <QUrl>

namespace {

using namespace binade;

QString writeBytes(const QString& path, const QByteArray& bytes) {
  QFile file(path);
  const bool written = file.open(QIODevice::WriteOnly | QIODevice::Truncate) && file.write(bytes) == bytes.size();
  return written ? path : QString();
}

QByteArray randomBytes(int count) {
  QRandomGenerator random(21);
  QByteArray bytes;
  for (int i = 0; i < count; ++i) bytes.append(static_cast<char>(random.bounded(256)));
  return bytes;
}

const char kGoodPolicy[] = R"({ "binade_policy": 1, "name": "good", "base": "all-float32" })";

// Returns whether the window takes them.
bool dropUrls(app::MainWindow& window, const QList<QUrl>& urls) {
  QMimeData data;
  data.setUrls(urls);
  QDragEnterEvent enter({50, 50}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
  QApplication::sendEvent(&window, &enter);
  QDropEvent drop({50, 50}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
  QApplication::sendEvent(&window, &drop);
  return enter.isAccepted() && drop.isAccepted();
}

// As a file manager drops them.
bool dropOn(app::MainWindow& window, const QStringList& files) {
  QList<QUrl> urls;
  for (const QString& file : files) urls << QUrl::fromLocalFile(file);
  return dropUrls(window, urls);
}

class BadFiles : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void garbageIsOneProblemWithItsName_data() {
    QTest::addColumn<QString>("name");
    for (const char* name : {"junk.pt", "junk.ts", "junk.pth", "junk.torchscript", "junk.policy.json", "junk.json",
                             "junk.run.json", "junk.binade", "junk.xyz", "junk"}) {
      QTest::newRow(name) << QString::fromLatin1(name);
    }
  }
  void garbageIsOneProblemWithItsName() {
    QFETCH(QString, name);
    // The fake engine reads no models: it refuses, as the real one does.
    test::Explorer explorer({QStringLiteral("--refuse"), QStringLiteral("model.inspect")});
    explorer.show();
    app::Session& session = explorer.session();
    QTRY_VERIFY_WITH_TIMEOUT(session.engine().state() == app::EngineClient::State::kReady, 20000);
    const QSignalSpy problems(&session, &app::Session::problem);
    const policy::Policy before = session.document().policy();
    const QString file = writeBytes(explorer.folder() + u'/' + name, randomBytes(5000));
    QVERIFY(dropOn(explorer.window(), {file}));
    QTRY_COMPARE_WITH_TIMEOUT(problems.count(), 1, 20000);
    const auto problem = problems.front().front().value<app::Problem>();
    const bool model = name.contains(QStringLiteral(".pt")) || name.endsWith(QStringLiteral(".ts")) ||
                       name.endsWith(QStringLiteral(".torchscript"));
    QVERIFY2(problem.message.contains(model ? QStringLiteral("model.pt") : name), qPrintable(problem.message));
    QVERIFY(!session.isOpening());
    QVERIFY(session.run().isEmpty() && session.document().policy() == before);
    QVERIFY(explorer.window().banner()->isVisible());
    opensAPolicy(explorer);
  }

  void aGarbageLessonIsShownAsOne() {
    test::Explorer explorer;
    explorer.showFed(5);
    QVERIFY(dropOn(explorer.window(), {writeBytes(explorer.folder() + QStringLiteral("/junk.md"), randomBytes(5000))}));
    QCOMPARE(explorer.window().arrangement(), app::Arrangement::kLearn);
    explorer.window().grab();
    opensAPolicy(explorer);
  }

  void whatIsNoFileIsOneProblem_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("said");
    for (const char* each : {"pt", "policy.json", "run.json", "binade", "md", "xyz"}) {
      const QString ending = QString::fromLatin1(each);
      QTest::addRow("folder.%s", each) << QStringLiteral("folder.") + ending << QStringLiteral("is a folder");
      QTest::addRow("link.%s", each) << QStringLiteral("link.") + ending << QStringLiteral("which does not exist");
      QTest::addRow("device.%s", each) << QStringLiteral("device.") + ending << QStringLiteral("not a regular file");
      QTest::addRow("loop.%s", each) << QStringLiteral("loop.") + ending << QStringLiteral("symbolic links");
      QTest::addRow("gone.%s", each) << QStringLiteral("gone.") + ending << QStringLiteral("does not exist");
    }
  }
  void whatIsNoFileIsOneProblem() {
    QFETCH(QString, name);
    QFETCH(QString, said);
    test::Explorer explorer;
    explorer.showFed(5);
    const QString path = explorer.folder() + u'/' + name;
    if (name.startsWith(QStringLiteral("folder"))) QVERIFY(QDir().mkpath(path));
    if (name.startsWith(QStringLiteral("link"))) QVERIFY(QFile::link(QStringLiteral("/nowhere/at/all"), path));
    if (name.startsWith(QStringLiteral("device"))) QVERIFY(QFile::link(QStringLiteral("/dev/zero"), path));
    if (name.startsWith(QStringLiteral("loop"))) QVERIFY(QFile::link(path, path));
    const QSignalSpy problems(&explorer.session(), &app::Session::problem);
    QVERIFY(dropOn(explorer.window(), {path}));
    QCOMPARE(problems.count(), 1);
    const auto problem = problems.front().front().value<app::Problem>();
    QVERIFY2(problem.message.contains(said) && problem.message.contains(name), qPrintable(problem.message));
    QVERIFY(!problem.hint.isEmpty());
    QCOMPARE(explorer.session().run().steps().size(), std::size_t{5});
    opensAPolicy(explorer);
  }

  void anAddressIsOneProblemAndTheFilesBesideItOpen() {
    test::Explorer explorer;
    explorer.showFed(5);
    const QString path = writeBytes(explorer.folder() + QStringLiteral("/beside.policy.json"), kGoodPolicy);
    const QSignalSpy problems(&explorer.session(), &app::Session::problem);
    QVERIFY(
        dropUrls(explorer.window(), {QUrl(QStringLiteral("https://example.org/net.pt")), QUrl::fromLocalFile(path)}));
    QCOMPARE(problems.count(), 1);
    const auto problem = problems.front().front().value<app::Problem>();
    QVERIFY2(problem.message.contains(QStringLiteral("https://example.org/net.pt")), qPrintable(problem.message));
    QVERIFY(!problem.hint.isEmpty());
    QCOMPARE(explorer.session().document().file(), path);
  }

  // Dragged from a text editor or a browser.
  void whatIsNoFileAtAllIsNotTaken() {
    test::Explorer explorer;
    explorer.showFed(5);
    QMimeData text;
    text.setText(QStringLiteral("model.pt"));
    text.setImageData(QImage(4, 4, QImage::Format_RGB32));
    QDragEnterEvent enter({50, 50}, Qt::CopyAction, &text, Qt::LeftButton, Qt::NoModifier);
    enter.ignore();
    QApplication::sendEvent(&explorer.window(), &enter);
    QVERIFY(!enter.isAccepted());
    QCOMPARE(explorer.session().run().steps().size(), std::size_t{5});
    opensAPolicy(explorer);
  }

  void aFileWithoutReadPermissionIsOneProblem_data() {
    QTest::addColumn<QString>("name");
    for (const char* name : {"mine.policy.json", "mine.run.json", "mine.binade", "mine.xyz"})
      QTest::newRow(name) << QString::fromLatin1(name);
  }
  void aFileWithoutReadPermissionIsOneProblem() {
    QFETCH(QString, name);
    test::Explorer explorer;
    explorer.show();
    const QString path = writeBytes(explorer.folder() + u'/' + name, kGoodPolicy);
    QVERIFY(QFile::setPermissions(path, QFileDevice::WriteOwner));
    if (QFile(path).open(QIODevice::ReadOnly)) QSKIP("this user may read every file");
    const QSignalSpy problems(&explorer.session(), &app::Session::problem);
    QVERIFY(dropOn(explorer.window(), {path}));
    test::waitOpened(explorer.session());
    QCOMPARE(problems.count(), 1);
    const auto problem = problems.front().front().value<app::Problem>();
    QVERIFY2(problem.message.contains(name), qPrintable(problem.message));
    opensAPolicy(explorer);
  }

  void twoHundredFilesAtOnceAreOpenedOrReportedEach() {
    test::Explorer explorer;
    explorer.showFed(5);
    QStringList files;
    for (int i = 0; i < 200; ++i) {
      const bool good = i % 2 == 1;
      const QString name = QStringLiteral("/%1.policy.json").arg(i, 3, 10, QLatin1Char('0'));
      files << writeBytes(explorer.folder() + name, good ? QByteArray(kGoodPolicy) : randomBytes(200));
    }
    const QSignalSpy problems(&explorer.session(), &app::Session::problem);
    QVERIFY(dropOn(explorer.window(), files));
    QCOMPARE(problems.count(), 100);
    QCOMPARE(explorer.session().document().file(), files.back());
    QCOMPARE(explorer.session().document().policy().name, std::string("good"));
    QVERIFY(explorer.window().banner()->isVisible());
    explorer.window().grab();
  }

  void twoHundredModelsLeaveNoRequestBehind() {
    test::Explorer explorer({QStringLiteral("--refuse"), QStringLiteral("model.inspect")});
    explorer.show();
    QStringList files;
    for (int i = 0; i < 200; ++i)
      files << writeBytes(explorer.folder() + QStringLiteral("/%1.pt").arg(i), randomBytes(100));
    const QSignalSpy problems(&explorer.session(), &app::Session::problem);
    QVERIFY(dropOn(explorer.window(), files));
    QTRY_COMPARE_WITH_TIMEOUT(problems.count(), 200, 30000);
    QCOMPARE(explorer.window().statusLine()->stateText(), QStringLiteral("No run"));
    opensAPolicy(explorer);
  }

  // ---- deleted while it is open ----

  void aDeletedPolicyCanBeSavedThereAgain() {
    test::Explorer explorer;
    explorer.showFed(5);
    const QString path = writeBytes(explorer.folder() + QStringLiteral("/own.policy.json"), kGoodPolicy);
    explorer.window().openFiles({path});
    QVERIFY(!explorer.session().document().isModified());
    QVERIFY(QFile::remove(path));
    app::Banner* banner = explorer.window().banner();
    QTRY_VERIFY_WITH_TIMEOUT(banner->isVisible() && banner->message().contains(QStringLiteral("own.policy.json")),
                             20000);
    QVERIFY(explorer.session().document().isModified());  // it is nowhere else any more
    QTest::mouseClick(banner->offered(), Qt::LeftButton);
    QVERIFY(QFile::exists(path));
    QVERIFY(!explorer.session().document().isModified());
  }

  void theRunOfADeletedFileIsShownOn() {
    test::Explorer explorer;
    explorer.window().resize(1600, 1000);
    explorer.window().show();
    app::Session& session = explorer.session();
    const QString path = writeBytes(explorer.folder() + QStringLiteral("/own.binade"), test::wholeRunFile());
    explorer.window().openFiles({path});
    test::waitOpened(session);
    QCOMPARE(session.run().steps().size(), std::size_t{60});
    QVERIFY(QFile::remove(path));
    for (const app::Arrangement each : app::kArrangements) {
      explorer.window().setArrangement(each);
      session.selection().setShown(20);
      QVERIFY(session.run().shownStep() == std::optional<std::int64_t>(20));
      explorer.window().grab();
    }
    const QSignalSpy problems(&session, &app::Session::problem);
    explorer.window().openFiles({path});
    QCOMPARE(problems.count(), 1);
    QVERIFY(problems.front().front().value<app::Problem>().message.contains(QStringLiteral("does not exist")));
    QCOMPARE(session.run().steps().size(), std::size_t{60});
  }

 private:
  // The window is usable after what was dropped.
  static void opensAPolicy(test::Explorer& explorer) {
    const QString path = writeBytes(explorer.folder() + QStringLiteral("/after.policy.json"), kGoodPolicy);
    QVERIFY(dropOn(explorer.window(), {path}));
    QCOMPARE(explorer.session().document().file(), path);
  }
};

BINADE_SUITE(BadFiles);

}  // namespace

#include "tst_bad_files.moc"
