// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/error.h"
#include "tests/autocast/casting_run.h"
#include "tests/support/suite.h"

#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>

#include <stdexcept>

using namespace binade;

namespace {

constexpr const char* kProduct = "def f(x: Tensor, w: Tensor) -> Tensor:\n    return torch.relu(torch.mm(x, w))\n";

/// Notes every event of the product, and what it finds.
class Events : public graph::SiteHook {
 public:
  Events(std::string name, std::string& log, bool observes = true)
      : name_(std::move(name)), log_(log), observes_(observes) {}

  bool throws = false;
  std::vector<c10::IValue> came{};  ///< of the product
  std::vector<c10::IValue> goes{};
  at::Tensor raw{};  ///< before the results are rounded
  at::Tensor result{};
  bool rounding_known = false;

  bool observes_casts() const override { return observes_; }
  void before(graph::Call& call) override { note(call, "before"); }
  void cast(graph::Call& call, std::span<const c10::IValue> given) override {
    note(call, "cast");
    if (throws) throw std::runtime_error("thrown in a report");
    if (call.site.op != "aten::mm") return;
    came.assign(given.begin(), given.end());
    goes = {call.argument(0), call.argument(1)};
    rounding_known = call.rounding.has_value();
  }
  void ran(graph::Call& call) override {
    note(call, "ran");
    if (call.site.op == "aten::mm") raw = call.result(0).toTensor().clone();
  }
  void after(graph::Call& call) override {
    note(call, "after");
    if (call.site.op == "aten::mm") result = call.result(0).toTensor().clone();
  }
  void failed(graph::Call& call, const std::exception& /*error*/) override { note(call, "failed"); }

 private:
  void note(const graph::Call& call, const char* event) {
    if (call.site.op == "aten::mm") log_ += name_ + " " + event + "\n";
  }

  std::string name_;
  std::string& log_;
  bool observes_;
};

void run(test::CastingRun& product, std::vector<c10::IValue> inputs, std::vector<graph::SiteHook*> hooks) {
  struct End {
    autocast::Autocast& casts;
    ~End() { casts.end(); }
  } end{product.casts()};
  product.casts().begin();
  product.flat().run(std::move(inputs), hooks);
}

}  // namespace

class TestCastReports : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void anArgumentIsReportedAsItCameAndAsItGoes() {
    test::CastingRun product(kProduct, test::stock(policy::Base::kCudaAmp, formats::kFloat16));
    const at::Tensor x = at::ones({2, 2});
    const at::Tensor w = at::ones({2, 2}).to(at::kHalf);
    for (const bool outside : {true, false}) {
      std::string log;
      Events events("it", log);
      run(product, {x, w},
          outside ? std::vector<graph::SiteHook*>{&events, &product.casts()}
                  : std::vector<graph::SiteHook*>{&product.casts(), &events});
      QCOMPARE(events.came.size(), std::size_t{2});
      QVERIFY(events.came[0].toTensor().is_same(x));
      QVERIFY(events.goes[0].toTensor().scalar_type() == at::kHalf);
      QVERIFY(events.came[1].toTensor().is_same(w));
      QVERIFY2(events.goes[1].toTensor().is_same(w), "an argument that is not cast stays");
      QVERIFY(!events.rounding_known);
    }
  }

  void reportsStandBetweenTheHooksOutsideAndInside() {
    test::CastingRun product(kProduct, test::stock(policy::Base::kCudaAmp, formats::kFloat16));
    std::string log;
    Events outer("outer", log);
    Events unasked("unasked", log, /*observes=*/false);
    Events inner("inner", log);
    run(product, {at::ones({2, 2}), at::ones({2, 2})}, {&outer, &unasked, &product.casts(), &inner});
    QCOMPARE(log, std::string("outer before\nunasked before\n"
                              "outer cast\ninner cast\n"
                              "inner before\ninner after\n"
                              "inner ran\nouter ran\n"
                              "unasked after\nouter after\n"));
  }

  // 3 times the float16 nearest to 1/3 is 1 - 2^-12, which float16 does not have.
  void anEmulatedResultIsReportedBeforeItIsRounded() {
    test::CastingRun product(kProduct,
                             test::stock(policy::Base::kCudaAmp, formats::kFloat16, policy::Execution::kEmulated));
    std::string log;
    Events events("it", log);
    run(product, {at::full({1, 1}, 3.0), at::full({1, 1}, 1.0 / 3)}, {&events, &product.casts()});
    QVERIFY(events.rounding_known);
    QVERIFY(events.goes[1].toTensor().scalar_type() == at::kFloat);
    QCOMPARE(events.goes[1].toTensor().item<double>(), 0.333251953125);
    QCOMPARE(events.raw.item<double>(), 1 - 0x1p-12);
    QCOMPARE(events.result.item<double>(), 1.0);
  }

  void anExceptionInAReportFailsTheCallAndTheNextRunIsWhole() {
    test::CastingRun product(kProduct,
                             test::stock(policy::Base::kCudaAmp, formats::kFloat16, policy::Execution::kEmulated));
    std::string log;
    Events outer("outer", log);
    Events inner("inner", log);
    inner.throws = true;
    const std::vector<c10::IValue> inputs{at::full({1, 1}, 3.0), at::full({1, 1}, 1.0 / 3)};
    QVERIFY_EXCEPTION_THROWN(run(product, inputs, {&outer, &product.casts(), &inner}), Error);
    QCOMPARE(log, std::string("outer before\nouter cast\ninner cast\nouter failed\n"));
    inner.throws = false;
    run(product, inputs, {&outer, &product.casts(), &inner});
    QCOMPARE(outer.result.item<double>(), 1.0);
  }
};

BINADE_SUITE(TestCastReports);
#include "tst_cast_reports.moc"
