// SPDX-License-Identifier: Apache-2.0
#include "engine/apex/initialize.h"
#include "engine/graph/samples.h"
#include "tests/apex/gather.h"
#include "tests/support/suite.h"

#include <torch/csrc/jit/api/module.h>
#include <torch/nn/modules/batchnorm.h>
#include <torch/nn/modules/container/sequential.h>
#include <torch/nn/modules/linear.h>
#include <torch/nn/modules/loss.h>
#include <torch/optim/adam.h>
#include <torch/optim/sgd.h>

using namespace binade;

namespace {

struct NetImpl : torch::nn::Module {
  NetImpl() : first(4, 3), norm(3), second(3, 2) {
    register_module("first", first);
    register_module("norm", norm);
    register_module("second", second);
  }
  at::Tensor forward(const at::Tensor& x) {
    seen = x.scalar_type();
    return second(torch::relu(norm(first(x))));
  }
  torch::nn::Linear first;
  torch::nn::BatchNorm1d norm;
  torch::nn::Linear second;
  at::ScalarType seen = at::kFloat;
};
TORCH_MODULE(Net);

/// Takes and gives containers.
struct NestedImpl : torch::nn::Module {
  NestedImpl() : linear(2, 2) { register_module("linear", linear); }
  std::map<std::string, std::vector<at::Tensor>> forward(const std::tuple<at::Tensor, std::vector<at::Tensor>>& batch,
                                                         int count) {
    seen = std::get<1>(batch)[0].scalar_type();
    return {{"out", {linear(std::get<0>(batch)), torch::full({1}, count, at::kLong)}}};
  }
  torch::nn::Linear linear;
  at::ScalarType seen = at::kFloat;
};
TORCH_MODULE(Nested);

struct FakeDataParallelImpl : torch::nn::Module {
  at::Tensor forward(const at::Tensor& x) { return x; }
};
TORCH_MODULE(FakeDataParallel);

apex::Options at_level(const char* level) {
  return {.opt_level = level, .verbosity = 0};
}

}  // namespace

// initialize(): what goes in, what comes out, and what each level makes of it.
class TestInitialize : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void defaultsAreApexs();
  void shapesComeBackAsTheyWent();
  void dtypesOfEveryLevel_data();
  void dtypesOfEveryLevel();
  void halfAndFloatInputsGiveTheSame();
  void outputsAreCastAtEveryLevel_data();
  void outputsAreCastAtEveryLevel();
  void containersGoThrough();
  void disabledChangesNothing();
  void theFirstLevelIsThePlainScript();
  void halfModelsAreRefused();
  void parallelWrappersAreRefused();
  void optimizersPassOnce();
  void whatIsPrinted();
  void nothingIsPrintedWhenSilent();
  void stateOfTheOptimizerFollowsTheModel();
  void levelTwoIsTheManualMasterLoop();
  void torchScriptModelsWork();
  void everyLevelTrains_data();
  void everyLevelTrains();
};

void TestInitialize::defaultsAreApexs() {
  const apex::Options options;
  QVERIFY(options.enabled && options.opt_level == "O1" && options.num_losses == 1 && options.verbosity == 1);
  QVERIFY(!options.cast_model_type && !options.patch_torch_functions && !options.keep_batchnorm_fp32);
  QVERIFY(!options.master_weights && !options.loss_scale && !options.cast_model_outputs && !options.min_loss_scale);
  QCOMPARE(options.max_loss_scale, 16777216.0);
}

