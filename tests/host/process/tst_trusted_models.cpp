// SPDX-License-Identifier: Apache-2.0
#include "tests/host/run_engine.h"
#include "tests/support/suite.h"
#include "tests/support/warnings.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QJsonObject>

namespace binade {

using test::engine;
using test::EngineResult;

class TrustedModels : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void init() {
    test::failOnWarnings();
    folder_ = test::temporaryFolder();
    qputenv("XDG_CONFIG_HOME", folder_.toUtf8());
    QVERIFY(QDir(folder_).mkpath(QStringLiteral("binade")));
  }
  void cleanup() { qunsetenv("XDG_CONFIG_HOME"); }

  void withoutAListNoModelIsTrusted();
  void theListIsPrinted();
  void aModelIsRemovedByItsHash();
  void aModelIsRemovedByItsPath();
  void aModelThatMovedIsRemovedByItsContent();
  void whatIsNotInTheListIsRefused();

 private:
  QString list() const { return folder_ + QStringLiteral("/binade/trusted-models"); }
  void write(const QByteArray& text) const {
    QFile file(list());
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) == text.size());
  }
  QByteArray written() const {
    QFile file(list());
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
  }
  static QByteArray line(char digit, const QByteArray& path) { return QByteArray(64, digit) + "  " + path + '\n'; }

  QString folder_;
};

void TrustedModels::withoutAListNoModelIsTrusted() {
  const EngineResult said = engine({QStringLiteral("trust")});
  QCOMPARE(said.code, 0);
  QCOMPARE(said.out, QStringLiteral("No model is trusted.\n"));
}

void TrustedModels::theListIsPrinted() {
  write("# mine\n" + line('a', "/models/a b.pt") + line('b', "/models/b.pt"));
  QCOMPARE(engine({QStringLiteral("trust"), QStringLiteral("--list")}).out.toUtf8(),
           line('a', "/models/a b.pt") + line('b', "/models/b.pt"));
  const QList<QJsonObject> lines = engine({QStringLiteral("trust"), QStringLiteral("--json")}).lines();
  QCOMPARE(lines.size(), 2);
  QCOMPARE(lines[0].value(QLatin1String("event")).toString(), QStringLiteral("trusted"));
  QCOMPARE(lines[0].value(QLatin1String("file")).toString(), QStringLiteral("/models/a b.pt"));
  QCOMPARE(lines[1].value(QLatin1String("sha256")).toString(), QString(64, u'b'));
}

/// Also every other line stays, as a person wrote it.
void TrustedModels::aModelIsRemovedByItsHash() {
  write("# mine\n" + line('a', "/models/a.pt") + line('b', "/models/b.pt"));
  const EngineResult said = engine({QStringLiteral("trust"), QStringLiteral("--remove"), QString(64, u'a')});
  QVERIFY2(said.code == 0, qPrintable(said.err));
  QCOMPARE(said.out.toUtf8(), "No longer trusted: " + line('a', "/models/a.pt"));
  QCOMPARE(written(), "# mine\n" + line('b', "/models/b.pt"));
}

void TrustedModels::aModelIsRemovedByItsPath() {
  write(line('a', "/models/a.pt") + line('b', "/models/b.pt") + line('c', "/models/a.pt"));
  QCOMPARE(engine({QStringLiteral("trust"), QStringLiteral("--remove"), QStringLiteral("/models/a.pt")}).code, 0);
  QCOMPARE(written(), line('b', "/models/b.pt"));
}

void TrustedModels::aModelThatMovedIsRemovedByItsContent() {
  const QByteArray hash = QCryptographicHash::hash("model", QCryptographicHash::Sha256).toHex();
  write(hash + "  /elsewhere/m.pt\n" + line('b', "/models/b.pt"));
  const QString moved = test::written(QStringLiteral("moved.pt"), "model");
  QCOMPARE(engine({QStringLiteral("trust"), QStringLiteral("--remove"), moved}).code, 0);
  QCOMPARE(written(), line('b', "/models/b.pt"));
}

void TrustedModels::whatIsNotInTheListIsRefused() {
  write(line('a', "/models/a.pt"));
  const EngineResult said = engine({QStringLiteral("trust"), QStringLiteral("--remove"), QStringLiteral("b.pt")});
  QCOMPARE(said.code, 2);
  QVERIFY2(said.err.contains(QStringLiteral("b.pt is not a trusted model")), qPrintable(said.err));
  QCOMPARE(written(), line('a', "/models/a.pt"));
}

BINADE_SUITE(TrustedModels);

}  // namespace binade

#include "tst_trusted_models.moc"
