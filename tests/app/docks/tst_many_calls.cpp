// SPDX-License-Identifier: Apache-2.0
// Ten thousand op calls: the table does work for the rows that changed and for those on the screen, counted, not timed.
#include "app/docks/site_filter.h"
#include "app/docks/site_table_model.h"
#include "tests/app/fake_run.h"
#include "tests/support/suite.h"
#include "views/table/delegates.h"
#include "views/theme.h"
#include "views/values/roles.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>

#include <numeric>
#include <set>

namespace {

using namespace binade;
using app::SiteTableModel;

constexpr int kCalls = 10'000;
constexpr int kBlocks = 100;  // modules with 100 op calls each

class CountedTable : public SiteTableModel {
 public:
  using SiteTableModel::SiteTableModel;
  QVariant data(const QModelIndex& index, int role) const override {
    ++reads;
    return SiteTableModel::data(index, role);
  }
  mutable qsizetype reads = 0;
};

wire::RunStarted manyCallsStarted(int calls) {
  wire::RunStarted run = test::FakeRun().started();
  run.model.sites.clear();
  run.policy.decisions.assign(static_cast<std::size_t>(calls), {});
  for (int i = 0; i < calls; ++i) {
    wire::SiteInfo& site = run.model.sites.emplace_back();
    site.id = i;
    site.key = {"layer" + std::to_string(i / kBlocks) + "." + std::to_string(i % kBlocks), "", "aten::linear", "", 0};
    site.list_rule = "lower";
    policy::Decision& decision = run.policy.decisions[static_cast<std::size_t>(i)];
    decision.kind = policy::Decision::Kind::kFormat;
    decision.format = decision.backward = formats::kFloat16;
  }
  return run;
}

/// A step that observes these op calls; `largest`: of each result.
wire::StepRecord stepObserving(std::int64_t number, const std::vector<int>& sites, float largest) {
  wire::StepRecord record;
  record.step = number;
  record.loss = 1;
  for (const int site : sites) {
    if (number == 0) {
      wire::WatchedTensor& tensor = record.new_tensors.emplace_back();
      tensor.id = site;
      tensor.site = site;
      tensor.format = formats::kFloat16;
    }
    formats::TensorStats stats;
    stats.count = 8;
    stats.largest = largest;
    stats.smallest = 1;
    stats.sum_of_squares = 8;
    stats.binades[static_cast<std::size_t>(0 - formats::kFirstBinade)] = 8;
    record.observations.push_back({site, stats});
  }
  return record;
}

std::vector<int> idsUpTo(int calls) {
  std::vector<int> sites(static_cast<std::size_t>(calls));
  std::iota(sites.begin(), sites.end(), 0);
  return sites;
}

struct ManyCallsParts {
  app::RunModel run;
  app::PolicyDocument document;
  app::Selection selection;
  CountedTable table{&run, &document, &selection};
  app::SiteFilter filter{&table};

  explicit ManyCallsParts(int calls = kCalls) {
    const wire::RunStarted first = manyCallsStarted(calls);
    run.begin(first, app::RunModel::Source::kLive);
    document.adopt(first.policy.policy, first.policy.revision);
    run.addSteps({stepObserving(0, idsUpTo(calls), 1)});
    table.refresh();
    filter.invalidate();
    table.reads = 0;
  }
};

/// The rows that a spy on dataChanged() heard of.
std::set<int> announcedRows(const QSignalSpy& spy) {
  std::set<int> rows;
  for (const QList<QVariant>& change : spy) {
    const int last = change[1].value<QModelIndex>().row();
    for (int row = change[0].value<QModelIndex>().row(); row <= last; ++row) rows.insert(row);
  }
  return rows;
}

class ManyCalls : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() { views::applyTheme(*qApp, views::Theme::kLight); }