void TestInitialize::shapesComeBackAsTheyWent() {
  {
    Net net;
    torch::optim::SGD sgd(net->parameters(), 0.1);
    auto [amp, model, optimizer] = apex::initialize(net, sgd, at_level("O2"));
    QVERIFY((std::is_same_v<decltype(model), apex::Model<Net>>));
    QVERIFY((std::is_same_v<decltype(optimizer), apex::Optimizer>));
    QVERIFY((*model).ptr() == net.ptr());
  }
  {
    const std::vector<Net> nets{Net(), Net()};
    torch::optim::SGD sgd(nets[0]->parameters(), 0.1);
    torch::optim::SGD other(nets[1]->parameters(), 0.1);
    auto [amp, models, optimizers] =
        apex::initialize(nets, std::vector<torch::optim::Optimizer*>{&sgd, &other}, at_level("O2"));
    QCOMPARE(models.size(), std::size_t{2});
    QCOMPARE(optimizers.size(), std::size_t{2});
    QVERIFY(&optimizers[1].wrapped() == &other);
  }
  {
    Net net;
    Nested nested;
    auto [amp, models] = apex::initialize(std::tuple(net, nested), at_level("O3"));
    QVERIFY((*std::get<1>(models))->linear->weight.scalar_type() == at::kHalf);
  }
  {
    auto [amp, model] = apex::initialize(Net(), at_level("O3"));  // inference: only the model
    QVERIFY((*model)->first->weight.scalar_type() == at::kHalf);
  }
}

void TestInitialize::dtypesOfEveryLevel_data() {
  QTest::addColumn<QString>("level");
  QTest::addColumn<int>("weights");
  QTest::addColumn<int>("norm");
  QTest::addColumn<int>("input");
  QTest::addColumn<bool>("masters");
  const int half = static_cast<int>(at::kHalf);
  const int single = static_cast<int>(at::kFloat);
  QTest::newRow("O0") << "O0" << single << single << single << false;
  QTest::newRow("O1") << "O1" << single << single << static_cast<int>(at::kDouble) << false;
  QTest::newRow("O2") << "O2" << half << single << half << true;
  QTest::newRow("O3") << "O3" << half << half << half << false;
}

void TestInitialize::dtypesOfEveryLevel() {
  QFETCH(QString, level);
  QFETCH(int, weights);
  QFETCH(int, norm);
  QFETCH(int, input);
  QFETCH(bool, masters);
  Net net;
  torch::optim::SGD sgd(net->parameters(), 0.1);
  auto [amp, model, optimizer] = apex::initialize(net, sgd, at_level(level.toStdString().c_str()));
  QCOMPARE(static_cast<int>(net->first->weight.scalar_type()), weights);
  QCOMPARE(static_cast<int>(net->norm->weight.scalar_type()), norm);
  QCOMPARE(static_cast<int>(net->norm->running_mean.scalar_type()), norm);
  QVERIFY(net->norm->num_batches_tracked.scalar_type() == at::kLong);
  // Any floating input goes to the model's dtype; without a model cast it stays as it came (O1 casts in the ops).
  const at::Tensor output = model(torch::randn({5, 4}, level == "O1" ? at::kFloat : at::kDouble));
  if (level != "O1") {
    QCOMPARE(static_cast<int>(net->seen), input);
    QVERIFY(output.scalar_type() == at::kFloat);
  } else {
    QVERIFY(output.scalar_type() == at::kHalf);
  }
  {
    const auto scaled = amp.scale_loss(output.to(at::kFloat).square().mean(), optimizer);
    scaled->backward();
  }
  optimizer.step();
  QCOMPARE(optimizer.masters() != nullptr, masters);
  if (!masters) return;
  QCOMPARE(optimizer.masters()->pairs().size(), std::size_t{4});
  QCOMPARE(optimizer.masters()->float32_parameters().size(), std::size_t{2});  // of the batch norm
  for (const auto& pair : optimizer.masters()->pairs()) QVERIFY(pair.model.equal(pair.master.to(at::kHalf)));
}

void TestInitialize::halfAndFloatInputsGiveTheSame() {
  for (const char* level : {"O2", "O3"}) {
    Net net;
    auto [amp, model] = apex::initialize(net, at_level(level));
    const at::Tensor x = torch::randn({5, 4}).to(at::kHalf);
    net->eval();
    QVERIFY(model(x).equal(model(x.to(at::kFloat))));
  }
}

