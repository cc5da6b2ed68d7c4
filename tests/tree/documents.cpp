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

BINADE_SUITE(Documents);

}  // namespace binade::test

#include "documents.moc"
