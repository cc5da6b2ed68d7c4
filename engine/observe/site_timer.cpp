// SPDX-License-Identifier: Apache-2.0
#include "engine/observe/site_timer.h"

#include "engine/observe/autograd_edge_map.h"

#include <ATen/SequenceNumber.h>
#include <ATen/core/grad_mode.h>
#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/function_hook.h>
#include <torch/csrc/autograd/variable.h>

#include <chrono>
#include <mutex>
#include <unordered_set>
#include <utility>

namespace binade::observe {

namespace {

using Clock = std::chrono::steady_clock;

/// Work that a thread executes. Time in nested frames is not counted twice.
struct Frame {
  int site;
  Part part;
  Clock::time_point start;
  Clock::duration inside{};
  std::uint64_t first_node = 0;     ///< forward: sequence number of the call's first possible autograd node
  const SiteMarks* told = nullptr;  ///< the receiver of its start, which alone receives its end
};

/// A thread's open frames. Frames of an earlier step were left by an exception and are dropped.
struct Frames {
  std::uint64_t generation = 0;
  std::vector<Frame> open;
};

Frames& frames() {
  thread_local Frames mine;
  return mine;
}

/// Steps of all timers share one numbering, since a thread's frames belong to the timer it last worked for.
std::uint64_t next_generation() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

}  // namespace

/// Shared by timer and hooks. Backward may run on other threads, one per device.
struct SiteTimer::Step {
  std::atomic<bool> on{false};
  std::atomic<std::uint64_t> generation{0};
  std::atomic<SiteMarks*> marks{nullptr};
  std::mutex mutex;                  // guards the members below
  std::vector<SiteSeconds> by_site;  // by site id; calls below 0: not run in this step
  std::vector<int> met;
  std::vector<MatmulShape> shapes;
  std::vector<bool> has_shape;
  AutogradEdgeMap<bool> accumulators;  // hooked already in this step

  void enter(int site, Part part, std::uint64_t first_node = 0) {
    Frames& mine = frames();
    SiteMarks* listener = marks.load(std::memory_order_relaxed);
    const std::uint64_t now = generation.load(std::memory_order_relaxed);
    if (mine.generation != now) {
      for (const Frame& left : mine.open) {
        if (listener != nullptr && left.told == listener) listener->leave();
      }
      mine.open.clear();
      mine.generation = now;
    }
    if (listener != nullptr) listener->enter(site, part);
    mine.open.push_back({site, part, Clock::now(), {}, first_node, listener});
  }

  std::optional<Frame> leave() {
    const auto end = Clock::now();
    Frames& mine = frames();
    if (mine.generation != generation.load(std::memory_order_relaxed) || mine.open.empty()) return std::nullopt;
    const Frame frame = mine.open.back();
    mine.open.pop_back();
    SiteMarks* listener = marks.load(std::memory_order_relaxed);
    if (listener != nullptr && frame.told == listener) listener->leave();
    const Clock::duration whole = end - frame.start;
    if (!mine.open.empty()) mine.open.back().inside += whole;
    const std::lock_guard lock(mutex);
    SiteSeconds& seconds = of(frame.site);
    seconds.seconds[static_cast<std::size_t>(frame.part)] +=
        std::chrono::duration<double>(whole - frame.inside).count();
    if (frame.part == Part::kForward) ++seconds.calls;
    return frame;
  }

  /// Requires the mutex.
  SiteSeconds& of(int site) {
    const auto index = static_cast<std::size_t>(site);
    if (index >= by_site.size()) by_site.resize(index + 1, {.site = 0, .calls = -1});
    if (by_site[index].calls < 0) {
      by_site[index] = {.site = site, .calls = 0};
      met.push_back(site);
    }
    return by_site[index];
  }
};

/// Runs before an autograd node of a site.
class SiteTimer::EnterHook : public torch::autograd::FunctionPreHook {
 public:
  EnterHook(std::shared_ptr<Step> step, std::uint64_t generation, int site, Part part)
      : step_(std::move(step)), generation_(generation), site_(site), part_(part) {}
  torch::autograd::variable_list operator()(const torch::autograd::variable_list& gradients) override {
    if (step_->generation == generation_) step_->enter(site_, part_);
    return gradients;
  }