void TestInitialize::outputsAreCastAtEveryLevel_data() {
  QTest::addColumn<QString>("level");
  QTest::addColumn<int>("dtype");
  for (const char* level : {"O0", "O1", "O2", "O3"}) {
    for (const auto dtype : {at::kHalf, at::kFloat}) {
      QTest::addRow("%s %d", level, static_cast<int>(dtype)) << QString(level) << static_cast<int>(dtype);
    }
  }
}

void TestInitialize::outputsAreCastAtEveryLevel() {
  QFETCH(QString, level);
  QFETCH(int, dtype);
  apex::Options options = at_level(level.toStdString().c_str());
  options.cast_model_outputs = static_cast<at::ScalarType>(dtype);
  auto [amp, model] = apex::initialize(Nested(), options);
  const auto output = model(std::tuple(torch::ones({1, 2}), std::vector<at::Tensor>{torch::ones({1})}), 7);
  QCOMPARE(static_cast<int>(output.at("out")[0].scalar_type()), dtype);
  QVERIFY(output.at("out")[1].scalar_type() == at::kLong);
}

void TestInitialize::containersGoThrough() {
  Nested nested;
  auto [amp, model] = apex::initialize(nested, at_level("O2"));
  const auto output = model(std::tuple(torch::ones({1, 2}), std::vector<at::Tensor>{torch::ones({1})}), 7);
  QVERIFY(nested->seen == at::kHalf);
  QVERIFY(output.at("out")[0].scalar_type() == at::kFloat);
  QCOMPARE(output.at("out")[1].item<int>(), 7);
}

void TestInitialize::disabledChangesNothing() {
  torch::manual_seed(3);
  Net with;
  torch::manual_seed(3);
  Net without;
  torch::optim::Adam adam(with->parameters(), 0.01);
  torch::optim::Adam plain(without->parameters(), 0.01);
  auto [amp, model, optimizer] = apex::initialize(with, adam, {.enabled = false, .opt_level = "O2"});
  for (int step = 0; step < 3; ++step) {
    const at::Tensor x = torch::randn({5, 4});
    optimizer.zero_grad();
    plain.zero_grad();
    const at::Tensor loss = model(x).square().mean();
    {
      const auto scaled = amp.scale_loss(loss, optimizer);
      QVERIFY(scaled->is_same(loss));
      scaled->backward();
    }
    without->forward(x).square().mean().backward();
    optimizer.step();
    plain.step();
  }
  for (std::size_t i = 0; i < with->parameters().size(); ++i)
    QVERIFY(with->parameters()[i].equal(without->parameters()[i]));
  QCOMPARE(apex::master_params(optimizer).size(), with->parameters().size());
}

void TestInitialize::theFirstLevelIsThePlainScript() {
  torch::manual_seed(3);
  Net with;
  torch::manual_seed(3);
  Net without;
  torch::optim::SGD sgd(with->parameters(), torch::optim::SGDOptions(0.1).momentum(0.9));
  torch::optim::SGD plain(without->parameters(), torch::optim::SGDOptions(0.1).momentum(0.9));
  auto [amp, model, optimizer] = apex::initialize(with, sgd, at_level("O0"));
  for (int step = 0; step < 4; ++step) {
    const at::Tensor x = torch::randn({5, 4});
    optimizer.zero_grad();
    plain.zero_grad();
    {
      const auto scaled = amp.scale_loss(model(x).square().mean(), optimizer);
      scaled->backward();
    }
    without->forward(x).square().mean().backward();
    optimizer.step();
    plain.step();
  }
  QVERIFY(!with->parameters().empty());
  for (std::size_t i = 0; i < with->parameters().size(); ++i)
    QVERIFY(with->parameters()[i].equal(without->parameters()[i]));
}

