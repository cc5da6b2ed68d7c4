// SPDX-License-Identifier: Apache-2.0
// The commands of docs/guide/several-gpus.md about ranks, in the order of the page, on the run that it shows.
#include "engine/record/run_reader.h"
#include "engine/words/rank_text.h"
#include "tests/host/run_engine.h"
#include "tests/support/places.h"
#include "tests/support/suite.h"

#include <QFile>
#include <QProcess>
#include <QRegularExpression>

namespace {

using namespace binade;
using namespace Qt::StringLiterals;

struct Piece {
  QString language;
  QString text;
};

QString page() {
  QFile file(QStringLiteral(BINADE_SOURCE_DIR "/docs/guide/several-gpus.md"));
  return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

/// The pieces of the section on ranks that have a language. Other commands need torchrun, Slurm or another computer.
QList<Piece> piecesOfSection() {
  const QString section = page().section(u"\n## Several ranks\n"_s, 1, 1).section(u"\n## "_s, 0, 0);
  static const QRegularExpression piece(
      u"^```(\\w+)\\n(.*?)^```"_s,
      QRegularExpression::MultilineOption | QRegularExpression::DotMatchesEverythingOption);
  QList<Piece> pieces;
  for (const auto& match : piece.globalMatch(section)) pieces << Piece{match.captured(1), match.captured(2)};
  return pieces;
}

class RanksGuide : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void theCommandsOfThePageRun() {
    const QString folder = test::temporaryFolder();
    QProcessEnvironment environment = test::engineEnvironment();
    environment.insert(u"PATH"_s, QStringLiteral(BINADE_BIN_DIR ":") + environment.value(u"PATH"_s));
    QString printed;
    int ran = 0;
    for (const Piece& piece : piecesOfSection()) {
      if (piece.language == u"json"_s) {
        QFile run(folder + u"/two.run.json"_s);
        QVERIFY(run.open(QIODevice::WriteOnly) && run.write(piece.text.toUtf8()) > 0);
        continue;
      }
      QCOMPARE(piece.language, u"sh"_s);
      QProcess process;
      process.setWorkingDirectory(folder);
      process.setProcessEnvironment(environment);
      process.start(u"/bin/sh"_s, {u"-ec"_s, piece.text});
      QVERIFY2(process.waitForFinished(240'000), qPrintable(piece.text));
      printed = QString::fromUtf8(process.readAllStandardOutput());
      QVERIFY2(process.exitStatus() == QProcess::NormalExit && process.exitCode() == 0,
               qPrintable(piece.text + printed + QString::fromUtf8(process.readAllStandardError())));
      ++ran;
      // Only `launch` prints how many ranks train, in its first line.
      QCOMPARE(printed.section(u'\n', 0, 0).contains(u" on 2 ranks ("_s), ran == 1);
      // Both commands print the columns that the page explains.
      for (const std::string& column : words::rank_columns()) {
        QVERIFY2(printed.contains(QString::fromStdString(column)), qPrintable(printed));
        QVERIFY(column == "rank" || page().contains(u"| %1 |"_s.arg(QString::fromStdString(column))));
      }
    }
    QCOMPARE(ran, 2);

    const record::RunReader reader((folder + u"/two.binade"_s).toStdString());
    QCOMPARE(reader.started()->ranks.size(), std::size_t{2});
    const auto last = reader.step(59);
    QVERIFY(last && last->ranks.size() == 2);
    for (const wire::RankFacts& facts : last->ranks) QVERIFY(facts.seconds > 0 && facts.waited >= 0);
    QVERIFY(QFile::exists(folder + u"/two.html"_s));
  }
};

}  // namespace

BINADE_SUITE(RanksGuide);
#include "tst_ranks_guide.moc"
