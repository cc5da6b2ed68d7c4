// SPDX-License-Identifier: Apache-2.0
// Op calls as rows: their modules, the words of the filter line, copies, reasons, and figures computed only for news.
#include "app/docks/site_table_model.h"
#include "app/present/site_copy.h"
#include "app/present/site_explanation.h"
#include "app/present/site_groups.h"
#include "app/present/site_history_line.h"
#include "app/present/site_query.h"
#include "tests/app/app_fixture.h"
#include "tests/app/fake_findings.h"
#include "tests/app/fake_run.h"
#include "tests/app/fake_sites.h"
#include "tests/support/suite.h"

#include <QTest>

#include <cmath>

namespace {

using namespace binade;
using app::SiteTableModel;

std::vector<wire::SiteInfo> sitesAtPaths(std::initializer_list<const char*> paths) {
  std::vector<wire::SiteInfo> sites;
  for (const char* path : paths) {
    wire::SiteInfo& site = sites.emplace_back();
    site.id = static_cast<int>(sites.size()) - 1;
    site.key = {path, "", "aten::linear", "", 0};
  }
  return sites;
}

policy::SiteRule ruleFor(const std::string& match, const formats::Format& format) {
  policy::SiteRule made;
  made.match = match;
  made.format = format;
  return made;
}

class SiteRows : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void modulesFormATree() {
    const app::SiteGroups groups(sitesAtPaths({"stem", "net.layer1.0.conv1", "net.layer1.0.conv2", "net.layer1.1.conv1",
                                               "net.layer1.1.conv2", "net.layer2.0", "", "net.layer1.0.conv1"}));
    QStringList paths;
    for (const app::SiteGroup& group : groups.all()) paths << group.path;
    QCOMPARE(paths, (QStringList{QStringLiteral("net"), QStringLiteral("net.layer1"), QStringLiteral("net.layer1.0"),
                                 QStringLiteral("net.layer1.0.conv1"), QStringLiteral("net.layer1.1")}));
    QCOMPARE(groups.at(0).parent, -1);
    QCOMPARE(groups.at(2).parent, 1);
    QCOMPARE(groups.at(3).depth, 3);
    QCOMPARE(groups.at(2).sites, (std::vector<int>{1, 2, 7}));
    QCOMPARE(groups.of(7), 3);
    QCOMPARE(groups.of(2), 2);
    QCOMPARE(groups.of(0), -1);  // a module with one op call
    QCOMPARE(groups.of(6), -1);  // the root
  }

  void aModuleThatOnlyContainsAnotherIsLeftOut() {
    const app::SiteGroups groups(sitesAtPaths({"encoder.layer.0", "encoder.layer.1", "head"}));
    QCOMPARE(groups.size(), 1);
    QCOMPARE(groups.at(0).path, QStringLiteral("encoder.layer"));
  }

  void aModulesPathMatchesItsOpCallsAsARule() {
    const std::vector<wire::SiteInfo> sites = sitesAtPaths({"layer1.0", "layer1.1", "layer10.0", "layer10.1"});
    const app::SiteGroups groups(sites);
    for (const app::SiteGroup& group : groups.all()) {
      for (const wire::SiteInfo& site : sites) {
        const bool inside = std::find(group.sites.begin(), group.sites.end(), site.id) != group.sites.end();
        QCOMPARE(policy::matches(group.path.toStdString(), site.key), inside);
      }
    }
  }

  void theFilterLineIsCompleted_data() {
    QTest::addColumn<QString>("line");
    QTest::addColumn<QStringList>("words");
    const auto row = [](const char* line, const QStringList& words) {
      QTest::newRow(line) << QString::fromLatin1(line) << words;
    };
    row("", {});
    row("op:c", {QStringLiteral("op:conv2d"), QStringLiteral("op:batch_norm")});  // contains one
    row("op:conv2d,lin", {QStringLiteral("op:conv2d,linear")});
    row("op:linear", {});
    row("layer1 format:f",
        {QStringLiteral("format:float16"), QStringLiteral("format:float32"), QStringLiteral("format:bfloat16")});
    row("for", {QStringLiteral("format:")});
    row("LAYER", {QStringLiteral("path:layer1"), QStringLiteral("path:layer1.0")});
    row("aten::x", {});
  }
  void theFilterLineIsCompleted() {
    QFETCH(QString, line);
    QFETCH(QStringList, words);
    const app::SiteVocabulary known{
        {QStringLiteral("bfloat16"), QStringLiteral("float16"), QStringLiteral("float32")},
        {QStringLiteral("batch_norm_c"), QStringLiteral("conv2d"), QStringLiteral("linear")},
        {QStringLiteral("layer1"), QStringLiteral("layer1.0")}};
    QStringList found = app::completions(line, line.size(), known);
    found.replaceInStrings(QStringLiteral("batch_norm_c"), QStringLiteral("batch_norm"));
    QCOMPARE(found, words);
  }

  void onlyTheWordAtTheCursorIsCompleted() {
    const app::SiteVocabulary known{{}, {QStringLiteral("linear")}, {}};
    QCOMPARE(app::completions(QStringLiteral("op:lin path:fc"), 6, known), QStringList{QStringLiteral("op:linear")});
    QCOMPARE(app::completions(QStringLiteral("op:"), 3, known, 0), QStringList());
  }

