// SPDX-License-Identifier: Apache-2.0
#include "engine/apex/functions.h"
#include "engine/apex/initialize.h"
#include "tests/apex/gather.h"
#include "tests/support/suite.h"

#include <torch/nn/functional/loss.h>
#include <torch/nn/modules/batchnorm.h>
#include <torch/nn/modules/conv.h>
#include <torch/nn/modules/linear.h>
#include <torch/nn/modules/rnn.h>
#include <torch/nn/utils/rnn.h>
#include <torch/optim/sgd.h>

using namespace binade;

namespace {

using Run = std::function<at::Tensor(const at::Tensor&)>;

constexpr std::int64_t kHidden = 64;  // Apex's own sizes
constexpr std::int64_t kBatch = 16;

/// What Apex's tests ask of an op: its output's dtype for a float32 and a float16 input, and that the gradient comes
/// back in the input's own.
struct Row {
  const char* name;
  std::vector<std::int64_t> shape;
  const char* gives;  ///< `half`, `float` or `match`
  Run run;
};

std::vector<Row> rows() {
  const auto other = torch::ones({kHidden, kHidden});
  torch::nn::Linear linear(kHidden, kHidden);
  torch::nn::Conv2d conv(torch::nn::Conv2dOptions(8, 8, 3));
  torch::nn::BatchNorm2d norm(8);
  torch::nn::BatchNorm2d eval_norm(8);
  eval_norm->eval();
  const std::vector<std::int64_t> flat{kBatch, kHidden};
  const std::vector<std::int64_t> image{2, 8, 8, 8};
  return {
      {"Linear", flat, "half", [=](const at::Tensor& x) mutable { return linear->forward(x); }},
      {"linear", flat, "half", [=](const at::Tensor& x) { return torch::linear(x, other); }},
      {"Conv2d", image, "half", [=](const at::Tensor& x) mutable { return conv->forward(x); }},
      {"conv2d", image, "half",
       [](const at::Tensor& x) {
         return torch::conv2d(x, torch::ones({8, 8, 3, 3}));
       }},
      {"matmul method, left", flat, "half", [=](const at::Tensor& x) { return x.matmul(other); }},
      {"matmul, right", {kHidden, kHidden}, "half", [=](const at::Tensor& x) { return torch::matmul(other, x); }},
      {"mm", flat, "half", [=](const at::Tensor& x) { return x.mm(other); }},
      {"prelu", flat, "half", [](const at::Tensor& x) { return torch::prelu(x, torch::ones({1})); }},
      {"softmax", flat, "float", [](const at::Tensor& x) { return torch::softmax(x, 1); }},
      {"group_norm", image, "float", [](const at::Tensor& x) { return torch::group_norm(x, 4); }},
      {"mse_loss", flat, "float", [](const at::Tensor& x) { return torch::mse_loss(x, torch::ones_like(x)); }},
      {"gelu", flat, "float", [](const at::Tensor& x) { return torch::gelu(x); }},
      {"pow method", flat, "float", [](const at::Tensor& x) { return x.pow(2); }},
      {"pow", flat, "float", [](const at::Tensor& x) { return torch::pow(x, 2); }},
      {"sum", flat, "float", [](const at::Tensor& x) { return x.sum(); }},
      {"std", flat, "float", [](const at::Tensor& x) { return x.std(); }},
      {"relu", flat, "match", [](const at::Tensor& x) { return torch::relu(x); }},
      {"tanh", flat, "match", [](const at::Tensor& x) { return torch::tanh(x); }},
      {"BatchNorm2d in training", image, "match", [=](const at::Tensor& x) mutable { return norm->forward(x); }},
      {"BatchNorm2d in eval", image, "match", [=](const at::Tensor& x) mutable { return eval_norm->forward(x); }},
  };
}

at::Tensor input(const std::vector<std::int64_t>& shape, at::ScalarType dtype) {
  return torch::rand(shape).to(dtype).requires_grad_(true);
}

apex::Amp o1(bool allow_banned = false) {
  return apex::Amp({.opt_level = "O1", .verbosity = 0, .allow_banned = allow_banned});
}

bool is(const at::Tensor& tensor, at::ScalarType dtype) {
  return tensor.scalar_type() == dtype;
}

const at::ScalarType kDtypes[] = {at::kFloat, at::kHalf};

}  // namespace

