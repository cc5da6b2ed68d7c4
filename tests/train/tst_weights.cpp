// SPDX-License-Identifier: Apache-2.0
#include "engine/files/safetensors.h"
#include "engine/graph/model.h"
#include "engine/train/weights.h"
#include "tests/files/arrays.h"
#include "tests/support/suite.h"

#include <ATen/ops/arange.h>

using binade::Error;
using binade::ErrorCode;
using binade::graph::Model;
using binade::test::arrayFile;
using binade::test::refusal;
using binade::test::says;
using binade::train::load_weights;

namespace {

/// net.pt with every parameter and buffer emptied, so that what is loaded shows.
Model emptied() {
  Model model = Model::load(arrayFile("net.pt"));
  for (auto& [name, tensor] : model.parameters()) tensor.detach().fill_(-1);
  for (auto& [name, tensor] : model.buffers()) tensor.fill_(-1);
  return model;
}

/// make_arrays.py fills the n-th tensor of the state dict with n, n + 1, ...
bool isFilled(const Model& model) {
  const std::vector<std::string> order{
      "conv.weight", "conv.bias", "bn.weight", "bn.bias", "bn.running_mean", "bn.running_var", "bn.num_batches_tracked",
      "fc.weight",   "fc.bias"};
  auto all = model.parameters();
  const auto buffers = model.buffers();
  all.insert(all.end(), buffers.begin(), buffers.end());
  if (all.size() != order.size()) return false;
  for (const auto& [name, tensor] : all) {
    const auto n = std::find(order.begin(), order.end(), name) - order.begin();
    const at::Tensor expected = at::arange(n, n + tensor.numel()).reshape(tensor.sizes()).to(tensor.scalar_type());
    if (!tensor.detach().equal(expected)) return false;
  }
  return true;
}

}  // namespace

class TestWeights : public binade::test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void stateDictsLoadWhereverTheyStand_data();
  void stateDictsLoadWhereverTheyStand();
  void everyDifferenceIsListedAndNothingIsChanged();
  void aBufferThatIsNotThereIsNoted();
  void twoCopiesAreNotGuessedAt();
  void filesThatHoldNoWeightsAreNamed();
};

void TestWeights::stateDictsLoadWhereverTheyStand_data() {
  QTest::addColumn<QString>("file");
  QTest::newRow("state_dict of torch.save") << "state_dict.pth";
  QTest::newRow("safetensors") << "state_dict.safetensors";
  QTest::newRow("in a checkpoint with optimizer and scaler") << "checkpoint.pth";
  QTest::newRow("of DataParallel") << "data_parallel.pth";
  QTest::newRow("in float16") << "half.pth";
}

void TestWeights::stateDictsLoadWhereverTheyStand() {
  QFETCH(const QString, file);
  const Model model = emptied();
  QVERIFY(!isFilled(model));
  const auto notes = load_weights(model, arrayFile(file.toStdString()));
  QVERIFY(isFilled(model));
  QVERIFY(notes.empty());
  for (const auto& [name, tensor] : model.parameters()) {
    QVERIFY(tensor.requires_grad() && tensor.is_leaf() && tensor.scalar_type() == at::kFloat);
  }
}

void TestWeights::everyDifferenceIsListedAndNothingIsChanged() {
  const Model model = emptied();
  const Error error = refusal([&] { load_weights(model, arrayFile("other_model.pth")); });
  QCOMPARE(error.code, ErrorCode::kBadModel);
  QVERIFY2(says(error, QStringLiteral("contains the weights of another model; 3 tensors differ:")), error.what());
  QVERIFY2(says(error, QStringLiteral("conv.bias is missing; the model has float32[2]")), error.what());
  QVERIFY2(says(error, QStringLiteral("fc.weight is float32[5,8], but in the model float32[3,8]")), error.what());
  QVERIFY2(says(error, QStringLiteral("head.weight, float32[2], is not in the model")), error.what());
  for (const auto& [name, tensor] : model.parameters()) QVERIFY(tensor.detach().eq(-1).all().item<bool>());
}

void TestWeights::aBufferThatIsNotThereIsNoted() {
  const Model model = emptied();
  const auto notes = load_weights(model, arrayFile("without_buffer.pth"));
  QCOMPARE(notes.size(), std::size_t{1});
  QVERIFY(QString::fromStdString(notes[0]).startsWith(QStringLiteral("The buffer bn.num_batches_tracked is not in")));
}

void TestWeights::twoCopiesAreNotGuessedAt() {
  const auto state = binade::files::read_safetensors(arrayFile("state_dict.safetensors")).tensors;
  std::vector<std::pair<std::string, at::Tensor>> twice;
  for (const auto& [name, tensor] : state) {
    twice.emplace_back("student." + name, tensor);
    twice.emplace_back("teacher." + name, tensor.clone());
  }
  const std::string file = binade::test::temporaryFolder().toStdString() + "/twice.safetensors";
  binade::files::write_safetensors(file, twice);
  const Error error = refusal([&] { load_weights(emptied(), file); });
  QVERIFY2(says(error, QStringLiteral("several times: under student. and teacher.")), error.what());

  std::vector<std::pair<std::string, at::Tensor>> averaged;
  for (const auto& [name, tensor] : state) {
    averaged.emplace_back("ema." + name, tensor.mul(2));
    averaged.emplace_back("model." + name, tensor);
  }
  binade::files::write_safetensors(file, averaged);
  const Model model = emptied();
  load_weights(model, file);  // by custom
  QVERIFY(isFilled(model));
}

void TestWeights::filesThatHoldNoWeightsAreNamed() {
  QVERIFY(refusal([] { load_weights(emptied(), arrayFile("unsafe_model.pt")); }).code == ErrorCode::kUnsafe);
  const Error other = refusal([] { load_weights(emptied(), arrayFile("tensor.pt")); });
  QVERIFY2(says(other, QStringLiteral("contains the weights of another model; 7 tensors differ")), other.what());
  QVERIFY(
      says(refusal([] { load_weights(emptied(), arrayFile("net.pt")); }), QStringLiteral("is a TorchScript module")));
}

BINADE_SUITE(TestWeights);
#include "tst_weights.moc"
