// SPDX-License-Identifier: Apache-2.0
#include "engine/autocast/autocast.h"
#include "engine/autocast/resolve_executions.h"
#include "engine/graph/flat_graph.h"
#include "engine/graph/samples.h"
#include "engine/host/verify/executor_check.h"
#include "engine/host/verify/verify.h"
#include "tests/support/native_lstm.h"
#include "tests/support/places.h"
#include "tests/support/suite.h"

#include <ATen/Parallel.h>
#include <ATen/autocast_mode.h>
#include <ATen/ops/abs.h>
#include <ATen/ops/add.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/layer_norm.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/lstm.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/zeros.h>
#include <torch/csrc/autograd/variable.h>
#include <torch/csrc/jit/api/module.h>

#include <map>
#include <optional>

using namespace binade;

namespace {

graph::Model fixture(const char* name) {
  return graph::Model::load(std::string(BINADE_TEST_DATA "/models/") + name);
}

/// The dtype of every call's result.
class Dtypes : public graph::SiteHook {
 public:
  void after(graph::Call& call) override {
    if (!call.result(0).isTensor()) return;
    const std::string name = call.site.key.name();
    (call.index == 0 ? of[name] : of[name + " " + std::to_string(call.index)]) =
        call.result(0).toTensor().scalar_type();
  }
  std::map<std::string, at::ScalarType> of;
};

/// A model under a policy.
class Run {
 public:
  Run(graph::Model model, const policy::Policy& policy) : model_(std::move(model)), flat_(model_) {
    std::vector<const graph::Site*> sites;
    for (const auto& site : flat_.sites()) sites.push_back(site.get());
    table = std::make_shared<policy::Resolved>(autocast::resolve_for(policy, sites, {}));
    casts_.set_policy(table);
  }

  c10::IValue forward(std::vector<c10::IValue> inputs) {
    casts_.begin();
    graph::SiteHook* hooks[] = {&dtypes, &casts_};
    c10::IValue output = flat_.run(std::move(inputs), hooks);
    casts_.end();
    return output;
  }

  const graph::Model& model() const { return model_; }

  std::shared_ptr<const policy::Resolved> table;
  Dtypes dtypes;

 private:
  graph::Model model_;
  graph::FlatGraph flat_;
  autocast::Autocast casts_;
};

policy::Policy as_pytorch(policy::Base base) {
  policy::Policy policy;
  policy.base = base;
  policy.low = formats::kBFloat16;
  policy.behaviour = policy::Behaviour::kPyTorch211;
  policy.execution = policy::Execution::kNative;
  return policy;
}

policy::SiteRule rule(const char* match, std::optional<int> call = {}) {
  policy::SiteRule rule;
  rule.match = match;
  rule.call = call;
  rule.format = formats::kBFloat16;
  rule.execution = policy::Execution::kNative;
  return rule;
}

c10::Dict<std::string, at::Tensor> dict_input() {
  c10::Dict<std::string, at::Tensor> inputs;
  inputs.insert("x", at::rand({4, 16}));
  inputs.insert("context", at::rand({4, 8}));
  return inputs;
}

host::VerifyOptions onWhichTheExecutorFails() {
  host::VerifyOptions options;
  options.load = [] { return fixture("executor_fails.pt"); };
  options.inputs = [](int) { return std::vector<c10::IValue>{at::ones({2, 4})}; };
  options.outputs = host::tensors_of;
  return options;
}

/// The loss of make_models.py.
at::Tensor loss_of(const std::vector<at::Tensor>& outputs) {
  at::Tensor loss;
  for (const at::Tensor& output : outputs) {
    const at::Tensor part = output.to(at::kFloat).square().mean();
    loss = loss.defined() ? at::add(loss, part) : part;
  }
  return loss;
}

/// A block of `torch.autocast("cpu", …)`, entered and left as PyTorch does.
class EagerBlock {
 public:
  explicit EagerBlock(bool enabled, bool cache = true) {
    at::autocast::set_autocast_enabled(at::kCPU, enabled);
    at::autocast::set_autocast_dtype(at::kCPU, at::kBFloat16);
    at::autocast::set_autocast_cache_enabled(cache);
    at::autocast::increment_nesting();
  }
  ~EagerBlock() {
    if (at::autocast::decrement_nesting() == 0) at::autocast::clear_cache();
    at::autocast::set_autocast_enabled(at::kCPU, enabled_);
    at::autocast::set_autocast_dtype(at::kCPU, dtype_);
    at::autocast::set_autocast_cache_enabled(cache_);
  }
  EagerBlock(const EagerBlock&) = delete;
  EagerBlock& operator=(const EagerBlock&) = delete;

