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

/// Checks statements of the documents that a program can check.
class Documents : public Suite {
  Q_OBJECT

 private Q_SLOTS:
  void everyLinkLeadsSomewhere();
  void thePolicyInTheGuideIsValid();
  void theRunInTheGuideIsValid();
  void settingsOfOtherFrameworksAreRunsHere_data();
  void settingsOfOtherFrameworksAreRunsHere();
  void mixedPrecisionIsAFewLinesOfAProgram();
  void theProgramsInTheGuideAreExamples_data();
  void theProgramsInTheGuideAreExamples();
};

namespace {

/// Returns the first JSON example of a page.
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

/// Default loss scaling of each framework, from its own documentation.
void Documents::settingsOfOtherFrameworksAreRunsHere_data() {
  QTest::addColumn<double>("scale");
  QTest::addColumn<int>("interval");
  QTest::newRow("PyTorch") << 65536.0 << 2000;
  QTest::newRow("TensorFlow") << 32768.0 << 2000;
  QTest::newRow("MXNet") << 65536.0 << 2000;
}

void Documents::settingsOfOtherFrameworksAreRunsHere() {
  QFETCH(double, scale);
  QFETCH(int, interval);
  const QString page = sourceTree().value(u"docs/guide/loss-scaling.md"_s);
  static const QRegularExpression row(u"^\\| (\\w+) \\|.*`(\\{.*\\})` \\|$"_s, QRegularExpression::MultilineOption);
  bool found = false;
  for (const auto& match : row.globalMatch(page)) {
    if (match.captured(1) != QLatin1String(QTest::currentDataTag())) continue;
    found = true;
    const std::string run =
        R"({"binade_run": 1, "model": "sample:mlp", "data": {"inputs": ["float32[2,1,28,28]"]}, "scaler": )" +
        match.captured(2).toStdString() + "}";
    try {
      const wire::ScalerConfig scaler = wire::parse_run(run, "loss-scaling.md", "").scaler;
      QCOMPARE(scaler.init_scale, scale);
      QCOMPARE(scaler.growth_interval, interval);
      QCOMPARE(scaler.growth_factor, 2.0);
      QCOMPARE(scaler.backoff_factor, 0.5);
      QVERIFY(scaler.enabled);
    } catch (const Error& error) {
      QFAIL(error.what());
    }
  }
  QVERIFY(found);
}

/// Without its lines on scaler and region, the first program must be the same training in float32.
void Documents::mixedPrecisionIsAFewLinesOfAProgram() {
  QFile source(QStringLiteral(BINADE_SOURCE_DIR "/examples/first_program/main.cpp"));
  QVERIFY(source.open(QIODevice::ReadOnly));
  QStringList plain;
  QStringList added;
  for (QString line : QString::fromUtf8(source.readAll()).split(u'\n')) {
    line = line.section(u"//"_s, 0, 0).trimmed();
    (line.contains(u"binade"_s) || line.contains(u"scaler"_s) ? added : plain) << line;
  }
  plain.removeAll(QString());
  const QStringList expected{u"#include \"engine/autocast/region.h\""_s,
                             u"#include \"engine/scaler/grad_scaler.h\""_s,
                             u"binade::scaler::GradScaler scaler;"_s,
                             u"const binade::autocast::Region region(\"cpu\", at::kBFloat16);"_s,
                             u"scaler.scale(loss).backward();"_s,
                             u"scaler.step(optimizer);"_s,
                             u"scaler.update();"_s};
  // In the order: headers, creation, region, the three calls of the loop. Output does not count.
  added.removeIf([](const QString& line) { return line.startsWith(u"std::printf"_s); });
  QStringList includes = plain.filter(u"#include \"engine/"_s);
  for (const QString& include : includes) plain.removeAll(include);
  QStringList all = includes;
  for (const QString& line : added) {
    if (!all.contains(line)) all << line;
  }
  QCOMPARE(all, expected);
  QVERIFY(plain.contains(u"torch::nn::Linear model(8, 1);"_s));  // model and optimizer are unchanged
  QVERIFY(plain.contains(u"optimizer.zero_grad();"_s));
}

void Documents::theProgramsInTheGuideAreExamples_data() {
  QTest::addColumn<QString>("page");
  QTest::addColumn<QString>("example");
  QTest::newRow("library") << u"docs/guide/library.md"_s << u"examples/first_program"_s;
  QTest::newRow("apex-levels") << u"docs/guide/apex-levels.md"_s << u"examples/apex_linear"_s;
}

/// Both files of each program, which a test builds and runs, must be on the page verbatim.
void Documents::theProgramsInTheGuideAreExamples() {
  QFETCH(QString, page);
  QFETCH(QString, example);
  const QString guide = sourceTree().value(page);
  for (const auto& [kind, file] : {std::pair(u"cmake"_s, u"CMakeLists.txt"_s), {u"cpp"_s, u"main.cpp"_s}}) {
    QFile source(QStringLiteral(BINADE_SOURCE_DIR "/") + example + u'/' + file);
    QVERIFY2(source.open(QIODevice::ReadOnly), qPrintable(file));
    source.readLine();  // skips the licence
    const QString text = QString::fromUtf8(source.readAll());
    QVERIFY2(!text.isEmpty() && guide.contains(u"```%1\n%2```"_s.arg(kind, text)), qPrintable(file + u" is another"_s));
  }
}

BINADE_SUITE(Documents);

}  // namespace binade::test

#include "documents.moc"
