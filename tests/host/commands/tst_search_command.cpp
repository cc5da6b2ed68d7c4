// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/error.h"
#include "engine/host/commands/search_budget.h"
#include "engine/policy/policy.h"
#include "profiler/step_estimate.h"
#include "tests/host/printing_model.h"
#include "tests/host/run_engine.h"
#include "tests/support/places.h"
#include "tests/support/suite.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QProcess>
#include <QRegularExpression>

#include <csignal>

using namespace binade;
using test::engine;
using test::engineEnvironment;
using test::EngineResult;

namespace {

/// The arguments of a short search for fewer casts, whose tries do not depend on times.
QStringList searching(const QString& run, const QString& folder, const QString& budget = QStringLiteral("4tries")) {
  return {QStringLiteral("search"),   run,    QStringLiteral("--for"),   QStringLiteral("casts"),
          QStringLiteral("--budget"), budget, QStringLiteral("--steps"), QStringLiteral("4"),
          QStringLiteral("--out"),    folder, QStringLiteral("--json")};
}

QString longRun() {
  return test::runFile({{QStringLiteral("steps"), 1000}});
}

QString newFolder(const char* name) {
  return test::temporaryFolder() + QLatin1Char('/') + QLatin1String(name);
}

QList<QJsonObject> linesOf(const EngineResult& result, const char* event) {
  QList<QJsonObject> found;
  for (const QJsonObject& line : result.lines()) {
    if (line[QStringLiteral("event")].toString() == QLatin1String(event)) found.append(line);
  }
  return found;
}

/// What each try changed and gave, without files and dates.
QStringList triesOf(const EngineResult& result) {
  QStringList tries;
  for (const QJsonObject& line : linesOf(result, "proven")) {
    const QJsonObject point = line[QStringLiteral("point")].toObject();
    QJsonObject kept;
    for (const char* key : {"attempt", "changed", "verdict", "gap", "cost"}) {
      kept.insert(QLatin1String(key), point[QLatin1String(key)]);
    }
    tries.append(QString::fromUtf8(QJsonDocument(kept).toJson(QJsonDocument::Compact)));
  }
  return tries;
}

}  // namespace

