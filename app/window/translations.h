// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <QStringList>
#include <QTranslator>

class QCoreApplication;

namespace binade::app {

/// Binade's own texts in another language. A text is looked up without its context, since resources/translations has
/// one context: lupdate cannot tell the context of a tr() outside of a QObject reliably. Where one English text has two
/// meanings, the second argument of tr() tells them apart.
class TextTranslator : public QTranslator {
 public:
  using QTranslator::QTranslator;

  QString translate(const char* context, const char* source, const char* comment, int count) const override;
};

/// The folder of Binade's translations, beside the program: `../share/binade/translations`.
QString translationFolder();

/// The language of `wanted`, in order of preference, that the texts are shown in: the first that `folder` has, such as
/// `de` for `de-AT`. Empty for English, which needs no file, and if `folder` has none of them.
QString shownLanguage(const QStringList& wanted, const QString& folder);

/// Shows the program in the language of the system: LANGUAGE, LC_ALL, LC_MESSAGES or LANG. Installs Binade's texts and
/// those of Qt's own dialogs as children of `application`. Called once, before texts are made.
void installTranslations(QCoreApplication& application);

}  // namespace binade::app
