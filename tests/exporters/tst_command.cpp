// SPDX-License-Identifier: Apache-2.0
#include "tests/support/places.h"
#include "tests/support/suite.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QRegularExpression>

using namespace binade;

namespace {

struct Result {
  int code = -1;
  QString out;
  QString err;
};

Result engine(const QStringList& arguments) {
  QProcess process;
  process.start(QStringLiteral(BINADE_BIN_DIR "/binade-engine"), arguments);
  process.waitForFinished(60000);
  return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1,
          QString::fromUtf8(process.readAllStandardOutput()), QString::fromUtf8(process.readAllStandardError())};
}

QString policyFile(const char* sites) {
  const QString path = test::temporaryFolder() + QStringLiteral("/policy.json");
  QFile file(path);
  if (file.open(QIODevice::WriteOnly)) {
    file.write(QByteArray(R"({"binade_policy": 1, "base": "cpu-amp", "low": "bfloat16", "sites": [)") + sites + "]}");
  }
  return path;
}

QStringList exportTo(const QString& file, const QString& policy) {
  return {QStringLiteral("export"),   QStringLiteral("sample:mlp"),
          QStringLiteral("--policy"), policy,
          QStringLiteral("--to"),     QStringLiteral("torchscript"),
          QStringLiteral("--input"),  QStringLiteral("float32[4,1,28,28]"),
          QStringLiteral("--out"),    file,
          QStringLiteral("--json")};
}

/// A text target: the arguments for one of the sample models.
QStringList exportText(const char* target, const QString& file, const QString& policy) {
  return {QStringLiteral("export"), QStringLiteral("sample:mlp"), QStringLiteral("--policy"), policy,
          QStringLiteral("--to"),   QLatin1String(target),        QStringLiteral("--out"),    file};
}

QJsonObject lastEvent(const Result& result) {
  return QJsonDocument::fromJson(result.out.trimmed().split(u'\n').last().toUtf8()).object();
}

QString contentOf(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

constexpr const char* kOneRule = R"({"match": "fc2", "format": "float32"})";

}  // namespace

