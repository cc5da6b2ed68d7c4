// SPDX-License-Identifier: Apache-2.0
#include "app/docks/site_filter.h"
#include "app/docks/site_table_model.h"
#include "app/present/cell_model.h"
#include "app/present/checkpoint_table_model.h"
#include "app/present/event_table_model.h"
#include "app/present/log_model.h"
#include "app/present/natural_sort.h"
#include "app/session/far_folder.h"
#include "app/session/recent_files.h"
#include "tests/app/app_fixture.h"
#include "tests/app/fake_run.h"
#include "tests/app/fake_sites.h"
#include "tests/support/suite.h"
#include "views/values/roles.h"

#include <QAbstractItemModelTester>
#include <QFile>
#include <QSettings>
#include <QSignalSpy>
#include <QTest>

namespace {

using namespace binade;
using app::SiteTableModel;

// What the table needs around it.
struct Parts {
  app::RunModel run;
  app::PolicyDocument document;
  app::Selection selection;
  SiteTableModel table{&run, &document, &selection};
  app::SiteFilter filter{&table};
};

QStringList callsIn(const app::SiteFilter& filter) {
  QStringList calls;
  for (int row = 0; row < filter.rowCount(); ++row) calls << filter.index(row, SiteTableModel::kCall).data().toString();
  return calls;
}

class ItemModels : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void theTableOfOpCallsIsASoundModel() {
    Parts parts;
    const QAbstractItemModelTester table(&parts.table, QAbstractItemModelTester::FailureReportingMode::QtTest);
    const QAbstractItemModelTester filter(&parts.filter, QAbstractItemModelTester::FailureReportingMode::QtTest);
    test::feedRun(parts.run, 30);
    parts.table.refresh();
    parts.filter.setQuery(QStringLiteral("op:conv"));
    parts.filter.sort(SiteTableModel::kDoublings);
    parts.table.setData(parts.table.index(0, SiteTableModel::kFormat), QStringLiteral("float32"), views::FormatRole);
    parts.run.clear();
    QCOMPARE(parts.table.rowCount(), 0);
  }

  void theTableOfEventsIsASoundModel() {
    app::RunModel run;
    app::EventTableModel events(&run);
    const QAbstractItemModelTester tester(&events, QAbstractItemModelTester::FailureReportingMode::QtTest);
    test::feedRun(run, 60);
    QCOMPARE(events.events(), static_cast<int>(run.events().size()));
    QVERIFY(events.rowCount() > 2);
    const int first = events.rowOf(0);
    QCOMPARE(events.index(first, app::EventTableModel::kScale).data().toString(), QStringLiteral("2²⁴"));
    QVERIFY(events.index(first, app::EventTableModel::kCalls).data().toString().contains(QStringLiteral("more")));
    run.clear();
    QCOMPARE(events.rowCount(), 0);
  }

  void theLogIsASoundModelAndBounded() {
    app::LogModel log;
    constexpr int kWithoutTester = app::LogModel::kMostLines - 5;  // it looks at every row on every change
    for (int i = 0; i < kWithoutTester; ++i) log.add({"info", std::to_string(i)});
    const QAbstractItemModelTester tester(&log, QAbstractItemModelTester::FailureReportingMode::QtTest);
    for (int i = kWithoutTester; i < app::LogModel::kMostLines + 10; ++i) log.add({"info", std::to_string(i)});
    QCOMPARE(log.rowCount(), app::LogModel::kMostLines);
    QCOMPARE(log.index(0, app::LogModel::kText).data().toString(), QStringLiteral("10"));
  }

  void aMessageOfARunFileHasNoTime() {
    app::LogModel log;
    log.add({"info", "now"});
    log.addRecorded({"info", "recorded"});
    const auto text = [&log](int row, int column) { return log.index(row, column).data().toString(); };
    QVERIFY(!text(0, app::LogModel::kTime).isEmpty());
    QCOMPARE(text(1, app::LogModel::kTime), QString());
    QCOMPARE(text(1, app::LogModel::kText), QStringLiteral("recorded"));
    QVERIFY(!log.index(1, app::LogModel::kTime).data(Qt::ToolTipRole).toString().isEmpty());
  }

