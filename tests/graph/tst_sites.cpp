// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/error.h"
#include "engine/graph/flat_graph.h"
#include "engine/graph/samples.h"
#include "tests/support/places.h"
#include "tests/support/suite.h"

#include <ATen/ops/add.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/zeros.h>
#include <torch/csrc/jit/api/module.h>

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>

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
    for (const char* file :
         {"scripted.pt", "traced_train.pt", "traced_eval.pt", "frozen.pt", "recurrent.pt", "control.pt", "attention.pt",
          "interface.pt", "forked.pt", "own_blocks.pt", "user_dtypes.pt", "user_dtypes_traced.pt"}) {
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

  void whatStaysOpaqueIsToldOnceBesideAFork() {
    const graph::FlatGraph flat(fixture("interface_list_forked.pt"));
    QVERIFY(flat.forked());
    QCOMPARE(flat.opaque().size(), std::size_t{1});
  }

  void aModuleChosenWhileRunningIsOneOpaqueCallThatRuns() {
    graph::FlatGraph flat(fixture("interface_list.pt"));
    QCOMPARE(flat.opaque().size(), std::size_t{1});
    QVERIFY(!names(flat).filter(QStringLiteral("aten::tanh#0")).isEmpty());
    QVERIFY(names(flat).filter(QStringLiteral("aten::linear")).isEmpty());
    const at::Tensor x = at::rand({2, 4});
    graph::SiteHook nothing;
    graph::SiteHook* hooks[] = {&nothing};
    const at::Tensor first = flat.run({x, 0}, hooks).toTensor();
    const at::Tensor second = flat.run({x, 1}, hooks).toTensor();
    QVERIFY(first.equal(flat.run_native({x, 0}).toTensor()));
    QVERIFY(!first.equal(second));
  }

  void dtypesThatTheModelAsksForAreSites_data() {
    QTest::addColumn<QString>("file");
    QTest::newRow("scripted") << QStringLiteral("user_dtypes.pt");
    QTest::newRow("traced") << QStringLiteral("user_dtypes_traced.pt");
  }
  void dtypesThatTheModelAsksForAreSites() {
    QFETCH(QString, file);
    const QStringList all = names(graph::FlatGraph(fixture(qPrintable(file))));
    for (const char* name : {"aten::to#0", "aten::to#1", "aten::to#2", "aten::softmax#0", "aten::sum#0"}) {
      QVERIFY2(all.contains(QLatin1String(name)), qPrintable(all.join(QLatin1Char('\n'))));
    }
  }

  void anAutocastBlockIsFoundWithWhatItIsGiven() {
    const graph::FlatGraph flat(fixture("own_blocks.pt"));
    const auto& blocks = flat.own_blocks();
    QCOMPARE(blocks.size(), std::size_t{4});
    QVERIFY(blocks[0]->list == policy::Base::kCpuAmp && blocks[0]->low == formats::kBFloat16 && blocks[0]->enabled);
    QVERIFY(!blocks[1]->enabled && blocks[1]->outer == blocks[0].get() && !blocks[1]->low);
    QVERIFY(!blocks[2]->list);                                         // x.device.type
    QVERIFY(blocks[2]->enabled && blocks[2]->cache_enabled == false);  // an attribute, and a constant
    QVERIFY(blocks[3]->list == policy::Base::kCudaAmp && blocks[3]->low == formats::kFloat16);
    QVERIFY(QString::fromStdString(blocks[0]->source).startsWith(QLatin1String("make_models.py:")));
    std::map<std::string, const policy::OwnBlock*> around;
    for (const auto& site : flat.sites()) around[site->key.name()] = site->own_block;
    QVERIFY(around.at("fc/aten::linear#0") == blocks[0].get());
    QVERIFY(around.at("fc/aten::linear#1") == blocks[1].get());
    QVERIFY(around.at("fc/aten::linear#2") == blocks[0].get());
    QVERIFY(around.at("norm/aten::layer_norm#0") == blocks[3].get());
    QVERIFY(std::any_of(around.begin(), around.end(), [](const auto& site) { return site.second == nullptr; }));
  }

  void anAutocastBlockThatIsComputedIsRefusedWithItsLine() {
    try {
      const graph::FlatGraph flat(fixture("own_block_dynamic.pt"));
      QFAIL("it was understood");
    } catch (const Error& error) {
      const QString message = QString::fromStdString(error.what());
      QVERIFY2(message.startsWith(QLatin1String("make_models.py:")), error.what());
      QVERIFY2(message.contains(QLatin1String("'enabled'")), error.what());
      QVERIFY(!error.hint.empty());
    }
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

  void forksWhoseFuturesAreKeptInAListRunWhereTheyStand() {
    graph::FlatGraph flat(fixture("fork_list.pt"));
    QVERIFY(flat.forked() && flat.opaque().empty());
    QCOMPARE(names(flat).filter(QStringLiteral("aten::linear")).size(), 3);
    const at::Tensor x = at::rand({2, 4});
    at::Tensor expected = at::zeros({2, 4});
    for (int i = 1; i < 3; ++i) {
      const auto layer = fixture("fork_list.pt").module().attr("layers").toModule().attr(std::to_string(i)).toModule();
      expected = at::add(expected, at::linear(x, layer.attr("weight").toTensor(), layer.attr("bias").toTensor()));
    }
    QVERIFY(flat.run({x}).toTensor().equal(expected));
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

  void insidePyTorchTheCallersLineIsTold_data() {
    QTest::addColumn<QString>("file");
    QTest::newRow("scripted") << "called_twice.pt";
    QTest::newRow("traced") << "called_twice_traced.pt";
  }

  void insidePyTorchTheCallersLineIsTold() {
    QFETCH(QString, file);
    const graph::FlatGraph flat(fixture(qPrintable(file)));
    QStringList lines;
    for (const auto& site : flat.sites()) {
      lines += QString::fromStdString(site->key.op + " " + site->source);
    }
    const QStringList expected{QStringLiteral("aten::linear make_models.py:346"),
                               QStringLiteral("aten::relu make_models.py:346"),
                               QStringLiteral("aten::linear make_models.py:347")};
    QCOMPARE(lines, expected);
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

  void aHookIsToldOnceHowACallEnded_data() {
    QTest::addColumn<QString>("throws");
    QTest::addColumn<QStringList>("told");
    const QStringList befores{QStringLiteral("0 before"), QStringLiteral("1 before"), QStringLiteral("2 before")};
    const auto row = [&](const char* throws, qsizetype entered, const QStringList& told) {
      QTest::newRow(throws) << QString::fromLatin1(throws) << befores.first(entered) + told;
    };
    row("0 before", 1, {});
    row("1 before", 2, {QStringLiteral("0 failed")});
    row("op", 3, {QStringLiteral("2 failed"), QStringLiteral("1 failed"), QStringLiteral("0 failed")});
    row("2 after", 3, {QStringLiteral("2 after"), QStringLiteral("1 failed"), QStringLiteral("0 failed")});
    row("1 after", 3, {QStringLiteral("2 after"), QStringLiteral("1 after"), QStringLiteral("0 failed")});
    row("0 after", 3, {QStringLiteral("2 after"), QStringLiteral("1 after"), QStringLiteral("0 after")});
  }
  /// Of three hooks around one op, one throws, or the op does.
  void aHookIsToldOnceHowACallEnded() {
    QFETCH(QString, throws);
    QFETCH(QStringList, told);
    class Throwing : public graph::SiteHook {
     public:
      Throwing(int number, const QString& at, QStringList& lines) : number_(number), at_(at), lines_(lines) {}
      void before(graph::Call& call) override {
        if (at_ == QStringLiteral("op")) call.operation = &refuses_;
        tell(QStringLiteral("before"));
      }
      void after(graph::Call&) override { tell(QStringLiteral("after")); }
      void failed(graph::Call&, const std::exception&) override { tell(QStringLiteral("failed")); }

     private:
      void tell(const QString& what) {
        lines_.append(QString::number(number_) + QLatin1Char(' ') + what);
        if (lines_.last() == at_) throw std::runtime_error("it threw");
      }
      int number_;
      QString at_;
      QStringList& lines_;
      graph::Operation refuses_ = [](graph::Stack&) { throw std::runtime_error("it threw"); };
    };
    graph::FlatGraph flat(graph::make_sample("mlp", 1));
    QStringList lines;
    Throwing first(0, throws, lines), second(1, throws, lines), third(2, throws, lines);
    graph::SiteHook* hooks[] = {&first, &second, &third};
    QVERIFY_EXCEPTION_THROWN(flat.run({at::ones({2, 784})}, hooks), Error);
    QCOMPARE(lines, told);
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
      QVERIFY2(QString::fromStdString(error.hint).contains(QLatin1String("Float[128,784]")), error.hint.c_str());
    }
    QCOMPARE(lines.last(), QStringLiteral("log failed fc1/aten::linear#0 0"));
    QCOMPARE(flat.run({at::ones({2, 784})}, hooks).toTensor().size(1), 10);
  }

  void aRaiseInTheModelNamesItsMessageAndTheReasonComesLast() {
    graph::FlatGraph flat = graph::FlatGraph::from_text(
        "def f(x: Tensor) -> Tensor:\n    assert x.dim() == 2, 'two dimensions, please'\n    "
        "return torch.relu(x)\n",
        "f", "loss", 0);
    try {
      flat.run({at::ones({3})});
      QFAIL("it ran");
    } catch (const Error& error) {
      QVERIFY2(QString::fromStdString(error.what()).contains(QLatin1String("two dimensions, please")), error.what());
    }
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
