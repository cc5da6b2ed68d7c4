// SPDX-License-Identifier: Apache-2.0
// Modules that fold, the lit path, and hands on it: mouse and keys.
#include "tests/support/suite.h"
#include "views/graph/module_graph.h"
#include "views/theme.h"

#include <QApplication>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>

#include <memory>

namespace {

using namespace binade;
using views::GraphNode;
using views::ModuleGraph;

// stem; body { a; b { c; d } }; head. Ids are 10 times the place.
std::vector<GraphNode> nodes() {
  return {{QStringLiteral("stem"), QStringLiteral("conv2d"), -1, 0},
          {QStringLiteral("body"), QStringLiteral("3 calls"), -1, -1},
          {QStringLiteral("a"), QStringLiteral("linear"), 1, 20},
          {QStringLiteral("b"), QStringLiteral("relu, linear"), 1, -1},
          {QStringLiteral("c"), QStringLiteral("linear"), 3, 40},
          {QStringLiteral("d"), QStringLiteral("relu"), 3, 50},
          {QStringLiteral("head"), QStringLiteral("linear"), -1, 60}};
}

std::unique_ptr<ModuleGraph> shownGraph() {
  auto graph = std::make_unique<ModuleGraph>();
  graph->setNodes(nodes());
  graph->resize(360, 400);
  graph->show();
  return graph;
}

class ModuleGraphs : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void aSmallModelIsOpenAndModulesFold() {
    const auto graph = shownGraph();
    QVERIFY((graph->shown() == std::vector<int>{0, 1, 2, 3, 4, 5, 6}));
    graph->setFolded(3, true);
    QVERIFY((graph->shown() == std::vector<int>{0, 1, 2, 3, 6}));
    graph->setFolded(1, true);
    QVERIFY((graph->shown() == std::vector<int>{0, 1, 6}));
    graph->setFolded(1, false);  // what was folded inside stays so
    QVERIFY((graph->shown() == std::vector<int>{0, 1, 2, 3, 6}));
    graph->setFolded(0, true);  // a call does not fold
    QVERIFY(graph->shown().size() == 5);
  }

  void thePathStaysInViewWhenTheSizeChanges() {
    ModuleGraph graph;
    std::vector<GraphNode> many;
    for (int i = 0; i < 30; ++i) many.push_back({QStringLiteral("relu"), {}, -1, i});
    graph.setNodes(many);
    graph.resize(360, 400);
    graph.show();
    graph.setPath({28, 29}, {28});
    const auto inside = [&] { return graph.viewport()->rect().contains(graph.boxOf(28).toAlignedRect()); };
    QVERIFY(inside());
    graph.resize(360, 120);
    QTRY_VERIFY(inside());
    graph.verticalScrollBar()->triggerAction(QAbstractSlider::SliderToMinimum);  // a person looks elsewhere
    graph.resize(360, 140);
    QApplication::processEvents();
    QVERIFY(!inside());
  }

  void aLargeModelIsOpenedAsFarAsItCanBeLookedOver() {
    std::vector<GraphNode> large;
    for (int module = 0; module < 30; ++module) {
      const int at = static_cast<int>(large.size());
      large.push_back({QStringLiteral("layer"), {}, -1, -1});
      for (int call = 0; call < 20; ++call) large.push_back({QStringLiteral("linear"), {}, at, at + call + 1});
    }
    ModuleGraph graph;
    graph.setNodes(large);
    QCOMPARE(static_cast<int>(graph.shown().size()), 30);
    graph.setPath({2, 25}, {2});  // the module around the cause opens, the other stays folded
    QCOMPARE(static_cast<int>(graph.shown().size()), 50);
    QVERIFY(graph.isLit(2));
    QVERIFY(graph.isLit(21) && !graph.isLit(25));
  }

  void theFoldedModuleStandsForThePathInIt() {
    const auto graph = shownGraph();
    graph->setPath({40, 60}, {40});
    QVERIFY(graph->isLit(4) && graph->isLit(6) && !graph->isLit(3) && !graph->isLit(0));
    graph->setFolded(1, true);
    QVERIFY(graph->isLit(1) && !graph->isLit(4));
    // Crimson where it is lit, and only there.
    const auto isCrimson = [&](int node) {
      const QImage box = graph->viewport()->grab(graph->boxOf(node).toAlignedRect()).toImage();
      for (int x = 0; x < box.width(); ++x)
        for (int y = 0; y < box.height(); ++y)
          if (box.pixelColor(x, y) == views::colors().crimson) return true;
      return false;
    };
    QVERIFY(isCrimson(6));
    QVERIFY(!isCrimson(0));
    graph->setPath({}, {});
    QVERIFY(!isCrimson(6));
  }

  void aClickGivesTheCallsInTheBox() {
    const auto graph = shownGraph();
    std::vector<int> given;
    connect(graph.get(), &ModuleGraph::activated, this, [&](const std::vector<int>& ids) { given = ids; });
    QTest::mouseClick(graph->viewport(), Qt::LeftButton, Qt::NoModifier, graph->boxOf(1).center().toPoint());
    QVERIFY((given == std::vector<int>{20, 40, 50}));
    QTest::mouseClick(graph->viewport(), Qt::LeftButton, Qt::NoModifier, graph->boxOf(4).center().toPoint());
    QVERIFY((given == std::vector<int>{40}));
    // The arrow at its left end folds, and selects nothing.
    given.clear();
    const QRectF box = graph->boxOf(3);
    QTest::mouseClick(graph->viewport(), Qt::LeftButton, Qt::NoModifier,
                      QPoint(static_cast<int>(box.left()) + 12, static_cast<int>(box.center().y())));
    QVERIFY(graph->isFolded(3));
    QVERIFY(given.empty());
  }

  void keysWalkFoldAndChoose() {
    const auto graph = shownGraph();
    std::vector<int> given;
    connect(graph.get(), &ModuleGraph::activated, this, [&](const std::vector<int>& ids) { given = ids; });
    QTest::keyClick(graph.get(), Qt::Key_Home);
    QTest::keyClick(graph.get(), Qt::Key_Down);
    QTest::keyClick(graph.get(), Qt::Key_Left);  // folds the module
    QVERIFY(graph->isFolded(1));
    QCOMPARE(graph->accessibleDescription(), QStringLiteral("body"));
    QTest::keyClick(graph.get(), Qt::Key_Return);
    QVERIFY((given == std::vector<int>{20, 40, 50}));
    QTest::keyClick(graph.get(), Qt::Key_Right);
    QVERIFY(!graph->isFolded(1));
    for (int i = 0; i < 3; ++i) QTest::keyClick(graph.get(), Qt::Key_Down);
    QCOMPARE(graph->accessibleDescription(), QStringLiteral("c"));
    QTest::keyClick(graph.get(), Qt::Key_Left);  // from a call to the module around it
    QCOMPARE(graph->accessibleDescription(), QStringLiteral("b"));
  }

  void anEmptyGraphTakesEverything() {
    ModuleGraph graph;
    graph.show();
    graph.setPath({1}, {1});
    graph.setSelected({1});
    for (const Qt::Key key : {Qt::Key_Down, Qt::Key_End, Qt::Key_Left, Qt::Key_Return}) QTest::keyClick(&graph, key);
    QVERIFY(graph.shown().empty());
  }
};

BINADE_SUITE(ModuleGraphs);

}  // namespace

#include "tst_module_graph.moc"
