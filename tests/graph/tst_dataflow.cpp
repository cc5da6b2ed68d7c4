// SPDX-License-Identifier: Apache-2.0
// Which op call takes the results of which, through lists, branches and loops; shapes as far as layers determine them.
#include "engine/graph/dataflow.h"
#include "engine/graph/samples.h"
#include "tests/support/suite.h"

#include <QTest>

#include <algorithm>

namespace {

using namespace binade;
using graph::ControlBlock;
using graph::DataEdge;
using graph::Dataflow;

graph::FlatGraph flat_of(const char* body) {
  return graph::FlatGraph::from_text(std::string("def f(x: Tensor, y: Tensor, n: int):\n") + body, "f", "loss", 10);
}

/// Edges as `from>to:argument`; arguments of the graph are `x0`, `x1`.
QStringList edges(const Dataflow& flow) {
  QStringList all;
  for (const DataEdge& edge : flow.edges) {
    all << QStringLiteral("%1>%2:%3")
               .arg(edge.from.site < 0 ? QStringLiteral("x%1").arg(edge.from.output) : QString::number(edge.from.site))
               .arg(edge.to)
               .arg(QString::fromStdString(edge.argument));
  }
  return all;
}

class TestDataflow : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void aTensorLeadsFromTheCallThatMakesItToThoseThatTakeIt() {
    const Dataflow flow = graph::dataflow(flat_of("  a = torch.exp(x)\n  b = torch.mul(a, y)\n  return b + a\n"));
    QCOMPARE(edges(flow), (QStringList{"x0>10:self", "10>11:self", "x1>11:other", "11>12:self", "10>12:other"}));
    QCOMPARE(flow.edges[1].value, std::string("a"));
    QCOMPARE(flow.results.size(), std::size_t{1});
    QVERIFY((flow.results[0] == std::vector<graph::Origin>{{12, 0}}));
    QVERIFY(flow.blocks.empty());
  }

  void listsAndTuplesAreLookedThrough() {
    const Dataflow flow =
        graph::dataflow(flat_of("  a = torch.exp(x)\n  b = torch.cat([a, torch.tanh(y)], 0)\n  return (a, b)\n"));
    QCOMPARE(edges(flow), (QStringList{"x0>10:self", "x1>11:self", "10>12:tensors", "11>12:tensors"}));
    QCOMPARE(flow.results.size(), std::size_t{2});
    QVERIFY((flow.results[1] == std::vector<graph::Origin>{{12, 0}}));
  }

  void aCallThatWritesItsArgumentIsItsOrigin() {
    const Dataflow flow = graph::dataflow(flat_of("  a = torch.exp(x)\n  a.add_(y)\n  return torch.sin(a)\n"));
    QVERIFY2(edges(flow).contains(QStringLiteral("11>12:self")), qPrintable(edges(flow).join(u' ')));
    QVERIFY(!edges(flow).contains(QStringLiteral("10>12:self")));
  }

  void aBranchHasItsBlocksAndItsResultBothOrigins() {
    const Dataflow flow =
        graph::dataflow(flat_of("  if n > 1:\n    a = torch.exp(x)\n  else:\n    a = torch.tanh(x)\n    a = "
                                "torch.sin(a)\n  return torch.cos(a)\n"));
    QCOMPARE(flow.blocks.size(), std::size_t{2});
    QVERIFY(flow.blocks[0].kind == ControlBlock::Kind::kIf && flow.blocks[1].kind == ControlBlock::Kind::kElse);
    QCOMPARE(flow.blocks[0].first, 10);
    QCOMPARE(flow.blocks[0].count, 1);
    QCOMPARE(flow.blocks[1].first, 11);
    QCOMPARE(flow.blocks[1].count, 2);
    QVERIFY(edges(flow).contains(QStringLiteral("10>13:self")));
    QVERIFY(edges(flow).contains(QStringLiteral("12>13:self")));
    QVERIFY(!edges(flow).contains(QStringLiteral("11>13:self")));
  }

