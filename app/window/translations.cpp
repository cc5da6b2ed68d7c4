// SPDX-License-Identifier: Apache-2.0
#include "app/window/translations.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QLatin1String>
#include <QLibraryInfo>
#include <QLocale>

#include <cstring>

namespace binade::app {

namespace {

constexpr char kTextContext[] = "Binade";

QString textFile(const QString& folder, const QString& language) {
  return QStringLiteral("%1/binade_%2.qm").arg(folder, language);
}

}  // namespace

QString TextTranslator::translate(const char* context, const char* source, const char* comment, int count) const {
  // Names of keys are Qt's. A button of Binade can have the same English text and another German one.
  if (context != nullptr && std::strcmp(context, "QShortcut") == 0) return {};
  return QTranslator::translate(kTextContext, source, comment, count);
}

QString translationFolder() {
  return QCoreApplication::applicationDirPath() + QStringLiteral("/../share/binade/translations");
}

QString shownLanguage(const QStringList& wanted, const QString& folder) {
  for (QString language : wanted) {
    language.replace(u'-', u'_');
    const QString base = language.section(u'_', 0, 0);
    if (base == QLatin1String("en") || base == QLatin1String("C")) return {};
    for (const QString& each : {language, base}) {
      if (QFileInfo::exists(textFile(folder, each))) return each;
    }
  }
  return {};
}

void installTranslations(QCoreApplication& application) {
  const QString folder = translationFolder();
  const QString language = shownLanguage(QLocale::system().uiLanguages(), folder);
  if (language.isEmpty()) return;
  auto* const qts = new QTranslator(&application);
  if (qts->load(QStringLiteral("qtbase_") + language, QLibraryInfo::path(QLibraryInfo::TranslationsPath))) {
    QCoreApplication::installTranslator(qts);
  }
  auto* const texts = new TextTranslator(&application);
  if (texts->load(textFile(folder, language))) QCoreApplication::installTranslator(texts);
}

}  // namespace binade::app
