// SPDX-License-Identifier: Apache-2.0
#include "tests/support/places.h"
#include "tests/support/suite.h"
#include "tests/tree/source_tree.h"

#include <QDir>
#include <QProcess>
#include <QRegularExpression>
#include <QSet>
#include <QXmlStreamReader>

using namespace Qt::StringLiterals;

namespace binade::test {

/// Checks that the files for desktops and package managers agree with each other and with the programs.
class Packaging : public Suite {
  Q_OBJECT

 private Q_SLOTS:
  void desktopFilesAgree();
  void everyWheelIsPinnedByHash();
  void everyPackageHasAReason();
  void theManualNamesEveryOption_data();
  void theManualNamesEveryOption();
  void theManualHasTheWordsOfHelp();
  void exitCodesAreWordedOnce();
  void notKnownYetIsWordedOnce();
};

namespace {

const QString kId = u"org.binade.Binade"_s;

QString file(const QString& path) {
  return sourceTree().value(path);
}

/// Returns the lines that are neither empty nor comments.
QStringList rows(const QString& path) {
  QStringList found;
  for (const QString& line : file(path).split(u'\n'))
    if (!line.isEmpty() && !line.startsWith(u'#')) found << line.simplified();
  return found;
}

/// Returns the texts of all `element`s, or the values of `attribute`.
QSet<QString> values(const QString& path, const QString& element, const QString& attribute = {}) {
  QXmlStreamReader xml(file(path));
  QSet<QString> found;
  while (!xml.atEnd()) {
    xml.readNext();
    if (!xml.isStartElement() || xml.name() != element) continue;
    found << (attribute.isEmpty() ? xml.readElementText(QXmlStreamReader::SkipChildElements)
                                  : xml.attributes().value(attribute).toString());
  }
  return found;
}

QString entry(const QString& path, const QString& key) {
  for (const QString& line : rows(path))
    if (line.startsWith(key + u'=')) return line.mid(key.size() + 1);
  return {};
}

QString output(const QString& program, const QStringList& arguments) {
  QProcess process;
  process.start(program, arguments);
  process.waitForFinished();
  return QString::fromUtf8(process.readAllStandardOutput());
}

/// Returns the long options in a help text.
QSet<QString> options(const QString& help) {
  static const QRegularExpression option(u"(?<![\\w-])--[a-z][a-z-]+"_s);
  QSet<QString> found;
  for (const auto& match : option.globalMatch(help)) found << match.captured();
  return found;
}

/// Returns the names in the `Subcommands:` part of a help text.
QStringList subcommands(const QString& help) {
  static const QRegularExpression name(u"^  ([a-z]+)(?:\\s|$)"_s, QRegularExpression::MultilineOption);
  const auto start = help.indexOf(u"ubcommands:"_s);
  QStringList found;
  if (start < 0) return found;
  for (const auto& match : name.globalMatch(help.mid(start))) found << match.captured(1);
  return found;
}

/// Returns the long options of a manual page; mdoc writes --json as `.Fl -json`.
QSet<QString> manualOptions(const QString& page) {
  static const QRegularExpression option(u"\\bFl -([a-z][a-z-]+)"_s);
  QSet<QString> found;
  for (const auto& match : option.globalMatch(page)) found << u"--"_s + match.captured(1);
  return found;
}

QString listed(QSet<QString> names) {
  QStringList sorted(names.begin(), names.end());
  sorted.sort();
  return sorted.join(u' ');
}

}  // namespace

void Packaging::desktopFilesAgree() {
  const QString desktop = u"packaging/%1.desktop"_s.arg(kId);
  const QString appstream = u"packaging/%1.metainfo.xml"_s.arg(kId);
  const QString mime = u"packaging/%1.mime.xml"_s.arg(kId);
  QCOMPARE(values(appstream, u"id"_s), QSet<QString>{kId});
  QCOMPARE(values(appstream, u"launchable"_s), QSet<QString>{kId + u".desktop"_s});
  QCOMPARE(entry(desktop, u"Icon"_s), kId);
  QCOMPARE(entry(desktop, u"Exec"_s).section(u' ', 0, 0), u"binade"_s);
  const QStringList types = entry(desktop, u"MimeType"_s).split(u';', Qt::SkipEmptyParts);
  QCOMPARE(types.size(), 3);
  QCOMPARE(values(mime, u"mime-type"_s, u"type"_s), QSet<QString>(types.begin(), types.end()));
  QCOMPARE(values(appstream, u"mediatype"_s), QSet<QString>(types.begin(), types.end()));
}

void Packaging::everyWheelIsPinnedByHash() {
  static const QRegularExpression pin(u"^([a-z-]+)==([0-9.]+) [0-9a-f]{64} (\\S+x86_64\\.whl) \\d+ \\d+$"_s);
  const QStringList wheels = rows(u"packaging/wheels.txt"_s);
  QVERIFY(wheels.size() >= 3);
  for (const QString& wheel : wheels) {
    const auto match = pin.match(wheel);
    QVERIFY2(match.hasMatch(), qPrintable(wheel));
    const QString start = QString(match.captured(1)).replace(u'-', u'_') + u'-' + match.captured(2) + u'-';
    QVERIFY2(match.captured(3).startsWith(start), qPrintable(wheel));
  }
}

void Packaging::everyPackageHasAReason() {
  const QStringList packages = rows(u"packaging/debian-packages.txt"_s);
  QVERIFY(packages.size() > 20);
  QSet<QString> seen;
  for (const QString& line : packages) {
    QVERIFY2(line.section(u' ', 2).size() > 5, qPrintable(line));
    QVERIFY2(
        QStringList({u"build"_s, u"extra"_s, u"lint"_s, u"long"_s, u"package"_s}).contains(line.section(u' ', 0, 0)),
        qPrintable(line));
    QVERIFY2(!seen.contains(line.section(u' ', 1, 1)), qPrintable(line));
    seen << line.section(u' ', 1, 1);
  }
}

void Packaging::theManualNamesEveryOption_data() {
  QTest::addColumn<QString>("name");
  QTest::newRow("binade") << u"binade"_s;
  QTest::newRow("binade-engine") << u"binade-engine"_s;
}

void Packaging::theManualNamesEveryOption() {
  QFETCH(QString, name);
  const QString program = QStringLiteral(BINADE_BIN_DIR) + u'/' + name;
  if (!QFile::exists(program)) QSKIP("the program is not part of this build");
  const QString page = file(u"packaging/man/%1.1"_s.arg(name));
  QString help = output(program, {u"--help"_s});
  QVERIFY2(help.contains(u"--help"_s), qPrintable(help));
  for (const QString& command : subcommands(help)) {
    QVERIFY2(page.contains(u"Ic "_s + command), qPrintable(u"the manual has no command "_s + command));
    const QString more = output(program, {command, u"--help"_s});
    for (const QString& second : subcommands(more)) help += output(program, {command, second, u"--help"_s});
    help += more;
  }
  const QSet<QString> known = options(help);
  QCOMPARE(listed(manualOptions(page) - known), QString());
  QCOMPARE(listed(known - manualOptions(page)), QString());
}

/// The manual describes each command first as `--help` does.
void Packaging::theManualHasTheWordsOfHelp() {
  const QString program = QStringLiteral(BINADE_BIN_DIR "/binade-engine");
  if (!QFile::exists(program)) QSKIP("the program is not part of this build");
  static const QRegularExpression command(u"^  ([a-z]+) +(\\S.*)$"_s, QRegularExpression::MultilineOption);
  const QString manual = file(u"packaging/man/binade-engine.1"_s).simplified();
  int commands = 0;
  for (const QStringList& of : {QStringList{}, QStringList{u"policy"_s}}) {
    const QString help = output(program, of + QStringList{u"--help"_s});
    for (const auto& each : command.globalMatch(help.mid(help.indexOf(u"ubcommands:"_s)))) {
      if (each.captured(1) == u"policy"_s) continue;
      QVERIFY2(manual.contains(each.captured(2).simplified()), qPrintable(each.captured(0)));
      ++commands;
    }
  }
  QCOMPARE(commands, 28);
}

/// `--help`, the manual and the guide must describe each exit code in the same words.
void Packaging::exitCodesAreWordedOnce() {
  const QString program = QStringLiteral(BINADE_BIN_DIR "/binade-engine");
  if (!QFile::exists(program)) QSKIP("the program is not part of this build");
  static const QRegularExpression list(u"Exit codes: (.*)\\.\\s*$"_s, QRegularExpression::DotMatchesEverythingOption);
  const QString help = list.match(output(program, {u"--help"_s})).captured(1).simplified();
  static const QRegularExpression each(u"(\\d+) (.*?)(?=, \\d+ |$)"_s);
  const QString manual = file(u"packaging/man/binade-engine.1"_s);
  const QString guide = file(u"docs/guide/commands.md"_s);
  int codes = 0;
  for (const auto& code : each.globalMatch(help)) {
    const QString words = code.captured(2);
    const QString capital = words.left(1).toUpper() + words.mid(1);
    QVERIFY2(manual.contains(u".It %1\n%2"_s.arg(code.captured(1), capital)), qPrintable(u"the manual: "_s + words));
    QVERIFY2(guide.contains(u"| %1 | %2"_s.arg(code.captured(1), words)), qPrintable(u"the guide: "_s + words));
    ++codes;
  }
  QCOMPARE(codes, 6);
}

/// Unknown results at the end of a training must have the same name everywhere.
void Packaging::notKnownYetIsWordedOnce() {
  const QString program = QStringLiteral(BINADE_BIN_DIR "/binade-engine");
  if (!QFile::exists(program)) QSKIP("the program is not part of this build");
  static const QRegularExpression title(u"\"(Not known[^\\\\]*):\\\\n\""_s);
  const QString words = title.match(file(u"engine/host/print/silent_report.cpp"_s)).captured(1);
  QCOMPARE(words, u"Not known yet"_s);
  for (const char* command : {"train", "demo"}) {
    const QString help = output(program, {QString::fromLatin1(command), u"--help"_s}).simplified();
    QVERIFY2(help.contains(words.toLower()), command);
  }
  QVERIFY(file(u"packaging/man/binade-engine.1"_s).simplified().contains(words.toLower()));
  QVERIFY(file(u"docs/guide/diagnosing.md"_s).contains(u"*%1* below the list"_s.arg(words)));
  QVERIFY(file(u"docs/guide/run-descriptions.md"_s)
              .contains(u"`hidden` lists everything that is %1"_s.arg(words.toLower())));
}

BINADE_SUITE(Packaging);

}  // namespace binade::test

#include "packaging.moc"
