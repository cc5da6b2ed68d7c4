// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/error.h"
#include "engine/policy/policy.h"
#include "engine/wire/run_config.h"
#include "tests/support/places.h"
#include "tests/support/suite.h"
#include "tests/tree/source_tree.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace binade::test {

/// What the documents say is checked where a program can check it.
class Documents : public Suite {
  Q_OBJECT

 private Q_SLOTS:
  void everyLinkLeadsSomewhere();
  void thePolicyInTheGuideIsValid();
  void theRunInTheGuideIsValid();
  void theGuideSaysWhereItGainsAndWhoElseDoesIt();
  void theProgramsInTheGuideAreExamples_data();
  void theProgramsInTheGuideAreExamples();
  void theGuideSaysWhatIsForInferenceOnly();
  void theGuideLeadsFromApexToWhatIsRecommended();
};

namespace {

/// The first JSON example of a page.
std::string example(const QString& page) {
  static const QRegularExpression block(u"```json\n(.*?)```"_s, QRegularExpression::DotMatchesEverythingOption);
  return block.match(sourceTree().value(page)).captured(1).toStdString();
}

}  // namespace

void Documents::everyLinkLeadsSomewhere() {
  static const QRegularExpression link(u"\\]\\(([^)#\\s]+)(?:#[^)]*)?\\)"_s);
  int links = 0;
  QStringList broken;
  for (const auto& [path, text] : sourceTree().asKeyValueRange()) {
    if (!path.endsWith(u".md")) continue;
    const QDir folder = QFileInfo(QStringLiteral(BINADE_SOURCE_DIR "/") + path).dir();
    for (const auto& match : link.globalMatch(text)) {
      const QString target = match.captured(1);
      if (target.startsWith(u"http")) continue;
      ++links;
      if (!folder.exists(target)) broken << path + u" links to "_s + target;
    }
  }
  QVERIFY(links > 20);
  QVERIFY2(broken.isEmpty(), qPrintable(broken.join(u'\n')));
}

void Documents::thePolicyInTheGuideIsValid() {
  try {
    const auto policy = policy::parse_policy(example(u"docs/guide/policies.md"_s), "policies.md");
    QCOMPARE(policy.sites.size(), 3);
  } catch (const Error& error) {
    QFAIL(error.what());
  }
}

void Documents::theRunInTheGuideIsValid() {
  try {
    const auto run = wire::parse_run(example(u"docs/guide/run-descriptions.md"_s), "run.json", "");
    QVERIFY(run.policy.base == policy::Base::kCudaAmp);
    QCOMPARE(run.steps, 2000);
  } catch (const Error& error) {
    QFAIL(error.what());
  }
}

void Documents::theGuideSaysWhereItGainsAndWhoElseDoesIt() {
  const QString page = sourceTree().value(u"docs/guide/getting-started.md"_s);
  for (const QString& word : {u"Tensor Cores"_s, u"no GPU is needed"_s, u"TensorFlow"_s, u"MXNet"_s}) {
    QVERIFY2(page.contains(word), qPrintable(word));
  }
}

void Documents::theGuideSaysWhatIsForInferenceOnly() {
  const QString page = sourceTree().value(u"docs/guide/getting-started.md"_s);
  for (const QString& said :
       {u"INT8 is for inference only"_s, u"tfloat32 in matrix multiplications, bfloat16, float16"_s}) {
    QVERIFY2(page.contains(said), qPrintable(said));
  }
}

void Documents::theGuideLeadsFromApexToWhatIsRecommended() {
  const QString page = sourceTree().value(u"docs/guide/apex-levels.md"_s);
  for (const QString& said :
       {u"For new code take the [region and the scaler](library.md)"_s,
        u"`amp_handle = amp.init()` is `initialize()`"_s, u"`handle.scale_loss` is `amp.scale_loss`"_s,
        u"easy to get wrong with several models"_s}) {
    QVERIFY2(page.contains(said), qPrintable(said));
  }
}

void Documents::theProgramsInTheGuideAreExamples_data() {
  QTest::addColumn<QString>("page");
  QTest::addColumn<QString>("example");
  QTest::newRow("library") << u"docs/guide/library.md"_s << u"examples/first_program"_s;
  QTest::newRow("apex-levels") << u"docs/guide/apex-levels.md"_s << u"examples/apex_linear"_s;
}

/// Both files of each program, which a test builds and runs, stand there letter for letter.
void Documents::theProgramsInTheGuideAreExamples() {
  QFETCH(QString, page);
  QFETCH(QString, example);
  const QString guide = sourceTree().value(page);
  for (const auto& [kind, file] : {std::pair(u"cmake"_s, u"CMakeLists.txt"_s), {u"cpp"_s, u"main.cpp"_s}}) {
    QFile source(QStringLiteral(BINADE_SOURCE_DIR "/") + example + u'/' + file);
    QVERIFY2(source.open(QIODevice::ReadOnly), qPrintable(file));
    source.readLine();  // the licence
    const QString text = QString::fromUtf8(source.readAll());
    QVERIFY2(!text.isEmpty() && guide.contains(u"```%1\n%2```"_s.arg(kind, text)), qPrintable(file + u" is another"_s));
  }
}

BINADE_SUITE(Documents);

}  // namespace binade::test

#include "documents.moc"
