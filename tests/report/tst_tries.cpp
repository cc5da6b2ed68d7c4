// SPDX-License-Identifier: Apache-2.0
// The section of a report about policies that were tried.
#include "engine/record/run_writer.h"
#include "engine/record/sqlite.h"
#include "engine/report/report.h"
#include "engine/report/typography.h"
#include "engine/words/trial_text.h"
#include "tests/report/page_reader.h"
#include "tests/support/suite.h"
#include "tests/wire/samples.h"

#include <QFile>

#include <cmath>
#include <limits>

using namespace binade;
using namespace Qt::StringLiterals;
using test::PageElement;
using test::ReadPage;

namespace {

std::string runWith(const std::vector<wire::Trial>& trials, const wire::PolicyApplied* applied = nullptr) {
  const std::string path = test::temporaryFolder().toStdString() + "/tries.binade";
  QFile::remove(QString::fromStdString(path));
  record::RunWriter writer(path);
  wire::RunStarted started = test::sampleStarted();
  started.policy.decisions.resize(started.model.sites.size());
  writer.add(started);
  if (applied != nullptr) writer.add(*applied);
  for (const wire::Trial& trial : trials) writer.add(trial);
  writer.close();
  return path;
}

ReadPage triesPage(const std::vector<wire::Trial>& trials) {
  return test::readPage(report::make_report(runWith(trials)).html);
}

/// Two seeds of four steps from step 100 on: the loss is higher by 0.5 and 1, rounding alone moves it by at most 0.25.
wire::Trial sampleTry() {
  wire::Trial trial;
  trial.name = "fc1 in float16";
  trial.first_step = 100;
  trial.steps = 4;
  trial.verdict = wire::TrialVerdict::kWorse;
  trial.worse_from = 101;
  trial.loss = {.before = 2, .after = 2.75, .mean = 0.75, .low = 0.5, .high = 1, .noise = 0.25};
  for (std::int64_t seed = 0; seed < 2; ++seed) {
    const double more = seed == 0 ? 0.5 : 1;
    trial.seeds.push_back({.seed = seed,
                           .before = {.losses = {4, 3, 2, 1}},
                           .after = {.losses = {4 + more, 3 + more, 2 + more, 1 + more}},
                           .noise = {.losses = {4, 2.75, 2, 1.125}}});
  }
  return trial;
}

QString shownAs(const std::string& sentence) {
  return QString::fromStdString(report::typeset(sentence));
}

QList<PageElement> withStyle(const ReadPage& page, const QString& figure, const QString& name, const QString& style) {
  QList<PageElement> found;
  for (const PageElement& each : page.within(figure, name)) {
    if (each.hasClass(style)) found << each;
  }
  return found;
}

}  // namespace

