// SPDX-License-Identifier: Apache-2.0
#include "app/session/diagnostics.h"

#include "app/model/translate.h"
#include "app/session/problem_details.h"
#include "app/session/session.h"

#include <QDir>
#include <QSettings>

#include <algorithm>

namespace binade::app {

namespace {

constexpr int kDiagnosticLines = 1000;

// Settings that hold names of files or computers.
bool isPrivate(const QString& key) {
  static const QStringList groups{QStringLiteral("recentFiles"), QStringLiteral("recentHosts"),
                                  QStringLiteral("engine"), QStringLiteral("lessons")};
  return std::any_of(groups.begin(), groups.end(),
                     [&](const QString& group) { return key == group || key.startsWith(group + u'/'); });
}

// A value that is words or a number; empty for positions of windows, and for paths.
QString plainValue(const QVariant& value) {
  if (value.typeId() == QMetaType::QByteArray || !value.canConvert<QString>()) return {};
  const QString text = value.toString();
  return QDir::isAbsolutePath(text) || text.size() > 200 ? QString() : text;
}

}  // namespace

QString withoutHome(QString text) {
  const QString home = QDir::homePath();
  if (home.size() > 1) text.replace(home, QStringLiteral("~"));
  return text;
}

QList<DiagnosticsPart> diagnosticsOf(Session& session, const QSettings& settings) {
  QStringList kept;
  for (const QString& key : settings.allKeys()) {
    const QString value = isPrivate(key) ? QString() : plainValue(settings.value(key));
    if (!value.isEmpty()) kept << key + QStringLiteral(" = ") + value;
  }
  return {{tr("Versions"), versionLines(session).join(u'\n')},
          {tr("Settings"), withoutHome(kept.join(u'\n'))},
          {tr("Log"), withoutHome(newestLogLines(session.log(), kDiagnosticLines).join(u'\n'))}};
}

QString diagnosticsText(const QList<DiagnosticsPart>& parts) {
  QString text;
  for (const DiagnosticsPart& part : parts) {
    text += QStringLiteral("== %1 ==\n%2\n\n").arg(part.title, part.text.trimmed());
  }
  return text;
}

}  // namespace binade::app
