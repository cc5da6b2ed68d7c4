// SPDX-License-Identifier: Apache-2.0
#include "tests/support/error_corpus.h"

#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QMap>
#include <QRegularExpression>

namespace binade::test {

namespace {

QByteArray contents(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// Finds a name or value as a whole word, not as a part of `text_in` or `3.1`.
QRegularExpressionMatch findWord(const QString& text, const QString& word) {
  return QRegularExpression(QStringLiteral("(?<![\\w.])%1(?!\\w)").arg(QRegularExpression::escape(word))).match(text);
}

}  // namespace

ErrorCorpus::ErrorCorpus(const QString& folder, const QString& ending, const QString& golden)
    : folder_(folder),
      ending_(ending),
      golden_(golden),
      rows_(QJsonDocument::fromJson(contents(folder + QStringLiteral(".json"))).object()) {}

QString ErrorCorpus::difference(const QString& path, const std::optional<SeenError>& error) const {
  const QString name = QFileInfo(path).fileName();
  if (!rows_.contains(name)) return QStringLiteral("the corpus has no row for the file");
  if (!error) return QStringLiteral("the file was accepted");
  const QJsonObject row = rows_[name].toObject();
  if (error->code != row[QLatin1String("code")].toString()) return QStringLiteral("the code is ") + error->code;
  const QString whole = error->message + QLatin1Char('\n') + error->hint;
  if (!error->message.startsWith(name + QStringLiteral(": ")) && !error->message.startsWith(name + u' ')) {
    return QStringLiteral("the file is not named: ") + whole;
  }
  QString text = whole.mid(name.size() + 1);
  if (const QString field = row[QLatin1String("field")].toString(); !field.isEmpty()) {
    const auto match = findWord(text.section(QLatin1Char('\n'), 0, 0), field);
    if (!match.hasMatch()) return field + QStringLiteral(" is not named: ") + whole;
    text.remove(match.capturedStart(), match.capturedLength());
  }
  const QJsonArray tells = row[QLatin1String("tells")].toArray();
  if (tells.isEmpty() && error->hint.isEmpty()) return QStringLiteral("there is no next step: ") + whole;
  for (const QJsonValue& value : tells) {
    if (!findWord(text, value.toString()).hasMatch())
      return value.toString() + QStringLiteral(" is not named: ") + whole;
  }
  return {};
}

QStringList ErrorCorpus::goldenDifferences(
    const std::function<std::optional<SeenError>(const QString& path)>& errorOf) const {
  QStringList differences;
  QMap<QString, int> shown;
  for (auto row = rows_.begin(); row != rows_.end(); ++row) {
    const QString path = folder_.filePath(row.key());
    int& count = shown[row.value().toObject()[QLatin1String("kind")].toString()];
    if (!QFile::exists(path)) differences << row.key() + QStringLiteral(": there is no such file");
    const QByteArray golden = contents(path.chopped(ending_.size()) + golden_);
    if (golden.isEmpty()) continue;
    ++count;
    const QStringList lines = QString::fromUtf8(golden).split(QLatin1Char('\n'));
    const std::optional<SeenError> error = errorOf(path);
    if (!error) {
      differences << row.key() + QStringLiteral(": the file was accepted");
      continue;
    }
    const bool isBeginning = lines[0].endsWith(QChar(0x2026));
    const bool same = isBeginning ? error->message.startsWith(lines[0].chopped(1)) : error->message == lines[0];
    if (!same || error->hint != lines.value(1)) differences << error->message + QLatin1Char('\n') + error->hint;
  }
  for (auto kind = shown.begin(); kind != shown.end(); ++kind) {
    if (kind.value() != 1)
      differences << QStringLiteral("%1: %2 golden files, not one").arg(kind.key()).arg(kind.value());
  }
  if (shown.isEmpty()) differences << QStringLiteral("the table is empty");
  return differences;
}

}  // namespace binade::test