class TestExportCommand : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void theFileIsProvenBeforeItGetsItsName() {
    const QString file = test::temporaryFolder() + QStringLiteral("/mlp.pt");
    const Result done = engine(exportTo(file, policyFile("")));
    QCOMPARE(done.code, 0);
    const QJsonObject line = QJsonDocument::fromJson(done.out.trimmed().split(u'\n').last().toUtf8()).object();
    QCOMPARE(line[u"event"].toString(), QStringLiteral("exported"));
    QVERIFY(line[u"identical"].toBool());
    QCOMPARE(line[u"optimising_executor"].toString(), QString());
    QVERIFY(line[u"gradients_compared"].toInt() > 0);
    QCOMPARE(engine({QStringLiteral("inspect"), file}).code, 0);
    QCOMPARE(engine(exportTo(file, policyFile(""))).code, 2);  // never over a file that is there
  }

  /// The loss comes with a run: a file holds none of its rules, and is not said to be all of the policy.
  void rulesOfTheLossAreToldAsLeftOut() {
    const QString file = test::temporaryFolder() + QStringLiteral("/loss.pt");
    const QString policy =
        // Split: moc takes a slash and a star in a raw string for a comment.
        policyFile(R"({"match": "fc2", "format": "float32"}, {"match": "loss/)"
                   R"(*", "format": "float16"})");
    QStringList words = exportTo(file, policy);
    const Result done = engine(words);
    QCOMPARE(done.code, 0);
    const QJsonObject line = QJsonDocument::fromJson(done.out.trimmed().split(u'\n').last().toUtf8()).object();
    QVERIFY(!line[u"identical"].toBool());
    QCOMPARE(line[u"outputs"].toDouble(), 0.0);
    const QJsonArray left_out = line[u"left_out"].toArray();
    QCOMPARE(left_out.size(), 1);
    QVERIFY2(left_out[0].toString().startsWith(QLatin1String("sites[1]")), qPrintable(left_out[0].toString()));
    QVERIFY(QFile::remove(file));
    words.removeAll(QStringLiteral("--json"));
    const Result text = engine(words);
    QCOMPARE(text.code, 0);
    QVERIFY2(text.out.contains(QLatin1String("Not exported, because the loss belongs to a run")), qPrintable(text.out));
    QVERIFY(text.out.contains(QLatin1String("sites[1]")));
    QVERIFY(!text.out.contains(QLatin1String("Identical")));
  }

  void whatCannotBeExpressedIsWrittenOnlyWhenAsked() {
    const QString file = test::temporaryFolder() + QStringLiteral("/near.pt");
    const QString policy = policyFile(R"({"match": "fc2", "format": "float8_e5m2"})");
    const Result refused = engine(exportTo(file, policy));
    QCOMPARE(refused.code, 1);
    QVERIFY(refused.out.contains(QStringLiteral("fc2/aten::linear#0")));
    QVERIFY(refused.err.contains(QStringLiteral("--approximate")));
    QVERIFY(!QFile::exists(file));
    const Result asked = engine(exportTo(file, policy) << QStringLiteral("--approximate"));
    QCOMPARE(asked.code, 0);
    QVERIFY(asked.out.contains(QStringLiteral("\"identical\":false")));
    QVERIFY(QFile::exists(file));
  }

  void aTextIsReadBackBeforeItIsWritten() {
    for (const char* target : {"json", "csv"}) {
      const QString file = test::temporaryFolder() + QStringLiteral("/policy.txt");
      const QStringList words = exportText(target, file, policyFile(kOneRule)) << QStringLiteral("--prove");
      const Result done = engine(QStringList(words) << QStringLiteral("--json"));
      QVERIFY2(done.code == 0, qPrintable(done.err));
      const QJsonObject line = lastEvent(done);
      QCOMPARE(line[u"event"].toString(), QStringLiteral("exported"));
      QCOMPARE(line[u"target"].toString(), QLatin1String(target));
      QCOMPARE(line[u"file"].toString(), file);
      QVERIFY(line[u"exact"].toBool());
      QVERIFY(line[u"op_calls"].toInt() > 0);
      QCOMPARE(line[u"different"].toInt(-1), 0);
      // A view is cast by no rule, so it is not compared.
      QCOMPARE(line[u"proof"][u"op_calls"].toInt(), line[u"op_calls"].toInt() - 1);
      QVERIFY(contentOf(file).contains(QLatin1String("fc2")));
      QCOMPARE(engine(words).code, 2);  // never over a file that is there
      QVERIFY(QFile::remove(file));
      const Result text = engine(words);
      QCOMPARE(text.code, 0);
      const QString compared = QString::number(line[u"proof"][u"op_calls"].toInt());
      const QString stated = QStringLiteral("Read back: %1 of %1 op calls equal.").arg(compared);
      QVERIFY2(text.out.contains(stated), qPrintable(text.out));
    }
  }

  void aTextGoesToStandardOutputAlone() {
    const Result done = engine(exportText("markdown", QStringLiteral("-"), policyFile(kOneRule)));
    QCOMPARE(done.code, 0);
    QVERIFY2(done.out.startsWith(QLatin1String("# ")), qPrintable(done.out));
    QVERIFY(done.out.contains(QLatin1String("fc2/aten::linear#0")));
    QVERIFY(!done.out.contains(QLatin1String("Not read back")));
    QVERIFY(done.err.contains(QLatin1String("Not read back")));
    const Result both =
        engine(exportText("csv", QStringLiteral("-"), policyFile(kOneRule)) << QStringLiteral("--json"));
    QCOMPARE(both.code, 2);
  }

  void aProofOfAPageIsRefused() {
    const QString file = test::temporaryFolder() + QStringLiteral("/page.html");
    const Result done = engine(exportText("html", file, policyFile(kOneRule)) << QStringLiteral("--prove"));
    QCOMPARE(done.code, 2);
    QVERIFY(done.err.contains(QLatin1String("cannot be read back")));
    QVERIFY(!QFile::exists(file));
  }

  void anUnknownTargetNamesTheNearestAndAll() {
    const Result done = engine(exportText("markdwon", QStringLiteral("x"), policyFile(kOneRule)));
    QCOMPARE(done.code, 2);
    QVERIFY2(done.err.contains(QLatin1String("Did you mean \"markdown\"")), qPrintable(done.err));
    QVERIFY(done.err.contains(QLatin1String("torchscript, json, csv")));
    QVERIFY(engine({QStringLiteral("export"), QStringLiteral("--help")}).out.contains(QLatin1String("Targets:")));
  }

  void aPolicyOfAnotherModelIsRefused() {
    const QString file = test::temporaryFolder() + QStringLiteral("/foreign.csv");
    const QString policy = policyFile(R"({"match": "encoder.layer.3", "format": "float32"})");
    const Result done = engine(exportText("csv", file, policy));
    QCOMPARE(done.code, 1);
    QVERIFY2(done.err.contains(QLatin1String("belongs to another model")), qPrintable(done.err));
    QVERIFY(done.err.contains(QLatin1String("policy check")));
    QVERIFY(!QFile::exists(file));
    const QString script = test::temporaryFolder() + QStringLiteral("/foreign.pt");
    const Result other = engine(exportTo(script, policy));
    QCOMPARE(other.code, 1);
    QVERIFY2(other.err.contains(QLatin1String("belongs to another model")), qPrintable(other.err));
    QVERIFY(!QFile::exists(script));
  }

  void aChangeThatIsLostInsideIsNoDifferentOpCall() {
    const QString policy = test::temporaryFolder() + QStringLiteral("/inside.json");
    QFile file(policy);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(R"({"binade_policy": 1, "base": "cpu-amp", "ops": {"aten::linear": "float32"}})");
    file.close();
    QStringList words = exportText("te", test::temporaryFolder() + QStringLiteral("/inside.yaml"), policy);
    words[1] = QStringLiteral("sample:lstm");
    const Result done = engine(words << QStringLiteral("--approximate"));
    QCOMPARE(done.code, 0);
    QVERIFY2(done.out.contains(QLatin1String("Read back: 1 of 2 op calls equal, each as a whole.")),
             qPrintable(done.out));
  }

  void aScalerGoesOnlyIntoTexts() {
    QStringList words = exportTo(QStringLiteral("never.pt"), policyFile(""));
    const Result done = engine(words << QStringLiteral("--run") << QStringLiteral("run.json"));
    QCOMPARE(done.code, 2);
    QVERIFY(done.err.contains(QLatin1String("--run")));
  }

  void theFirstBatchOfARunIsTheInput() {
    const QString folder = test::temporaryFolder();
    const QString model = folder + QStringLiteral("/mlp.pt");
    QCOMPARE(engine({QStringLiteral("sample"), QStringLiteral("mlp"), QStringLiteral("--out"), model}).code, 0);
    QFile run(folder + QStringLiteral("/run.json"));
    QVERIFY(run.open(QIODevice::WriteOnly));
    run.write(R"({"binade_run": 1, "model": "mlp.pt", "data": {"inputs": ["float32[4,1,28,28]"]}})");
    run.close();
    const QStringList words{QStringLiteral("export"),   model,
                            QStringLiteral("--policy"), policyFile(kOneRule),
                            QStringLiteral("--to"),     QStringLiteral("torchscript"),
                            QStringLiteral("--out"),    folder + QStringLiteral("/tuned.pt")};
    const Result without = engine(words);
    QCOMPARE(without.code, 2);
    QVERIFY2(without.err.contains(QLatin1String("--run")), qPrintable(without.err));
    const Result done = engine(QStringList(words) << QStringLiteral("--run") << run.fileName());
    QVERIFY2(done.code == 0, qPrintable(done.err));
    QVERIFY(QFile::exists(words.last()));
  }

  void aRuleThatMatchesNothingIsAWarning() {
    const QString file = test::temporaryFolder() + QStringLiteral("/typo.csv");
    const QString policy =
        policyFile(R"({"match": "fc1", "format": "float32"}, {"match": "fcc2", "format": "float32"})");
    const QStringList words = exportText("csv", file, policy);
    const Result strict = engine(QStringList(words) << QStringLiteral("--strict"));
    QCOMPARE(strict.code, 1);
    QVERIFY(!QFile::exists(file));
    const Result done = engine(words);
    QCOMPARE(done.code, 0);
    QVERIFY2(done.err.contains(QLatin1String("warning: sites[1] (fcc2) matches no op call")), qPrintable(done.err));
    QVERIFY2(done.err.contains(QLatin1String("Did you mean \"fc2\"")), qPrintable(done.err));
    QVERIFY(!done.out.contains(QLatin1String("fcc2")));
  }

  void aProofThatPythonCannotRunFails() {
    const QString file = test::temporaryFolder() + QStringLiteral("/policy.py");
    const QStringList words = exportText("pytorch", file, policyFile(kOneRule))
                              << QStringLiteral("--prove") << QStringLiteral("--python")
                              << QStringLiteral("/no/such/python");
    const Result done = engine(words);
    QCOMPARE(done.code, 1);
    QVERIFY2(done.err.contains(QLatin1String("Python did not run")), qPrintable(done.err));
    QVERIFY(!QFile::exists(file));
    QCOMPARE(engine(QStringList(words) << QStringLiteral("--approximate")).code, 0);
  }

  void anImportedListIsThePolicyAgain() {
    const QString folder = test::temporaryFolder();
    const QString policy =
        policyFile(R"({"match": "fc2", "format": "float8_e4m3fn"}, {"match": "fc1", "format": "float16"})");
    QCOMPARE(engine(exportText("csv", folder + QStringLiteral("/list.csv"), policy)).code, 0);
    const QString imported = folder + QStringLiteral("/imported.policy.json");
    const QStringList words{QStringLiteral("policy"),
                            QStringLiteral("import"),
                            folder + QStringLiteral("/list.csv"),
                            QStringLiteral("sample:mlp"),
                            QStringLiteral("--from"),
                            QStringLiteral("csv"),
                            QStringLiteral("--out"),
                            imported,
                            QStringLiteral("--json")};
    const Result done = engine(words);
    QVERIFY2(done.code == 0, qPrintable(done.err));
    QCOMPARE(lastEvent(done)[u"event"].toString(), QStringLiteral("imported"));
    QCOMPARE(lastEvent(done)[u"sites"].toInt(), 2);
    const Result same = engine({QStringLiteral("policy"), QStringLiteral("diff"), policy, imported,
                                QStringLiteral("sample:mlp"), QStringLiteral("--strict")});
    QVERIFY2(same.code == 0, qPrintable(same.out + same.err));
    QCOMPARE(engine(words).code, 2);  // never over a file that is there
  }

  void aBadListIsRefusedWithItsLine() {
    const QString list = test::temporaryFolder() + QStringLiteral("/bad.csv");
    QFile file(list);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("path,op\nfc1,aten::linear\n");
    file.close();
    const QString out = list + QStringLiteral(".policy.json");
    const Result done = engine({QStringLiteral("policy"), QStringLiteral("import"), list, QStringLiteral("sample:mlp"),
                                QStringLiteral("--from"), QStringLiteral("csv"), QStringLiteral("--out"), out});
    QCOMPARE(done.code, 1);
    QVERIFY2(done.err.contains(QLatin1String("bad.csv: line 1: ")), qPrintable(done.err));
    QVERIFY(!QFile::exists(out));
  }

  // A count of one has its own words.
  void theImportSaysWhatThePolicyHas() {
    const QString folder = test::temporaryFolder();
    const QString list = folder + QStringLiteral("/amp.py");
    const Result written = engine({QStringLiteral("export"), QStringLiteral("sample:mlp"), QStringLiteral("--policy"),
                                   QStringLiteral("cuda-amp"), QStringLiteral("--to"), QStringLiteral("paddle"),
                                   QStringLiteral("--out"), list});
    QVERIFY2(written.code == 0, qPrintable(written.err));
    const Result done = engine({QStringLiteral("policy"), QStringLiteral("import"), list, QStringLiteral("sample:mlp"),
                                QStringLiteral("--from"), QStringLiteral("paddle"), QStringLiteral("--out"),
                                folder + QStringLiteral("/imported.policy.json")});
    QVERIFY2(done.code == 0, qPrintable(done.err));
    QVERIFY2(done.out.contains(QStringLiteral("low float16, 1 change of an op, 0 site rules")), qPrintable(done.out));
  }
};

BINADE_SUITE(TestExportCommand);
#include "tst_command.moc"