class ReportedTries : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void aTryHasItsWordsAndItsFigures() {
    const wire::Trial trial = sampleTry();
    const ReadPage page = triesPage({trial});
    QCOMPARE(page.error, QString());
    const QString tries = page.section(u"tries"_s);
    QVERIFY(tries.contains(shownAs(words::sentence_of(trial))));
    QVERIFY(tries.contains(u"worse from step 101"_s));
    QVERIFY(tries.contains(u"2.5"_s));   // mean of the losses before
    QVERIFY(tries.contains(u"3.25"_s));  // after
    QVERIFY(tries.contains(u"at the start of the run"_s));
  }

  void theLineIsTheMeanDifferenceInsideItsBand() {
    const ReadPage page = triesPage({sampleTry()});
    const QList<PageElement> lines = withStyle(page, u"try-1-loss"_s, u"polyline"_s, u"s1"_s);
    QCOMPARE(lines.size(), 1);
    const QList<QPointF> line = test::pointsOf(lines.first());
    QCOMPARE(line.size(), 4);
    const QList<PageElement> bands = withStyle(page, u"try-1-loss"_s, u"polygon"_s, u"band"_s);
    QCOMPARE(bands.size(), 1);
    const QList<QPointF> band = test::pointsOf(bands.first());
    QCOMPARE(band.size(), 8);  // the upper edge, then the lower one back
    // Steps 101 and 103 have bands of ±0.25 and ±0.125, steps 100 and 102 none.
    QCOMPARE(band[0].y(), band[7].y());
    const double unit = (band[6].y() - band[1].y()) / 0.5;
    QVERIFY(unit > 0);
    QVERIFY(std::abs((band[4].y() - band[3].y()) - 0.25 * unit) < 0.6);
    const double zero = band[0].y();
    for (const QPointF& point : line) QVERIFY(std::abs(zero - point.y() - 0.75 * unit) < 0.6);
    QVERIFY(page.byId(u"try-1-loss"_s).text.contains(u"rounding alone"_s));
  }

  void aLossThatIsNotFiniteIsATriangle() {
    wire::Trial trial = sampleTry();
    trial.verdict = wire::TrialVerdict::kDiverged;
    trial.seeds.resize(1);
    trial.seeds[0].after.losses = {4, std::numeric_limits<double>::infinity()};
    trial.loss.mean = trial.loss.after = std::numeric_limits<double>::infinity();
    const ReadPage page = triesPage({trial});
    QCOMPARE(page.error, QString());
    QCOMPARE(withStyle(page, u"try-1-loss"_s, u"path"_s, u"bad"_s).size(), 1);
    QVERIFY(page.section(u"tries"_s).contains(u"∞"_s));
  }

  void theNewestOfManyAreDrawn() {
    std::vector<wire::Trial> trials;
    for (int i = 0; i < 33; ++i) {
      trials.push_back(sampleTry());
      trials.back().name = "change <" + std::to_string(i) + ">";
    }
    const ReadPage page = triesPage(trials);
    QCOMPARE(page.error, QString());
    const QString tries = page.section(u"tries"_s);
    QVERIFY(tries.contains(u"change <0>"_s));  // in the table
    QVERIFY(page.byId(u"try-3-loss"_s).name.isEmpty());
    QVERIFY(!page.byId(u"try-4-loss"_s).name.isEmpty());
    QVERIFY(!page.byId(u"try-33-loss"_s).name.isEmpty());
    QVERIFY(tries.contains(u"The newest 30 are drawn below"_s));
  }

  void aTryWithoutStepsIsStillNamed() {
    wire::Trial trial = sampleTry();
    trial.verdict = wire::TrialVerdict::kDoesNotRun;
    trial.steps = 1'000'000'000'000;
    trial.seeds.resize(1);
    trial.seeds[0] = {
        .seed = 0, .before = {.losses = {}}, .after = {.losses = {}, .failure = "no kernel"}, .noise = {}};
    const ReadPage page = triesPage({trial});
    QCOMPARE(page.error, QString());
    QVERIFY(page.section(u"tries"_s).contains(u"does not run. no kernel."_s));
    QVERIFY(page.byId(u"try-1-loss"_s).text.contains(u"No value was recorded"_s));
  }

  void aRewindKeepsTheTries() {
    const std::string path = runWith({sampleTry()});
    const ReadPage before = test::readPage(report::make_report(path).html);
    record::Database(path, record::Database::Mode::kReadWrite).run("INSERT INTO rewinds VALUES (1000, 5, 'a')");
    QVERIFY(test::readPage(report::make_report(path).html).section(u"tries"_s) == before.section(u"tries"_s));
  }

  void aPolicyNamesTheTryItCameFrom() {
    wire::PolicyApplied applied = test::samplePolicyApplied(2, 12);
    applied.decisions.resize(4);
    applied.policy.provenance.attempt = "fc1 in float16, 3 seeds";
    applied.policy.provenance.evidence = {"The loss stayed inside the noise."};
    const ReadPage page = test::readPage(report::make_report(runWith({}, &applied)).html);
    const QString policy = page.section(u"policy"_s);
    QVERIFY(policy.contains(u"fc1 in float16, 3 seeds"_s));
    QVERIFY(policy.contains(u"The loss stayed inside the noise."_s));
  }
};

BINADE_SUITE(ReportedTries);
#include "tst_tries.moc"
