// SPDX-License-Identifier: Apache-2.0
// The commands of docs/guide/scaled-formats.md, in the order of the page, on the model, table and run that it shows.
#include "tests/host/guide_pieces.h"
#include "tests/host/run_engine.h"
#include "tests/support/places.h"
#include "tests/support/suite.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QRegularExpression>

#include <cmath>

namespace {

using namespace binade;

const QString kPage = QStringLiteral("docs/guide/scaled-formats.md");
const QString kData = QStringLiteral(BINADE_TEST_DATA "/scaled_formats/");

QByteArray contentOf(const QString& name) {
  QFile file(name);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// The difference of the loss in a verdict, `Loss +0.31 (...)`; NaN without one.
double gapIn(const QString& printed) {
  static const QRegularExpression gap(QStringLiteral("Loss ([+-][0-9.]+)"));
  const auto found = gap.match(printed);
  return found.hasMatch() ? found.captured(1).toDouble() : std::nan("");
}

class ScaledFormatsGuide : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  /// The files of the journey are those of the page; the model and the table were made by its Python script.
  void thePageShowsTheFilesOfTheJourney() {
    QStringList shown;
    for (const test::GuidePiece& piece : test::guidePieces(kPage)) shown << piece.text;
    for (const char* file : {"make_table.py", "table.run.json", "bfloat16.policy.json", "two-rules.policy.json"}) {
      QByteArray content = contentOf(kData + QLatin1String(file));
      if (content.startsWith("# SPDX")) content.remove(0, content.indexOf('\n') + 1);  // the page does not show it
      QVERIFY2(!content.isEmpty() && shown.contains(QString::fromUtf8(content)), file);
    }
  }

  void aModelFarOutsideTheNoiseInNvfp4IsMendedWithTwoRules() {
    const QString folder = test::temporaryFolder();
    for (const QString& file : QDir(kData).entryList(QDir::Files)) {
      QVERIFY(QFile::copy(kData + file, folder + QLatin1Char('/') + file));
    }
    QProcessEnvironment environment = test::engineEnvironment();
    environment.insert(QStringLiteral("PATH"),
                       QStringLiteral(BINADE_BIN_DIR ":") + environment.value(QStringLiteral("PATH")));
    QStringList printed;
    for (const test::GuidePiece& piece : test::guidePieces(kPage)) {
      if (piece.language != QLatin1String("sh")) continue;
      QProcess process;
      process.setWorkingDirectory(folder);
      process.setProcessEnvironment(environment);
      process.start(QStringLiteral("/bin/sh"), {QStringLiteral("-ec"), piece.text});
      QVERIFY2(process.waitForFinished(240'000), qPrintable(piece.text));
      printed << QString::fromUtf8(process.readAllStandardOutput());
      QVERIFY2(process.exitStatus() == QProcess::NormalExit && process.exitCode() == 0,
               qPrintable(piece.text + printed.last() + QString::fromUtf8(process.readAllStandardError())));
    }
    QCOMPARE(printed.size(), 2);  // NVFP4, and NVFP4 with two rules, each beside bfloat16
    QVERIFY2(printed[0].contains(QLatin1String("worse from step")), qPrintable(printed[0]));
    QVERIFY2(std::abs(gapIn(printed[1])) < gapIn(printed[0]) / 10, qPrintable(printed[0] + printed[1]));
  }
};

BINADE_SUITE(ScaledFormatsGuide);

}  // namespace

#include "tst_scaled_formats_guide.moc"