// The casts of O1, as Apex's own tests ask for them.
class TestO1 : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void outputsAndGradientsHaveApexsDtypes_data();
  void outputsAndGradientsHaveApexsDtypes();
  void mixedArgumentsTakeTheWidest();
  void listsTakeTheWidest();
  void inPlaceFloatFunctionsRefuseHalf();
  void inPlaceFunctionsKeepWhatTheyWrite();
  void bannedOpsRefuseHalfOnly();
  void recurrentCellsAreHalf_data();
  void recurrentCellsAreHalf();
  void recurrentLayersAreHalf_data();
  void recurrentLayersAreHalf();
  void packedSequencesAreHalf();
  void weightsStayAsTheyAre();
  void aWeightIsCastOnce();
  void cachedWeightsHaveExactGradients_data();
  void cachedWeightsHaveExactGradients();
  void castsCanBeDisabledAndNest();
  void functionsOfOnesOwnTakeTheirDtype();
};

void TestO1::outputsAndGradientsHaveApexsDtypes_data() {
  QTest::addColumn<int>("row");
  const auto all = rows();
  for (std::size_t i = 0; i < all.size(); ++i) QTest::newRow(all[i].name) << static_cast<int>(i);
}

void TestO1::outputsAndGradientsHaveApexsDtypes() {
  QFETCH(int, row);
  const Row one = rows()[static_cast<std::size_t>(row)];
  const apex::Amp amp = o1();
  for (const at::ScalarType dtype : kDtypes) {
    const at::Tensor x = input(one.shape, dtype);
    at::Tensor y;
    {
      const auto casts = amp.casts();
      y = one.run(x);
    }
    const QString gives = one.gives;
    const at::ScalarType wanted = gives == "half" ? at::kHalf : gives == "float" ? at::kFloat : dtype;
    QVERIFY2(is(y, wanted), c10::toString(y.scalar_type()));
    y.to(at::kFloat).sum().backward();
    QVERIFY2(is(x.grad(), dtype), c10::toString(x.grad().scalar_type()));
  }
}

void TestO1::mixedArgumentsTakeTheWidest() {
  const apex::Amp amp = o1();
  const std::vector<std::function<at::Tensor(const at::Tensor&, const at::Tensor&)>> functions{
      [](const at::Tensor& a, const at::Tensor& b) { return torch::atan2(a, b); },
      [](const at::Tensor& a, const at::Tensor& b) { return a.atan2(b); },
      [](const at::Tensor& a, const at::Tensor& b) { return torch::mul(a, b); },
      [](const at::Tensor& a, const at::Tensor& b) { return a * b; }};
  for (const auto& function : functions) {
    for (const at::ScalarType x_dtype : kDtypes) {
      for (const at::ScalarType y_dtype : kDtypes) {
        const at::Tensor x = input({kBatch, kHidden}, x_dtype);
        const at::Tensor y = torch::rand({kBatch, kHidden}).to(y_dtype);
        at::Tensor out;
        {
          const auto casts = amp.casts();
          out = function(x, y);
        }
        QVERIFY(is(out, x_dtype == at::kHalf && y_dtype == at::kHalf ? at::kHalf : at::kFloat));
        out.to(at::kFloat).sum().backward();
        QVERIFY(is(x.grad(), x_dtype));
      }
    }
  }
}

void TestO1::listsTakeTheWidest() {
  const apex::Amp amp = o1();
  std::vector<at::Tensor> tensors(6, torch::rand({2, 3}).to(at::kHalf));
  const auto casts = amp.casts();
  QVERIFY(is(torch::cat(tensors), at::kHalf));
  tensors.back() = torch::rand({2, 3});
  const at::Tensor whole = torch::cat(tensors);
  QVERIFY(is(whole, at::kFloat));
  QCOMPARE(whole.size(0), std::int64_t{12});
  QVERIFY(is(torch::stack(tensors), at::kFloat));
}

void TestO1::inPlaceFloatFunctionsRefuseHalf() {
  const apex::Amp amp = o1();
  const auto casts = amp.casts();
  at::Tensor single = torch::rand({4});
  single.exp_();
  QVERIFY(is(single, at::kFloat));
  at::Tensor half = torch::rand({4}).to(at::kHalf);
  const at::Tensor before = half.clone();
  QString error = test::errorOf([&] { half.exp_(); });
  QVERIFY2(error.startsWith("Cannot call in-place function aten::exp_ with fp16 arguments."), qPrintable(error));
  error = test::errorOf([&] { half.pow_(2); });
  QVERIFY2(error.contains("aten::pow_"), qPrintable(error));
  QVERIFY(half.equal(before));
}