 private:
  bool enabled_ = at::autocast::is_autocast_enabled(at::kCPU);
  at::ScalarType dtype_ = at::autocast::get_autocast_dtype(at::kCPU);
  bool cache_ = at::autocast::is_autocast_cache_enabled();
};

/// OwnBlocks of tests/data/models/make_models.py, called op by op under LibTorch's own autocast.
class EagerOwnBlocks {
 public:
  explicit EagerOwnBlocks(const graph::Model& model) {
    for (const auto& [name, parameter] : model.parameters()) of_[name] = parameter;
  }

  std::vector<at::Tensor> forward(const at::Tensor& x) const {
    at::Tensor a, b, c, d;
    {
      const EagerBlock low(true);
      a = fc(x);
      const at::Tensor state = at::zeros({1, x.size(0), 8}, a.options());
      b = std::get<0>(at::lstm(a.unsqueeze(0), {state, state},
                               {parameter("lstm.weight_ih_l0"), parameter("lstm.weight_hh_l0"),
                                parameter("lstm.bias_ih_l0"), parameter("lstm.bias_hh_l0")},
                               true, 1, 0.0, true, false, false));
      {
        const EagerBlock off(false);
        c = fc(x.to(at::kFloat));
      }
      b = at::add(b, fc(at::mul(x, 2.0)));
      if (at::autocast::is_autocast_enabled(at::kCPU)) b = at::mul(b, 2.0);
    }
    {
      const EagerBlock uncached(true, false);
      d = at::add(at::mm(c, c.t()), at::mm(a.to(at::kFloat), fc(x).to(at::kFloat).t()));
    }
    at::Tensor e = at::layer_norm(fc(x), {8}, parameter("norm.weight"), parameter("norm.bias"), 1e-5);
    if (at::autocast::is_autocast_enabled(at::kCPU)) e = at::add(e, 1.0);
    return {a, b, c, d, e};
  }

 private:
  const at::Tensor& parameter(const std::string& name) const { return of_.at(name); }
  at::Tensor fc(const at::Tensor& x) const { return at::linear(x, parameter("fc.weight"), parameter("fc.bias")); }

  std::map<std::string, at::Tensor> of_;
};

}  // namespace

