// SPDX-License-Identifier: Apache-2.0
// What tables say of rows whose figures are not of now: op calls that were not met, and comparisons of before an edit.
#include "app/docks/site_filter.h"
#include "app/docks/site_table_model.h"
#include "app/present/comparison_rows.h"
#include "app/present/site_figures.h"
#include "app/session/file_kind.h"
#include "app/session/policy_document.h"
#include "tests/app/fake_findings.h"
#include "tests/app/fake_run.h"
#include "tests/app/fake_sites.h"
#include "tests/support/places.h"
#include "tests/support/suite.h"
#include "views/values/roles.h"

#include <sys/stat.h>

#include <QFile>
#include <QTest>

namespace {

using namespace binade;
using app::SiteTableModel;

policy::Policy policyWith(const char* match, const formats::Format& format) {
  policy::Policy policy = test::FakeRun::config().policy;
  policy::SiteRule rule;
  rule.match = match;
  rule.format = format;
  policy.sites = {rule};
  return policy;
}

// A made-up run that a test feeds step by step.
struct ShownRun {
  test::FakeRun fake;
  app::RunModel run;
  app::PolicyDocument document;
  app::Selection selection;
  SiteTableModel table{&run, &document, &selection};
  app::SiteFilter filter{&table};

  ShownRun() {
    run.begin(fake.started(), app::RunModel::Source::kLive);
    run.setState({wire::RunState::kRunning, 0});
  }
  void steps(int count) {
    for (int i = 0; i < count; ++i) {
      run.addSteps({fake.next()});
      if (fake.event() != nullptr) run.addEvent(*fake.event());
    }
    table.refresh();
    filter.setQuery({});
  }
  void edit(const policy::Policy& policy) {
    document.replace(policy, QStringLiteral("edit"));
    run.addPolicy(fake.setPolicy(policy, document.revision()));
    table.refresh();
  }
  QString cell(int site, int column, int role = Qt::DisplayRole) const {
    return table.index(site, column).data(role).toString();
  }
};

class RowsShown : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void aCallThatWasNotMetIsNotSaidToBeNeverExecuted() {
    ShownRun fed;
    fed.steps(1);
    QCOMPARE(app::figuresOf(fed.run, test::kDropout).sentence, QStringLiteral("Not observed so far"));
    fed.run.addProfile(test::cpuProfile(0, 0));
    QCOMPARE(app::figuresOf(fed.run, test::kDropout).sentence, QStringLiteral("Never executed"));
  }

  void noRowSpeaksOfExecutionBeforeAStepWasObserved() {
    ShownRun fed;
    fed.run.addSteps({wire::StepRecord()});
    fed.table.refresh();
    QVERIFY(!fed.run.hasObservations());
    for (const wire::SiteInfo& site : fed.run.sites()) QVERIFY(app::figuresOf(fed.run, site.id).sentence.isEmpty());
    QVERIFY2(!fed.filter.summary().contains(QStringLiteral("so far")), qPrintable(fed.filter.summary()));
  }

  // Rows are held while a person is at the table: those that a look told nothing of are still there.
  void aRowThatIsShownIsNotCountedAsHidden() {
    ShownRun fed;
    QCOMPARE(fed.filter.rowCount(), 13);
    fed.run.addSteps({fed.fake.next()});
    fed.table.refresh();
    QCOMPARE(fed.filter.rowCount(), 13);
    QCOMPARE(fed.filter.summary(), QStringLiteral("12 op calls · 1 not observed so far"));
    fed.filter.invalidate();
    QCOMPARE(fed.filter.summary(), QStringLiteral("12 op calls · 1 not observed so far is hidden"));
  }

  // Figures of before an edit stand beside the format that they were measured in.
  void anOldComparisonShowsTheFormatThatWasCompared() {
    ShownRun fed;
    fed.steps(3);
    const wire::Float32Comparison compared = test::comparison(1);
    const int site = compared.sites.front().site;
    const auto shown = [&] {
      for (const app::CellRow& row : app::comparisonRows(fed.run, compared)) {
        if (row.id == site) return row.cells[1].value(views::FormatRole).toString();
      }
      return QString();
    };
    const QString before = shown();
    QVERIFY(!before.isEmpty());
    const bool low = before != QStringLiteral("float32");
    const std::string name = fed.run.sites()[static_cast<std::size_t>(site)].key.name();
    fed.edit(policyWith(name.c_str(), low ? formats::kFloat32 : formats::kBFloat16));
    fed.steps(1);
    QVERIFY(fed.run.decision(site)->format != fed.run.decisionAt(site, 1)->format);
    QCOMPARE(shown(), before);
  }

  // Opening a named pipe would hold the window until somebody writes to it.
  void aNamedPipeIsNotOpened() {
    const QString path = test::temporaryFolder() + QStringLiteral("/pipe.json");
    QCOMPARE(::mkfifo(QFile::encodeName(path).constData(), 0600), 0);
    QVERIFY(app::fileKindInside(path) == app::FileKind::kUnknown);
    const app::PolicyFile policy = app::readPolicyFile(path);
    QVERIFY(!policy.policy);
    QVERIFY2(policy.problem.message.endsWith(QStringLiteral("is not a regular file")),
             qPrintable(policy.problem.message));
    QVERIFY(!policy.problem.hint.isEmpty());
    QVERIFY(!app::unreadable(path + QStringLiteral(".missing")));
  }
};

BINADE_SUITE(RowsShown);

}  // namespace

#include "tst_rows_shown.moc"
