// SPDX-License-Identifier: Apache-2.0
//
// What LibTorch really executes: outside a region, in a trace, node by node.
#include "tests/autocast/casting_run.h"
#include "tests/autocast/region_case.h"
#include "tests/support/suite.h"

#include <ATen/ops/linear.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/rand.h>
#include <c10/core/DispatchKeySet.h>
#include <c10/core/impl/LocalDispatchKeySet.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/frontend/tracer.h>
#include <torch/csrc/jit/ir/ir.h>
#include <torch/csrc/jit/passes/autocast.h>

using namespace binade;
using test::Form;
using test::open;

namespace {

/// The keys through which a call on `tensor` goes, as the dispatcher computes them.
c10::DispatchKeySet way_of(const at::Tensor& tensor) {
  const auto local = c10::impl::tls_local_dispatch_key_set();
  return (tensor.key_set() | local.included_) - local.excluded_;
}

bool casts_in(c10::DispatchKeySet way) {
  return !(way & c10::autocast_dispatch_keyset).empty();
}

int count(const torch::jit::Graph& graph, const char* op) {
  int found = 0;
  for (const torch::jit::Node* node : graph.nodes()) found += node->kind() == c10::Symbol::fromQualString(op) ? 1 : 0;
  return found;
}

/// A module of one linear layer, traced.
torch::jit::Module traced_linear(const at::Tensor& weight, const at::Tensor& bias, const at::Tensor& x) {
  torch::jit::Module module("__torch__.Linear");
  module.register_attribute("training", c10::BoolType::get(), false);
  module.register_parameter("weight", weight, false);
  module.register_parameter("bias", bias, false);
  const auto forward = [&module](graph::Stack inputs) {
    return graph::Stack{
        at::linear(inputs[0].toTensor(), module.attr("weight").toTensor(), module.attr("bias").toTensor())};
  };
  const auto no_name = [](const at::Tensor&) { return std::string(); };
  const auto state = torch::jit::tracer::trace({x}, forward, no_name, true, false, &module).first;
  auto* const function = module._ivalue()->compilation_unit()->create_function(
      c10::QualifiedName(*module.type()->name(), "forward"), state->graph);
  module.type()->addMethod(function);
  return module;
}

}  // namespace

class TestWhatRuns : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() { at::manual_seed(1); }

  /// Casting is a dispatch key: where no region is open, a call goes through exactly the keys that it had before there
  /// ever was one, so that it costs nothing.
  void outsideARegionNothingIsInTheWay_data() { test::forms(); }
  void outsideARegionNothingIsInTheWay() {
    QFETCH(const Form, form);
    const at::Tensor a = at::rand({8, 8});
    const auto before = c10::impl::tls_local_dispatch_key_set();
    const c10::DispatchKeySet way = way_of(a);
    QVERIFY(!casts_in(way));
    {
      const autocast::Region region = open(form);
      QVERIFY(casts_in(way_of(a)));
      // Inside, what has its dtype already costs the way through the key, and no cast.
      const at::Tensor low = a.to(at::kBFloat16);
      QCOMPARE(test::casts_of([&low] { at::mm(low, low); }), 0);
      QCOMPARE(test::mm_dtypes_of([&low] { at::mm(low, low); }).size(), std::size_t{2});
      const autocast::Region off = open(form, {}, false);
      QVERIFY(way_of(a) == way);  // a disabled one inside is as free as none
      QCOMPARE(test::casts_of([&a] { at::mm(a, a); }), 0);
      {
        const autocast::Region on_again = open(form);
        QVERIFY(casts_in(way_of(a)));
      }
      QVERIFY(way_of(a) == way);
    }
    const auto after = c10::impl::tls_local_dispatch_key_set();
    QVERIFY(after.included_ == before.included_ && after.excluded_ == before.excluded_);
    QVERIFY(way_of(a) == way);
    QCOMPARE(test::casts_of([&a] { at::mm(a, a); }), 0);
    QCOMPARE(test::mm_dtypes_of([&a] { at::mm(a, a); }).size(), std::size_t{1});
  }

  /// PyTorch's example of inference: a trace without the cache, frozen, run three times.
  void aModelTracedWithoutTheCacheIsFrozenAndRuns_data() { test::forms(); }
  void aModelTracedWithoutTheCacheIsFrozenAndRuns() {
    QFETCH(const Form, form);
    const at::Tensor weight = at::rand({2, 2});
    const at::Tensor bias = at::rand({2});
    const auto traced = [&] {
      const autocast::Region region = open(form, at::kBFloat16, true, false);
      return traced_linear(weight, bias, at::rand({1, 2}));
    }();
    QCOMPARE(count(*traced.get_method("forward").graph(), "aten::to"), 3);  // input, weight, bias
    const bool pass_was_on = torch::jit::setAutocastMode(false);
    const torch::jit::Module frozen = torch::jit::freeze(traced);
    QCOMPARE(count(*frozen.get_method("forward").graph(), "aten::to"), 1);  // the weight's and the bias's are folded
    for (int run = 0; run < 3; ++run) {
      const at::Tensor x = at::rand({1, 2});
      const at::Tensor y = torch::jit::Module(frozen).forward({x}).toTensor();
      QVERIFY(y.scalar_type() == at::kBFloat16);
      const autocast::Region region = open(form, at::kBFloat16);
      QVERIFY(y.equal(at::linear(x, weight, bias)));
    }
    torch::jit::setAutocastMode(pass_was_on);
  }

  /// Two products in float16, then float32: as the table says and as the tensors have it.
  void everyNodeOfAGraphHasTheDtypeThatTheTableSays() {
    class Dtypes : public graph::SiteHook {
     public:
      void after(graph::Call& call) override {
        text += call.site.op + " " + c10::toString(call.result(0).toTensor().scalar_type()) + "\n";
      }
      std::string text;
    };
    test::CastingRun run(
        "def f(x: Tensor, v: Tensor, w: Tensor) -> Tensor:\n"
        "    return torch.sum(torch.softmax(torch.mm(torch.mm(x, v), w), 1))\n",
        test::stock(policy::Base::kCudaAmp, formats::kFloat16));
    Dtypes dtypes;
    run.casts().begin();
    graph::SiteHook* hooks[] = {&dtypes, &run.casts()};
    run.flat().run({at::rand({4, 4}), at::rand({4, 4}), at::rand({4, 4})}, hooks);
    run.casts().end();
    QCOMPARE(dtypes.text, std::string("aten::mm Half\naten::mm Half\naten::softmax Float\naten::sum Float\n"));
    using Kind = policy::Decision::Kind;
    for (const std::size_t product : {0U, 1U}) {
      QVERIFY(run.decision(product).kind == Kind::kFormat && run.decision(product).format == formats::kFloat16);
    }
    QVERIFY(run.decision(2).kind == Kind::kSetDtype && run.decision(3).kind == Kind::kSetDtype);
  }
};

BINADE_SUITE(TestWhatRuns);
#include "tst_what_runs.moc"