void TestO1::inPlaceFunctionsKeepWhatTheyWrite() {
  const apex::Amp amp = o1();
  for (const at::ScalarType self : kDtypes) {
    for (const at::ScalarType other : kDtypes) {
      const at::Tensor leaf = input({3, 3}, self);
      at::Tensor x = leaf.clone();
      {
        const auto casts = amp.casts();
        x.add_(torch::rand({3, 3}).to(other));
        x.mul_(torch::rand({3, 3}).to(other));
        x.addmm_(torch::rand({3, 3}).to(other), torch::rand({3, 3}).to(other));  // refuses mixed dtypes by itself
      }
      QVERIFY(is(x, self));
      x.to(at::kFloat).sum().backward();
      QVERIFY(is(leaf.grad(), self));
    }
  }
}

void TestO1::bannedOpsRefuseHalfOnly() {
  const at::Tensor single = torch::rand({4, 4});
  const at::Tensor target = torch::rand({4, 4});
  {
    const apex::Amp amp = o1();
    const auto casts = amp.casts();
    QVERIFY(is(torch::binary_cross_entropy(single, target), at::kFloat));
    const QString error =
        test::errorOf([&] { (void)torch::binary_cross_entropy(single.to(at::kHalf), target.to(at::kHalf)); });
    QVERIFY2(error.contains("with_logits"), qPrintable(error));
  }
  const apex::Amp allowed = o1(/*allow_banned=*/true);
  const auto casts = allowed.casts();
  QVERIFY(is(torch::binary_cross_entropy(single.to(at::kHalf), target), at::kFloat));
}

void TestO1::recurrentCellsAreHalf_data() {
  QTest::addColumn<QString>("cell");
  for (const char* cell : {"RNN", "GRU", "LSTM"}) QTest::newRow(cell) << cell;
}

void TestO1::recurrentCellsAreHalf() {
  QFETCH(QString, cell);
  constexpr std::int64_t h = 8;
  const apex::Amp amp = o1();
  torch::nn::RNNCell rnn(h, h);
  torch::nn::GRUCell gru(h, h);
  torch::nn::LSTMCell lstm(h, h);
  for (const at::ScalarType dtype : kDtypes) {
    const at::Tensor x = input({4, h}, dtype);
    at::Tensor sum = torch::zeros({});
    {
      const auto casts = amp.casts();
      at::Tensor hidden = torch::zeros({4, h}).to(dtype);
      at::Tensor state = torch::zeros({4, h}).to(dtype);
      for (int t = 0; t < 10; ++t) {
        if (cell == "RNN") hidden = rnn->forward(x, hidden);
        if (cell == "GRU") hidden = gru->forward(x, hidden);
        if (cell == "LSTM") std::tie(hidden, state) = lstm->forward(x, std::tuple(hidden, state));
        QVERIFY(is(hidden, at::kHalf));
        sum = sum + hidden.to(at::kFloat).sum();
      }
    }
    sum.backward();
    QVERIFY(is(x.grad(), dtype));
  }
  QVERIFY(is(rnn->weight_ih, at::kFloat) && is(lstm->weight_hh, at::kFloat));
}

void TestO1::recurrentLayersAreHalf_data() {
  QTest::addColumn<QString>("layer");
  QTest::addColumn<int>("layers");
  QTest::addColumn<bool>("both");
  for (const char* layer : {"RNN", "GRU", "LSTM"}) {
    QTest::addRow("%s 1", layer) << layer << 1 << false;
    QTest::addRow("%s 2", layer) << layer << 2 << false;
    QTest::addRow("%s 2 bidirectional", layer) << layer << 2 << true;
  }
}

