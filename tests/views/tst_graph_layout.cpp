// SPDX-License-Identifier: Apache-2.0
// Layouts of graphs: the layered one, and Graphviz's plain text, also where it is none.
#include "tests/support/suite.h"
#include "views/graph/dot_text.h"
#include "views/graph/graph_layout.h"
#include "views/graph/layers.h"

#include <QTest>

#include <algorithm>

namespace {

using namespace binade;
using views::LayoutInput;
using views::LayoutPlaces;

constexpr QSizeF kBoxSize{100, 28};

/// a > M { b > c } > d, and a > d past the module.
LayoutInput nested() {
  return {
      {{kBoxSize, -1, false}, {kBoxSize, -1, true}, {kBoxSize, 1, false}, {kBoxSize, 1, false}, {kBoxSize, -1, false}},
      {{0, 2}, {2, 3}, {3, 4}, {0, 4}}};
}

bool overlap(const LayoutInput& input, const LayoutPlaces& places) {
  for (std::size_t a = 0; a < input.boxes.size(); ++a) {
    for (std::size_t b = a + 1; b < input.boxes.size(); ++b) {
      if (input.boxes[a].parent == input.boxes[b].parent && places.boxes[a].intersects(places.boxes[b])) return true;
    }
  }
  return false;
}

/// What `dot -Tplain` prints for nested().
QByteArray plainText() {
  return "graph 1 3 5\nnode n0 1 4.5 1.4 0.4 \"\" solid box black lightgrey\n"
         "node n2 1 3.5 1.4 0.4 \"\" solid box black lightgrey\nnode n3 1 2.5 1.4 0.4 \"\" solid box black lightgrey\n"
         "node n4 1.5 0.5 1.4 0.4 \"\" solid box black lightgrey\n"
         "edge n0 n2 4 1 4.3 1 4.1 1 3.9 1 3.7 solid black\nedge n0 n4 7 2 4 2 3 2 2 2 1 2 1 2 1 2 0.7 solid black\n"
         "edge n2 n3 4 1 3.3 1 3.1 1 2.9 1 2.7 solid black\nedge n3 n4 4 1 2.3 1 2 1 1 1 0.7 solid black\nstop\n";
}

class GraphLayouts : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void edgesRunDownFromBoxToBox() {
    const LayoutInput input = nested();
    const LayoutPlaces places = views::layOut(input);
    QVERIFY(!overlap(input, places));
    QVERIFY(places.boxes[1].contains(places.boxes[2]) && places.boxes[1].contains(places.boxes[3]));
    QVERIFY(places.boxes[2].top() >= places.boxes[1].top() + views::kModuleTitle);
    for (std::size_t e = 0; e < input.edges.size(); ++e) {
      const auto& points = places.edges[e];
      const QRectF from = places.boxes[static_cast<std::size_t>(input.edges[e].from)];
      const QRectF to = places.boxes[static_cast<std::size_t>(input.edges[e].to)];
      QCOMPARE(points.front(), QPointF(from.center().x(), from.bottom()));
      QCOMPARE(points.back(), QPointF(to.center().x(), to.top()));
      QVERIFY(std::is_sorted(points.begin(), points.end(), [](QPointF a, QPointF b) { return a.y() < b.y(); }));
    }
    for (const QRectF& box : places.boxes) QVERIFY(QRectF(QPointF(), places.size).contains(box));
  }

  void anEdgePastBoxesGoesAround() {
    const LayoutInput input = nested();
    const LayoutPlaces places = views::layOut(input);
    for (const QPointF point : places.edges[3]) QVERIFY(!places.boxes[1].adjusted(1, 1, -1, -1).contains(point));
  }

  void anEdgeThatALoopCarriesRunsUp() {
    const LayoutInput input{{{kBoxSize}, {kBoxSize}, {kBoxSize}}, {{0, 1}, {1, 2}, {2, 1}}};
    const LayoutPlaces places = views::layOut(input);
    QVERIFY(places.boxes[1].bottom() < places.boxes[2].top());
    QVERIFY(places.edges[2].front().y() > places.edges[2].back().y());
  }

  void crossingsThatCanBeAvoidedAreAvoided() {
    // Two chains whose second boxes are given in the other order.
    const std::vector<views::LayerItem> items(4, {kBoxSize, 50, 50});
    const views::LayerPlaces places = views::layOutLayers(items, {{0, 3}, {1, 2}});
    QVERIFY((places.items[0].x() < places.items[1].x()) == (places.items[3].x() < places.items[2].x()));
    QCOMPARE(places.items[0].x(), places.items[3].x());  // and straight
  }