void TestInitialize::halfModelsAreRefused() {
  for (const char* level : {"O0", "O1", "O2", "O3"}) {
    Net net;
    net->second->to(at::kHalf);
    const QString error = test::errorOf([&] { apex::initialize(net, at_level(level)); });
    QVERIFY2(error.startsWith("Found parameter second.weight with type Half, expected Float"), qPrintable(error));
  }
}

void TestInitialize::parallelWrappersAreRefused() {
  const QString error = test::errorOf([&] { apex::initialize(FakeDataParallel(), at_level("O1")); });
  QVERIFY2(error.contains("only be applied to the model after initialize()"), qPrintable(error));
}

void TestInitialize::optimizersPassOnce() {
  Net net;
  torch::optim::SGD sgd(net->parameters(), 0.1);
  const auto first = apex::initialize(net, sgd, at_level("O1"));
  QVERIFY(test::errorOf([&] {
            apex::initialize(net, sgd, at_level("O1"));
          }).startsWith("A given optimizer should only be passed through initialize() once."));
  torch::optim::SGD other(net->parameters(), 0.1);
  QVERIFY(test::errorOf([&] {
            apex::initialize(net, std::vector<torch::optim::Optimizer*>{&other, &other}, at_level("O1"));
          }).startsWith("A given optimizer"));
}

void TestInitialize::whatIsPrinted() {
  std::vector<std::string> lines;
  const apex::Amp amp(
      {.opt_level = "O2", .loss_scale = "128.0", .print = [&](const std::string& line) { lines.push_back(line); }});
  QCOMPARE(lines.size(), std::size_t{18});
  QCOMPARE(lines[0],
           std::string("Selected optimization level O2:  FP16 training with FP32 batchnorm and FP32 master weights."));
  QCOMPARE(lines[1], std::string("Defaults for this optimization level are:"));
  QCOMPARE(lines[8], std::string("loss_scale             : dynamic"));
  QCOMPARE(lines[9], std::string("Processing user overrides (additional kwargs that are not None)..."));
  QCOMPARE(lines[10], std::string("After processing overrides, optimization options are:"));
  QCOMPARE(lines[17], std::string("loss_scale             : 128.0"));
}

void TestInitialize::nothingIsPrintedWhenSilent() {
  int lines = 0;
  const apex::Amp amp({.verbosity = 0, .print = [&](const std::string&) { ++lines; }});
  const at::Tensor weight = torch::ones({1}).requires_grad_(true);
  torch::optim::SGD sgd({weight}, 0.1);
  apex::Optimizer optimizer(sgd, amp);
  {
    const auto scaled = amp.scale_loss(weight.mul(std::numeric_limits<double>::infinity()).sum(), optimizer);
    scaled->backward();
  }
  optimizer.step();
  QCOMPARE(lines, 0);
}

void TestInitialize::stateOfTheOptimizerFollowsTheModel() {
  Net net;
  torch::optim::SGD sgd(net->parameters(), torch::optim::SGDOptions(0.1).momentum(0.9));
  net->forward(torch::randn({5, 4})).sum().backward();
  sgd.step();
  auto [amp, model, optimizer] = apex::initialize(net, sgd, at_level("O3"));
  const auto& state = *sgd.state().at(net->first->weight.unsafeGetTensorImpl());
  QVERIFY(static_cast<const torch::optim::SGDParamState&>(state).momentum_buffer().scalar_type() == at::kHalf);
}