 private:
  std::shared_ptr<Step> step_;
  std::uint64_t generation_;
  int site_;
  Part part_;
};

class SiteTimer::LeaveHook : public torch::autograd::FunctionPostHook {
 public:
  LeaveHook(std::shared_ptr<Step> step, std::uint64_t generation) : step_(std::move(step)), generation_(generation) {}
  torch::autograd::variable_list operator()(const torch::autograd::variable_list& gradients,
                                            const torch::autograd::variable_list&) override {
    if (step_->generation == generation_) step_->leave();
    return gradients;
  }

 private:
  std::shared_ptr<Step> step_;
  std::uint64_t generation_;
};

SiteTimer::SiteTimer() : step_(std::make_shared<Step>()) {}

SiteTimer::~SiteTimer() {
  step_->generation = next_generation();  // hooks may outlive the timer with the graph that holds them
  step_->marks = nullptr;
}

void SiteTimer::begin(bool on) {
  step_->generation = next_generation();
  step_->on = on;
  const std::lock_guard lock(step_->mutex);
  for (const int site : std::exchange(step_->met, {})) step_->by_site[static_cast<std::size_t>(site)].calls = -1;
  step_->accumulators.clear();
}

bool SiteTimer::on() const {
  return step_->on;
}

void SiteTimer::before(graph::Call& call) {
  if (!step_->on) return;
  const auto site = static_cast<std::size_t>(call.site.id);
  if (site >= step_->has_shape.size()) step_->has_shape.resize(site + 1);
  if (!step_->has_shape[site]) {
    step_->has_shape[site] = true;
    if (auto shape = matmul_shape_of(call)) step_->shapes.push_back(*shape);
  }
  step_->enter(call.site.id, Part::kForward, at::sequence_number::peek());
}

void SiteTimer::after(graph::Call& call) {
  if (!step_->on) return;
  const std::optional<Frame> frame = step_->leave();
  if (frame && at::GradMode::is_enabled()) follow_backward(call, frame->first_node);
}

void SiteTimer::failed(graph::Call& /*call*/, const std::exception& /*error*/) {
  if (step_->on) step_->leave();
}

void SiteTimer::enter_observe(int site) {
  if (step_->on) step_->enter(site, Part::kObserve);
}

void SiteTimer::leave_observe() {
  if (step_->on) step_->leave();
}

void SiteTimer::follow_backward(const graph::Call& call, std::uint64_t first_node) {
  using torch::autograd::Node;
  const std::uint64_t generation = step_->generation;
  const auto hook = [&](Node& node, Part part) {
    // Registered after existing hooks, so that an observation is not counted as the node's work.
    node.add_pre_hook(std::make_unique<EnterHook>(step_, generation, call.site.id, part));
    node.add_post_hook(std::make_unique<LeaveHook>(step_, generation));
  };
  std::vector<std::shared_ptr<Node>> open;
  std::unordered_set<const Node*> seen;
  const auto add = [&](const std::shared_ptr<Node>& node) {
    if (node == nullptr) return;
    if (node->sequence_nr() == UINT64_MAX) {  // a gradient accumulator
      const std::lock_guard lock(step_->mutex);
      if (!std::exchange(step_->accumulators.of({node, 0}), true)) hook(*node, Part::kAccumulate);
    } else if (node->sequence_nr() >= first_node && seen.insert(node.get()).second) {
      open.push_back(node);
    }
  };
  for (std::size_t i = 0; i < call.site.outputs; ++i) {
    const c10::IValue& result = call.result(i);
    if (result.isTensor() && result.toTensor().defined()) add(result.toTensor().grad_fn());
  }
  while (!open.empty()) {
    const auto node = std::move(open.back());
    open.pop_back();
    hook(*node, Part::kBackward);
    for (const torch::autograd::Edge& edge : node->next_edges()) add(edge.function);
  }
}

std::vector<SiteSeconds> SiteTimer::finish() {
  step_->generation = next_generation();
  step_->on = false;
  std::vector<SiteSeconds> all;
  const std::lock_guard lock(step_->mutex);
  for (const SiteSeconds& seconds : step_->by_site) {
    if (seconds.calls >= 0) all.push_back(seconds);
  }
  for (const int site : std::exchange(step_->met, {})) step_->by_site[static_cast<std::size_t>(site)].calls = -1;
  return all;
}

std::vector<MatmulShape> SiteTimer::new_matmul_shapes() {
  return std::exchange(step_->shapes, {});
}

void SiteTimer::set_marks(SiteMarks* marks) {
  step_->marks = marks;
}

}  // namespace binade::observe
