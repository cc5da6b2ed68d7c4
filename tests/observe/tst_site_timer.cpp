// SPDX-License-Identifier: Apache-2.0
#include "engine/graph/flat_graph.h"
#include "engine/observe/observer.h"
#include "engine/observe/site_timer.h"
#include "tests/support/suite.h"

#include <ATen/ops/ones.h>
#include <ATen/ops/rand.h>
#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/function_hook.h>
#include <torch/csrc/autograd/variable.h>

#include <mutex>
#include <set>
#include <thread>

using namespace binade;
using observe::Part;

namespace {

constexpr const char* kText =
    "def f(x: Tensor, w: Tensor, v: Tensor) -> Tensor:\n"
    "    h = torch.relu(torch.linear(x, w))\n"
    "    return torch.sum(torch.matmul(h, v))\n";

/// Writes down what it hears.
class Marks : public observe::SiteMarks {
 public:
  void enter(int site, Part part) noexcept override {
    const std::lock_guard lock(mutex);
    ++open;
    entered.insert({site, part});
    if (part == Part::kBackward) backward_on = std::this_thread::get_id();
  }
  void leave() noexcept override {
    const std::lock_guard lock(mutex);
    --open;
    if (open < 0) too_often = true;
  }
  std::mutex mutex;
  int open = 0;
  bool too_often = false;
  std::set<std::pair<int, Part>> entered;
  std::thread::id backward_on;
};

/// A graph with a timer around an observer, as training nests them.
struct Timed {
  graph::FlatGraph flat = graph::FlatGraph::from_text(kText, "f", "m", 0);
  observe::SiteTimer timer;
  observe::Observer observer;
  Marks marks;
  at::Tensor x = at::rand({8, 32});
  at::Tensor w = at::rand({16, 32}).requires_grad_(true);
  at::Tensor v = at::rand({16, 4}).requires_grad_(true);

  Timed() {
    observer.set_timer(&timer);
    timer.set_marks(&marks);
  }

  at::Tensor forward(bool on, observe::Level level = observe::Level::kOff) {
    timer.begin(on);
    observer.begin(level);
    graph::SiteHook* hooks[] = {&timer, &observer};
    return flat.run({x, w, v}, hooks).toTensor();
  }

  static double of(const observe::SiteSeconds& site, Part part) { return site.seconds[static_cast<std::size_t>(part)]; }
};

}  // namespace

