// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/error.h"
#include "engine/record/run_reader.h"
#include "engine/record/sqlite.h"
#include "tests/support/places.h"
#include "tests/support/suite.h"

#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>

#include <algorithm>

using namespace binade;

namespace {

struct Result {
  int code = -1;
  QString out;
  QString err;

  /// The first line whose event is this.
  QJsonObject line(const char* event) const {
    for (const QString& text : out.split(QLatin1Char('\n'), Qt::SkipEmptyParts)) {
      const QJsonObject object = QJsonDocument::fromJson(text.toUtf8()).object();
      if (object[QStringLiteral("event")].toString() == QLatin1String(event)) return object;
    }
    return {};
  }
};

Result runEngine(const QStringList& arguments) {
  QProcess process;
  process.start(QStringLiteral(BINADE_BIN_DIR "/binade-engine"), arguments);
  process.waitForFinished(120000);
  return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1,
          QString::fromUtf8(process.readAllStandardOutput()), QString::fromUtf8(process.readAllStandardError())};
}

QString written(const QString& name, const QJsonObject& object) {
  const QString path = test::temporaryFolder() + QLatin1Char('/') + name;
  QFile file(path);
  if (file.open(QIODevice::WriteOnly)) file.write(QJsonDocument(object).toJson());
  return path;
}

/// A recorded run whose loss scale is far too high for its first steps.
struct Recorded {
  QString file = test::temporaryFolder() + QStringLiteral("/high.binade");
  Result result;

  explicit Recorded(int steps = 4) {
    const QJsonObject data{{QStringLiteral("kind"), QStringLiteral("synthetic")},
                           {QStringLiteral("inputs"), QJsonArray{QStringLiteral("float32[8,1,28,28]")}}};
    const QJsonObject run{{QStringLiteral("binade_run"), 1},
                          {QStringLiteral("name"), QStringLiteral("high")},
                          {QStringLiteral("model"), QStringLiteral("sample:mlp")},
                          {QStringLiteral("data"), data},
                          {QStringLiteral("scaler"), QJsonObject{{QStringLiteral("init_scale"), 1099511627776.0}}},
                          {QStringLiteral("batch"), 8},
                          {QStringLiteral("checkpoint"), QJsonObject{{QStringLiteral("folder"), QStringLiteral("kept")},
                                                                     {QStringLiteral("every"), 2}}},
                          {QStringLiteral("steps"), steps}};
    QFile::remove(file);
    result = runEngine({QStringLiteral("train"), written(QStringLiteral("high.json"), run), QStringLiteral("--json"),
                        QStringLiteral("--run-file"), file});
  }
};

QStringList replayOf(const QString& file, const QStringList& more) {
  return QStringList{QStringLiteral("replay"), file, QStringLiteral("--json")} + more;
}

}  // namespace

