// SPDX-License-Identifier: Apache-2.0
// The graph: modules that fold, coloured by a figure; the path of an event lit in graph and table.
#include "app/docks/empty_state.h"
#include "app/docks/graph_dock.h"
#include "app/docks/sites_dock.h"
#include "app/model/site_history.h"
#include "app/present/graph_rows.h"
#include "app/present/site_format.h"
#include "app/window/actions.h"
#include "tests/app/app_fixture.h"
#include "tests/app/choose_file.h"
#include "tests/app/fake_findings.h"
#include "tests/app/fake_run.h"
#include "tests/app/fake_sites.h"
#include "tests/support/suite.h"
#include "views/graph/graph_legend.h"
#include "views/theme.h"

#include <QAction>
#include <QComboBox>
#include <QFile>
#include <QFileInfo>
#include <QLabel>
#include <QTest>
#include <QToolButton>

#include <algorithm>
#include <utility>
#include <vector>

namespace {

using namespace binade;
using app::GraphColor;
using test::Explorer;

int nodeNamed(const std::vector<views::GraphNode>& nodes, const char* name) {
  const auto found =
      std::find_if(nodes.begin(), nodes.end(), [&](const auto& node) { return node.name == QLatin1String(name); });
  return found == nodes.end() ? -1 : static_cast<int>(found - nodes.begin());
}

class Graphs : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  // The dock does not have to be visible, and the ending chooses the kind of the file.
  void theFileMenuExportsAHiddenGraph() {
    Explorer explorer;
    QAction* action = explorer.window().actions()->export_graph;
    QVERIFY(!action->isEnabled());
    explorer.showFed(20);
    QTRY_VERIFY(action->isEnabled());
    app::GraphDock* dock = explorer.window().docks()->graph;
    dock->hide();
    const QString folder = test::temporaryFolder();
    for (const QString& ending : {QStringLiteral(".dot"), QStringLiteral(".svg"), QStringLiteral(".png")}) {
      const QString file = folder + QStringLiteral("/model") + ending;
      test::chooseFile(file);
      action->trigger();
      QTRY_VERIFY2(QFileInfo(file).size() > 100, qPrintable(ending));
    }
    QFile text(folder + QStringLiteral("/model.dot"));
    QVERIFY(text.open(QIODevice::ReadOnly));
    const QByteArray dot = text.readAll();
    for (const char* name : {"conv1", "fc2", "loss"}) QVERIFY2(dot.contains(name), name);
    QVERIFY(!dock->isVisible());
  }

  void modulesStandInTheOrderInWhichTheyRun() {
    app::RunModel run;
    test::feedRun(run, 5);
    const auto nodes = app::graphNodes(run);
    // One box for a module with a single call; the dropout, never executed, has none.
    const int fc1 = nodeNamed(nodes, "fc1");
    QVERIFY(fc1 >= 0);
    QCOMPARE(nodes[static_cast<std::size_t>(fc1)].id, test::kFc1);
    QCOMPARE(nodes[static_cast<std::size_t>(fc1)].detail, QStringLiteral("linear"));
    QCOMPARE(nodeNamed(nodes, "dropout"), -1);
    // `layer1` holds only `0`: they are one, and its calls are inside.
    const int layer = nodeNamed(nodes, "layer1.0");
    QVERIFY(layer >= 0);
    QCOMPARE(nodes[static_cast<std::size_t>(layer)].id, -1);
    QCOMPARE(nodes[static_cast<std::size_t>(nodeNamed(nodes, "conv2"))].parent, layer);
    QVERIFY(nodeNamed(nodes, "conv1") < layer && layer < fc1 && fc1 < nodeNamed(nodes, "loss"));
  }