  void aLoopCarriesItsResultBackToItsBeginning() {
    const Dataflow flow = graph::dataflow(
        flat_of("  a = torch.exp(x)\n  for i in range(n):\n    b = torch.sin(a)\n    a = torch.cos(b)\n  return a\n"));
    QCOMPARE(flow.blocks.size(), std::size_t{1});
    QVERIFY(flow.blocks[0].kind == ControlBlock::Kind::kLoop);
    QVERIFY(edges(flow).contains(QStringLiteral("10>11:self")));
    QVERIFY(edges(flow).contains(QStringLiteral("12>11:self")));
    QVERIFY((flow.results[0] == std::vector<graph::Origin>{{10, 0}, {12, 0}}));  // the loop may not run
  }

  void loopsInLoopsCarryThroughBoth() {
    const Dataflow flow = graph::dataflow(
        flat_of("  a = torch.exp(x)\n  for i in range(n):\n    b = torch.sin(a)\n    for j in range(n):\n"
                "      b = torch.cos(b)\n    a = b\n  return a\n"));
    QCOMPARE(flow.blocks.size(), std::size_t{2});
    QCOMPARE(flow.blocks[0].count, 2);
    QCOMPARE(flow.blocks[1].count, 1);
    for (const char* edge : {"10>11:self", "11>12:self", "12>12:self", "12>11:self"})
      QVERIFY2(edges(flow).contains(QLatin1String(edge)), edge);
  }

  void aLongListKeepsItsNewestOrigins() {
    std::string list;
    for (int i = 0; i < 100; ++i) list += "torch.exp(x), ";
    const Dataflow flow = graph::dataflow(flat_of(("  return torch.cat([" + list + "y], 0)\n").c_str()));
    const int last = flow.edges.back().to;
    const auto count = std::count_if(flow.edges.begin(), flow.edges.end(), [&](const auto& e) { return e.to == last; });
    QCOMPARE(static_cast<std::size_t>(count), graph::kMostOrigins);
    QCOMPARE(flow.edges.back().from.site, last - 1);
  }

  void everyCallOfASampleIsReachedAndShapesAreKnown_data() {
    QTest::addColumn<QString>("name");
    for (const graph::Sample& sample : graph::samples())
      QTest::newRow(sample.name.c_str()) << QString::fromStdString(sample.name);
  }
  void everyCallOfASampleIsReachedAndShapesAreKnown() {
    QFETCH(QString, name);
    const graph::Model model = graph::make_sample(name.toStdString(), 1);
    const graph::FlatGraph flat(model);
    const auto guesses = graph::guess_inputs(model, flat);
    const Dataflow flow = graph::dataflow(flat, &model, guesses);
    const Dataflow plain = graph::dataflow(flat);
    QCOMPARE(edges(plain), edges(flow));
    std::vector<bool> reached(flat.sites().size());
    for (const DataEdge& edge : flow.edges) reached[static_cast<std::size_t>(edge.to)] = true;
    for (std::size_t i = 0; i < reached.size(); ++i) {
      // A batch norm counts its batches in a buffer, which no op call makes.
      const std::string op = flat.sites()[i]->key.op;
      QVERIFY2(reached[i] || op == "aten::add_", flat.sites()[i]->key.name().c_str());
    }
    QVERIFY(!flow.results.empty() && !flow.results[0].empty());
    const bool known = std::any_of(flow.edges.begin(), flow.edges.end(),
                                   [](const auto& edge) { return !edge.shape.empty() && edge.shape.front() == -1; });
    const bool guessed = std::any_of(guesses.begin(), guesses.end(), [](const auto& each) { return each.has_value(); });
    QCOMPARE(known, guessed);
    QVERIFY(std::all_of(plain.edges.begin(), plain.edges.end(), [](const auto& edge) { return edge.shape.empty(); }));
  }
};

BINADE_SUITE(TestDataflow);

}  // namespace

#include "tst_dataflow.moc"