class TestSearchCommand : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void aBudgetIsATimeANumberOrBoth() {
    const search::Budget both = host::parse_budget({"1.5h", "40tries"});
    QCOMPARE(*both.seconds, 5400.0);
    QCOMPARE(*both.tries, std::int64_t{40});
    const search::Budget comma = host::parse_budget({"30min,40tries"});
    QCOMPARE(*comma.seconds, 1800.0);
    QCOMPARE(*comma.tries, std::int64_t{40});
    QCOMPARE(*host::parse_budget({"30min"}).seconds, 1800.0);
    QVERIFY(!host::parse_budget({"90s"}).tries.has_value());
    QCOMPARE(*host::parse_budget({"1try"}).tries, std::int64_t{1});
  }

  void aBudgetOfNothingIsRefused_data() {
    QTest::addColumn<QStringList>("texts");
    for (const char* text : {"0tries", "0s", "-1min", "soon", "30", "2.5tries", "nan s", "infh", "5days", "", "1s 2s",
                             "1tries 2tries", "1s,2s", "1s,", "30min 40tries,1h"}) {
      QTest::newRow(text) << QString::fromLatin1(text).split(QLatin1Char(' '));
    }
    QTest::newRow("no limit") << QStringList();
  }
  void aBudgetOfNothingIsRefused() {
    QFETCH(const QStringList, texts);
    std::vector<std::string> given;
    for (const QString& text : texts) given.push_back(text.toStdString());
    try {
      host::parse_budget(given);
      QFAIL("was taken");
    } catch (const Error& error) {
      QVERIFY(error.code == ErrorCode::kUsage);
      QVERIFY(QString::fromUtf8(error.what()).startsWith(QLatin1String("--budget: ")));
    }
  }

  void helpStatesWhatALimitIs() {
    const EngineResult help = engine({QStringLiteral("search"), QStringLiteral("--help")});
    QCOMPARE(help.code, 0);
    const QString option = help.out.section(QStringLiteral("--budget "), 1, 1).section(QStringLiteral("\n  --"), 0, 0);
    QVERIFY2(option.startsWith(QLatin1String("LIMIT REQUIRED")), qPrintable(option));
    // Each example of the help is a budget.
    const QString text = option.section(QLatin1String("LIMIT is "), 1).section(QLatin1String(". "), 0, 0);
    int examples = 0;
    auto each = QRegularExpression(QStringLiteral("\\d[\\w.,]*\\w")).globalMatch(text);
    for (; each.hasNext(); ++examples) host::parse_budget({each.next().captured().toStdString()});
    QVERIFY2(examples >= 4, qPrintable(text));
    QVERIFY(help.out.contains(QLatin1String("Example:\n  binade-engine search run.json --for casts --budget")));
  }

  void aPolicyThatDoesNotFailNeedsNoRepair() {
    const QString folder = newFolder("healthy.search");
    QStringList words = searching(longRun(), folder);
    words.replace(words.indexOf(QStringLiteral("casts")), QStringLiteral("repair"));
    words << QStringLiteral("--policy") << QStringLiteral("all-float32");
    const EngineResult result = engine(words);
    QCOMPARE(result.code, 2);
    QVERIFY2(result.out.contains("the policy does not fail"), qPrintable(result.out));
    QVERIFY(linesOf(result, "proven").isEmpty());
    QVERIFY(!QFileInfo::exists(folder + QStringLiteral("/search.json")));
  }

  // Two steps are too few to tell, which is no failure.
  void aFailureThatIsNotShownNeedsNoRepair() {
    const QString folder = newFolder("unknown.search");
    QStringList words = searching(longRun(), folder);
    words.replace(words.indexOf(QStringLiteral("casts")), QStringLiteral("repair"));
    words[words.indexOf(QStringLiteral("--steps")) + 1] = QStringLiteral("2");
    words << QStringLiteral("--policy") << QStringLiteral("cuda-amp");
    const EngineResult result = engine(words);
    QCOMPARE(result.code, 2);
    QVERIFY2(result.out.contains("nothing shows that the policy fails"), qPrintable(result.out));
    QVERIFY2(result.err.contains("--seeds") || result.out.contains("--seeds"), qPrintable(result.out));
    QVERIFY(!QFileInfo::exists(folder + QStringLiteral("/search.json")));
  }

  void aLimitThatTheBaseExceedsIsReportedAndSoIsEachTryThatItRejects() {
    const EngineResult result = engine(searching(longRun(), newFolder("limit.search"), QStringLiteral("1try"))
                                       << QStringLiteral("--evaluation") << QStringLiteral("1e-9"));
    QVERIFY2(result.code == 0, qPrintable(result.err));
    QVERIFY2(result.err.contains("does not hold --evaluation itself"), qPrintable(result.err));
    const QList<QJsonObject> proven = linesOf(result, "proven");
    QCOMPARE(proven.size(), 1);
    const QJsonObject point = proven[0][QStringLiteral("point")].toObject();
    QVERIFY(!point[QStringLiteral("holds")].toBool());
    QVERIFY2(point[QStringLiteral("reason")].toString().contains("above the limit of 1e-09"), qPrintable(result.out));
  }

  // The warning needs no training of its own: it comes with the first try, which is reported before.
  void theLimitIsComparedWithTheFirstTry() {
    QProcess process;
    process.setProcessEnvironment(engineEnvironment());
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.start(QStringLiteral(BINADE_BIN_DIR "/binade-engine"),
                  searching(longRun(), newFolder("limit-of-try.search"), QStringLiteral("2tries"))
                      << QStringLiteral("--evaluation") << QStringLiteral("1e-9"));
    QVERIFY(process.waitForFinished(60000));
    const QByteArray output = process.readAll();
    const QByteArray warning = "does not hold --evaluation itself";
    QCOMPARE(output.count(warning), 1);
    QVERIFY2(output.indexOf("\"searching\"") >= 0, output.constData());
    QVERIFY2(output.indexOf("\"searching\"") < output.indexOf(warning), output.constData());
    QVERIFY2(output.indexOf(warning) < output.indexOf("\"proven\""), output.constData());
  }

  void aRuleOfTheBaseThatMatchesNothingIsReported() {
    const QString file = test::temporaryFolder() + QStringLiteral("/unmatched.policy.json");
    QFile written(file);
    QVERIFY(written.open(QIODevice::WriteOnly));
    written.write(R"({"binade_policy": 1, "base": "cuda-amp",
                      "sites": [{"match": "nowhere", "format": "float32"}]})");
    written.close();
    const EngineResult result = engine(searching(longRun(), newFolder("unmatched.search"), QStringLiteral("1try"))
                                       << QStringLiteral("--policy") << file);
    QVERIFY2(result.code == 0, qPrintable(result.err));
    QVERIFY2(result.err.contains("nowhere"), qPrintable(result.err));
  }

  void aSearchEndsWithItsFrontAndPolicyFiles() {
    const QString folder = newFolder("front.search");
    const EngineResult result = engine(searching(longRun(), folder));
    QVERIFY2(result.code == 0, qPrintable(result.err));
    QVERIFY2(!linesOf(result, "proven").isEmpty(), qPrintable(result.out));
    const QList<QJsonObject> fronts = linesOf(result, "front");
    QCOMPARE(fronts.size(), 1);
    const QJsonArray points = fronts[0][QStringLiteral("points")].toArray();
    QCOMPARE(fronts[0][QStringLiteral("nothing_better")].toBool(), points.isEmpty());
    QVERIFY(!fronts[0][QStringLiteral("sentence")].toString().isEmpty());
    QVERIFY(fronts[0][QStringLiteral("base_cost")].toDouble() > 0);
    const QString ended = fronts[0][QStringLiteral("ended")].toString();
    QVERIFY2(ended == QLatin1String("tries") || ended == QLatin1String("nothing_left"), qPrintable(ended));
    for (const QJsonValue& value : points) {
      QFile file(value.toObject()[QStringLiteral("file")].toString());
      QVERIFY2(file.open(QIODevice::ReadOnly), qPrintable(file.fileName()));
      const policy::Policy policy = policy::parse_policy(file.readAll().toStdString(), "policy");
      QCOMPARE(policy.provenance.run, std::string("run.json"));
      QVERIFY(policy.provenance.made_by.starts_with("binade-engine "));
      QVERIFY(!policy.provenance.evidence.empty());
      QVERIFY(!policy.provenance.attempt.empty());
    }
  }

  // Nothing may change, so nothing is tried: the cost before and the reason are the answer.
  void aSearchThatFindsNothingSaysWhatThePolicyNeedsAndWhyItEnded() {
    const QStringList nothing = searching(longRun(), newFolder("nothing.search"))
                                << QStringLiteral("--fixed") << QStringLiteral("*");
    const EngineResult json = engine(nothing);
    QVERIFY2(json.code == 0, qPrintable(json.err));
    const QJsonObject front = linesOf(json, "front").value(0);
    QVERIFY(front[QStringLiteral("nothing_better")].toBool());
    QCOMPARE(front[QStringLiteral("ended")].toString(), QStringLiteral("nothing_left"));
    QVERIFY(front[QStringLiteral("base_cost")].toDouble() > 0);
    const QString sentence = front[QStringLiteral("sentence")].toString();
    QVERIFY2(sentence.startsWith(QLatin1String("The limits allow no op call another format.")), qPrintable(sentence));
    QVERIFY2(sentence.endsWith(QLatin1String(" casts a step.")), qPrintable(sentence));
    QStringList words = nothing;
    words.removeOne(QStringLiteral("--json"));
    const EngineResult text = engine(words);
    QVERIFY2(text.out.contains(QLatin1String("\nBefore: ")), qPrintable(text.out));
    QVERIFY2(text.out.contains(QLatin1String("Nothing better")), qPrintable(text.out));
  }

  // Also where no candidate would be tried, so that no try would show it.
  void aPolicyThatDoesNotRunIsRefused_data() {
    QTest::addColumn<QString>("goal");
    for (const char* goal : {"casts", "time", "memory"}) QTest::newRow(goal) << QString::fromLatin1(goal);
  }
  void aPolicyThatDoesNotRunIsRefused() {
    QFETCH(const QString, goal);
    const QString policy =
        test::written(QStringLiteral("banned.policy.json"),
                      R"({"binade_policy": 1, "base": "all-float32", "ops": {"aten::linear": "banned"}})");
    const QString folder = newFolder("banned.search");
    QStringList words = searching(longRun(), folder);
    words.replace(words.indexOf(QStringLiteral("casts")), goal);
    words << QStringLiteral("--policy") << policy;
    const EngineResult result = engine(words);
    QCOMPARE(result.code, 1);
    QVERIFY2(result.err.contains(QLatin1String("does not run: ")), qPrintable(result.err));
    QVERIFY2(result.err.contains(QLatin1String("--for repair")), qPrintable(result.err));
    QVERIFY(linesOf(result, "front").isEmpty());
    QVERIFY(!QFileInfo::exists(folder + QStringLiteral("/search.json")));
  }

  void thePreparationIsReportedAndCounts() {
    const QString folder = newFolder("prepared.search");
    const EngineResult result = engine(searching(longRun(), folder, QStringLiteral("1try")));
    QVERIFY2(result.code == 0, qPrintable(result.err));
    const qsizetype training = result.err.indexOf(QLatin1String("info: preparing: training the policy"));
    QVERIFY2(training >= 0, qPrintable(result.err));
    QVERIFY2(result.err.indexOf(QLatin1String("info: preparing: measuring one step")) > training,
             qPrintable(result.err));
    // Before the first try.
    QVERIFY(linesOf(result, "searching").value(0)[QStringLiteral("seconds")].toDouble() > 0.001);
    const EngineResult spent = engine(searching(longRun(), newFolder("spent.search"), QStringLiteral("0.001s,5tries")));
    QVERIFY2(spent.code == 0, qPrintable(spent.err));
    QCOMPARE(linesOf(spent, "front").value(0)[QStringLiteral("tries")].toInt(-1), 0);
    QCOMPARE(linesOf(spent, "front").value(0)[QStringLiteral("ended")].toString(), QStringLiteral("time"));
  }

  void eachTryNamesItsOpCallsAndItsNoise() {
    QStringList words = searching(longRun(), newFolder("named.search"), QStringLiteral("1try"));
    words.removeOne(QStringLiteral("--json"));
    const EngineResult text = engine(words);
    QVERIFY2(text.code == 0, qPrintable(text.err));
    static const QRegularExpression line(
        QStringLiteral("^try 1: \\d+ op calls? changed, \\S+.* in \\w+: .*, loss [+-]\\S+ \\(equal up to [^ )]+\\), "),
        QRegularExpression::MultilineOption);
    QVERIFY2(line.match(text.out).hasMatch(), qPrintable(text.out));
  }

  void anEstimateNamesItsGpu() {
    QStringList words = searching(longRun(), newFolder("estimate.search"), QStringLiteral("1try"));
    words.replace(words.indexOf(QStringLiteral("casts")), QStringLiteral("time"));
    words << QStringLiteral("--formats") << QStringLiteral("float16,float32") << QStringLiteral("--policy")
          << QStringLiteral("all-float32");
    const QJsonObject front = linesOf(engine(words), "front").value(0);
    QVERIFY(!front.isEmpty());
    if (!front.contains(QStringLiteral("estimated_for"))) QSKIP("This processor computes float16 itself.");
    QCOMPARE(front[QStringLiteral("estimated_for")].toString(),
             QString::fromStdString(std::string(profiler::quoted_peaks().front().gpu)));
  }

  void aSearchPrintsHowLongItTook() {
    QStringList words = searching(longRun(), newFolder("time.search"), QStringLiteral("1try"));
    words.removeOne(QStringLiteral("--json"));
    const EngineResult text = engine(words);
    QVERIFY2(text.code == 0, qPrintable(text.err));
    QVERIFY2(text.out.contains(QLatin1String("\n1 try took ")), qPrintable(text.out));
  }

  // Each time stands beside that of the base which was taken after it, so no two loads of the machine are compared.
  void aTimeStandsBesideThatOfTheBase() {
    QStringList words = searching(longRun(), newFolder("beside.search"), QStringLiteral("1try"));
    words.replace(words.indexOf(QStringLiteral("casts")), QStringLiteral("time"));
    words.removeOne(QStringLiteral("--json"));
    words << QStringLiteral("--policy") << QStringLiteral("all-float32") << QStringLiteral("--formats")
          << QStringLiteral("bfloat16,float32");
    const EngineResult text = engine(words);
    QVERIFY2(text.code == 0, qPrintable(text.err));
    const bool measured = text.out.contains(QLatin1String("inside the noise")) && !text.out.contains("estimated");
    if (measured) QVERIFY2(text.out.contains(QLatin1String(" of the base: ")), qPrintable(text.out));
  }

  void aKilledSearchGoesOnAsIfItHadNotBeenKilled() {
    const QString run = longRun();
    const EngineResult whole = engine(searching(run, newFolder("whole.search")));
    QVERIFY2(whole.code == 0, qPrintable(whole.err));
    const QStringList expected = triesOf(whole);
    QVERIFY2(expected.size() >= 2, "a search that ends with its first try shows nothing");

    const QString folder = newFolder("killed.search");
    QProcess process;
    process.setProcessEnvironment(engineEnvironment());
    process.start(QStringLiteral(BINADE_BIN_DIR "/binade-engine"), searching(run, folder));
    QByteArray output;
    while (!output.contains("\"proven\"") && process.waitForReadyRead(60000)) output += process.readAllStandardOutput();
    ::kill(static_cast<pid_t>(process.processId()), SIGKILL);
    QVERIFY(process.waitForFinished(60000));
    QVERIFY(QFileInfo::exists(folder + QStringLiteral("/search.json")));

    const EngineResult rest = engine(searching(run, folder));
    QVERIFY2(rest.code == 0, qPrintable(rest.err));
    QCOMPARE(triesOf(rest), expected);
    QCOMPARE(engine(searching(run, folder)).code, 0);  // a search that has ended only shows its front again
  }

  void anInterruptKeepsTheFront() {
    const QString folder = newFolder("interrupted.search");
    QProcess process;
    process.setProcessEnvironment(engineEnvironment());
    QStringList arguments = searching(longRun(), folder, QStringLiteral("1000tries"));
    arguments[arguments.indexOf(QStringLiteral("--steps")) + 1] = QStringLiteral("500");
    process.start(QStringLiteral(BINADE_BIN_DIR "/binade-engine"), arguments);
    QByteArray output;
    while (!output.contains("\"searching\"") && process.waitForReadyRead(60000)) {
      output += process.readAllStandardOutput();
    }
    ::kill(static_cast<pid_t>(process.processId()), SIGINT);
    QVERIFY(process.waitForFinished(60000));
    output += process.readAllStandardOutput();
    QCOMPARE(process.exitCode(), 130);
    QVERIFY(output.contains("\"front\""));
    QVERIFY(QFileInfo::exists(folder + QStringLiteral("/search.json")));
  }

  // The training of the base is no set-up of a run, and nothing of it is kept.
  void anInterruptOfThePreparationSaysThatNothingWasTried() {
    const QString folder = newFolder("unprepared.search");
    QProcess process;
    process.setProcessEnvironment(engineEnvironment());
    QStringList arguments = searching(longRun(), folder);
    arguments[arguments.indexOf(QStringLiteral("--steps")) + 1] = QStringLiteral("1000000");
    process.start(QStringLiteral(BINADE_BIN_DIR "/binade-engine"), arguments);
    process.setReadChannel(QProcess::StandardError);
    QByteArray told;
    while (!told.contains("preparing: training") && process.waitForReadyRead(60000)) {
      told += process.readAllStandardError();
    }
    ::kill(static_cast<pid_t>(process.processId()), SIGINT);
    QVERIFY(process.waitForFinished(60000));
    told += process.readAllStandardError();
    QCOMPARE(process.exitCode(), 130);
    QVERIFY2(told.contains("Ending within two seconds: the search is still being prepared"), told);
    QVERIFY2(told.contains("The search was cancelled before its first try"), told);
    QVERIFY2(told.contains("there is nothing to keep"), told);
    QVERIFY2(!told.contains("etup of the run") && !told.contains("still being set up"), told);
    QVERIFY(!QFileInfo::exists(folder));
  }

  // The model holds up the set-up until the signal, in one case so that only the end of the process helps.
  void anInterruptBeforeASearchGoesOnNamesWhatIsKept_data() {
    QTest::addColumn<bool>("in_ops");
    QTest::newRow("op after op") << true;
    QTest::newRow("without an op") << false;
  }
  void anInterruptBeforeASearchGoesOnNamesWhatIsKept() {
    QFETCH(const bool, in_ops);
    const QString folder = newFolder("stored.search");
    QVERIFY(QDir().mkpath(folder));
    const QByteArray state = R"({"binade_search": 2})";
    QFile kept(folder + QStringLiteral("/search.json"));
    QVERIFY(kept.open(QIODevice::WriteOnly));
    kept.write(state);
    kept.close();
    const QString model = test::temporaryFolder() + QStringLiteral("/endless.pt");
    test::writeEndlessModel(model.toStdString(), in_ops);
    const QJsonObject data{{QStringLiteral("inputs"), QJsonArray{QStringLiteral("float32[8,8]")}}};
    QProcess process;
    process.setProcessEnvironment(engineEnvironment());
    process.start(QStringLiteral(BINADE_BIN_DIR "/binade-engine"),
                  searching(test::runFile({{QStringLiteral("model"), model}, {QStringLiteral("data"), data}}), folder));
    process.setReadChannel(QProcess::StandardError);
    QByteArray told;
    while (!told.contains("THE MODEL SPEAKS") && process.waitForReadyRead(60000)) {
      told += process.readAllStandardError();
    }
    ::kill(static_cast<pid_t>(process.processId()), SIGTERM);
    QVERIFY(process.waitForFinished(60000));
    told += process.readAllStandardError();
    QCOMPARE(process.exitCode(), 130);
    QVERIFY2(told.contains("The search was cancelled before it went on"), told);
    QVERIFY2(told.contains("is kept in " + folder.toUtf8()), told);
    QVERIFY(kept.open(QIODevice::ReadOnly));
    QCOMPARE(kept.readAll(), state);
  }

  void anotherOrderInTheSameFolderIsRefused() {
    const QString folder = newFolder("other.search");
    const QString run = longRun();
    QCOMPARE(engine(searching(run, folder, QStringLiteral("1try"))).code, 0);
    const EngineResult other = engine(searching(run, folder) << QStringLiteral("--seed") << QStringLiteral("5"));
    QCOMPARE(other.code, 2);
    QVERIFY2(other.err.contains(QLatin1String("order.seed")), qPrintable(other.err));
  }

  void wrongArgumentsLeaveNoFolder_data() {
    QTest::addColumn<QStringList>("more");
    QTest::addColumn<QString>("message");
    QTest::newRow("fixed") << QStringList{QStringLiteral("--fixed"), QStringLiteral("nowhere")}
                           << QStringLiteral("--fixed: no op call matches");
    QTest::newRow("formats") << QStringList{QStringLiteral("--formats"), QStringLiteral("float17")}
                             << QStringLiteral("--formats: \"float17\"");
    QTest::newRow("checkpoint") << QStringList{QStringLiteral("--from"), QStringLiteral("/nowhere.safetensors")}
                                << QStringLiteral("nowhere.safetensors");
    QTest::newRow("budget") << QStringList{QStringLiteral("--budget"), QStringLiteral("0s")}
                            << QStringLiteral("--budget: \"0s\"");
  }
  void wrongArgumentsLeaveNoFolder() {
    QFETCH(const QStringList, more);
    QFETCH(const QString, message);
    const QString folder = newFolder("wrong.search");
    const EngineResult result = engine(searching(longRun(), folder) + more);
    QVERIFY(result.code > 0);
    QVERIFY2(result.err.contains(message), qPrintable(result.err));
    QVERIFY(!QFileInfo::exists(folder));
  }
};

BINADE_SUITE(TestSearchCommand);
#include "tst_search_command.moc"
