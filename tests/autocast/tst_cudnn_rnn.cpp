// SPDX-License-Identifier: Apache-2.0
//
// The rule of _cudnn_rnn, which has a kernel only with CUDA: a stand-in for the CPU tells what it was given.
#include "engine/autocast/region.h"
#include "tests/support/suite.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/zeros.h>
#include <torch/library.h>

using namespace binade;

namespace {

/// What the stand-ins were given, call by call.
struct Given {
  std::vector<at::ScalarType> dtypes;  // input, weights, hx, cx
  bool one_buffer = false;             // the weights lie in the buffer that came with them
  int flattened = 0;
};
Given given;

void flatten_weight(const c10::OperatorHandle& op, torch::jit::Stack* stack) {
  const std::size_t count = op.schema().arguments().size();
  const auto weights = (*stack)[stack->size() - count].toTensorVector();
  std::vector<at::Tensor> flat;
  for (const at::Tensor& weight : weights) flat.push_back(weight.reshape({-1}));
  const at::Tensor buffer = at::cat(flat);
  std::int64_t offset = 0;
  for (const at::Tensor& weight : weights) {
    weight.unsafeGetTensorImpl()->set_storage_keep_dtype(buffer.storage());
    weight.unsafeGetTensorImpl()->set_storage_offset(offset);
    offset += weight.numel();
  }
  ++given.flattened;
  torch::jit::drop(*stack, count);
  stack->emplace_back(buffer);
}

void run_rnn(const c10::OperatorHandle& op, torch::jit::Stack* stack) {
  const std::size_t count = op.schema().arguments().size();
  const auto argument = [&](std::size_t i) { return (*stack)[stack->size() - count + i]; };
  const at::Tensor input = argument(0).toTensor();
  const auto weights = argument(1).toTensorVector();
  given.dtypes = {input.scalar_type(), weights[0].scalar_type(), argument(4).toTensor().scalar_type(),
                  argument(5).toTensor().scalar_type()};
  given.one_buffer = argument(3).isTensor();
  for (const at::Tensor& weight : weights) {
    given.one_buffer = given.one_buffer && weight.storage().is_alias_of(argument(3).toTensor().storage());
  }
  const at::Tensor hidden = argument(4).toTensor();
  torch::jit::drop(*stack, count);
  for (int i = 0; i < 5; ++i) stack->emplace_back(i == 0 ? input.clone() : hidden.clone());
}

/// The kernels, as long as a test needs them.
torch::Library stand_ins() {
  torch::Library library(torch::Library::IMPL, "aten", c10::DispatchKey::CPU, __FILE__, __LINE__);
  library.impl("_cudnn_rnn", torch::CppFunction::makeFromBoxedFunction<&run_rnn>());
  library.impl("_cudnn_rnn_flatten_weight", torch::CppFunction::makeFromBoxedFunction<&flatten_weight>());
  return library;
}

constexpr std::int64_t kFeatures = 4;

std::vector<at::Tensor> lstm_weights(at::ScalarType last) {
  return {at::randn({4 * kFeatures, kFeatures}), at::randn({4 * kFeatures, kFeatures}), at::randn({4 * kFeatures}),
          at::randn({4 * kFeatures}).to(last)};
}

void call(const std::vector<at::Tensor>& weights) {
  constexpr std::int64_t kLstm = 2;
  torch::jit::Stack stack{at::randn({3, 2, kFeatures}),
                          c10::List<at::Tensor>(weights),
                          static_cast<std::int64_t>(weights.size()),
                          c10::IValue(),
                          at::zeros({1, 2, kFeatures}),
                          at::zeros({1, 2, kFeatures}),
                          kLstm,
                          kFeatures,
                          std::int64_t{0},
                          std::int64_t{1},
                          false,
                          0.0,
                          false,
                          false,
                          c10::List<std::int64_t>(),
                          c10::IValue()};
  c10::Dispatcher::singleton().findSchemaOrThrow("aten::_cudnn_rnn", "").callBoxed(&stack);
}

autocast::PolicyRegionArguments lists(policy::Behaviour behaviour) {
  policy::Policy policy;
  policy.base = policy::Base::kCudaAmp;
  policy.low = formats::kBFloat16;
  policy.execution = policy::Execution::kNative;
  policy.behaviour = behaviour;
  return {autocast::table_for(policy), "cpu"};
}

}  // namespace

class TestCudnnRnn : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void weightsLieInOneBufferOfTheDtype_data() {
    QTest::addColumn<bool>("asPyTorch");
    QTest::newRow("pytorch-2.11: always float16") << true;
    QTest::newRow("fixed: the low format") << false;
  }

  void weightsLieInOneBufferOfTheDtype() {
    QFETCH(const bool, asPyTorch);
    const torch::Library kernels = stand_ins();
    given = {};
    const auto weights = lstm_weights(at::kFloat);
    {
      const autocast::Region region(lists(asPyTorch ? policy::Behaviour::kPyTorch211 : policy::Behaviour::kFixed));
      call(weights);
    }
    const at::ScalarType expected = asPyTorch ? at::kHalf : at::kBFloat16;
    QVERIFY(given.dtypes == std::vector<at::ScalarType>(4, expected));
    QVERIFY(given.one_buffer);
    QCOMPARE(given.flattened, 1);
    for (const at::Tensor& weight : weights) QVERIFY(weight.scalar_type() == at::kFloat);  // the model's are untouched
  }

  void weightsOfTwoDtypesAreRefused() {
    const torch::Library kernels = stand_ins();
    const autocast::Region region(lists(policy::Behaviour::kPyTorch211));
    try {
      call(lstm_weights(at::kHalf));
      QFAIL("was taken");
    } catch (const c10::Error& error) {
      QVERIFY(
          QLatin1String(error.what_without_backtrace()).contains(QLatin1String("Weight scalar types do not match.")));
    }
  }

  void outsideARegionNothingIsCast() {
    const torch::Library kernels = stand_ins();
    given = {};
    call(lstm_weights(at::kFloat));
    QVERIFY(given.dtypes == std::vector<at::ScalarType>(4, at::kFloat));
    QCOMPARE(given.flattened, 0);
  }
};

BINADE_SUITE(TestCudnnRnn);

#include "tst_cudnn_rnn.moc"
