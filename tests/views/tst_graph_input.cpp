// SPDX-License-Identifier: Apache-2.0
// The graph by mouse, wheel and keys: panning, zooming, walking along edges; what is painted at which zoom.
#include "tests/support/suite.h"
#include "tests/views/shown_graph.h"
#include "views/graph/module_graph.h"
#include "views/theme.h"

#include <QApplication>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>

#include <cmath>
#include <memory>

namespace {

using namespace binade;
using test::edges;
using test::handleOf;
using test::nodes;
using test::shownGraph;
using views::GraphEdge;
using views::GraphNode;
using views::ModuleGraph;

void turnWheel(ModuleGraph& graph, QPointF at, int angle, Qt::KeyboardModifiers keys = Qt::NoModifier) {
  QWheelEvent event(at, graph.viewport()->mapToGlobal(at), {}, {0, angle}, Qt::NoButton, keys, Qt::NoScrollPhase,
                    false);
  QApplication::sendEvent(graph.viewport(), &event);
}

/// Sixteen chains of 125 boxes.
std::unique_ptr<ModuleGraph> largeGraph() {
  constexpr int kChains = 16;
  auto graph = std::make_unique<ModuleGraph>();
  std::vector<GraphNode> many;
  std::vector<GraphEdge> lines;
  for (int i = 0; i < 2000; ++i) {
    many.push_back({QStringLiteral("call%1").arg(i), QStringLiteral("relu"), -1, i});
    if (i >= kChains) lines.push_back({i - kChains, i, {}});
  }
  graph->resize(800, 600);
  graph->setNodes(many, lines);
  graph->show();
  return graph;
}

class GraphInputs : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void aClickGivesTheCallsInTheBox() {
    const auto graph = shownGraph();
    std::vector<int> given;
    connect(graph.get(), &ModuleGraph::activated, this, [&](const std::vector<int>& ids) { given = ids; });
    QTest::mouseClick(graph->viewport(), Qt::LeftButton, Qt::NoModifier, handleOf(*graph, 1));
    QVERIFY((given == std::vector<int>{20, 40, 50}));
    QTest::mouseClick(graph->viewport(), Qt::LeftButton, Qt::NoModifier, graph->boxOf(4).center().toPoint());
    QVERIFY((given == std::vector<int>{40}));
    given.clear();
    // The ground of an open box, and its arrow, which folds.
    QTest::mouseClick(graph->viewport(), Qt::LeftButton, Qt::NoModifier,
                      graph->boxOf(3).bottomLeft().toPoint() + QPoint(4, -4));
    QVERIFY(given.empty());
    QTest::mouseClick(graph->viewport(), Qt::LeftButton, Qt::NoModifier,
                      graph->boxOf(3).topLeft().toPoint() + QPoint(12, 12));
    QVERIFY(graph->isFolded(3));
    QVERIFY(given.empty());
    QTest::mouseDClick(graph->viewport(), Qt::LeftButton, Qt::NoModifier, graph->boxOf(3).center().toPoint());
    QVERIFY(!graph->isFolded(3));
  }

  void draggingPansAndSelectsNothing() {
    const auto graph = shownGraph();
    graph->resize(300, 200);
    QSignalSpy activated(graph.get(), &ModuleGraph::activated);
    const QPoint from = graph->boxOf(0).center().toPoint();
    const QPointF before = graph->boxOf(0).topLeft();
    QTest::mousePress(graph->viewport(), Qt::LeftButton, Qt::NoModifier, from);
    QTest::mouseMove(graph->viewport(), from - QPoint(0, 30));
    QTest::mouseMove(graph->viewport(), from - QPoint(0, 60));
    QTest::mouseRelease(graph->viewport(), Qt::LeftButton, Qt::NoModifier, from - QPoint(0, 60));
    QCOMPARE(graph->boxOf(0).top(), before.y() - 60);
    QCOMPARE(activated.count(), 0);
  }