  void recentFilesAreASoundModelAndRemembered() {
    const QString folder = test::temporaryFolder();
    QSettings settings(folder + QStringLiteral("/settings.ini"), QSettings::IniFormat);
    const QString model = folder + QStringLiteral("/a.pt");
    QFile file(model);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.close();
    {
      app::RecentFiles recent(&settings);
      const QAbstractItemModelTester tester(&recent, QAbstractItemModelTester::FailureReportingMode::QtTest);
      recent.add(model);
      recent.add(folder + QStringLiteral("/gone.binade"));
      recent.add(model);  // a file stands once, at the top
      QCOMPARE(recent.rowCount(), 2);
    }
    app::RecentFiles again(&settings);
    QCOMPARE(again.rowCount(), 2);
    QCOMPARE(again.path(0), model);
    QCOMPARE(again.index(0, app::RecentFiles::kKind).data().toString(), QStringLiteral("TorchScript model"));
    QVERIFY(again.flags(again.index(0, 0)).testFlag(Qt::ItemIsEnabled));
    QVERIFY(!again.flags(again.index(1, 0)).testFlag(Qt::ItemIsEnabled));
    for (int i = 0; i < 30; ++i) again.add(folder + QStringLiteral("/%1.pt").arg(i));
    QCOMPARE(again.rowCount(), app::RecentFiles::kMostFiles);
    again.clear();
    QCOMPARE(app::RecentFiles(&settings).rowCount(), 0);
  }