void TestInitialize::levelTwoIsTheManualMasterLoop() {
  torch::manual_seed(5);
  torch::nn::Linear with(4, 2);
  torch::manual_seed(5);
  torch::nn::Linear without(4, 2);
  torch::optim::SGD sgd(with->parameters(), torch::optim::SGDOptions(0.1).momentum(0.9));
  auto [amp, model, optimizer] = apex::initialize(with, sgd, {.opt_level = "O2", .loss_scale = 1024.0, .verbosity = 0});
  // By hand, as FP16_Optimizer did it: half weights, float32 copies, a scale.
  without->to(at::kHalf);
  std::vector<at::Tensor> masters;
  for (const at::Tensor& weight : without->parameters())
    masters.push_back(weight.detach().to(at::kFloat).requires_grad_(true));
  torch::optim::SGD by_hand(masters, torch::optim::SGDOptions(0.1).momentum(0.9));
  for (int step = 0; step < 5; ++step) {
    const at::Tensor x = torch::randn({3, 4});
    optimizer.zero_grad();
    {
      const auto scaled = amp.scale_loss(model(x).square().mean(), optimizer);
      scaled->backward();
    }
    optimizer.step();
    without->zero_grad();
    (without->forward(x.to(at::kHalf)).to(at::kFloat).square().mean() * 1024.0).backward();
    for (std::size_t i = 0; i < masters.size(); ++i) {
      masters[i].mutable_grad() = without->parameters()[i].grad().to(at::kFloat) / 1024.0;
    }
    by_hand.step();
    const at::NoGradGuard no_history;
    for (std::size_t i = 0; i < masters.size(); ++i) without->parameters()[i].copy_(masters[i]);
  }
  QCOMPARE(masters.size(), std::size_t{2});  // weight and bias
  for (std::size_t i = 0; i < masters.size(); ++i) {
    QVERIFY(with->parameters()[i].equal(without->parameters()[i]));
    QVERIFY(apex::master_params(optimizer)[i].equal(masters[i]));
  }
}

void TestInitialize::torchScriptModelsWork() {
  const graph::Model sample = graph::make_sample("mlp", 1);
  std::vector<at::Tensor> parameters;
  for (const auto& [name, tensor] : sample.parameters()) parameters.push_back(tensor);
  torch::optim::SGD sgd(parameters, 0.1);
  auto [amp, model, optimizer] = apex::initialize(sample, sgd, at_level("O2"));
  QVERIFY(sample.parameters()[0].second.scalar_type() == at::kHalf);
  const c10::IValue output = model(std::vector<c10::IValue>{torch::randn({2, 1, 28, 28})});
  QVERIFY(output.toTensor().scalar_type() == at::kFloat);
  {
    const auto scaled = amp.scale_loss(output.toTensor().square().mean(), optimizer);
    scaled->backward();
  }
  optimizer.step();
  QCOMPARE(optimizer.masters()->pairs().size(), parameters.size());
}

void TestInitialize::everyLevelTrains_data() {
  QTest::addColumn<QString>("level");
  for (const char* level : {"O0", "O1", "O2", "O3"}) QTest::newRow(level) << QString(level);
}

void TestInitialize::everyLevelTrains() {
  QFETCH(QString, level);
  torch::manual_seed(1);
  Net net;
  torch::optim::SGD sgd(net->parameters(), torch::optim::SGDOptions(0.05));
  auto [amp, model, optimizer] = apex::initialize(net, sgd, at_level(level.toStdString().c_str()));
  const at::Tensor x = torch::randn({32, 4});
  const at::Tensor y = x.slice(1, 0, 2);
  double first = 0;
  double last = 0;
  for (int step = 0; step < 60; ++step) {
    optimizer.zero_grad();
    at::Tensor loss;
    {
      const auto casts = amp.casts();
      loss = torch::mse_loss(model(x), y);
    }
    QVERIFY(loss.scalar_type() == at::kFloat);
    {
      const auto scaled = amp.scale_loss(loss, optimizer);
      scaled->backward();
    }
    optimizer.step();
    last = loss.item<double>();
    if (step == 0) first = last;
  }
  QVERIFY2(last < first / 2, qPrintable(QStringLiteral("%1 -> %2").arg(first).arg(last)));
}

BINADE_SUITE(TestInitialize);
#include "tst_initialize.moc"
