// SPDX-License-Identifier: Apache-2.0
// Boxes that fold, the path on the edges, finding, assistive technology, pictures as files.
#include "tests/support/places.h"
#include "tests/support/suite.h"
#include "tests/views/shown_graph.h"
#include "views/graph/find_bar.h"
#include "views/graph/module_graph.h"
#include "views/theme.h"

#include <QAccessible>
#include <QApplication>
#include <QFile>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>
#include <QXmlStreamReader>

#include <cmath>
#include <functional>
#include <memory>
#include <utility>

namespace {

using namespace binade;
using test::edges;
using test::nodes;
using test::shownGraph;
using views::GraphEdge;
using views::GraphNode;
using views::ModuleGraph;

using Pairs = std::vector<std::pair<int, int>>;

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
    graph->setAllFolded(true);
    QVERIFY((graph->shown() == std::vector<int>{0, 1, 6}));
    graph->setAllFolded(false);
    QCOMPARE(graph->shown().size(), std::size_t{7});
  }

  void theSameModelWithAnotherBoxStaysFolded() {
    const auto graph = shownGraph();
    graph->setFolded(3, true);
    graph->zoomBy(0.5, {10, 10});
    std::vector<GraphNode> more = nodes();
    more.insert(more.begin(), {QStringLiteral("dropout"), {}, -1, 70});
    for (GraphNode& node : more) node.parent += node.parent >= 0 ? 1 : 0;
    graph->setNodes(more, edges(), ModuleGraph::View::kKept);
    QVERIFY(graph->isFolded(4) && !graph->isFolded(2));
    QCOMPARE(graph->zoom(), 0.5);
    graph->setNodes(more, edges());
    QVERIFY(!graph->isFolded(4));
  }

  void edgesLeadToTheFoldedBoxAroundACall() {
    const auto graph = shownGraph();
    QVERIFY((graph->links() == Pairs{{0, 2}, {2, 4}, {4, 5}, {5, 6}, {0, 4}}));
    graph->setFolded(3, true);
    QVERIFY((graph->links() == Pairs{{0, 2}, {2, 3}, {3, 6}, {0, 3}}));
    graph->setFolded(1, true);
    QVERIFY((graph->links() == Pairs{{0, 1}, {1, 6}}));
  }

  void producersAreAboveAndBoxesContainTheirOwn() {
    const auto graph = shownGraph();
    for (const auto& [from, to] : graph->links()) QVERIFY(graph->boxOf(from).bottom() < graph->boxOf(to).top());
    for (const int node : {2, 3}) QVERIFY(graph->boxOf(1).contains(graph->boxOf(node)));
    for (const int node : {4, 5}) QVERIFY(graph->boxOf(3).contains(graph->boxOf(node)));
    QVERIFY(!graph->boxOf(1).intersects(graph->boxOf(6)));
    graph->setFolded(3, true);
    QVERIFY(graph->boxOf(4).isEmpty());
  }

  void theOldPictureStaysUntilTheNewOneIsLaidOut() {
    const auto graph = shownGraph();
    std::function<void(views::LayoutPlaces)> first;
    std::function<void(views::LayoutPlaces)> second;
    views::LayoutInput input;
    graph->setLayouter([&](views::LayoutInput what, auto done) {
      (first ? second : first) = std::move(done);
      input = std::move(what);
    });
    QSignalSpy laid_out(graph.get(), &ModuleGraph::laidOut);
    graph->setFolded(3, true);
    const views::LayoutInput outdated = input;
    QCOMPARE(graph->shown().size(), std::size_t{5});
    QVERIFY(!graph->boxOf(4).isEmpty());  // it can still be seen
    graph->grab();
    graph->setFolded(1, true);
    first(views::layOut(outdated));  // too late
    QCOMPARE(laid_out.count(), 0);
    QVERIFY(!graph->boxOf(4).isEmpty());
    views::LayoutPlaces broken = views::layOut(input);
    broken.boxes.pop_back();
    QVERIFY(broken.boxes.size() != input.boxes.size());
    second(views::layOut(input));
    QCOMPARE(laid_out.count(), 1);
    QVERIFY(graph->boxOf(4).isEmpty());
    QVERIFY(!graph->boxOf(1).isEmpty());
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

  void aPathIsShownFromTheFirstCauseToTheLoss() {
    ModuleGraph graph;
    std::vector<GraphNode> many;
    std::vector<GraphEdge> lines;
    for (int i = 0; i < 12; ++i) {
      many.push_back({QStringLiteral("relu"), {}, -1, i});
      if (i > 0) lines.push_back({i - 1, i, {}});
    }
    graph.setNodes(many, lines);
    graph.resize(360, 500);
    graph.show();
    QVERIFY(!graph.viewport()->rect().contains(graph.boxOf(11).toAlignedRect()));
    graph.setPath({3, 11}, {3});
    for (const int node : {3, 11}) QVERIFY(graph.viewport()->rect().contains(graph.boxOf(node).toAlignedRect()));
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

  void thePathRunsOnTheEdges() {
    const auto graph = shownGraph();
    graph->setPath({20, 60}, {20});  // what passes the fault on lies between
    QVERIFY((graph->pathEdges() == Pairs{{2, 4}, {4, 5}, {5, 6}}));
    graph->setFolded(3, true);
    QVERIFY((graph->pathEdges() == Pairs{{2, 3}, {3, 6}}));
    graph->setFolded(3, false);
    graph->setPath({60, 0}, {60}, /*backward=*/true);  // against the edges, the shortest way
    QVERIFY((graph->pathEdges() == Pairs{{6, 5}, {5, 4}, {4, 0}}));
    graph->setPath({60, 0}, {60}, /*backward=*/false);  // the edges give no way: a line of its own
    QVERIFY((graph->pathEdges() == Pairs{{6, 0}}));
    graph->grab();
    graph->setPath({}, {});
    QVERIFY(graph->pathEdges().empty());
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

  void theBoxWithTheFocusIsReadWithFormatAndOverflows() {
    const auto graph = shownGraph();
    std::vector<views::GraphShade> shades(nodes().size());
    shades[2].spoken = QStringLiteral("float16, 3 overflows");
    graph->setShades(shades);
    QTest::keyClick(graph.get(), Qt::Key_Home);
    QTest::keyClick(graph.get(), Qt::Key_Down);
    QCOMPARE(graph->accessibleDescription(), QStringLiteral("a, float16, 3 overflows"));
  }

  void theBoxesAreInTheAccessibilityTree() {
    const auto graph = shownGraph();
    graph->setFocus();
    std::vector<views::GraphShade> shades(nodes().size());
    shades[4].spoken = QStringLiteral("float16, no overflow");
    graph->setShades(shades);
    QAccessibleInterface* tree = QAccessible::queryAccessibleInterface(graph.get());
    QVERIFY(tree != nullptr);
    QCOMPARE(tree->childCount(), 7);
    QTest::keyClick(graph.get(), Qt::Key_Home);
    QTest::keyClick(graph.get(), Qt::Key_Down);
    QTest::keyClick(graph.get(), Qt::Key_Down);
    QAccessibleInterface* box = tree->focusChild();
    QVERIFY(box != nullptr && box == tree->child(4));
    QCOMPARE(box->text(QAccessible::Name), QStringLiteral("c, float16, no overflow"));
    QCOMPARE(tree->indexOfChild(box), 4);
    QCOMPARE(box->rect().size(), graph->boxOf(4).toAlignedRect().size());
    QVERIFY(tree->childAt(box->rect().center().x(), box->rect().center().y()) == box);
    QVERIFY(!box->state().expandable);
    QAccessibleInterface* module = tree->child(3);
    QVERIFY(module->state().expanded);
    QSignalSpy activated(graph.get(), &ModuleGraph::activated);
    module->actionInterface()->doAction(QAccessibleActionInterface::pressAction());
    QCOMPARE(activated.count(), 1);
    module->actionInterface()->doAction(QAccessibleActionInterface::toggleAction());
    QVERIFY(graph->isFolded(3) && module->state().collapsed);
    QCOMPARE(tree->childCount(), 5);
    graph->setNodes(nodes(), edges());
    QVERIFY(!module->isValid());
    QCOMPARE(tree->child(0)->text(QAccessible::Name), QStringLiteral("stem"));
  }

  void findingOpensWhatHidesAMatch() {
    const auto graph = shownGraph();
    graph->setAllFolded(true);
    QTest::keyClick(graph.get(), Qt::Key_F, Qt::ControlModifier);
    auto* bar = graph->findChild<views::FindBar*>();
    QVERIFY(bar->isVisible());
    QTest::keyClicks(bar->line(), QStringLiteral("LINEAR"));
    QCOMPARE(bar->count()->text(), QStringLiteral("3"));  // a, c, head
    QTest::keyClick(bar->line(), Qt::Key_Return);
    QCOMPARE(graph->current(), 2);
    QVERIFY(!graph->isFolded(1) && graph->isFolded(3));
    QCOMPARE(bar->count()->text(), QStringLiteral("1 of 3"));
    QTest::keyClick(bar->line(), Qt::Key_Return);
    QCOMPARE(graph->current(), 4);
    QVERIFY(!graph->isFolded(3));
    QVERIFY(graph->viewport()->rect().intersects(graph->boxOf(4).toAlignedRect()));
    QTest::keyClick(bar->line(), Qt::Key_Return);
    QTest::keyClick(bar->line(), Qt::Key_Return);  // from the last to the first
    QCOMPARE(graph->current(), 2);
    QTest::keyClick(bar->line(), Qt::Key_Return, Qt::ShiftModifier);
    QCOMPARE(graph->current(), 6);
    bar->line()->setText(QStringLiteral("nothing of the kind"));
    QCOMPARE(bar->count()->text(), QStringLiteral("none"));
    QTest::keyClick(bar->line(), Qt::Key_Return);
    QCOMPARE(graph->current(), 6);
    QTest::keyClick(bar->line(), Qt::Key_Escape);
    QVERIFY(!bar->isVisible());
  }

  void whatWasNotMeasuredIsHatched() {
    const auto graph = shownGraph();
    graph->resize(420, 900);
    const auto picture = [&] { return graph->viewport()->grab(graph->boxOf(0).toAlignedRect()).toImage(); };
    std::vector<views::GraphShade> shades(nodes().size());
    shades[0].figure = QStringLiteral("–");
    graph->setShades(shades);
    const QImage plain = picture();
    shades[0].measured = false;
    graph->setShades(shades);
    QVERIFY(picture() != plain);
  }

  void graphvizGetsTheShownBoxesAndNoSyntaxFromAName() {
    const auto graph = shownGraph();
    auto odd = nodes();
    odd[0].name = QStringLiteral("a\"] b [\\\n");
    graph->setNodes(odd, edges());
    graph->setFolded(3, true);
    const QString path = test::temporaryFolder() + QStringLiteral("/odd.dot");
    QVERIFY(graph->saveDot(path));
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray text = file.readAll();
    QVERIFY2(text.contains("n0 [label=\"a\\\"] b [\\\\ \\nconv2d\""), text.constData());
    QVERIFY(text.contains("subgraph cluster_1 {") && text.contains("n3 [label=\"b\\nrelu, linear\""));
    QVERIFY(!text.contains("n4") && !text.contains("n5"));  // hidden by the folded box
    QVERIFY(text.contains("n0 -> n2 [label=\"N \303\227 16\"]") && text.contains("n3 -> n6\n"));
    QCOMPARE(text.count('{'), text.count('}'));
  }

  // A character beyond U+FFFF is two QChars, neither of which is printable alone.
  void graphvizGetsEveryCharacterOfANameButControls() {
    const auto graph = shownGraph();
    auto odd = nodes();
    odd[0].name = QStringLiteral("\u03b1 \U0001d6fc\x7f\u00e9\x01z");
    graph->setNodes(odd, edges());
    const QString path = test::temporaryFolder() + QStringLiteral("/names.dot");
    QVERIFY(graph->saveDot(path));
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray text = file.readAll();
    QVERIFY2(text.contains("n0 [label=\"\316\261 \360\235\233\274 \303\251 z\\n"), text.constData());
  }

  void picturesHaveTheWholeGraph() {
    const auto graph = shownGraph();
    graph->resize(120, 100);
    const QString folder = test::temporaryFolder();
    QVERIFY(graph->savePng(folder + QStringLiteral("/graph.png"), 2));
    const QImage image(folder + QStringLiteral("/graph.png"));
    QVERIFY(image.width() > 2 * 200 && image.height() > 2 * 300);
    QVERIFY(graph->saveSvg(folder + QStringLiteral("/graph.svg")));
    QFile file(folder + QStringLiteral("/graph.svg"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QXmlStreamReader xml(&file);
    QString texts;
    while (!xml.atEnd()) {
      xml.readNext();
      if (xml.isCharacters()) texts += xml.text();
    }
    QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
    for (const char* name : {"stem", "body", "head"}) QVERIFY2(texts.contains(QLatin1String(name)), name);
    QVERIFY(graph->saveDot(folder + QStringLiteral("/graph.dot")));
    QVERIFY(!graph->saveDot(folder + QStringLiteral("/none/graph.dot")));
    QVERIFY(!graph->savePng(folder + QStringLiteral("/none/graph.png")));
    QVERIFY(!graph->saveSvg(folder + QStringLiteral("/none/graph.svg")));
  }
};

BINADE_SUITE(ModuleGraphs);

}  // namespace

#include "tst_module_graph.moc"