  void onlyRowsThatChangedAreAnnouncedAndReadAgain() {
    ManyCallsParts parts;
    QSignalSpy table(&parts.table, &QAbstractItemModel::dataChanged);
    QSignalSpy filter(&parts.filter, &QAbstractItemModel::dataChanged);
    parts.run.addSteps({stepObserving(1, {5, 17, 18, 9'999}, 1024)});
    parts.table.refresh();
    QCOMPARE(announcedRows(table), (std::set<int>{5, 17, 18, 9'999}));
    QCOMPARE(table.count(), 3);  // neighbours together
    QCOMPARE(parts.table.reads, qsizetype{0});
    QCOMPARE(static_cast<int>(announcedRows(filter).size()), 4);
    parts.filter.sort(SiteTableModel::kDoublings);
    parts.table.reads = 0;
    parts.run.addSteps({stepObserving(2, {42}, 30'000)});
    parts.table.refresh();
    parts.filter.invalidate();
    QCOMPARE(parts.filter.site(parts.filter.index(0, 0)), 42);  // it has the least left now
    QVERIFY2(parts.table.reads <= 8, qPrintable(QString::number(parts.table.reads)));
    // Nothing new: nothing to say.
    table.clear();
    parts.table.refresh();
    parts.filter.invalidate();
    QCOMPARE(table.count(), 0);
    QVERIFY(parts.table.reads <= 8);
  }

  void aFilterReadsNoCells() {
    ManyCallsParts parts;
    for (const char* query : {"p", "pa", "path:layer7", "path:layer7 op:linear", "format:float16", ""}) {
      parts.filter.setQuery(QString::fromLatin1(query));
      QCOMPARE(parts.table.reads, qsizetype{0});
    }
    parts.filter.setQuery(QStringLiteral("path:layer7."));
    QCOMPARE(parts.filter.rowCount(), kBlocks);
  }

  void theFiguresOfASecondRunAreNotReadUnlessTheySort() {
    ManyCallsParts parts;
    const app::SiteTableModel::Beside beside{
        QStringLiteral("Beside"), {}, [](int site) { return app::Cell::figure(QString::number(site), -site); }};
    parts.table.setBeside(beside);
    parts.filter.invalidate();
    QCOMPARE(parts.table.reads, qsizetype{0});
    parts.filter.sort(SiteTableModel::kBeside);
    QCOMPARE(parts.filter.site(parts.filter.index(0, 0)), kCalls - 1);
  }

  void onlyWhatIsOnTheScreenIsPainted() {
    ManyCallsParts parts;
    QTableView view;
    view.setModel(&parts.filter);
    views::styleTable(&view);
    view.resize(1000, 500);
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    parts.table.reads = 0;
    view.viewport()->repaint();
    const qsizetype painted = parts.table.reads;
    // Some twenty rows of nine columns, with at most a dozen roles each.
    QVERIFY2(painted > 0 && painted < 25 * SiteTableModel::kColumns * 12, qPrintable(QString::number(painted)));
    view.scrollToBottom();
    QApplication::processEvents();
    parts.table.reads = 0;
    view.viewport()->repaint();
    QVERIFY(parts.table.reads < 2 * painted);
    for (const QObject* child : view.viewport()->children())
      QVERIFY(qobject_cast<const QWidget*>(child) == nullptr);  // no widget for a row
  }

  void aModuleIsSummedUpAgainOnlyIfOneOfItsOpCallsChanged() {
    ManyCallsParts parts;
    parts.filter.setGrouped(true);
    parts.filter.setAllExpanded(false);
    QCOMPARE(parts.filter.rowCount(), kCalls / kBlocks);
    for (int row = 0; row < parts.filter.rowCount(); ++row)
      static_cast<void>(parts.filter.index(row, SiteTableModel::kDoublings).data());
    parts.table.reads = 0;
    QSignalSpy filter(&parts.filter, &QAbstractItemModel::dataChanged);
    parts.run.addSteps({stepObserving(1, {250}, 2048)});
    parts.table.refresh();
    QCOMPARE(announcedRows(filter), std::set<int>{2});
    for (int row = 0; row < parts.filter.rowCount(); ++row)
      static_cast<void>(parts.filter.index(row, SiteTableModel::kDoublings).data());
    // Formats and their execution of one module's op calls.
    QVERIFY2(parts.table.reads <= 4 * kBlocks, qPrintable(QString::number(parts.table.reads)));
  }

  void theRowsStaySoundWhateverIsDone() {
    constexpr int kFew = 600;  // the tester reads every cell at every change
    ManyCallsParts parts(kFew);
    const QAbstractItemModelTester tester(&parts.filter, QAbstractItemModelTester::FailureReportingMode::QtTest);
    parts.filter.sort(SiteTableModel::kDoublings);
    const QPersistentModelIndex kept(parts.filter.indexOfSite(300));
    parts.run.addSteps({stepObserving(1, {300}, 30'000)});
    parts.table.refresh();
    parts.filter.invalidate();
    QVERIFY(kept.isValid());
    QCOMPARE(parts.filter.site(kept), 300);
    QCOMPARE(kept.row(), 0);
    parts.filter.setGrouped(true);
    parts.filter.setAllExpanded(false);
    parts.filter.setExpanded(parts.filter.index(1, 0), true);
    QCOMPARE(parts.filter.rowCount(), kFew / kBlocks + kBlocks);
    parts.filter.setQuery(QStringLiteral("path:layer3."));
    QCOMPARE(parts.filter.rowCount(), 1);  // its module, collapsed
    parts.filter.setGrouped(false);
    QCOMPARE(parts.filter.rowCount(), kBlocks);
    parts.filter.setQuery({});
    QCOMPARE(parts.filter.rowCount(), kFew);
  }
};

BINADE_SUITE(ManyCalls);

}  // namespace

#include "tst_many_calls.moc"