class TestReplayCommand : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  // The step's state stands beside the run file; of that a few rows are enough.
  void aDamagedRunFileIsReplayedFromWhatIsLeft() {
    const Recorded run;
    record::Database(run.file.toStdString(), record::Database::Mode::kReadWrite).run("DROP TABLE log");
    const Result replayed = runEngine(replayOf(run.file, {QStringLiteral("--step"), QStringLiteral("0")}));
    QVERIFY2(!replayed.line("replayed").isEmpty(), qPrintable(replayed.err));
    QVERIFY2(replayed.err.contains(QStringLiteral("log")), qPrintable(replayed.err));
  }

  void aTableThatIsMissingIsToldAsDamage() {
    const Recorded run;
    record::Database(run.file.toStdString(), record::Database::Mode::kReadWrite).run("DROP TABLE steps");
    try {
      const record::RunReader reader(run.file.toStdString());
      reader.step(0);
      QFAIL("was read");
    } catch (const Error& error) {
      QVERIFY2(QString::fromStdString(error.what()).contains(QStringLiteral("the file is damaged")), error.what());
      QVERIFY(!error.hint.empty());
    }
  }

  void anOverflowLineHasCauseVerdictFixAndEvidence() {
    const Recorded run;
    QCOMPARE(run.result.code, 0);
    const QJsonObject line = run.result.line("overflow");
    QVERIFY(!line.isEmpty());
    QCOMPARE(line[QStringLiteral("direction")].toString(), QStringLiteral("backward"));
    QCOMPARE(line[QStringLiteral("verdict")].toString(), QStringLiteral("benign"));
    for (const char* field : {"sites", "roots", "chain", "evidence"}) {
      QVERIFY2(!line[QLatin1String(field)].toArray().isEmpty(), field);
    }
    const double scale = line[QStringLiteral("fix")].toObject()[QStringLiteral("scale")].toDouble();
    QVERIFY(scale > 0 && scale < 1099511627776.0);
    bool shown = false;
    for (const QJsonValue& tried : line[QStringLiteral("evidence")].toArray()) {
      const QJsonObject attempt = tried.toObject();
      shown =
          shown || (attempt[QStringLiteral("finite")].toBool() && attempt[QStringLiteral("scale")].toDouble() == scale);
    }
    QVERIFY(shown);
  }

  void theDemosOverflowLineCarriesItAll() {
    if (!QFileInfo::exists(QStringLiteral("/usr/share/datasets/fashion-mnist"))) {
      QSKIP("Fashion-MNIST is not installed (dataset-fashion-mnist)");
    }
    const Result run = runEngine({QStringLiteral("demo"), QStringLiteral("--json"), QStringLiteral("--steps"),
                                  QStringLiteral("2"), QStringLiteral("--run-file"), QStringLiteral("none")});
    QCOMPARE(run.code, 0);
    const QJsonObject line = run.line("overflow");
    QVERIFY(!line.isEmpty());
    for (const char* list : {"sites", "chain", "evidence", "roots"}) {
      QVERIFY2(!line[QLatin1String(list)].toArray().isEmpty(), list);
    }
    QCOMPARE(line[QStringLiteral("direction")].toString(), QStringLiteral("backward"));
    QCOMPARE(line[QStringLiteral("verdict")].toString(), QStringLiteral("benign"));
    QVERIFY(line[QStringLiteral("fix")].toObject()[QStringLiteral("scale")].toDouble() > 0);
    const QJsonObject band = line[QStringLiteral("band")].toObject();
    QVERIFY(band[QStringLiteral("highest")].isDouble() && band[QStringLiteral("lowest")].isDouble());
    QVERIFY(band[QStringLiteral("highest")].toInt() >= band[QStringLiteral("lowest")].toInt());
  }

  void theRunFileHasTheDiagnosis() {
    const Recorded run;
    const record::RunReader reader(run.file.toStdString());
    const auto events = reader.events();
    QVERIFY(!events.empty());
    QVERIFY(events.front().diagnosis.has_value());
    QVERIFY(events.front().diagnosis->verdict == wire::Verdict::kBenign);
    QCOMPARE(events.front().diagnosis->bundle, std::string("high.step-0.safetensors"));
    QVERIFY(!events.front().diagnosis->chain.empty());
  }

  void aStepIsReplayedFromItsBundle() {
    const Recorded run;
    const QJsonObject first = run.result.line("overflow");
    const Result again = runEngine(replayOf(run.file, {QStringLiteral("--step"), QStringLiteral("0")}));
    QCOMPARE(again.code, 1);
    QCOMPARE(again.line("replayed")[QStringLiteral("finite")].toBool(true), false);
    const QJsonObject line = again.line("overflow");
    QCOMPARE(line[QStringLiteral("verdict")], first[QStringLiteral("verdict")]);
    QCOMPARE(line[QStringLiteral("roots")], first[QStringLiteral("roots")]);
    QCOMPARE(line[QStringLiteral("fix")], first[QStringLiteral("fix")]);
  }

  void anotherPolicyMayMakeItFinite() {
    const Recorded run;
    const QString policy =
        written(QStringLiteral("float32.policy.json"), {{QStringLiteral("binade_policy"), 1},
                                                        {QStringLiteral("name"), QStringLiteral("float32")},
                                                        {QStringLiteral("base"), QStringLiteral("all-float32")}});
    const Result replayed = runEngine(
        replayOf(run.file, {QStringLiteral("--step"), QStringLiteral("0"), QStringLiteral("--policy"), policy}));
    QCOMPARE(replayed.code, 0);
    QVERIFY(replayed.line("replayed")[QStringLiteral("finite")].toBool());
  }

  /// Another run of the same name may have left its own files beside this one's.
  void aStateThatNoEventNamesIsNotTaken() {
    const Recorded run(10);
    const QString folder = QFileInfo(run.file).path();
    const record::RunReader reader(run.file.toStdString());
    const auto events = reader.events();
    const auto ninth =
        std::find_if(events.begin(), events.end(), [](const wire::Event& event) { return event.step == 9; });
    QVERIFY(ninth != events.end() && ninth->diagnosis->bundle.empty());  // eight are kept
    QVERIFY(QFile::copy(folder + QStringLiteral("/high.step-0.safetensors"),
                        folder + QStringLiteral("/high.step-9.safetensors")));
    const Result other = runEngine(replayOf(run.file, {QStringLiteral("--step"), QStringLiteral("9")}));
    QCOMPARE(other.code, 1);
    QVERIFY2(other.err.contains(QStringLiteral("was not saved")), qPrintable(other.err));
    QVERIFY2(!other.err.contains(QStringLiteral(", 9 were saved")), qPrintable(other.err));
    // And one that was put in the place of this run's own.
    QVERIFY(QFile::remove(folder + QStringLiteral("/high.step-3.safetensors")));
    QVERIFY(QFile::copy(folder + QStringLiteral("/high.step-0.safetensors"),
                        folder + QStringLiteral("/high.step-3.safetensors")));
    const Result third = runEngine(replayOf(run.file, {QStringLiteral("--step"), QStringLiteral("3")}));
    QVERIFY2(third.err.contains(QStringLiteral("recorded at scale 2^37, but the saved state has 2^40")),
             qPrintable(third.err));
  }

  void dataThatHasChangedSinceIsToldOf() {
    const QString folder = test::temporaryFolder();
    const auto write = [&](const QString& value) {
      QFile table(folder + QStringLiteral("/x.csv"));
      QVERIFY(table.open(QIODevice::WriteOnly | QIODevice::Truncate));
      QStringList names, values;
      for (int i = 0; i < 784; ++i) names << QStringLiteral("p%1").arg(i), values << value;
      table.write((names.join(QLatin1Char(',')) + QStringLiteral(",label\n")).toUtf8());
      for (int row = 0; row < 8; ++row) {
        table.write((values.join(QLatin1Char(',')) + QStringLiteral(",%1\n").arg(row)).toUtf8());
      }
    };
    write(QStringLiteral("70000"));
    QJsonArray pixels;
    for (int i = 0; i < 784; ++i) pixels.append(QStringLiteral("p%1").arg(i));
    const QJsonObject x{{QStringLiteral("from"), pixels},
                        {QStringLiteral("dtype"), QStringLiteral("float32")},
                        {QStringLiteral("shape"), QJsonArray{1, 28, 28}}};
    const QJsonObject label{{QStringLiteral("from"), QStringLiteral("label")}};
    const QJsonObject data{{QStringLiteral("kind"), QStringLiteral("files")},
                           {QStringLiteral("files"), QJsonArray{folder + QStringLiteral("/x.csv")}},
                           {QStringLiteral("columns"), QJsonObject{{QStringLiteral("x"), x}}},
                           {QStringLiteral("targets"), QJsonObject{{QStringLiteral("label"), label}}}};
    const QString run =
        written(QStringLiteral("changed.json"), {{QStringLiteral("binade_run"), 1},
                                                 {QStringLiteral("model"), QStringLiteral("sample:mlp")},
                                                 {QStringLiteral("data"), data},
                                                 {QStringLiteral("batch"), 8},
                                                 {QStringLiteral("steps"), 1}});
    const QString file = folder + QStringLiteral("/changed.binade");
    runEngine({QStringLiteral("train"), run, QStringLiteral("--run-file"), file});
    const QStringList replay = replayOf(file, {QStringLiteral("--step"), QStringLiteral("0")});
    const Result same = runEngine(replay);
    QCOMPARE(same.code, 1);
    QVERIFY2(!same.err.contains(QStringLiteral("has changed since")), qPrintable(same.err));
    write(QStringLiteral("0.5"));
    const Result changed = runEngine(replay);
    QVERIFY2(changed.err.contains(QStringLiteral("Step 0 was not finite when it was recorded")),
             qPrintable(changed.err));
    // Another scale or policy may make it finite: that is what is asked.
    const Result asked = runEngine(replay + QStringList{QStringLiteral("--scale"), QStringLiteral("1")});
    QVERIFY2(!asked.err.contains(QStringLiteral("when it was recorded")), qPrintable(asked.err));
  }

  void aFiniteStepIsNotReplayed() {
    const QJsonObject data{{QStringLiteral("kind"), QStringLiteral("synthetic")},
                           {QStringLiteral("inputs"), QJsonArray{QStringLiteral("float32[8,1,28,28]")}}};
    const QJsonObject run{{QStringLiteral("binade_run"), 1}, {QStringLiteral("model"), QStringLiteral("sample:mlp")},
                          {QStringLiteral("data"), data},    {QStringLiteral("policy"), QStringLiteral("all-float32")},
                          {QStringLiteral("batch"), 8},      {QStringLiteral("steps"), 1}};
    const QString file = test::temporaryFolder() + QStringLiteral("/finite.binade");
    runEngine(
        {QStringLiteral("train"), written(QStringLiteral("finite.json"), run), QStringLiteral("--run-file"), file});
    const Result result = runEngine(replayOf(file, {QStringLiteral("--step"), QStringLiteral("0")}));
    QCOMPARE(result.code, 1);
    QVERIFY2(result.err.contains(QStringLiteral("step 0 was finite")), qPrintable(result.err));
    QVERIFY2(result.err.contains(QStringLiteral("No step of this run was not finite.")), qPrintable(result.err));
  }

  void whatCannotBeReplayedIsNamed() {
    const Recorded run;
    const Result none = runEngine(replayOf(run.file, {QStringLiteral("--step"), QStringLiteral("99")}));
    QCOMPARE(none.code, 1);
    QVERIFY2(none.err.contains(QStringLiteral(".binade has no step 99")), qPrintable(none.err));
    QVERIFY(QFile::remove(QFileInfo(run.file).path() + QStringLiteral("/high.step-1.safetensors")));
    const Result gone = runEngine(replayOf(run.file, {QStringLiteral("--step"), QStringLiteral("1")}));
    QCOMPARE(gone.code, 1);
    QVERIFY2(gone.err.contains(QStringLiteral("was not saved")), qPrintable(gone.err));
    QVERIFY2(gone.err.contains(QStringLiteral("steps 0, 2")), qPrintable(gone.err));
    const Result missing =
        runEngine(replayOf(run.file + QStringLiteral("x"), {QStringLiteral("--step"), QStringLiteral("0")}));
    QCOMPARE(missing.code, 1);
    QVERIFY(!missing.err.isEmpty());
  }
};

BINADE_SUITE(TestReplayCommand);
#include "tst_replay_command.moc"