void TestO1::recurrentLayersAreHalf() {
  QFETCH(QString, layer);
  QFETCH(int, layers);
  QFETCH(bool, both);
  constexpr std::int64_t h = 8;
  using namespace torch::nn;
  RNN rnn(RNNOptions(h, h).num_layers(layers).bidirectional(both).nonlinearity(torch::kReLU));
  GRU gru(GRUOptions(h, h).num_layers(layers).bidirectional(both));
  LSTM lstm(LSTMOptions(h, h).num_layers(layers).bidirectional(both));
  const apex::Amp amp = o1();
  for (const at::ScalarType dtype : kDtypes) {
    const at::Tensor x = input({5, 4, h}, dtype);
    at::Tensor output;
    at::Tensor hidden;
    {
      const auto casts = amp.casts();
      if (layer == "RNN") std::tie(output, hidden) = rnn->forward(x);
      if (layer == "GRU") std::tie(output, hidden) = gru->forward(x);
      if (layer == "LSTM") {
        const auto both_states = lstm->forward(x);
        output = std::get<0>(both_states);
        hidden = std::get<0>(std::get<1>(both_states));
      }
    }
    QVERIFY(is(output, at::kHalf) && is(hidden, at::kHalf));
    output.to(at::kFloat).sum().backward();
    QVERIFY(is(x.grad(), dtype));
  }
}

void TestO1::packedSequencesAreHalf() {
  constexpr std::int64_t h = 8;
  torch::nn::GRU gru(torch::nn::GRUOptions(h, h).num_layers(2));
  const apex::Amp amp = o1();
  for (const at::ScalarType dtype : kDtypes) {
    const at::Tensor x = input({10, 4, h}, dtype);
    const at::Tensor lengths = torch::tensor({10, 8, 6, 5}, at::kLong);
    at::Tensor output;
    {
      const auto casts = amp.casts();
      const auto packed = torch::nn::utils::rnn::pack_padded_sequence(x, lengths);
      output = std::get<0>(gru->forward_with_packed_input(packed)).data();
    }
    QVERIFY(is(output, at::kHalf));
    output.to(at::kFloat).sum().backward();
    QVERIFY(is(x.grad(), dtype));
  }
}

void TestO1::weightsStayAsTheyAre() {
  torch::nn::Linear linear(4, 4);
  const at::Tensor weight = linear->weight;
  const at::Tensor before = weight.detach().clone();
  const apex::Amp amp = o1();
  {
    const auto casts = amp.casts();
    QVERIFY(is(linear->forward(torch::rand({2, 4})), at::kHalf));
  }
  QVERIFY(linear->weight.is_same(weight) && is(weight, at::kFloat) && weight.equal(before));
}

void TestO1::aWeightIsCastOnce() {
  // Both uses share one cast: their gradients meet in float16, before the cast back to float32.
  const at::Tensor weight = torch::full({1, 1}, 1.0F).requires_grad_(true);
  const apex::Amp amp = o1();
  at::Tensor loss;
  {
    const auto casts = amp.casts();
    const at::Tensor big = torch::full({1, 1}, 2048.0F);
    const at::Tensor small = torch::full({1, 1}, 1.0F);
    loss = torch::mm(big, weight).to(at::kFloat).sum() + torch::mm(small, weight).to(at::kFloat).sum();
  }
  loss.backward();
  QCOMPARE(weight.grad().item<float>(), 2048.0F);  // 2049 is no float16; two casts would give it
}

void TestO1::cachedWeightsHaveExactGradients_data() {
  QTest::addColumn<QString>("module");
  QTest::addColumn<bool>("half");
  for (const char* module : {"whitelist", "blacklist", "promote"}) {
    for (const bool half : {true, false}) QTest::addRow("%s %s", module, half ? "fp16" : "fp32") << module << half;
  }
}

