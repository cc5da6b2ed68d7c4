// SPDX-License-Identifier: Apache-2.0
#include "tests/support/places.h"
#include "tests/support/suite.h"
#include "tests/tree/source_tree.h"

#include <QCryptographicHash>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QRegularExpression>
#include <QSet>

using namespace Qt::StringLiterals;

namespace binade::test {

/// Checks tests/features.csv: all features, each with its test, its statement or `open`. check_results.py checks after
/// CTest that the named tests ran and passed. A feature that no program can show is a statement: its row names the
/// heading of the document or lesson that makes it, `statement docs/guide/loss-scaling.md#further-reading`.
class Features : public Suite {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase();
  void allFeaturesAreListed();
  void everyRowIsOpenOrNamesATestOrAStatement();
  void everyStatementStandsUnderItsHeading();
  void anchorsAreThoseOfTheHeadings();
  void everyNamedTestIsKnownToCTest();
  void everyNamedFunctionIsInASource();

 private:
  struct Row {
    QString id, feature, test;
  };
  QList<Row> rows_;
};

namespace {

const QString kStatement = u"statement "_s;

/// Returns the anchors of a Markdown text's headings, as GitHub forms them: lower case, punctuation dropped, hyphens
/// for spaces. Lines in fenced blocks are no headings.
QSet<QString> anchors(const QString& text) {
  static const QRegularExpression heading(u"^#{1,6} +(.+)$"_s);
  static const QRegularExpression dropped(u"[^\\w\\- ]"_s, QRegularExpression::UseUnicodePropertiesOption);
  QSet<QString> found;
  bool fenced = false;
  for (const QString& line : text.split(u'\n')) {
    if (line.startsWith(u"```"_s)) fenced = !fenced;
    const auto match = heading.match(line);
    if (fenced || !match.hasMatch()) continue;
    found.insert(match.captured(1).trimmed().toLower().remove(dropped).replace(u' ', u'-'));
  }
  return found;
}

/// Returns the fields of one CSV line. A field with commas is quoted; quotes inside it are doubled.
QStringList fields(const QString& line) {
  QStringList found(1);
  bool quoted = false;
  for (qsizetype i = 0; i < line.size(); ++i) {
    if (line[i] == u'"' && quoted && i + 1 < line.size() && line[i + 1] == u'"') {
      found.last() += u'"';
      ++i;
    } else if (line[i] == u'"') {
      quoted = !quoted;
    } else if (line[i] == u',' && !quoted) {
      found << QString();
    } else {
      found.last() += line[i];
    }
  }
  return found;
}

}  // namespace

void Features::initTestCase() {
  QFile file(QStringLiteral(BINADE_SOURCE_DIR "/tests/features.csv"));
  QVERIFY(file.open(QIODevice::ReadOnly));
  QStringList lines = QString::fromUtf8(file.readAll()).split(u'\n', Qt::SkipEmptyParts);
  QCOMPARE(lines.takeFirst(), u"id,feature,test"_s);
  for (const QString& line : lines) {
    const QStringList row = fields(line);
    QVERIFY2(row.size() == 3, qPrintable(line));
    rows_.append({row[0], row[1], row[2]});
  }
}

void Features::allFeaturesAreListed() {
  QCryptographicHash ids(QCryptographicHash::Sha256);
  QSet<QString> seen;
  for (const Row& row : rows_) {
    QVERIFY2(!seen.contains(row.id), qPrintable(row.id + u" is there twice"_s));
    seen.insert(row.id);
    ids.addData((row.id + u'\n').toUtf8());
  }
  QCOMPARE(rows_.size(), 276);
  // Hash of all ids in order: it detects renamed and exchanged rows as well as missing ones.
  QCOMPARE(ids.result().toHex().left(16), QByteArrayLiteral("c059eef26bbe7c3b"));
}

void Features::everyRowIsOpenOrNamesATestOrAStatement() {
  static const QRegularExpression name(u"^[a-z_]+\\.[A-Za-z0-9]+::[A-Za-z0-9_]+$"_s);
  static const QRegularExpression place(u"^statement (docs|resources/lessons)/[\\w/-]+\\.md#[\\w-]+$"_s);
  for (const Row& row : rows_) {
    QVERIFY2(row.test == u"open"_s || name.match(row.test).hasMatch() || place.match(row.test).hasMatch(),
             qPrintable(row.id + u": write open, <ctest name>::<function> or statement <page>#<heading>, not "_s +
                        row.test));
  }
}

void Features::everyStatementStandsUnderItsHeading() {
  int statements = 0;
  for (const Row& row : rows_) {
    if (!row.test.startsWith(kStatement)) continue;
    ++statements;
    const QString place = row.test.mid(kStatement.size());
    const QString page = place.section(u'#', 0, 0);
    QVERIFY2(sourceTree().contains(page), qPrintable(row.id + u": there is no page "_s + page));
    QVERIFY2(anchors(sourceTree().value(page)).contains(place.section(u'#', 1)),
             qPrintable(row.id + u": there is no heading "_s + place));
  }
  QVERIFY(statements > 0);
}

void Features::anchorsAreThoseOfTheHeadings() {
  const QString text =
      u"# Loss scaling in C++\n\n## Fixed and `pytorch-2.11`\n\n```\n# a comment\n```\n#no heading\n"_s;
  QCOMPARE(anchors(text), (QSet<QString>{u"loss-scaling-in-c"_s, u"fixed-and-pytorch-211"_s}));
}

void Features::everyNamedTestIsKnownToCTest() {
  QProcess ctest;
  ctest.start(u"ctest"_s, {u"--test-dir"_s, QStringLiteral(BINADE_BIN_DIR) + u"/.."_s, u"--show-only=json-v1"_s});
  QVERIFY(ctest.waitForFinished());
  QSet<QString> known;
  for (const QJsonValue& test : QJsonDocument::fromJson(ctest.readAllStandardOutput())[u"tests"].toArray())
    known.insert(test[u"name"].toString());
  QVERIFY(known.contains(u"tree.Features"_s));
  for (const Row& row : rows_) {
    if (row.test == u"open"_s || row.test.startsWith(kStatement)) continue;
    QVERIFY2(known.contains(row.test.section(u"::"_s, 0, 0)), qPrintable(row.id + u": there is no test "_s + row.test));
  }
}

// check_results.py knows it too, but only after a run of all tests.
void Features::everyNamedFunctionIsInASource() {
  static const QRegularExpression word(u"\\w+"_s);
  QSet<QString> words;
  for (auto file = sourceTree().begin(); file != sourceTree().end(); ++file) {
    const bool tests = file.key().startsWith(u"tests/"_s) || file.key().startsWith(u"examples/"_s);
    if (!tests || !(file.key().endsWith(u".cpp"_s) || file.key().endsWith(u".cmake"_s))) continue;
    for (const auto& match : word.globalMatch(file.value())) words.insert(match.captured());
  }
  for (const Row& row : rows_) {
    if (row.test == u"open"_s || row.test.startsWith(kStatement)) continue;
    const QString function = row.test.section(u"::"_s, 1);
    QVERIFY2(words.contains(function), qPrintable(row.id + u": no source of a test has "_s + function));
  }
}

BINADE_SUITE(Features);

}  // namespace binade::test

#include "features.moc"
