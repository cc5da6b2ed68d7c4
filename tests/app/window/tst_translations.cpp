// SPDX-License-Identifier: Apache-2.0
// German: complete, as the sources have it, and shown where the system asks for it.
#include "app/window/translations.h"
#include "tests/support/places.h"
#include "tests/support/suite.h"

#include <QFileInfo>
#include <QProcess>
#include <QProcessEnvironment>
#include <QTest>

namespace {

using namespace binade;

const QString kTranslationFolder = QStringLiteral(BINADE_BIN_DIR "/../share/binade/translations");

class Translations : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  // Missing and unused texts, lost placeholders, mnemonics, tags and plural forms.
  void germanIsCompleteAndHasEveryPlaceholder() {
    QProcess check;
    check.start(QStringLiteral("python3"),
                {QStringLiteral(BINADE_SOURCE_DIR "/resources/translations/update.py"), QStringLiteral("--check")});
    QVERIFY(check.waitForFinished(60000));
    const QByteArray said = check.readAllStandardOutput() + check.readAllStandardError();
    if (check.exitCode() == 77) QSKIP(said.constData());
    QVERIFY2(check.exitStatus() == QProcess::NormalExit && check.exitCode() == 0, said.constData());
  }

  void theFirstLanguageThatThereIsIsShown() {
    if (!hasGerman()) QSKIP("lrelease was missing when this was built");
    QCOMPARE(app::shownLanguage({QStringLiteral("de-AT"), QStringLiteral("de")}, kTranslationFolder),
             QStringLiteral("de"));
    QCOMPARE(app::shownLanguage({QStringLiteral("fr-FR"), QStringLiteral("de_DE")}, kTranslationFolder),
             QStringLiteral("de"));
    QCOMPARE(app::shownLanguage({QStringLiteral("en-GB"), QStringLiteral("de")}, kTranslationFolder), QString());
    QCOMPARE(app::shownLanguage({QStringLiteral("C")}, kTranslationFolder), QString());
    QCOMPARE(app::shownLanguage({QStringLiteral("fr")}, kTranslationFolder), QString());
  }

  void aTextIsFoundWithoutItsContext() {
    if (!hasGerman()) QSKIP("lrelease was missing when this was built");
    app::TextTranslator german;
    QVERIFY(german.load(kTranslationFolder + QStringLiteral("/binade_de.qm")));
    QCOMPARE(german.translate("binade::app::Actions", "Rewind", nullptr, -1), QStringLiteral("Zurückspulen"));
    QCOMPARE(german.translate("Binade", "%n lessons done", nullptr, 1), QStringLiteral("%n Lektion abgeschlossen"));
    QCOMPARE(german.translate("Binade", "%n lessons done", nullptr, 2), QStringLiteral("%n Lektionen abgeschlossen"));
    QVERIFY(german.translate("QShortcut", "Delete", nullptr, -1).isEmpty());
  }

  void theProgramAnswersInTheLanguageOfTheSystem() {
    if (!hasGerman()) QSKIP("lrelease was missing when this was built");
    QCOMPARE(helpIn(QStringLiteral("de")).contains(QStringLiteral("Die Optionen auflisten.")), true);
    QCOMPARE(helpIn(QStringLiteral("en")).contains(QStringLiteral("List the options.")), true);
  }

 private:
  static bool hasGerman() { return QFileInfo::exists(kTranslationFolder + QStringLiteral("/binade_de.qm")); }

  static QString helpIn(const QString& language) {
    QProcess binade;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("LANGUAGE"), language);
    environment.insert(QStringLiteral("LC_ALL"), QStringLiteral("C.UTF-8"));
    binade.setProcessEnvironment(environment);
    binade.start(QStringLiteral(BINADE_BIN_DIR "/binade"), {QStringLiteral("--help")});
    if (!binade.waitForFinished(30000)) return {};
    return QString::fromUtf8(binade.readAllStandardOutput());
  }
};

BINADE_SUITE(Translations);

}  // namespace

#include "tst_translations.moc"
