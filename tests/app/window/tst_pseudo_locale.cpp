// SPDX-License-Identifier: Apache-2.0
// The window in a made-up language: every text that a person sees is translated, known to lupdate, and has room.
#include "app/docks/dock.h"
#include "app/docks/silent_dock.h"
#include "app/window/actions.h"
#include "app/window/arrangement.h"
#include "engine/words/silent_text.h"
#include "tests/app/app_fixture.h"
#include "tests/app/fake_findings.h"
#include "tests/app/fake_run.h"
#include "tests/app/pseudo_texts.h"
#include "tests/support/places.h"
#include "tests/support/suite.h"
#include "views/values/typography.h"

#include <QApplication>
#include <QDialog>
#include <QRegularExpression>
#include <QTest>

#include <memory>

namespace {

using namespace binade;
using test::Explorer;

/// Names in the made-up run, and names that are the same in every language.
QSet<QString> shownNames(const app::RunModel& run) {
  QSet<QString> names;
  const auto add = [&names](const QString& text) {
    for (const QString& each : text.split(QRegularExpression(QStringLiteral("[^A-Za-z]+")), Qt::SkipEmptyParts)) {
      names << each;
    }
  };
  for (const auto& site : run.sites()) add(QString::fromStdString(site.key.name()));
  add(
      QStringLiteral("demo sample cnn fashion FashionCnn Tensor input weight gain lower promote "
                     "Adam AdamW RMSprop Adagrad SGD cuda amp cpu CPU bytes binade engine serve"));
  return names;
}

/// Docks whose labels show sentences of engine/words, or a lesson: these are in English in every language.
bool isEnglishDock(const QString& text) {
  static const QRegularExpression labels(
      QStringLiteral("^\\S*(?:Inspector|Silent|Lesson|Question|Log|Story|Chain|Prose|Figure|Answer)\\w* "));
  return labels.match(text).hasMatch();
}

/// Sentences of the engine that other places show for this run, in English in every language.
QSet<QString> engineTexts(const app::RunModel& run) {
  QSet<QString> texts{run.device(), QString::fromStdString(run.config().caption)};
  using policy::Base;
  for (const Base base :
       {Base::kCudaAmp, Base::kCpuAmp, Base::kAllFloat32, Base::kApexO0, Base::kApexO1, Base::kApexO2, Base::kApexO3}) {
    texts << QString::fromStdString(policy::brief(base));
  }
  for (const policy::Finding& finding : run.policies().back().findings)
    texts << QString::fromStdString(finding.message);
  if (!run.silent()) return texts;
  for (const wire::SilentFault& fault : run.silent()->faults) {
    texts << views::typeset(words::silent_sentence(fault, run.sites()))
          << views::typeset(words::silent_next(fault, run.sites()));
  }
  return texts;
}

class PseudoLocale : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() {
    texts_ =
        std::make_unique<test::PseudoTexts>(QStringLiteral(BINADE_SOURCE_DIR "/resources/translations/binade_de.ts"));
    QVERIFY(QCoreApplication::installTranslator(texts_.get()));
  }
  void cleanupTestCase() { texts_.reset(); }

  void everyTextOfTheWindowIsTranslated() {
    Explorer explorer;
    showEverything(explorer);
    QStringList wrong;
    const QSet<QString> names = shownNames(explorer.session().run());
    const QSet<QString> english = engineTexts(explorer.session().run());
    for (const app::Arrangement each : app::kArrangements) {
      explorer.window().setArrangement(each);
      QApplication::processEvents();
      for (const QString& text : test::textsOf(&explorer.window())) {
        const QString shown = text.section(QStringLiteral(": "), 1);
        if (!isEnglishDock(text) && !english.contains(shown) && !test::isTranslated(shown, names)) wrong << text;
      }
    }
    wrong.removeDuplicates();
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(u'\n')));
  }

  void everyTextOfTheDialogsIsTranslated() {
    Explorer explorer;
    showEverything(explorer);
    const app::Actions* actions = explorer.window().actions();
    const QSet<QString> names = shownNames(explorer.session().run());
    for (QAction* action : {actions->settings, actions->shortcuts, actions->palette, actions->connect_engine,
                            actions->save_diagnostics, actions->export_policy}) {
      action->trigger();
      QApplication::processEvents();
      const auto dialog = qobject_cast<QDialog*>(QApplication::activeModalWidget());
      QVERIFY2(dialog != nullptr, qPrintable(action->objectName()));
      QStringList wrong = test::cutButtons(dialog);
      for (const QString& text : test::textsOf(dialog)) {
        if (!test::isTranslated(text.section(QStringLiteral(": "), 1), names)) wrong << text;
      }
      QVERIFY2(wrong.isEmpty(), qPrintable(action->objectName() + u'\n' + wrong.join(u'\n')));
      dialog->close();
      QApplication::processEvents();
    }
  }

  void noButtonIsTooNarrow() {
    Explorer explorer;
    showEverything(explorer);
    QStringList cut;
    for (const app::Arrangement each : app::kArrangements) {
      explorer.window().setArrangement(each);
      QApplication::processEvents();
      cut << test::cutButtons(&explorer.window());
    }
    cut.removeDuplicates();
    QVERIFY2(cut.isEmpty(), qPrintable(cut.join(u'\n')));
  }

  // Last: the tests above looked up what the window shows.
  void everyTextIsKnownToLupdate() {
    QVERIFY2(texts_->unlisted().isEmpty(), qPrintable(texts_->unlisted().join(u'\n')));
  }

 private:
  static void showEverything(Explorer& explorer) {
    explorer.showFed(60);
    app::Session& session = explorer.session();
    session.run().addEvent(test::diagnosed(7, wire::Event::Kind::kForwardOverflow, 65536, test::forwardOverflow()));
    session.run().setSilent(test::silentReport());
    session.run().addCasts(test::casts(0, 10));
    session.run().setComparison(test::comparison(19));
    session.selectEvent(static_cast<int>(session.run().events().size()) - 1);
    QApplication::processEvents();
  }

  std::unique_ptr<test::PseudoTexts> texts_;
};

BINADE_SUITE(PseudoLocale);

}  // namespace

#include "tst_pseudo_locale.moc"