  void checkpointsAreASoundModelNewestFirst() {
    app::RunModel run;
    app::CheckpointTableModel checkpoints(&run);
    const QAbstractItemModelTester tester(&checkpoints, QAbstractItemModelTester::FailureReportingMode::QtTest);
    test::feedRun(run, 10);
    const int before = checkpoints.rowCount();
    QFile file(test::temporaryFolder() + QStringLiteral("/saved.safetensors"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    const std::string there = file.fileName().toStdString();
    run.addCheckpoint({there, 3, "request", 0, "sample:cnn", 1});
    run.addCheckpoint({"gone.safetensors", 5, "request", 0, "sample:cnn", 1});
    run.addCheckpoint({there, 7, "request", 0, "sample:cnn", 1});
    QCOMPARE(checkpoints.rowCount(), before + 2);  // a live run omits what is deleted
    QCOMPARE(checkpoints.index(0, app::CheckpointTableModel::kStep).data().toString(), QStringLiteral("7"));
    run.clear();
    QCOMPARE(checkpoints.rowCount(), 0);
  }

  void aFolderOfTheEngineIsASoundModel() {
    app::FarFolderModel folder;
    app::FarFolderRows rows(&folder);
    const QAbstractItemModelTester all(&folder, QAbstractItemModelTester::FailureReportingMode::QtTest);
    const QAbstractItemModelTester shown(&rows, QAbstractItemModelTester::FailureReportingMode::QtTest);
    app::FarFolder listed;
    listed.path = QStringLiteral("/data");
    listed.entries = {{QStringLiteral("net10.pt"), false, 3, {}},
                      {QStringLiteral("net9.pt"), false, 7, {}},
                      {QStringLiteral(".cache"), false, 1, {}},
                      {QStringLiteral("nets"), true, 0, {}}};
    folder.setFolder(listed);
    rows.sort(app::FarFolderModel::kName);
    QCOMPARE(folder.rowCount(), 4);
    QCOMPARE(rows.rowCount(), 3);
    QCOMPARE(rows.index(0, app::FarFolderModel::kName).data().toString(), QStringLiteral("nets/"));
    QCOMPARE(rows.index(1, app::FarFolderModel::kName).data().toString(), QStringLiteral("net9.pt"));
    rows.setHiddenShown(true);
    QCOMPARE(rows.rowCount(), 4);
    rows.setPatterns({QStringLiteral("*.onnx")});
    QCOMPARE(rows.rowCount(), 1);
    folder.setFolder({});
    QCOMPARE(rows.rowCount(), 0);
  }

  void sortedRowsAreASoundModel() {
    app::CellModel cells({{QStringLiteral("Name")}});
    app::NaturalSort sorted;
    sorted.setSourceModel(&cells);
    const QAbstractItemModelTester tester(&sorted, QAbstractItemModelTester::FailureReportingMode::QtTest);
    cells.setRows({{1, {app::Cell(QStringLiteral("layer10"))}}, {2, {app::Cell(QStringLiteral("layer2"))}}});
    QCOMPARE(sorted.index(0, 0).data().toString(), QStringLiteral("layer10"));
    sorted.sort(0);
    QCOMPARE(sorted.index(0, 0).data().toString(), QStringLiteral("layer2"));
    cells.setRows({{1, {app::Cell(QStringLiteral("layer1"))}}, {2, {app::Cell(QStringLiteral("layer2"))}}});
    QCOMPARE(sorted.index(0, 0).data().toString(), QStringLiteral("layer1"));
    cells.setRows({});
    QCOMPARE(sorted.rowCount(), 0);
  }

  void theFilterLineReadsKeysAlternativesAndFreeWords_data() {
    QTest::addColumn<QString>("query");
    QTest::addColumn<QStringList>("calls");
    QTest::newRow("op") << QStringLiteral("op:linear")
                        << QStringList{QStringLiteral("fc1/aten::linear#0"), QStringLiteral("fc2/aten::linear#0")};
    QTest::newRow("path and op") << QStringLiteral("path:layer1 op:conv")
                                 << QStringList{QStringLiteral("layer1.0.conv1/aten::conv2d#0"),
                                                QStringLiteral("layer1.0.conv2/aten::conv2d#0")};
    QTest::newRow("alternatives") << QStringLiteral("path:fc2,pool op:linear,pool")
                                  << QStringList{QStringLiteral("pool/aten::max_pool2d#0"),
                                                 QStringLiteral("avgpool/aten::adaptive_avg_pool2d#0"),
                                                 QStringLiteral("fc2/aten::linear#0")};
    QTest::newRow("format") << QStringLiteral("format:float32 op:nll")
                            << QStringList{QStringLiteral("loss/aten::nll_loss#0")};
    QTest::newRow("free words") << QStringLiteral("RELU") << QStringList{QStringLiteral("relu/aten::relu#0")};
    QTest::newRow("an op's whole name is free text")
        << QStringLiteral("aten::relu") << QStringList{QStringLiteral("relu/aten::relu#0")};
    QTest::newRow("nothing") << QStringLiteral("op:conv op:nothing path:fc1") << QStringList{};
  }
  void theFilterLineReadsKeysAlternativesAndFreeWords() {
    QFETCH(QString, query);
    QFETCH(QStringList, calls);
    Parts parts;
    test::feedRun(parts.run, 5);
    parts.table.refresh();
    parts.filter.setQuery(query);
    QCOMPARE(callsIn(parts.filter), calls);
  }

  void callsNeverExecutedAreLeftOutAndCounted() {
    Parts parts;
    test::feedRun(parts.run, 5);
    parts.table.refresh();
    parts.filter.setQuery({});
    QCOMPARE(parts.filter.rowCount(), parts.table.rowCount() - 1);
    QCOMPARE(parts.filter.summary(), QStringLiteral("12 op calls · 1 not observed so far is hidden"));
    parts.filter.setQuery(QStringLiteral("op:conv"));
    QCOMPARE(parts.filter.summary(), QStringLiteral("3 of 12 op calls · 1 not observed so far is hidden"));
  }

  void oneWriteChangesAllSelectedCallsAsOneUndoStep() {
    Parts parts;
    test::feedRun(parts.run, 5);
    QSignalSpy changed(&parts.document, &app::PolicyDocument::changed);
    parts.selection.setSites({0, 4, 6});
    QVERIFY(parts.table.setData(parts.table.index(4, SiteTableModel::kFormat), QStringLiteral("bfloat16"),
                                views::FormatRole));
    QCOMPARE(changed.count(), 1);
    QCOMPARE(parts.document.undoStack()->count(), 1);
    QCOMPARE(parts.document.policy().sites.size(), std::size_t{3});
    // A write to a call that is not selected concerns that one alone.
    QVERIFY(parts.table.setData(parts.table.index(10, SiteTableModel::kFormat), QStringLiteral("float32"),
                                views::FormatRole));
    QCOMPARE(parts.document.policy().sites.size(), std::size_t{4});
    QVERIFY(parts.table.setData(parts.table.index(4, SiteTableModel::kFormat), QString(), views::FormatRole));
    QCOMPARE(parts.document.policy().sites.size(), std::size_t{1});
  }

  void anEditOfTheRunBeforeDoesNotWaitInTheNext() {
    Parts parts;
    parts.document.setFormat({{"fc1", "", "aten::linear", "", 0}}, formats::kFloat32);  // revision 1
    // A rule for one call, overruled by a later one for its module: what is in force is the later.
    const auto rule = [](const char* match, const formats::Format& format) {
      return policy::SiteRule{.match = match, .call = {}, .format = format, .backward = {}, .overflow = {}, .why = {}};
    };
    test::FakeRun fake;
    wire::RunConfig config = test::FakeRun::config();
    config.policy.sites = {rule("conv1/aten::conv2d#0", formats::kFloat32), rule("conv1", formats::kBFloat16)};
    fake.restart(config);
    parts.run.begin(fake.started(), app::RunModel::Source::kLive);
    parts.run.setState({wire::RunState::kRunning, 0});
    parts.document.adopt(fake.started().policy.policy, fake.started().policy.revision);
    const QModelIndex cell = parts.table.index(0, SiteTableModel::kFormat);
    QCOMPARE(cell.data().toString(), QStringLiteral("bfloat16"));
    QVERIFY2(cell.data(views::NoteRole).toString().isEmpty(), qPrintable(cell.data(views::NoteRole).toString()));
    // An edit that the engine has not taken up does wait.
    parts.document.setFormat({parts.run.sites().front().key}, formats::kFloat16);
    QCOMPARE(cell.data(views::NoteRole).toString(), QStringLiteral("from the next step"));
    parts.run.addPolicy(fake.setPolicy(parts.document.policy(), parts.document.revision()));
    // Short enough for a narrow column; the tool tip has the sentence.
    const std::int64_t since = parts.run.changedAt(0).value_or(-1);
    QVERIFY(since >= 0);
    QCOMPARE(cell.data(views::NoteRole).toString(), QStringLiteral("since step %1").arg(since));
    QCOMPARE(cell.data(views::BriefNoteRole).toString(), QStringLiteral("at %1").arg(since));
    QVERIFY(cell.data(Qt::ToolTipRole).toString().contains(QStringLiteral("Changed at step %1.").arg(since)));
    QCOMPARE(cell.data().toString(), QStringLiteral("float16"));
  }

  /// Whatever format a rule asks of it, an op that writes an argument computes in what that is held in.
  void anOpCallThatWritesAnArgumentShowsWhatItWrites() {
    constexpr int kAdd = 7;  // layer1.0/aten::add_#0
    Parts parts;
    test::FakeRun fake;
    wire::RunStarted started = fake.started();
    started.model.sites[kAdd].in_place = true;
    policy::Decision& decision = started.policy.decisions[kAdd];
    decision.kind = policy::Decision::Kind::kFormat;
    decision.format = formats::kBFloat16;
    decision.rule = 0;
    parts.run.begin(started, app::RunModel::Source::kLive);
    wire::StepRecord step = fake.next();
    for (wire::WatchedTensor& tensor : step.new_tensors) {
      if (tensor.site == kAdd) tensor.format = formats::kFloat32;
    }
    parts.run.addSteps({step});
    const QModelIndex cell = parts.table.index(kAdd, SiteTableModel::kFormat);
    QCOMPARE(cell.data().toString(), QStringLiteral("float32"));
    QCOMPARE(cell.data(views::NoteRole).toString(), QStringLiteral("follows"));
    QCOMPARE(cell.data(views::ExecutionRole).toInt(), static_cast<int>(views::CellExecution::kFollows));
  }

  /// Cross entropy names the dtype of the model's output, which CUDA's list leaves as it is. A loss in the user's own
  /// words may name none.
  void theLogarithmOfCrossEntropyFollowsTheModel() {
    const auto shown = [](const char* kind) {
      Parts parts;
      test::FakeRun fake;
      wire::RunStarted started = fake.started();
      started.config.losses = {{.kind = kind}};
      policy::SiteKey& key = started.model.sites[test::kLoss].key;
      key.op = "aten::log_softmax";
      started.policy.decisions[test::kLoss].kind = policy::Decision::Kind::kSetDtype;
      parts.run.begin(started, app::RunModel::Source::kLive);
      parts.run.addSteps({fake.next()});
      return parts.table.index(test::kLoss, SiteTableModel::kFormat).data(views::NoteRole).toString();
    };
    QCOMPARE(shown("cross_entropy"), QStringLiteral("follows"));
    QCOMPARE(shown("text"), QString());
  }

  void aRunFromAFileIsEditedForItsNextStart() {
    Parts parts;
    test::FakeRun fake;
    parts.run.begin(fake.started(), app::RunModel::Source::kFile);
    parts.run.addSteps({fake.next()});
    const QModelIndex cell = parts.table.index(0, SiteTableModel::kFormat);
    QVERIFY(parts.table.flags(cell).testFlag(Qt::ItemIsEditable));
    QVERIFY(parts.table.setData(cell, QStringLiteral("float32"), views::FormatRole));
    QCOMPARE(parts.document.undoStack()->count(), 1);
    QCOMPARE(cell.data(views::NoteRole).toString(), QStringLiteral("at the next start"));
  }

  void noTimeIsEverShownForAnEmulatedCall() {
    Parts parts;
    test::feedRun(parts.run, 5);
    for (int row = 0; row < parts.table.rowCount(); ++row) {
      QCOMPARE(parts.table.index(row, SiteTableModel::kTime).data().toString(), QStringLiteral("–"));
      QVERIFY(!parts.table.index(row, SiteTableModel::kTime).data(Qt::ToolTipRole).toString().isEmpty());
    }
    QCOMPARE(parts.table.index(0, SiteTableModel::kFormat).data(views::ExecutionRole).toInt(),
             static_cast<int>(views::CellExecution::kEmulated));
  }

  void whatIsNotKnownSortsBehindWhatIs() {
    Parts parts;
    test::feedRun(parts.run, 5);
    parts.table.refresh();
    parts.filter.setQuery({});
    parts.filter.sort(SiteTableModel::kDoublings, Qt::AscendingOrder);
    QCOMPARE(parts.filter.index(0, SiteTableModel::kCall).data().toString(), QStringLiteral("fc2/aten::linear#0"));
    double before = -1e9;
    for (int row = 0; row < parts.filter.rowCount(); ++row) {
      const double left = parts.filter.index(row, SiteTableModel::kDoublings).data(views::SortRole).toDouble();
      QVERIFY(left >= before);
      before = left;
    }
  }
};

BINADE_SUITE(ItemModels);

}  // namespace

#include "tst_item_models.moc"
