// SPDX-License-Identifier: Apache-2.0
#include "engine/record/run_reader.h"
#include "engine/record/run_writer.h"
#include "tests/host/run_engine.h"
#include "tests/support/places.h"
#include "tests/support/suite.h"
#include "tests/wire/samples.h"

#include <QFile>
#include <QProcess>
#include <QRegularExpression>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

using namespace binade;
using namespace Qt::StringLiterals;

namespace {

/// The Python script of docs/run-file.md.
QByteArray scriptOfTheDocumentation() {
  QFile page(QStringLiteral(BINADE_SOURCE_DIR "/docs/run-file.md"));
  if (!page.open(QIODevice::ReadOnly)) return {};
  const QByteArray text = page.readAll();
  const qsizetype begin = text.indexOf("```python\n") + 10;
  return text.mid(begin, text.indexOf("```", begin) - begin);
}

/// Whether Python printed this number. NULL, which is NaN, is printed as None.
bool isPrinted(const QString& text, double number) {
  if (std::isnan(number)) return text == u"None"_s;
  bool ok = false;
  return text.toDouble(&ok) == number && ok;
}

/// Number of binades from the first to the last with values; 0 without a histogram.
std::ptrdiff_t binadesOf(const formats::TensorStats& stats) {
  const auto holdsValues = [](std::uint32_t values) { return values > 0; };
  const auto first = std::find_if(stats.binades.begin(), stats.binades.end(), holdsValues);
  const auto last = std::find_if(stats.binades.rbegin(), stats.binades.rend(), holdsValues).base();
  return first < last ? last - first : 0;
}

/// Runs the script on a run file and compares every number that it prints with what the engine's reader says.
void expectScriptToAgree(const QString& file, bool histograms) {
  QProcess python;
  python.start(u"python3"_s, {test::written(u"read_run.py"_s, scriptOfTheDocumentation()), file});
  QVERIFY(python.waitForFinished(30000));
  const QString failure = QString::fromUtf8(python.readAllStandardError());
  QVERIFY2(histograms ? failure.isEmpty() : failure.contains(u"has no histogram."), qPrintable(failure));
  QCOMPARE(python.exitCode(), histograms ? 0 : 1);
  QStringList lines = QString::fromUtf8(python.readAllStandardOutput()).split(u'\n', Qt::SkipEmptyParts);

  std::vector<wire::StepRecord> steps;
  const record::RunReader reader(file.toStdString());
  reader.replay([&](record::RunRecord&& item) {
    if (auto* step = std::get_if<wire::StepRecord>(&item)) steps.push_back(std::move(*step));
    return true;
  });
  QVERIFY(steps.size() > 5);
  const wire::StepRecord* newest = nullptr;
  for (const wire::StepRecord& step : steps) {
    const QStringList printed = lines.takeFirst().split(u' ');
    QCOMPARE(printed.size(), 3);
    QCOMPARE(printed[0].toLongLong(), step.step);
    QVERIFY2(isPrinted(printed[1], step.loss), qPrintable(printed[1]));
    QVERIFY2(isPrinted(printed[2], step.scale), qPrintable(printed[2]));
    if (!step.observations.empty()) newest = &step;
  }

  QVERIFY(newest != nullptr);
  QCOMPARE(!lines.isEmpty(), histograms);
  if (!histograms) return;
  // The tensor whose values spread over the most binades, as the script selects it.
  const auto narrower = [](const wire::Observation& a, const wire::Observation& b) {
    return std::pair(binadesOf(a.stats), a.tensor) < std::pair(binadesOf(b.stats), b.tensor);
  };
  const auto printed = std::max_element(newest->observations.begin(), newest->observations.end(), narrower);
  std::array<std::uint32_t, formats::kBinades> binades{};
  for (const QString& line : lines) {
    const QStringList words = line.split(u' ');
    QCOMPARE(words.size(), 8);
    QCOMPARE(words[1].toLongLong(), newest->step);
    QCOMPARE(words[3].toInt(), printed->tensor);
    const int place = words[5].toInt() - formats::kFirstBinade;
    QVERIFY(place >= 0 && place < formats::kBinades);
    binades[static_cast<std::size_t>(place)] = words[7].toUInt();
  }
  QVERIFY(binades == printed->stats.binades);
}

}  // namespace

/// docs/run-file.md against what the engine writes.
class RunFileScript : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void itReadsARunOfTheEngine_data() {
    QTest::addColumn<QString>("level");
    for (const char* level : {"finite", "histogram", "what-if"}) QTest::newRow(level) << QString::fromLatin1(level);
  }
  void itReadsARunOfTheEngine() {
    QFETCH(QString, level);
    const QString run =
        test::runFile({{u"steps"_s, 7}, {u"observe"_s, QJsonObject{{u"level"_s, level}, {u"every"_s, 2}}}});
    const QString file = test::temporaryFolder() + u"/run.binade"_s;
    const test::EngineResult trained = test::engine({u"train"_s, run, u"--run-file"_s, file});
    QVERIFY2(trained.code == 0, qPrintable(trained.err));
    expectScriptToAgree(file, level != u"finite"_s);
  }

  void itReadsInfinityAndNaN() {
    const QString file = test::temporaryFolder() + u"/samples.binade"_s;
    record::RunWriter writer(file.toStdString());
    for (int i = 0; i < 10; ++i) {
      wire::StepRecord step = test::sampleStep(i, 3);
      if (i == 4) step.loss = std::numeric_limits<double>::quiet_NaN();
      writer.add(step);
    }
    writer.close();
    expectScriptToAgree(file, true);
  }

  void everyQueryOfThePageRuns() {
    const QString file = test::temporaryFolder() + u"/queried.binade"_s;
    const test::EngineResult trained =
        test::engine({u"train"_s, test::runFile({{u"steps"_s, 3}}), u"--run-file"_s, file});
    QVERIFY2(trained.code == 0, qPrintable(trained.err));
    QFile page(QStringLiteral(BINADE_SOURCE_DIR "/docs/run-file.md"));
    QVERIFY(page.open(QIODevice::ReadOnly));
    static const QRegularExpression query(u"sqlite3 \\S+ \"([^\"]+)\""_s);
    int queries = 0;
    for (auto each = query.globalMatch(QString::fromUtf8(page.readAll())); each.hasNext(); ++queries) {
      const QString text = each.next().captured(1);
      QProcess python;
      python.start(u"python3"_s,
                   {u"-c"_s, u"import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute(sys.argv[2]).fetchall()"_s,
                    file, text});
      QVERIFY(python.waitForFinished(30000));
      QVERIFY2(python.exitCode() == 0, qPrintable(text + u'\n' + QString::fromUtf8(python.readAllStandardError())));
    }
    QCOMPARE(queries, 8);
  }
};

BINADE_SUITE(RunFileScript);
#include "tst_run_file_script.moc"