  void aBoxTellsTheFigureThatIsAskedFor() {
    app::RunModel run;
    test::feedRun(run, 60);
    const auto nodes = app::graphNodes(run);
    const auto fc2 = static_cast<std::size_t>(nodeNamed(nodes, "fc2"));
    const auto layer = static_cast<std::size_t>(nodeNamed(nodes, "layer1.0"));
    const auto formats = app::graphShades(run, nodes, GraphColor::kFormat);
    QCOMPARE(formats[fc2].figure, QStringLiteral("float16"));
    QCOMPARE(formats[fc2].stripes.front(), views::formatColor(formats::kFloat16));
    int following = 0;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (nodes[i].id < 0) continue;
      const app::SiteFormat format = app::siteFormat(run, nodes[i].id);
      if (format.execution != views::CellExecution::kFollows || format.name.isEmpty()) continue;
      QCOMPARE(formats[i].stripes.front(), views::paleColor(views::formatColor(format.name)));
      ++following;
    }
    QVERIFY(following > 0);
    // Before anything is observed, and for results that never are, such as views: the format of the argument.
    app::RunModel unseen;
    unseen.begin(test::FakeRun().started(), app::RunModel::Source::kLive);
    following = 0;
    for (const wire::SiteInfo& site : unseen.sites()) {
      const app::SiteFormat format = app::siteFormat(unseen, site.id);
      const int producer = unseen.firstProducer(site.id);
      if (format.execution != views::CellExecution::kFollows || producer < 0) continue;
      QCOMPARE(format.name, app::siteFormat(unseen, producer).name);
      following += format.name == QStringLiteral("float16") ? 1 : 0;
    }
    QVERIFY(following > 0);
    // An edit that waits for the next run is shown as in the table of op calls.
    const auto waiting = [](int site) {
      return site == test::kFc2
                 ? app::SiteFormat{.name = QStringLiteral("float32"), .note = QStringLiteral("at the next start")}
                 : app::SiteFormat{};
    };
    const auto edited = app::graphShades(run, nodes, GraphColor::kFormat, waiting);
    QCOMPARE(edited[fc2].figure, QStringLiteral("→ float32"));  // not computed in it yet
    QVERIFY(edited[fc2].spoken.contains(QStringLiteral("at the next start")));
    const auto left = app::graphShades(run, nodes, GraphColor::kHeadroom);
    QVERIFY(left[fc2].figure != QStringLiteral("–"));
    const auto overflows = app::graphShades(run, nodes, GraphColor::kOverflows);
    QVERIFY(app::overflowsAt(run, test::kFc2).own > 0 && overflows[fc2].attention);
    // Not measured is a dash, never 0; an emulated time is none.
    QCOMPARE(app::graphShades(run, nodes, GraphColor::kTime)[fc2].figure, QStringLiteral("–"));
    run.addProfile(test::cpuProfile(0, 9));
    const auto times = app::graphShades(run, nodes, GraphColor::kTime);
    QCOMPARE(times[static_cast<std::size_t>(nodeNamed(nodes, "fc1"))].figure, QStringLiteral("2.00 ms"));
    QCOMPARE(times[fc2].figure, QStringLiteral("–"));
    QCOMPARE(times[layer].figure, QStringLiteral("–"));
    run.addProfile(test::gpuProfile(10, 19));
    const auto tensor = app::graphShades(run, nodes, GraphColor::kTensor);
    QCOMPARE(tensor[static_cast<std::size_t>(nodeNamed(nodes, "fc1"))].figure, QStringLiteral("64.4 %"));
    QCOMPARE(tensor[fc2].figure, QStringLiteral("–"));
  }

  void thePathOfAnEventIsLitInTableAndGraph() {
    Explorer explorer;
    QVERIFY(explorer.playAndPause(20));
    app::Session& session = explorer.session();
    explorer.window().setArrangement(app::Arrangement::kDiagnose);
    session.run().addEvent(test::diagnosed(7, wire::Event::Kind::kForwardOverflow, 65536, test::forwardOverflow()));
    session.selectEvent(static_cast<int>(session.run().events().size()) - 1);
    const app::LitPath& path = session.selection().path();
    QVERIFY((path.sites == std::vector<int>{test::kFc1, test::kFc2, test::kLoss}));
    QVERIFY(path.causes == std::vector<int>{test::kFc1});
    QVERIFY(!path.backward);
    const app::SiteTableModel* table = explorer.window().docks()->sites->model();
    const auto lit = [&](int site) { return table->data(table->index(site, 0), views::LitRole).toInt(); };
    QCOMPARE(lit(test::kFc1), 2);
    QCOMPARE(lit(test::kFc2), 1);
    QCOMPARE(lit(0), 0);
    app::GraphDock* dock = explorer.window().docks()->graph;
    QVERIFY(dock->isVisible());
    QVERIFY(dock->caption()->text().contains(QStringLiteral("forward")));
    const auto nodes = app::graphNodes(session.run());
    QVERIFY(dock->graph()->isLit(nodeNamed(nodes, "fc1")));
    QVERIFY(dock->graph()->isLit(nodeNamed(nodes, "fc2")));
    QVERIFY(!dock->graph()->isLit(nodeNamed(nodes, "conv1")));
    const std::vector<std::pair<int, int>> expected{{nodeNamed(nodes, "fc1"), nodeNamed(nodes, "fc2")},
                                                    {nodeNamed(nodes, "fc2"), nodeNamed(nodes, "loss")}};
    QTRY_VERIFY(dock->graph()->pathEdges() == expected);
    // The loss, where the path ends, is in view.
    QTRY_VERIFY(
        dock->graph()->viewport()->rect().contains(dock->graph()->boxOf(nodeNamed(nodes, "loss")).toAlignedRect()));
    // The user can hide the path; another event shows its own.
    QVERIFY(dock->hidePathButton()->isVisible());
    QTest::mouseClick(dock->hidePathButton(), Qt::LeftButton);
    QVERIFY(!dock->graph()->isLit(nodeNamed(nodes, "fc1")));
    QVERIFY(dock->caption()->text().isEmpty() && !dock->hidePathButton()->isVisible());
    QCOMPARE(lit(test::kFc1), 2);  // the table keeps it
    session.run().addEvent(test::diagnosed(9, wire::Event::Kind::kForwardOverflow, 65536, test::forwardOverflow()));
    session.selectEvent(static_cast<int>(session.run().events().size()) - 1);
    QVERIFY(dock->graph()->isLit(nodeNamed(nodes, "fc1")) && dock->hidePathButton()->isVisible());
    const auto& keys = dock->legend()->keys();
    QVERIFY(std::any_of(keys.begin(), keys.end(),
                        [](const auto& key) { return key.kind == views::GraphKey::Kind::kPath; }));
    Explorer::picture(&explorer.window(), QStringLiteral("diagnose-graph"));
    session.selection().clear();
    QVERIFY(!dock->graph()->isLit(nodeNamed(nodes, "fc1")));
    QCOMPARE(lit(test::kFc1), 0);
  }

  // The loss, from which the gradient came, is not part of the fault: the table does not light it.
  void aBackwardPathLeadsFromTheLossToTheFirstCause() {
    Explorer explorer;
    QVERIFY(explorer.playAndPause(20));
    app::Session& session = explorer.session();
    explorer.window().setArrangement(app::Arrangement::kDiagnose);
    session.run().addEvent(
        test::diagnosed(7, wire::Event::Kind::kGradientOverflow, 65536, test::benignOverflow(65536)));
    session.selectEvent(static_cast<int>(session.run().events().size()) - 1);
    QCOMPARE(session.selection().path().from, test::kLoss);
    const app::SiteTableModel* table = explorer.window().docks()->sites->model();
    QCOMPARE(table->data(table->index(test::kLoss, 0), views::LitRole).toInt(), 0);
    const views::ModuleGraph* graph = explorer.window().docks()->graph->graph();
    const auto nodes = app::graphNodes(session.run());
    const int loss = nodeNamed(nodes, "loss");
    const int cause = nodeNamed(nodes, "fc2");
    const std::vector<std::pair<int, int>> expected{{loss, cause}};
    QTRY_VERIFY(graph->pathEdges() == expected);
    for (const int node : {loss, cause})
      QTRY_VERIFY(graph->viewport()->rect().contains(graph->boxOf(node).toAlignedRect()));
  }

  void aClickOnABoxSelectsItsCalls() {
    Explorer explorer;
    QVERIFY(explorer.playAndPause(20));
    explorer.window().setArrangement(app::Arrangement::kDiagnose);
    app::GraphDock* dock = explorer.window().docks()->graph;
    QTRY_VERIFY(dock->isVisible());
    const auto nodes = app::graphNodes(explorer.session().run());
    QTRY_VERIFY(!dock->graph()->boxOf(nodeNamed(nodes, "layer1.0")).isEmpty());
    dock->fitButton()->click();
    const QRectF box = dock->graph()->boxOf(nodeNamed(nodes, "layer1.0"));
    QVERIFY(dock->graph()->viewport()->rect().contains(box.toAlignedRect()));
    // The title of the open box.
    const QPoint title(static_cast<int>(box.center().x()), static_cast<int>(box.top() + 8 * dock->graph()->zoom()));
    QTest::mouseClick(dock->graph()->viewport(), Qt::LeftButton, Qt::NoModifier, title);
    QVERIFY((explorer.session().selection().sites() == std::vector<int>{4, 5, 6, 7}));
    dock->colorCombo()->setCurrentIndex(1);
    Explorer::picture(dock, QStringLiteral("graph-headroom"));
  }

  void edgesPassThroughCallsWithoutABox() {
    app::RunModel run;
    test::feedRun(run, 5);
    const app::GraphFlow flow = app::graphFlow(run);
    QCOMPARE(flow.edges.size(), flow.arguments.size());
    const auto has = [&](int from, int to) {
      return std::any_of(flow.edges.begin(), flow.edges.end(),
                         [&](const auto& edge) { return edge.from == from && edge.to == to; });
    };
    QVERIFY(has(test::kConv1, test::kBn1) && has(3, 7) && has(test::kFc2, test::kLoss));
    QVERIFY(!has(7, test::kDropout) && has(7, 9));  // the dropout never ran
    QCOMPARE(flow.edges.front().text, QStringLiteral("N × 16 × 28 × 28"));
  }

  void aRunFileWithoutEdgesHasTheOrderOfExecution() {
    app::RunModel run;
    wire::RunStarted started = test::FakeRun().started();
    started.model.flow.reset();
    run.begin(started, app::RunModel::Source::kFile);
    const app::GraphFlow flow = app::graphFlow(run);
    QCOMPARE(flow.edges.size(), run.sites().size() - 1);
    for (std::size_t i = 0; i < flow.edges.size(); ++i) {
      QCOMPARE(flow.edges[i].from, static_cast<int>(i));
      QCOMPARE(flow.edges[i].to, static_cast<int>(i) + 1);
    }
  }

  void branchesAndLoopsAreBoxes() {
    using enum wire::ControlInfo::Kind;
    app::RunModel run;
    wire::RunStarted started = test::FakeRun().started();
    // A loop of the root over layer1.0, in which an if of layer1.0 has two calls; an else with fc1.
    started.model.flow->blocks = {
        {kLoop, 4, 4, "", "net.py:9"}, {kIf, 5, 2, "layer1.0", "net.py:31"}, {kElse, 10, 1, "", ""}};
    run.begin(started, app::RunModel::Source::kFile);
    const auto nodes = app::graphNodes(run);
    const int loop = nodeNamed(nodes, "loop, net.py:9");
    const int branch = nodeNamed(nodes, "if, net.py:31");
    const int layer = nodeNamed(nodes, "layer1.0");
    const int other = nodeNamed(nodes, "else");
    QVERIFY(loop >= 0 && branch >= 0 && layer >= 0 && other >= 0);
    const auto parent = [&](int node) { return nodes[static_cast<std::size_t>(node)].parent; };
    QCOMPARE(parent(loop), -1);
    QCOMPARE(parent(layer), loop);
    QCOMPARE(parent(branch), layer);
    QCOMPARE(parent(nodeNamed(nodes, "conv2")), branch);
    QCOMPARE(parent(nodeNamed(nodes, "add_")), layer);
    QCOMPARE(parent(nodeNamed(nodes, "fc1")), other);
    QVERIFY(nodes[static_cast<std::size_t>(loop)].control && !nodes[static_cast<std::size_t>(layer)].control);
  }

  void castsAreOnTheEdgesThatTheyCast() {
    app::RunModel run;
    test::feedRun(run, 20);
    const auto nodes = app::graphNodes(run);
    const app::GraphFlow flow = app::graphFlow(run);
    const auto edgeInto = [&](int site) {
      const auto found =
          std::find_if(flow.edges.begin(), flow.edges.end(), [&](const auto& e) { return e.to == site; });
      return static_cast<std::size_t>(found - flow.edges.begin());
    };
    auto shades = app::graphShades(run, nodes, GraphColor::kFormat);
    QVERIFY(app::graphEdgeShades(run, flow)[edgeInto(test::kFc2)].cast.isEmpty());
    run.addCasts(test::casts(run.policies().back().revision, 10));
    const auto edges = app::graphEdgeShades(run, flow);
    QCOMPARE(edges[edgeInto(test::kFc2)].cast, QStringLiteral("float32 → float16"));
    QVERIFY2(edges[edgeInto(test::kFc2)].tip.contains(QStringLiteral("400 µs")),
             qPrintable(edges[edgeInto(test::kFc2)].tip));
    QCOMPARE(edges[edgeInto(test::kLoss)].cast, QStringLiteral("float16 → float32"));
    QVERIFY(edges[edgeInto(test::kFc1)].cast.isEmpty());
    QVERIFY(edges[edgeInto(test::kFc2)].color.isValid());
    // fc1 casts its weight, which no op call makes.
    app::addCasts(run, nodes, flow, shades);
    QVERIFY(shades[static_cast<std::size_t>(nodeNamed(nodes, "fc1"))].casts.contains(QStringLiteral("weight")));
    QVERIFY(shades[static_cast<std::size_t>(nodeNamed(nodes, "fc2"))].casts.isEmpty());
    // Of an earlier policy they say nothing about this one.
    wire::PolicyApplied next = run.policies().back();
    next.revision += 1;
    next.step = 20;
    run.addPolicy(next);
    QVERIFY(app::graphEdgeShades(run, flow)[edgeInto(test::kFc2)].cast.isEmpty());
  }

  void whatWasNotMeasuredIsHatchedAndInTheLegend() {
    app::RunModel run;
    test::feedRun(run, 60);
    const auto nodes = app::graphNodes(run);
    const auto fc2 = static_cast<std::size_t>(nodeNamed(nodes, "fc2"));
    const auto hatched = [](const std::vector<views::GraphKey>& keys) {
      return std::any_of(keys.begin(), keys.end(),
                         [](const auto& key) { return key.kind == views::GraphKey::Kind::kHatched; });
    };
    for (const GraphColor color : {GraphColor::kTime, GraphColor::kTensor}) {
      const auto shades = app::graphShades(run, nodes, color);
      QVERIFY(!shades[fc2].measured && shades[fc2].stripes.empty());
      QVERIFY(hatched(app::graphKeys(run, color, shades, {}, false)));
    }
    const auto formats = app::graphShades(run, nodes, GraphColor::kFormat);
    QVERIFY(formats[fc2].measured);
    const auto keys = app::graphKeys(run, GraphColor::kFormat, formats, {}, false);
    QVERIFY(
        std::any_of(keys.begin(), keys.end(), [](const auto& key) { return key.text == QLatin1String("float16"); }));
    const auto overflows = app::graphShades(run, nodes, GraphColor::kOverflows);
    QVERIFY(!hatched(app::graphKeys(run, GraphColor::kOverflows, overflows, {}, false)));  // 0 was counted
    QVERIFY2(formats[fc2].spoken.startsWith(QStringLiteral("float16, ")), qPrintable(formats[fc2].spoken));
    QVERIFY(formats[fc2].spoken.contains(QStringLiteral("overflow")));
  }

  void withoutAModelItSaysWhatWouldBeThere() {
    app::RunModel run;
    app::Selection selection;
    app::GraphDock dock(&run, &selection);
    QVERIFY(dock.empty()->isShownEmpty());
    test::feedRun(run, 3);
    QVERIFY(!dock.empty()->isShownEmpty());
  }
};

BINADE_SUITE(Graphs);

}  // namespace

#include "tst_graphs.moc"
