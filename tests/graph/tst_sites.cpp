// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/error.h"
#include "engine/graph/flat_graph.h"
#include "engine/graph/samples.h"
#include "tests/support/suite.h"

#include <ATen/ops/ones.h>
#include <ATen/ops/rand.h>
#include <torch/csrc/jit/api/module.h>

#include <set>

using namespace binade;

namespace {

graph::Model fixture(const char* name) {
  return graph::Model::load(std::string(BINADE_TEST_DATA "/models/") + name);
}

QStringList names(const graph::FlatGraph& flat) {
  QStringList list;
  for (const auto& site : flat.sites()) list.append(QString::fromStdString(site->key.name()));
  return list;
}

/// Writes down what the seam tells.
class Log : public graph::SiteHook {
 public:
  Log(QString name, QStringList& lines) : name_(std::move(name)), lines_(lines) {}
  void before(graph::Call& call) override { add(QStringLiteral("before"), call); }
  void after(graph::Call& call) override { add(QStringLiteral("after"), call); }
  void failed(graph::Call& call, const std::exception&) override { add(QStringLiteral("failed"), call); }

 private:
  void add(const QString& what, const graph::Call& call) {
    lines_.append(name_ + QLatin1Char(' ') + what + QLatin1Char(' ') + QString::fromStdString(call.site.key.name()) +
                  QLatin1Char(' ') + QString::number(call.index));
  }
  QString name_;
  QStringList& lines_;
};

}  // namespace