  void theWheelZoomsAtThePointer() {
    const auto graph = shownGraph();
    graph->resize(300, 200);
    const double before = graph->zoom();
    const QPointF at = graph->boxOf(0).center();
    turnWheel(*graph, at, 120);
    QVERIFY(graph->zoom() > before);
    turnWheel(*graph, at, 120);
    const QPointF moved = graph->boxOf(0).center() - at;
    QVERIFY2(std::abs(moved.x()) < 60 && std::abs(moved.y()) < 20, "the box ran away from the pointer");
    for (int i = 0; i < 60; ++i) turnWheel(*graph, at, -120);
    QVERIFY(graph->zoom() > 0);
    graph->grab();
    for (int i = 0; i < 90; ++i) turnWheel(*graph, at, 120);
    graph->grab();
    const int shifted = graph->horizontalScrollBar()->value();
    turnWheel(*graph, at, -120, Qt::ShiftModifier);  // pans aside
    QVERIFY(graph->horizontalScrollBar()->value() != shifted);
  }

  void fitShowsEverythingAndStaysFitted() {
    const auto graph = largeGraph();
    const auto all = [&] {
      return graph->viewport()->rect().contains(graph->boxOf(0).toAlignedRect()) &&
             graph->viewport()->rect().contains(graph->boxOf(1999).toAlignedRect());
    };
    QVERIFY(!all());
    QTest::keyClick(graph.get(), Qt::Key_F);
    QVERIFY(all());
    graph->resize(500, 400);
    QTRY_VERIFY(all());
    QTest::keyClick(graph.get(), Qt::Key_0);
    QCOMPARE(graph->zoom(), 1.0);
    QVERIFY(!all());
    QTest::keyClick(graph.get(), Qt::Key_Minus);
    QVERIFY(graph->zoom() < 1);
    QTest::keyClick(graph.get(), Qt::Key_Plus);
    QCOMPARE(graph->zoom(), 1.0);
    const int at = graph->verticalScrollBar()->value();
    QTest::keyClick(graph.get(), Qt::Key_Down, Qt::ControlModifier);
    QVERIFY(graph->verticalScrollBar()->value() > at);
  }

  void largerTextEnlargesTheBoxes() {
    const auto graph = shownGraph();
    const QSizeF before = graph->boxOf(0).size() / graph->zoom();
    const double zoom = graph->zoom();
    views::setTextScale(*qApp, 1.5);
    QCOMPARE(graph->zoom(), zoom * 1.5);
    graph->grab();
    graph->setAllFolded(true);
    QCOMPARE(graph->boxOf(0).size() / graph->zoom(), before);  // the text keeps its room
    views::setTextScale(*qApp, 1);
    QCOMPARE(graph->zoom(), zoom);
  }

  void onlyWhatIsVisibleIsPainted() {
    const auto graph = largeGraph();
    QTest::keyClick(graph.get(), Qt::Key_0);
    graph->grab();
    QVERIFY(graph->painted().boxes > 0);
    QVERIFY2(graph->painted().boxes < 100, qPrintable(QString::number(graph->painted().boxes)));
    QVERIFY(graph->painted().edges < 200);
    QVERIFY(graph->painted().texts >= graph->painted().boxes);
    graph->fit();
    graph->grab();
    QCOMPARE(graph->painted().boxes, 2000);
    QCOMPARE(graph->painted().texts, 0);  // they could not be read
  }

