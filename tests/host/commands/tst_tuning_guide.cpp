// SPDX-License-Identifier: Apache-2.0
// The commands of docs/guide/tuning.md, in the order of the page, on the run that it shows.
#include "tests/host/guide_pieces.h"
#include "tests/host/run_engine.h"
#include "tests/support/places.h"
#include "tests/support/suite.h"

#include <QFile>
#include <QJsonDocument>
#include <QProcess>

namespace {

using namespace binade;

QByteArray contentOfFile(const QString& name) {
  QFile file(name);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QList<test::GuidePiece> piecesOfPage() {
  return test::guidePieces(QStringLiteral("docs/guide/tuning.md"));
}

class TuningGuide : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void theCommandsRunAndPrintWhatThePageShows() {
    const QString folder = test::temporaryFolder();
    QProcessEnvironment environment = test::engineEnvironment();
    environment.insert(QStringLiteral("PATH"),
                       QStringLiteral(BINADE_BIN_DIR ":") + environment.value(QStringLiteral("PATH")));
    QString printed;
    int ran = 0;
    int compared = 0;
    for (const test::GuidePiece& piece : piecesOfPage()) {
      if (piece.language == QLatin1String("json")) {
        QFile run(folder + QStringLiteral("/bright.run.json"));
        QVERIFY(run.open(QIODevice::WriteOnly) && run.write(piece.text.toUtf8()) > 0);
        continue;
      }
      if (piece.language.isEmpty()) {
        QVERIFY2(printed.contains(piece.text), qPrintable(printed));
        ++compared;
        continue;
      }
      QProcess process;
      process.setWorkingDirectory(folder);
      process.setProcessEnvironment(environment);
      process.start(QStringLiteral("/bin/sh"), {QStringLiteral("-ec"), piece.text});
      QVERIFY2(process.waitForFinished(240'000), qPrintable(piece.text));
      printed = QString::fromUtf8(process.readAllStandardOutput());
      QVERIFY2(process.exitStatus() == QProcess::NormalExit && process.exitCode() == 0,
               qPrintable(piece.text + printed + QString::fromUtf8(process.readAllStandardError())));
      ++ran;
    }
    QCOMPARE(ran, 3);  // pieces of the page
    QCOMPARE(compared, 1);
  }

  void theJourneyTrainsTheSameRun() {
    for (const test::GuidePiece& piece : piecesOfPage()) {
      if (piece.language != QLatin1String("json")) continue;
      const auto run = QJsonDocument::fromJson(piece.text.toUtf8());
      QVERIFY(run.isObject());
      QVERIFY(run ==
              QJsonDocument::fromJson(contentOfFile(QStringLiteral(BINADE_TEST_DATA "/tuning/bright.run.json"))));
    }
  }
};

BINADE_SUITE(TuningGuide);

}  // namespace

#include "tst_tuning_guide.moc"