void TestO1::cachedWeightsHaveExactGradients() {
  QFETCH(QString, module);
  QFETCH(bool, half);
  const bool square = module == "whitelist";
  at::Tensor weight = torch::arange(square ? 64 : 16, at::kFloat).reshape({square ? 8 : 2, 8});
  weight = weight.to(half ? at::kHalf : at::kFloat).requires_grad_(true);
  const at::Tensor x = torch::ones({2, 8});
  torch::optim::SGD sgd({weight}, 1.0);
  apex::Amp amp = o1();
  amp.load_state_dict({{"loss_scaler0", {4.0, 0}}});
  apex::Optimizer optimizer(sgd, amp);
  const auto forward = [&] {
    const auto casts = amp.casts();
    if (module == "whitelist") return x.mm(weight).mm(weight).to(at::kFloat).sum();
    if (module == "blacklist") return (x + torch::pow(weight, 2) + torch::pow(weight, 2)).sum();
    return ((x * weight) * weight).sum();
  };
  const auto expected = [&](int step) {
    const at::Tensor w = torch::arange(square ? 64 : 16, at::kFloat).reshape({square ? 8 : 2, 8}) - step;
    if (module == "blacklist") return at::Tensor(4 * w);
    if (module == "promote") return at::Tensor(2 * w);
    const at::Tensor i = torch::arange(8, at::kFloat).reshape({8, 1});
    const at::Tensor j = torch::arange(8, at::kFloat).reshape({1, 8});
    return at::Tensor((step == 0 ? 504 : 472) + 16 * i + 128 * j);
  };
  for (int step = 0; step < 2; ++step) {
    {
      const auto loss = amp.scale_loss(forward(), optimizer);
      loss->backward();
    }
    QVERIFY(is(weight.grad(), half ? at::kHalf : at::kFloat));
    QVERIFY2(weight.grad().to(at::kFloat).equal(expected(step)),
             qPrintable(QString::number(weight.grad()[0][1].item<float>())));
    {
      const at::NoGradGuard no_history;
      weight.sub_(1);
      weight.mutable_grad().reset();
      (void)forward();  // eval between the steps must leave no stale copy
    }
  }
}

void TestO1::castsCanBeDisabledAndNest() {
  const at::Tensor x = torch::rand({2, 2});
  const apex::Amp amp = o1();
  QVERIFY(is(x.mm(x), at::kFloat));
  {
    const auto casts = amp.casts();
    QVERIFY(is(x.mm(x), at::kHalf));
    {
      const auto off = amp.disable_casts();
      QVERIFY(is(x.mm(x), at::kFloat));
      {
        const auto again = amp.disable_casts();
        QVERIFY(is(x.mm(x), at::kFloat));
        at::Tensor half = x.to(at::kHalf);
        half.exp_();  // no refusal where nothing is cast
      }
      QVERIFY(is(x.mm(x), at::kFloat));  // Apex would cast again here
    }
    QVERIFY(is(x.mm(x), at::kHalf));
    try {
      const auto off = amp.disable_casts();
      throw std::runtime_error("the caller's");
    } catch (const std::runtime_error&) {
    }
    QVERIFY(is(x.mm(x), at::kHalf));
  }
  QVERIFY(is(x.mm(x), at::kFloat));
}

void TestO1::functionsOfOnesOwnTakeTheirDtype() {
  const auto first = [](const at::Tensor& x, int times) { return x * times; };
  const auto half = apex::half_function(first);
  const auto single = apex::float_function(first);
  const auto sum = [](const at::Tensor& x, const std::vector<at::Tensor>& more) { return x + more[0]; };
  const auto promoted = apex::promote_function([](const at::Tensor& x, const std::vector<at::Tensor>& more) {
    if (x.scalar_type() != more[0].scalar_type()) throw std::runtime_error("the dtypes differ");
    return x + more[0];
  });
  const at::Tensor weight = torch::ones({2}).requires_grad_(true);
  const at::Tensor low = torch::ones({2}, at::kHalf);
  // Without casts they are the functions themselves.
  QVERIFY(is(half(weight, 2), at::kFloat) && is(single(low, 2), at::kHalf));
  QVERIFY_THROWS_EXCEPTION(std::runtime_error, (void)promoted(weight, std::vector<at::Tensor>{low}));
  QVERIFY(is(sum(weight, {low}), at::kFloat));
  const apex::Amp amp = o1();
  const auto casts = amp.casts();
  QVERIFY(is(half(weight, 2), at::kHalf) && is(single(low, 2), at::kFloat));
  QVERIFY(is(promoted(weight, std::vector<at::Tensor>{low}), at::kFloat));
  QVERIFY(is(promoted(low, std::vector<at::Tensor>{low}), at::kHalf));
  const auto mix = std::vector<at::Tensor>{torch::ones({2}, at::kDouble)};
  QVERIFY(test::errorOf([&] {
            (void)promoted(low, mix);
          }).startsWith("Do not know how to handle these types to promote: Half, Double"));
  half(weight, 2).to(at::kFloat).sum().backward();
  QVERIFY(is(weight.grad(), at::kFloat));
  const auto off = amp.disable_casts();
  QVERIFY(is(half(weight, 2), at::kFloat));
}

BINADE_SUITE(TestO1);
#include "tst_o1.moc"
