// SPDX-License-Identifier: Apache-2.0
#include "tests/support/places.h"
#include "tests/support/suite.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>

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
};

BINADE_SUITE(TestExportCommand);
#include "tst_command.moc"
