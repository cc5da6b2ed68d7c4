// SPDX-License-Identifier: Apache-2.0
#include "engine/graph/flat_graph.h"
#include "engine/graph/input_guess.h"
#include "engine/graph/samples.h"
#include "tests/support/places.h"
#include "tests/support/suite.h"

#include <ATen/core/jit_type.h>
#include <ATen/ops/randn.h>
#include <torch/csrc/jit/api/module.h>

#include <map>
#include <string>
#include <vector>

using namespace binade;
using graph::FlatGraph;
using graph::Model;

namespace {

using Shapes = std::map<std::string, std::vector<std::int64_t>>;

/// A model whose forward is `text`, with random parameters of these shapes.
Model model_of(const std::string& text, const Shapes& parameters) {
  torch::jit::Module module("__torch__.Guessed");
  module.register_attribute("training", c10::BoolType::get(), true);
  for (const auto& [name, shape] : parameters) module.register_parameter(name, at::randn(shape), false);
  module.define(text);
  return Model(std::move(module));
}

QStringList guessesOf(const Model& model) {
  QStringList all;
  const FlatGraph flat(model);
  for (const auto& guess : graph::guess_inputs(model, flat)) {
    all << (guess ? QString::fromStdString(guess->spec + " from " + guess->from) : QStringLiteral("nothing"));
  }
  return all;
}

}  // namespace

class TestInputGuess : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void theLayersThatAnInputMeetsTellItsShape_data();
  void theLayersThatAnInputMeetsTellItsShape();
  void scriptedLayersTellToo_data();
  void scriptedLayersTellToo();
};

void TestInputGuess::theLayersThatAnInputMeetsTellItsShape_data() {
  QTest::addColumn<QString>("text");
  QTest::addColumn<QStringList>("names");
  QTest::addColumn<QList<QList<qint64>>>("shapes");
  QTest::addColumn<QStringList>("guesses");
  const auto row = [](const char* name, const char* text, const std::vector<std::pair<const char*, QList<qint64>>>& all,
                      const QStringList& guesses) {
    QStringList names;
    QList<QList<qint64>> shapes;
    for (const auto& [parameter, shape] : all) {
      names << QString::fromLatin1(parameter);
      shapes << shape;
    }
    QTest::newRow(name) << QString::fromLatin1(text) << names << shapes << guesses;
  };
  row("linear", "def forward(self, x: Tensor) -> Tensor:\n    return torch.linear(x, self.w)\n", {{"w", {3, 11}}},
      {"float32[N,11] from w [3,11]"});
  row("a weight that is registered first and used last",
      "def forward(self, x: Tensor) -> Tensor:\n    return torch.linear(torch.relu(torch.linear(x, self.b)), self.a)\n",
      {{"a", {3, 11}}, {"b", {11, 5}}}, {"float32[N,5] from b [11,5]"});
  row("pixels side by side", "def forward(self, x: Tensor) -> Tensor:\n    return torch.linear(x.flatten(1), self.w)\n",
      {{"w", {10, 784}}}, {"float32[N,1,28,28] from w [10,784]"});
  row("LeNet, whose last layers settle the side",
      "def forward(self, x: Tensor) -> Tensor:\n"
      "    x = torch.max_pool2d(torch.relu(torch.conv2d(x, self.c1)), [2, 2])\n"
      "    x = torch.max_pool2d(torch.relu(torch.conv2d(x, self.c2)), [2, 2])\n"
      "    return torch.linear(x.view(-1, 400), self.f)\n",
      {{"c1", {6, 1, 5, 5}}, {"c2", {16, 6, 5, 5}}, {"f", {10, 400}}},
      {"float32[N,1,32,32] from c1 [6,1,5,5], f [10,400]"});
  row("groups",
      "def forward(self, x: Tensor) -> Tensor:\n"
      "    return torch.conv2d(x, self.c, None, [1, 1], [1, 1], [1, 1], 4)\n",
      {{"c", {8, 1, 3, 3}}}, {"float32[N,4,32,32] from c [8,1,3,3]"});
  row("channels last",
      "def forward(self, x: Tensor) -> Tensor:\n    return torch.conv2d(x.permute([0, 3, 1, 2]), self.c)\n",
      {{"c", {8, 3, 3, 3}}}, {"float32[N,32,32,3] from c [8,3,3,3]"});
  row("a channel that the model adds",
      "def forward(self, x: Tensor) -> Tensor:\n    return torch.conv1d(x.unsqueeze(1), self.c)\n", {{"c", {8, 1, 5}}},
      {"float32[N,16] from c [8,1,5]"});
  row("a volume", "def forward(self, x: Tensor) -> Tensor:\n    return torch.conv3d(x, self.c)\n",
      {{"c", {4, 2, 3, 3, 3}}}, {"float32[N,2,16,16,16] from c [4,2,3,3,3]"});
  row("a transposed convolution, which a picture grows from",
      "def forward(self, x: Tensor) -> Tensor:\n    return torch.conv_transpose2d(x, self.c)\n", {{"c", {6, 3, 2, 2}}},
      {"float32[N,6,1,1] from c [6,3,2,2]"});
  row("words with places",
      "def forward(self, x: Tensor) -> Tensor:\n"
      "    return torch.linear(torch.embedding(self.e, x) + self.p, self.w)\n",
      {{"e", {100, 8}}, {"p", {1, 20, 8}}, {"w", {5, 8}}}, {"int64[N,20]<100 from e [100,8]"});
  row("two inputs",
      "def forward(self, picture: Tensor, words: Tensor) -> Tensor:\n"
      "    return torch.conv2d(picture, self.c).mean([2, 3]) + torch.embedding(self.e, words).mean([1])\n",
      {{"c", {8, 3, 3, 3}}, {"e", {50, 8}}}, {"float32[N,3,32,32] from c [8,3,3,3]", "int64[N,16]<50 from e [50,8]"});
  row("three dimensions that the model names",
      "def forward(self, x: Tensor) -> Tensor:\n"
      "    n, t, c = x.shape\n"
      "    return torch.linear(x.reshape([n * t, c]), self.w).view([n, t, -1])\n",
      {{"w", {3, 11}}}, {"float32[N,16,11] from w [3,11]"});
  row("what no layer tells", "def forward(self, x: Tensor) -> Tensor:\n    return x.sin()\n", {}, {"nothing"});
  row("no tensor", "def forward(self, x: Tensor, n: int) -> Tensor:\n    return torch.linear(x, self.w) * n\n",
      {{"w", {2, 3}}}, {"float32[N,3] from w [2,3]", "nothing"});
}