class TestSiteTimer : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void everySiteHasATimeForwardAndBackward() {
    Timed run;
    run.forward(true).backward();
    const auto sites = run.timer.finish();
    QCOMPARE(sites.size(), std::size_t{4});
    for (const observe::SiteSeconds& site : sites) {
      QCOMPARE(site.calls, 1);
      QVERIFY(Timed::of(site, Part::kForward) > 0);
      QVERIFY2(Timed::of(site, Part::kBackward) > 0, qPrintable(QString::number(site.site)));
      QCOMPARE(Timed::of(site, Part::kObserve), 0.0);
    }
    // Two parameters' gradients were added up, by the sites that use them.
    QVERIFY(Timed::of(sites[0], Part::kAccumulate) > 0);
    QCOMPARE(Timed::of(sites[1], Part::kAccumulate), 0.0);
    QVERIFY(Timed::of(sites[2], Part::kAccumulate) > 0);
    QCOMPARE(run.marks.open, 0);
    QVERIFY(!run.marks.too_often);
    QVERIFY(run.marks.entered.count({0, Part::kAccumulate}) == 1);
    QVERIFY(run.marks.entered.count({1, Part::kBackward}) == 1);
  }

  void whatTheObserverTakesIsItsOwn() {
    Timed run;
    run.forward(true, observe::Level::kHistogram).backward();
    run.observer.finish();
    const auto sites = run.timer.finish();
    QVERIFY(!sites.empty());
    for (const observe::SiteSeconds& site : sites) QVERIFY(Timed::of(site, Part::kObserve) > 0);
    QCOMPARE(run.marks.open, 0);
  }

  void timingChangesNoBit() {
    Timed run;
    run.forward(false).backward();
    const at::Tensor w = run.w.grad().clone(), v = run.v.grad().clone();
    run.w.mutable_grad().reset();
    run.v.mutable_grad().reset();
    run.forward(true).backward();
    QVERIFY(run.w.grad().equal(w));
    QVERIFY(run.v.grad().equal(v));
  }

  void switchedOffItLeavesNoHook() {
    Timed run;
    const at::Tensor loss = run.forward(false);
    QVERIFY(loss.grad_fn()->pre_hooks().empty());
    QVERIFY(loss.grad_fn()->post_hooks().empty());
    loss.backward();
    QVERIFY(run.timer.finish().empty());
    QVERIFY(run.marks.entered.empty());
  }

  void aStepThatThrowsLeavesNothingBehind() {
    Timed run;
    const at::Tensor good = run.v;
    run.v = at::rand({3, 4});  // matmul refuses it
    QVERIFY_THROWS_EXCEPTION(std::exception, run.forward(true));
    QCOMPARE(run.marks.open, 0);
    run.v = good;
    run.forward(true).backward();
    QCOMPARE(run.timer.finish().size(), std::size_t{4});
    QCOMPARE(run.marks.open, 0);
  }

  void aBackwardThatThrowsIsForgottenAtTheNextStep() {
    Timed run;
    const at::Tensor loss = run.forward(true);
    // The node of matmul is behind its mark when another hook throws.
    loss.grad_fn()->next_edge(0).function->add_pre_hook(std::make_unique<Throws>());
    QVERIFY_THROWS_EXCEPTION(std::exception, loss.backward());
    QCOMPARE(run.marks.open, 1);
    run.w.mutable_grad().reset();
    run.v.mutable_grad().reset();
    run.forward(true).backward();
    QCOMPARE(run.marks.open, 0);
    QVERIFY(!run.marks.too_often);
    const auto sites = run.timer.finish();
    QVERIFY(!sites.empty());
    for (const observe::SiteSeconds& site : sites) QCOMPARE(site.calls, 1);
  }

  // As on a GPU, whose backward runs on a thread of its own while the training thread waits.
  void backwardOnAnotherThreadIsMarkedThere() {
    Timed run;
    const at::Tensor loss = run.forward(true, observe::Level::kHistogram);
    std::thread::id device;
    std::thread([&] {
      device = std::this_thread::get_id();
      loss.backward();
    }).join();
    run.observer.finish();
    const auto sites = run.timer.finish();
    QCOMPARE(sites.size(), std::size_t{4});
    for (const observe::SiteSeconds& site : sites) QVERIFY(Timed::of(site, Part::kBackward) > 0);
    QVERIFY(run.marks.backward_on == device);
    QCOMPARE(run.marks.open, 0);
    QVERIFY(run.marks.entered.count({0, Part::kAccumulate}) == 1);
  }

  void timersOfOneThreadDoNotMeetEachOthersFrames() {
    Timed broken;
    const at::Tensor loss = broken.forward(true);
    loss.grad_fn()->next_edge(0).function->add_pre_hook(std::make_unique<Throws>());
    QVERIFY_THROWS_EXCEPTION(std::exception, loss.backward());
    Timed next;
    for (int step = 0; step < 2; ++step) {
      next.forward(true).backward();
      QCOMPARE(next.timer.finish().size(), std::size_t{4});
    }
    QCOMPARE(next.marks.open, 0);
    QVERIFY(!next.marks.too_often);
  }

  void backwardAfterTheStepIsSilent() {
    Timed run;
    const at::Tensor loss = run.forward(true);
    run.timer.finish();
    loss.backward();
    QVERIFY(run.timer.finish().empty());
    QVERIFY(run.marks.entered.count({0, Part::kBackward}) == 0);
  }

  void productsAreToldOnce() {
    Timed run;
    run.forward(true);
    const auto shapes = run.timer.new_matmul_shapes();
    QCOMPARE(shapes.size(), std::size_t{2});
    QCOMPARE(shapes[0].site, 0);
    QCOMPARE(shapes[0].m, std::int64_t{8});
    QCOMPARE(shapes[0].n, std::int64_t{16});
    QCOMPARE(shapes[0].k, std::int64_t{32});
    QCOMPARE(shapes[1].m, std::int64_t{8});
    QCOMPARE(shapes[1].n, std::int64_t{4});
    QCOMPARE(shapes[1].k, std::int64_t{16});
    run.forward(true);
    QVERIFY(run.timer.new_matmul_shapes().empty());
  }

  void aConvolutionIsTheProductThatItAmountsTo() {
    auto flat = graph::FlatGraph::from_text(
        "def f(x: Tensor, w: Tensor) -> Tensor:\n"
        "    return torch.conv2d(x, w, None, [2, 2], [1, 1], [1, 1], 2)\n",
        "f", "m", 0);
    observe::SiteTimer timer;
    timer.begin(true);
    graph::SiteHook* hooks[] = {&timer};
    flat.run({at::rand({4, 6, 16, 16}), at::rand({8, 3, 3, 3})}, hooks);
    const auto shapes = timer.new_matmul_shapes();
    QCOMPARE(shapes.size(), std::size_t{1});
    QCOMPARE(shapes[0].batches, std::int64_t{2});
    QCOMPARE(shapes[0].m, std::int64_t{4 * 8 * 8});
    QCOMPARE(shapes[0].n, std::int64_t{4});
    QCOMPARE(shapes[0].k, std::int64_t{27});
  }

 private:
  struct Throws : torch::autograd::FunctionPreHook {
    torch::autograd::variable_list operator()(const torch::autograd::variable_list&) override {
      throw std::runtime_error("a hook that throws");
    }
  };
};

BINADE_SUITE(TestSiteTimer);

#include "tst_site_timer.moc"