class TestSites : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void namesAreModulePathMethodOpAndOrdinal() {
    const graph::Model model = graph::make_sample("cnn", 1);
    const graph::FlatGraph flat(model);
    const QStringList all = names(flat);
    for (const char* name : {"conv1/aten::conv2d#0", "bn1/aten::batch_norm#0", "bn1/aten::add_#0", "aten::relu#0",
                             "aten::relu#1", "aten::max_pool2d#1", "fc2/aten::linear#0"}) {
      QVERIFY2(all.contains(QLatin1String(name)), qPrintable(all.join(QLatin1Char('\n'))));
    }
  }

  void aCallInAMethodOtherThanForwardNamesTheMethod() {
    const graph::Model model = fixture("control.pt");
    const QStringList all = names(graph::FlatGraph(model));
    QVERIFY2(all.contains(QLatin1String("::mix/aten::tanh#0")), qPrintable(all.join(QLatin1Char('\n'))));
    QVERIFY(all.contains(QLatin1String("cells.2/aten::linear#0")));
  }

  void namesAreUniqueAndSurviveSaveAndLoad_data() {
    QTest::addColumn<QString>("file");
    for (const char* file : {"scripted.pt", "traced_train.pt", "traced_eval.pt", "frozen.pt", "recurrent.pt",
                             "control.pt", "attention.pt", "interface.pt", "forked.pt"}) {
      QTest::newRow(file) << QString::fromLatin1(file);
    }
  }
  void namesAreUniqueAndSurviveSaveAndLoad() {
    QFETCH(QString, file);
    const graph::Model model = fixture(qPrintable(file));
    const graph::FlatGraph flat(model);
    const QStringList before = names(flat);
    QVERIFY(!before.isEmpty());
    QCOMPARE(QSet<QString>(before.begin(), before.end()).size(), before.size());
    QVERIFY2(before.filter(QStringLiteral("?")).isEmpty(), "a path could not be told");
    {
      const at::NoGradGuard no_history;
      for (const auto& [name, parameter] : model.parameters()) parameter.add_(0.25);
    }
    const std::string path = (test::temporaryFolder() + QStringLiteral("/again.pt")).toStdString();
    model.module().save(path);
    QCOMPARE(names(graph::FlatGraph(graph::Model::load(path))), before);
    QVERIFY(flat.opaque().empty());
  }

  void anInterfaceIsLookedThrough() {
    const QStringList all = names(graph::FlatGraph(fixture("interface.pt")));
    QVERIFY2(all.contains(QLatin1String("inner.linear/aten::linear#0")), qPrintable(all.join(QLatin1Char('\n'))));
  }

  void forksAreFlattenedHoweverDeep() {
    const graph::FlatGraph flat(fixture("forked.pt"));
    const QStringList all = names(flat);
    for (const char* name :
         {"inner.fc/aten::linear#0", "inner.fc/aten::linear#1", "inner.fc/aten::linear#2", "inner/aten::sin#0"}) {
      QVERIFY2(all.contains(QLatin1String(name)), qPrintable(all.join(QLatin1Char('\n'))));
    }
    QVERIFY(!all.filter(QStringLiteral("aten::tanh#0")).isEmpty());
    QVERIFY(flat.opaque().empty());
  }

  void theUsersSourceLineIsTold() {
    const graph::FlatGraph flat(fixture("control.pt"));
    for (const auto& site : flat.sites()) {
      if (site->key.name() == "::mix/aten::tanh#0") {
        QVERIFY2(QString::fromStdString(site->source).startsWith(QLatin1String("make_models.py:")),
                 site->source.c_str());
        return;
      }
    }
    QFAIL("no such site");
  }

  void hooksNestAndCountCalls() {
    graph::FlatGraph flat = graph::FlatGraph::from_text(
        "def f(x: Tensor) -> Tensor:\n    for i in range(2):\n        x = torch.relu(x)\n    return x\n", "f", "loss",
        10);
    QCOMPARE(flat.sites().front()->id, 10);
    QStringList lines;
    Log outer(QStringLiteral("outer"), lines);
    Log inner(QStringLiteral("inner"), lines);
    graph::SiteHook* hooks[] = {&outer, &inner};
    flat.run({at::ones({2})}, hooks);
    const QStringList expected{
        QStringLiteral("outer before loss/aten::relu#0 0"), QStringLiteral("inner before loss/aten::relu#0 0"),
        QStringLiteral("inner after loss/aten::relu#0 0"),  QStringLiteral("outer after loss/aten::relu#0 0"),
        QStringLiteral("outer before loss/aten::relu#0 1"), QStringLiteral("inner before loss/aten::relu#0 1"),
        QStringLiteral("inner after loss/aten::relu#0 1"),  QStringLiteral("outer after loss/aten::relu#0 1")};
    QCOMPARE(lines, expected);
    lines.clear();
    flat.run({at::ones({2})}, hooks);
    QCOMPARE(lines, expected);  // counted anew in every run
  }

  void anOpThatRefusesIsNamedAndTheGraphStaysUsable() {
    graph::FlatGraph flat(graph::make_sample("mlp", 1));
    QStringList lines;
    Log log(QStringLiteral("log"), lines);
    graph::SiteHook* hooks[] = {&log};
    try {
      flat.run({at::ones({2, 7})}, hooks);
      QFAIL("it ran");
    } catch (const Error& error) {
      QCOMPARE(static_cast<int>(error.code), static_cast<int>(ErrorCode::kBadModel));
      QVERIFY2(QString::fromStdString(error.what()).startsWith(QLatin1String("fc1/aten::linear#0: ")), error.what());
    }
    QCOMPARE(lines.last(), QStringLiteral("log failed fc1/aten::linear#0 0"));
    QCOMPARE(flat.run({at::ones({2, 784})}, hooks).toTensor().size(1), 10);
  }

  void inputsThatForwardDoesNotTakeAreNamed() {
    graph::FlatGraph flat(graph::make_sample("mlp", 1));
    const auto message = [&](std::vector<c10::IValue> inputs) {
      try {
        flat.run(std::move(inputs));
      } catch (const Error& error) {
        return QString::fromStdString(error.what());
      }
      return QString();
    };
    QVERIFY2(message({}).contains(QLatin1String("'x'")), qPrintable(message({})));
    QVERIFY(message({at::ones({1}), at::ones({1})}).contains(QLatin1String("1 inputs, but 2")));
    QVERIFY(message({c10::IValue(3)}).contains(QLatin1String("does not take these inputs")));
  }

  void wrappersChangeNothing() {
    graph::FlatGraph flat(graph::make_sample("resnet", 2));
    const at::Tensor x = at::rand({2, 3, 16, 16});
    graph::SiteHook nothing;
    graph::SiteHook* hooks[] = {&nothing};
    const at::Tensor plain = flat.run_native({x}).toTensor();
    QVERIFY(flat.run({x}, hooks).toTensor().equal(plain));
  }
};

BINADE_SUITE(TestSites);
#include "tst_sites.moc"