  void keysWalkAlongTheEdges() {
    const auto graph = shownGraph();
    std::vector<int> given;
    connect(graph.get(), &ModuleGraph::activated, this, [&](const std::vector<int>& ids) { given = ids; });
    QTest::keyClick(graph.get(), Qt::Key_Home);
    QCOMPARE(graph->current(), 0);
    for (const int node : {2, 4, 5, 6}) {
      QTest::keyClick(graph.get(), Qt::Key_Down);
      QCOMPARE(graph->current(), node);
    }
    for (const int node : {5, 4, 2, 0}) {
      QTest::keyClick(graph.get(), Qt::Key_Up);
      QCOMPARE(graph->current(), node);
    }
    QTest::keyClick(graph.get(), Qt::Key_Down);
    QTest::keyClick(graph.get(), Qt::Key_Backspace);  // the box around
    QCOMPARE(graph->accessibleDescription(), QStringLiteral("body"));
    QTest::keyClick(graph.get(), Qt::Key_Return);
    QVERIFY((given == std::vector<int>{20, 40, 50}));
    QTest::keyClick(graph.get(), Qt::Key_Space);
    QVERIFY(graph->isFolded(1));
    QTest::keyClick(graph.get(), Qt::Key_Down);
    QCOMPARE(graph->current(), 6);
    QTest::keyClick(graph.get(), Qt::Key_Up);
    QTest::keyClick(graph.get(), Qt::Key_Space);
    QVERIFY(!graph->isFolded(1));
    QTest::keyClick(graph.get(), Qt::Key_Down);  // into the open box
    QCOMPARE(graph->current(), 2);
  }

  void leftAndRightGoToBoxesBeside() {
    ModuleGraph graph;
    graph.setNodes({{QStringLiteral("a"), {}, -1, 0},
                    {QStringLiteral("b"), {}, -1, 1},
                    {QStringLiteral("c"), {}, -1, 2},
                    {QStringLiteral("d"), {}, -1, 3}},
                   {{0, 1, {}}, {0, 2, {}}, {1, 3, {}}, {2, 3, {}}});
    graph.resize(500, 300);
    graph.show();
    QTest::keyClick(&graph, Qt::Key_Home);
    QTest::keyClick(&graph, Qt::Key_Down);
    QCOMPARE(graph.current(), 1);
    const bool right = graph.boxOf(2).left() > graph.boxOf(1).left();
    QTest::keyClick(&graph, right ? Qt::Key_Right : Qt::Key_Left);
    QCOMPARE(graph.current(), 2);
    QTest::keyClick(&graph, right ? Qt::Key_Left : Qt::Key_Right);
    QCOMPARE(graph.current(), 1);
  }

  void anEdgeTellsFormatShapeAndCast() {
    const auto graph = shownGraph();
    std::vector<views::GraphEdgeShade> shades(edges().size());
    shades[0].format = QStringLiteral("float16");
    shades[0].cast = QStringLiteral("float16 → float32");
    shades[0].tip = QStringLiteral("1.2 MB in 3 µs");
    graph->setEdgeShades(shades);
    std::vector<views::GraphShade> boxes(nodes().size());
    boxes[6].casts = QStringLiteral("weight: float32 → float16");
    graph->setShades(boxes);
    graph->grab();
    const QPointF end(graph->boxOf(2).center().x(), graph->boxOf(2).top() - 3);
    QCOMPARE(graph->tipAt(end), QStringLiteral("float16, N × 16\n1.2 MB in 3 µs"));
    QCOMPARE(graph->tipAt(graph->boxOf(6).center()), QStringLiteral("weight: float32 → float16"));
    QCOMPARE(graph->tipAt(QPointF(2, 2)), QString());
  }

  void anEmptyGraphTakesEverything() {
    ModuleGraph graph;
    graph.show();
    graph.setPath({1}, {1});
    graph.setSelected({1});
    for (const Qt::Key key : {Qt::Key_Down, Qt::Key_End, Qt::Key_Left, Qt::Key_Return, Qt::Key_F, Qt::Key_Plus,
                              Qt::Key_Space, Qt::Key_Backspace})
      QTest::keyClick(&graph, key);
    turnWheel(graph, {10, 10}, 120);
    QTest::mouseClick(graph.viewport(), Qt::LeftButton);
    QCOMPARE(graph.findNext(QStringLiteral("a")), -1);
    graph.grab();
    QVERIFY(graph.shown().empty());
  }
};

BINADE_SUITE(GraphInputs);

}  // namespace

#include "tst_graph_input.moc"