  void boxesWithoutEdgesFollowEachOther() {
    const LayoutInput input{{{kBoxSize}, {kBoxSize}, {kBoxSize}}, {}};
    const LayoutPlaces places = views::layOut(input);
    QVERIFY(places.boxes[0].bottom() < places.boxes[1].top());
    QVERIFY(places.boxes[1].bottom() < places.boxes[2].top());
  }

  void aVeryLongEdgeRunsAtTheSide() {
    LayoutInput input;
    for (int i = 0; i < 60; ++i) {
      input.boxes.push_back({kBoxSize});
      if (i > 0) input.edges.push_back({i - 1, i});
    }
    input.edges.push_back({0, 59});
    const LayoutPlaces places = views::layOut(input);
    QVERIFY(!overlap(input, places));
    QCOMPARE(places.edges.back().size(), std::size_t{4});
    QVERIFY(places.edges.back()[1].x() > places.boxes[30].right());
    QVERIFY(places.edges.back()[1].x() <= places.size.width());
  }

  void nothingIsLaidOutAsNothing() {
    const LayoutPlaces places = views::layOut({});
    QVERIFY(places.boxes.empty() && places.size.isEmpty());
  }

  void theSameInputGivesTheSamePicture() { QVERIFY(views::layOut(nested()).boxes == views::layOut(nested()).boxes); }

  void dotReadsBoxesInBoxes() {
    const QByteArray text = views::dotText(nested());
    QVERIFY(text.contains("subgraph cluster_1 {"));
    QVERIFY(text.contains(" n3 -> n4\n"));
    QCOMPARE(text.count('{'), text.count('}'));
    QVERIFY(text.indexOf(" n3 [") < text.indexOf("}"));
    QVERIFY(text.indexOf(" n4 [") > text.indexOf("}"));
  }

  void whatDotPrintsIsRead() {
    const auto places = views::readPlain(plainText(), nested());
    QVERIFY(places);
    QVERIFY(places->curved);
    QCOMPARE(places->edges[3].size(), std::size_t{7});
    QVERIFY(places->boxes[0].bottom() < places->boxes[2].top());  // its y axis points up
    QVERIFY(places->boxes[1].contains(places->boxes[2]) && places->boxes[1].contains(places->boxes[3]));
    QVERIFY(!places->boxes[1].contains(places->boxes[4]));
    for (const QRectF& box : places->boxes) QVERIFY(QRectF(QPointF(), places->size).contains(box));
  }

  void anythingElseIsRefused_data() {
    QTest::addColumn<QByteArray>("from");
    QTest::addColumn<QByteArray>("to");
    const auto row = [](const char* name, const char* from, const char* to) {
      QTest::newRow(name) << QByteArray(from) << QByteArray(to);
    };
    row("no end", "stop\n", "");
    row("a box is missing", "node n2 1 3.5 1.4 0.4 \"\" solid box black lightgrey\n", "");
    row("an edge is missing", "edge n2 n3 4 1 3.3 1 3.1 1 2.9 1 2.7 solid black\n", "");
    row("an unknown box", "node n4", "node n9");
    row("an open box", "node n4", "node n1");
    row("an unknown edge", "edge n2 n3", "edge n3 n2");
    row("no number", "node n4 1.5", "node n4 here");
    row("not finite", "node n4 1.5", "node n4 inf");
    row("too far", "node n4 1.5", "node n4 1e300");
    row("too few points", "edge n2 n3 4", "edge n2 n3 1");
    row("more points than numbers", "edge n2 n3 4", "edge n2 n3 2000000001");
    row("another line", "stop", "hello\nstop");
    row("no size", "graph 1 3 5\n", "");
    row("nothing", "", "");
  }
  void anythingElseIsRefused() {
    QFETCH(QByteArray, from);
    QFETCH(QByteArray, to);
    QByteArray text = plainText();
    if (from.isEmpty()) {
      text.clear();
    } else {
      QVERIFY(text.contains(from));
      text.replace(from, to);
    }
    QVERIFY(!views::readPlain(text, nested()));
  }
};

BINADE_SUITE(GraphLayouts);

}  // namespace

#include "tst_graph_layout.moc"