class TestModels : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void aModelsOwnAutocastBlocksGiveWhatEagerPyTorchGives_data() {
    QTest::addColumn<QString>("key");
    QTest::addColumn<int>("base");
    QTest::newRow("no autocast around") << QStringLiteral("alone: ") << static_cast<int>(policy::Base::kAllFloat32);
    QTest::newRow("cpu autocast around") << QStringLiteral("inside: ") << static_cast<int>(policy::Base::kCpuAmp);
  }
  void aModelsOwnAutocastBlocksGiveWhatEagerPyTorchGives() {
    QFETCH(QString, key);
    QFETCH(int, base);
    BINADE_NEEDS_BFLOAT16_LSTM();
    at::set_num_threads(1);  // the gradient of a layer norm's weight is a sum over threads
    const auto recorded = fixture("own_blocks_expected.pt").module().attr("tensors").toGenericDict();
    const auto number = [&](const std::string& name) { return recorded.at(key.toStdString() + name).toTensor(); };
    const at::Tensor x = recorded.at("x").toTensor();
    const policy::Policy policy = as_pytorch(static_cast<policy::Base>(base));

    // LibTorch's own autocast on this CPU: equal to the bit.
    const graph::Model by_hand = fixture("own_blocks.pt");
    std::vector<at::Tensor> eager;
    {
      std::optional<EagerBlock> around;
      if (policy.base == policy::Base::kCpuAmp) around.emplace(true);
      eager = EagerOwnBlocks(by_hand).forward(x);
    }
    loss_of(eager).backward();

    // The CPU's view, as PyTorch had it: the block for cuda does nothing.
    graph::Model model = fixture("own_blocks.pt");
    graph::FlatGraph flat(model);
    std::vector<const graph::Site*> sites;
    for (const auto& site : flat.sites()) sites.push_back(site.get());
    policy::Capabilities cpu;
    cpu.list = policy::Base::kCpuAmp;
    autocast::Autocast casts;
    casts.set_policy(std::make_shared<policy::Resolved>(autocast::resolve_for(policy, sites, cpu)));
    graph::SiteHook* hooks[] = {&casts};
    casts.begin();
    const std::vector<at::Tensor> outputs = host::tensors_of(flat.run({x}, hooks));
    casts.end();
    loss_of(outputs).backward();

    // What Python's PyTorch gave when it was recorded: another CPU has other kernels, which round and sum otherwise.
    const auto isRecorded = [&](const at::Tensor& tensor, const std::string& name) {
      const at::Tensor wanted = number(name).to(at::kFloat);
      return tensor.scalar_type() == number(name).scalar_type() &&
             at::allclose(tensor.to(at::kFloat), wanted, 0, 1.0 / 128 * wanted.abs().max().item<double>());
    };
    QCOMPARE(outputs.size(), eager.size());
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      const std::string name = "output" + std::to_string(i);
      QCOMPARE(static_cast<int>(outputs[i].scalar_type()), static_cast<int>(eager[i].scalar_type()));
      QVERIFY2(outputs[i].equal(eager[i]), name.c_str());
      QVERIFY2(isRecorded(outputs[i].detach(), name), name.c_str());
    }
    const auto eagerParameters = by_hand.parameters();
    const auto parameters = model.parameters();
    QCOMPARE(parameters.size(), eagerParameters.size());
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      const auto& [name, parameter] = parameters[i];
      QVERIFY2(parameter.grad().equal(eagerParameters[i].second.grad()), name.c_str());
      QVERIFY2(isRecorded(parameter.grad(), "gradient of " + name), name.c_str());
    }
  }

  void aSiteRuleGoesBeforeTheModelsOwnBlock() {
    policy::Policy policy = as_pytorch(policy::Base::kCpuAmp);
    Run plain(fixture("own_autocast.pt"), policy);
    plain.forward({at::ones({2, 4})});
    QCOMPARE(plain.dtypes.of.at("fc/aten::linear#0"), at::kBFloat16);
    policy.sites.push_back(rule("fc"));
    policy.sites.back().format = formats::kFloat32;
    Run ruled(fixture("own_autocast.pt"), policy);
    ruled.forward({at::ones({2, 4})});
    QCOMPARE(ruled.dtypes.of.at("fc/aten::linear#0"), at::kFloat);
  }

  void aBlockForAnotherDeviceThanTheBaseListDoesNothingAndSaysSo() {
    Run run(fixture("own_autocast.pt"), as_pytorch(policy::Base::kCudaAmp));
    QVERIFY(std::any_of(run.table->findings.begin(), run.table->findings.end(), [](const policy::Finding& finding) {
      return finding.message.find("own autocast block for cpu at make_models.py:") != std::string::npos &&
             finding.message.find("has no effect") != std::string::npos;
    }));
  }

  void bothBranchesOfAnIfAreNamedAndTakeRules() {
    policy::Policy policy = as_pytorch(policy::Base::kAllFloat32);
    policy.sites.push_back(rule("cell/aten::linear#1"));  // the else branch
    Run run(graph::make_sample("control-flow", 1), policy);
    run.forward({dict_input(), 4});
    QCOMPARE(run.dtypes.of.at("cell/aten::linear#0"), at::kFloat);
    QCOMPARE(run.dtypes.of.at("cell/aten::linear#1"), at::kBFloat16);
  }

  void aRuleForOneCallOfALoopHoldsForThatCallInEveryForward() {
    policy::Policy policy = as_pytorch(policy::Base::kAllFloat32);
    policy.sites.push_back(rule("cell/aten::linear#0", 1));
    Run run(graph::make_sample("control-flow", 1), policy);
    for (int forward = 0; forward < 2; ++forward) {
      run.dtypes.of.clear();
      run.forward({dict_input(), 6});
      QCOMPARE(run.dtypes.of.at("cell/aten::linear#0"), at::kFloat);
      QCOMPARE(run.dtypes.of.at("cell/aten::linear#0 1"), at::kBFloat16);
      QCOMPARE(run.dtypes.of.at("cell/aten::linear#0 2"), at::kFloat);
    }
  }

  void dtypesThatTheModelAsksForAreKeptUnderTheLists_data() {
    QTest::addColumn<QString>("file");
    QTest::newRow("scripted") << QStringLiteral("user_dtypes.pt");
    QTest::newRow("traced") << QStringLiteral("user_dtypes_traced.pt");
  }
  void dtypesThatTheModelAsksForAreKeptUnderTheLists() {
    QFETCH(QString, file);
    Run run(fixture(qPrintable(file)), as_pytorch(policy::Base::kCudaAmp));
    const auto outputs = host::tensors_of(run.forward({at::ones({2, 4})}));
    QCOMPARE(run.dtypes.of.at("fc/aten::linear#0"), at::kBFloat16);  // the list
    QCOMPARE(run.dtypes.of.at("aten::to#0"), at::kHalf);             // the model's own words
    QCOMPARE(run.dtypes.of.at("aten::to#1"), at::kFloat);
    QCOMPARE(run.dtypes.of.at("aten::softmax#0"), at::kDouble);
    QCOMPARE(run.dtypes.of.at("aten::sum#0"), at::kFloat);
    QCOMPARE(outputs.at(0).scalar_type(), at::kFloat);
    // Its rounding to float16 and bfloat16 is in the values.
    QVERIFY(outputs.at(0).equal(outputs.at(0).to(at::kBFloat16).to(at::kFloat)));
    QCOMPARE(outputs.at(1).scalar_type(), at::kDouble);
  }

  void whatIsCalledThroughAnInterfaceFollowsTheLists() {
    Run run(fixture("interface_list.pt"), as_pytorch(policy::Base::kCpuAmp));
    const at::Tensor y = run.forward({at::rand({2, 4}), 1}).toTensor();
    QCOMPARE(y.scalar_type(), at::kBFloat16);  // the linear inside is on the list
  }

  /// R10: where that executor fails from the second step on, there is still something to compare with.
  void theReferenceIsNeverTheOptimisingExecutor() {
    host::VerifyOptions options = onWhichTheExecutorFails();
    options.steps = 5;
    try {
      const host::VerifyReport report = host::verify(options);
      QVERIFY2(report.identical, report.first_difference.c_str());
      QCOMPARE(report.steps, 5);
      QVERIFY(report.gradients_compared > 0);
    } catch (const std::exception& error) {
      QFAIL(error.what());
    }
  }

  void whereLibTorchsOptimisingExecutorFailsIsTold() {
    host::VerifyOptions options = onWhichTheExecutorFails();
    const std::string found = host::check_executor(options);
    QVERIFY2(found.find("fails in backward") != std::string::npos, found.c_str());
    QVERIFY2(found.find("backward failed") == std::string::npos && !found.ends_with('.'), found.c_str());
    options.load = [] { return graph::make_sample("mlp", 1); };
    options.inputs = [](int) { return std::vector<c10::IValue>{at::ones({2, 1, 28, 28})}; };
    options.train = false;
    QCOMPARE(QString::fromStdString(host::check_executor(options)), QString());
  }
};

BINADE_SUITE(TestModels);
#include "tst_models.moc"
