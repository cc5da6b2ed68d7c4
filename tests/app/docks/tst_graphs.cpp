// SPDX-License-Identifier: Apache-2.0
// The graph: modules that fold, coloured by a figure; the path of an event lit in graph and table.
#include "app/docks/empty_state.h"
#include "app/docks/graph_dock.h"
#include "app/docks/sites_dock.h"
#include "app/model/site_history.h"
#include "app/present/graph_rows.h"
#include "tests/app/app_fixture.h"
#include "tests/app/fake_findings.h"
#include "tests/app/fake_sites.h"
#include "tests/support/suite.h"
#include "views/theme.h"

#include <QComboBox>
#include <QLabel>
#include <QTest>

#include <algorithm>

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
    Explorer::picture(&explorer.window(), QStringLiteral("diagnose-graph"));
    session.selection().clear();
    QVERIFY(!dock->graph()->isLit(nodeNamed(nodes, "fc1")));
    QCOMPARE(lit(test::kFc1), 0);
  }

  void aClickOnABoxSelectsItsCalls() {
    Explorer explorer;
    QVERIFY(explorer.playAndPause(20));
    explorer.window().setArrangement(app::Arrangement::kDiagnose);
    app::GraphDock* dock = explorer.window().docks()->graph;
    QTRY_VERIFY(dock->isVisible());
    const auto nodes = app::graphNodes(explorer.session().run());
    const QRectF box = dock->graph()->boxOf(nodeNamed(nodes, "layer1.0"));
    QTest::mouseClick(dock->graph()->viewport(), Qt::LeftButton, Qt::NoModifier, box.center().toPoint());
    QVERIFY((explorer.session().selection().sites() == std::vector<int>{4, 5, 6, 7}));
    dock->colorCombo()->setCurrentIndex(1);
    Explorer::picture(dock, QStringLiteral("graph-headroom"));
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
