// SPDX-License-Identifier: Apache-2.0
// The commands of docs/guide/several-gpus.md about ranks, on the run that it shows.
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

QString sectionOnRanks() {
  return page().section(u"\n## Several ranks\n"_s, 1, 1).section(u"\n## "_s, 0, 0);
}

/// The pieces of the section that have a language. Other commands need torchrun or Slurm.
QList<Piece> piecesOfSection() {
  static const QRegularExpression piece(
      u"^```(\\w+)\\n(.*?)^```"_s,
      QRegularExpression::MultilineOption | QRegularExpression::DotMatchesEverythingOption);
  QList<Piece> pieces;
  for (const auto& match : piece.globalMatch(sectionOnRanks())) pieces << Piece{match.captured(1), match.captured(2)};
  return pieces;
}

/// A stand-in for srun, for computers without Slurm: starts the tasks of one node, and fails if one of them does.
const char kSrun[] = R"(#!/bin/sh
[ "$1" = --ntasks-per-node ] && [ "$3" = --kill-on-bad-exit ] || exit 64
n=$2
shift 3
export SLURM_STEP_NUM_TASKS=$n SLURM_STEP_NODELIST=localhost SLURM_STEP_NUM_NODES=1 SLURM_JOB_ID=$$ SLURM_STEP_ID=0
i=0 tasks=
while [ $i -lt $n ]; do
  SLURM_PROCID=$i SLURM_LOCALID=$i "$@" &
  tasks="$tasks $!" i=$((i + 1))
done
for each in $tasks; do wait $each || exit 1; done
)";

bool write(const QString& path, const QByteArray& text, bool executable = false) {
  QFile file(path);
  const bool written = file.open(QIODevice::WriteOnly) && file.write(text) == text.size();
  return written && (!executable || file.setPermissions(file.permissions() | QFile::ExeOwner));
}

class RanksGuide : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void theCommandsOfThePageRun() {
    const QString folder = test::temporaryFolder();
    const QProcessEnvironment environment = withPath(QStringLiteral(BINADE_BIN_DIR));
    QString printed;
    int ran = 0;
    for (const Piece& piece : piecesOfSection()) {
      if (piece.language == u"json"_s) {
        QVERIFY(write(folder + u"/two.run.json"_s, piece.text.toUtf8()));
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

  void srunStartsTheRanks() {
    const QString folder = test::temporaryFolder();
    QVERIFY(write(folder + u"/RUN.json"_s, piecesOfSection().front().text.toUtf8()));
    QVERIFY(write(folder + u"/srun"_s, kSrun, true));
    static const QRegularExpression line(u"^srun .*$"_s, QRegularExpression::MultilineOption);
    QString command = line.match(sectionOnRanks()).captured();
    QVERIFY(command.contains(u" 8 "_s));
    command.replace(u" 8 "_s, u" 2 "_s).append(u" --run-file srun.binade"_s);
    QProcess process;
    process.setWorkingDirectory(folder);
    process.setProcessEnvironment(withPath(folder + QStringLiteral(":" BINADE_BIN_DIR)));
    process.start(u"/bin/sh"_s, {u"-ec"_s, command});
    QVERIFY(process.waitForFinished(240'000));
    const QByteArray said = process.readAllStandardOutput() + process.readAllStandardError();
    QVERIFY2(process.exitStatus() == QProcess::NormalExit && process.exitCode() == 0, said);
    const record::RunReader reader((folder + u"/srun.binade"_s).toStdString());
    QCOMPARE(reader.started()->ranks.size(), std::size_t{2});
    QVERIFY(reader.step(59).has_value());
  }

 private:
  static QProcessEnvironment withPath(const QString& folders) {
    QProcessEnvironment environment = test::engineEnvironment();
    environment.insert(u"PATH"_s, folders + u':' + environment.value(u"PATH"_s));
    return environment;
  }
};

}  // namespace

BINADE_SUITE(RanksGuide);
#include "tst_ranks_guide.moc"