  void copiedRulesAreAcceptedByAPolicyFile() {
    app::RunModel run;
    test::FakeRun fake;
    wire::RunConfig config = test::FakeRun::config();
    config.policy.sites = {ruleFor("conv1", formats::kFloat8E4M3fn), ruleFor("fc1", formats::kFloat32)};
    config.policy.sites.back().why = "it \"overflowed\"";
    fake.restart(config);
    run.begin(fake.started(), app::RunModel::Source::kLive);
    const std::vector<policy::SiteRule> rules = app::rulesOf(run, {test::kConv1, test::kBn1, test::kFc1, test::kFc2});
    QCOMPARE(rules.size(), std::size_t{3});  // batch norm follows its input
    const std::string file = R"({"binade_policy":1,"base":"all-float32","sites":)" + policy::to_json(rules) + "}";
    const policy::Policy read = policy::parse_policy(file, "copied");
    QCOMPARE(read.sites.size(), rules.size());
    QVERIFY(read.sites == rules);
    QCOMPARE(read.sites[1].why, std::string("it \"overflowed\""));
    // Under any base list they give each op call the decision that it has now.
    std::vector<policy::SiteKey> keys;
    for (const wire::SiteInfo& site : run.sites()) keys.push_back(site.key);
    const policy::Resolved resolved = policy::resolve(read, keys, {});
    for (const int site : {test::kConv1, test::kFc1, test::kFc2}) {
      const policy::Decision& now = resolved.sites[static_cast<std::size_t>(site)];
      QVERIFY(now.format == run.decision(site)->format && now.backward == run.decision(site)->backward);
    }
  }

  void copiedFiguresAreForPrograms() {
    app::RunModel run;
    app::PolicyDocument document;
    app::Selection selection;
    SiteTableModel table(&run, &document, &selection);
    test::feedRun(run, 30);
    table.refresh();
    const QString text = app::callsAsCsv(
        run, {test::kFc2, test::kConv1}, [&](int site) -> const app::SiteFigures& { return table.figures(site); },
        [&](int site) { return table.seconds(site); });
    const QStringList lines = text.split(u'\n', Qt::SkipEmptyParts);
    QCOMPARE(lines.size(), 3);
    const QStringList cells = lines[1].split(u',');
    QCOMPARE(cells[0], QStringLiteral("\"fc2/aten::linear#0\""));
    QCOMPARE(cells[2].toDouble(), table.figures(test::kFc2).doublings);
    QCOMPARE(cells[6], QString());  // not timed: no zero
  }

  void anOpCallsFormatIsExplained() {
    app::RunModel run;
    test::FakeRun fake;
    wire::RunStarted started = fake.started();
    started.model.flow.emplace();
    started.model.flow->edges = {{test::kConv1, 0, test::kBn1, "input", "", {}}};
    run.begin(started, app::RunModel::Source::kLive);
    run.addSteps({fake.next()});
    const QStringList conv = app::formatReasons(run, test::kConv1);
    QVERIFY2(conv.front().contains(QStringLiteral("The base list cuda-amp runs aten::conv2d in the low format")),
             qPrintable(conv.join(u'\n')));
    const QString norm = app::formatReasons(run, test::kBn1).join(u'\n');
    QVERIFY2(norm.contains(QStringLiteral("does not name aten::batch_norm")), qPrintable(norm));
    QVERIFY2(norm.contains(QStringLiteral("Argument input comes from conv1/aten::conv2d#0, in float16.")),
             qPrintable(norm));
    QVERIFY(app::formatReasons(run, 10'000).isEmpty());
  }

  void theHistoryShowsTheLeastOfEachPart() {
    app::RunModel run;
    test::feedRun(run, 60);
    const QList<double> line = app::headroomHistory(run, test::kFc2, 12);
    QCOMPARE(line.size(), 12);
    QVERIFY(std::any_of(line.begin(), line.end(), [](double point) { return point <= 1; }));  // it overflowed at first
    QVERIFY(std::any_of(line.begin(), line.end(), [](double point) { return point > 0; }));
    QVERIFY(app::headroomHistory(run, test::kDropout, 12).isEmpty());  // never executed
  }

  // Figures are computed again only where something new could have changed them: none may be missed.
  void keptFiguresAreThoseThatWouldBeComputed_data() {
    QTest::addColumn<int>("every");
    QTest::newRow("every step is observed") << 1;
    QTest::newRow("one step in 7 is observed") << 7;
    QTest::newRow("one step in 60 is observed") << 60;
  }
  void keptFiguresAreThoseThatWouldBeComputed() {
    QFETCH(int, every);
    app::RunModel run;
    app::PolicyDocument document;
    app::Selection selection;
    SiteTableModel table(&run, &document, &selection);
    test::FakeRun fake;
    run.begin(fake.started(), app::RunModel::Source::kLive);
    run.setState({wire::RunState::kRunning, 0});
    document.adopt(fake.started().policy.policy, fake.started().policy.revision);
    for (int step = 0; step < 240; ++step) {
      wire::StepRecord record = fake.next();
      if (step % every != 0) record.observations.clear();
      run.addSteps({record});
      if (fake.event() != nullptr) run.addEvent(*fake.event());
      if (step == 100) {
        document.setFormat({run.sites()[test::kFc2].key}, formats::kBFloat16);
        run.addPolicy(fake.setPolicy(document.policy(), document.revision()));
      }
      if (step == 180) run.addProfile(test::cpuProfile(0, step));
      table.refresh();
      for (int site = 0; site < table.rowCount(); ++site) {
        const app::SiteFigures now = app::figuresOf(run, site);
        QVERIFY2(app::looksTheSame(table.figures(site), now),
                 qPrintable(QStringLiteral("step %1, op call %2").arg(step).arg(site)));
      }
    }
  }
};

BINADE_SUITE(SiteRows);

}  // namespace

#include "tst_site_rows.moc"