void TestInputGuess::theLayersThatAnInputMeetsTellItsShape() {
  QFETCH(const QString, text);
  QFETCH(const QStringList, names);
  QFETCH(const QList<QList<qint64>>, shapes);
  QFETCH(const QStringList, guesses);
  Shapes parameters;
  for (int i = 0; i < names.size(); ++i) {
    parameters[names[i].toStdString()] = std::vector<std::int64_t>(shapes[i].begin(), shapes[i].end());
  }
  QCOMPARE(guessesOf(model_of(text.toStdString(), parameters)), guesses);
}

void TestInputGuess::scriptedLayersTellToo_data() {
  QTest::addColumn<QString>("file");
  QTest::addColumn<QString>("guess");
  const QString rows = QStringLiteral(BINADE_TEST_DATA "/journeys/rows.pt");
  QTest::newRow("linear layers") << rows << "float32[N,8] from first.weight [6,8]";
  QTest::newRow("a convolution and what settles its side")
      << QStringLiteral(BINADE_TEST_DATA "/journeys/pictures.pt")
      << "float32[N,1,4,4] from conv.weight [3,1,3,3], last.weight [4,12]";
  for (const graph::Sample& sample : graph::samples()) {
    // A sample says itself what it takes, with its batch.
    QString spec = QString::fromStdString(sample.inputs.front());
    const QString guess = spec.startsWith(u"dict(") ? QStringLiteral("nothing") : spec.section(u'[', 0, 0);
    QTest::newRow(sample.name.c_str()) << QStringLiteral("sample:") + QString::fromStdString(sample.name) << guess;
  }
}

void TestInputGuess::scriptedLayersTellToo() {
  QFETCH(const QString, file);
  QFETCH(const QString, guess);
  const QStringList found = guessesOf(graph::open_model(file.toStdString(), 1));
  QVERIFY2(found.front().startsWith(guess), qPrintable(found.front()));
}

BINADE_SUITE(TestInputGuess);
#include "tst_input_guess.moc"
