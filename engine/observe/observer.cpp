// SPDX-License-Identifier: Apache-2.0
#include "engine/observe/observer.h"

#include "engine/formats/scale_band.h"
#include "engine/observe/measure.h"
#include "engine/observe/measure_device.h"
#include "engine/observe/site_timer.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/stack.h>
#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/function_hook.h>
#include <torch/csrc/autograd/variable.h>

#include <chrono>
#include <cmath>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <utility>

namespace binade::observe {

namespace {

formats::Format format_of(at::ScalarType dtype) {
  if (dtype == at::kHalf) return formats::kFloat16;
  if (dtype == at::kBFloat16) return formats::kBFloat16;
  return formats::kFloat32;
}

int number_of(const formats::Format& format) {
  return (format.exponent_bits * 32 + format.mantissa_bits) * 2 + (format.finite_only ? 1 : 0);
}

/// Whether a scan leaves it open that a hundredth of the norm is lost to 0: no value that is lost is above the limit,
/// and the norm is no less than the largest.
bool may_underflow(const formats::TensorStats& seen, const formats::Format& format) {
  if (seen.largest == 0) return false;
  const double most = format.underflow_limit() * std::sqrt(static_cast<double>(seen.count));
  return most >= formats::kLostNorm * static_cast<double>(seen.largest);
}

using Clock = std::chrono::steady_clock;

/// A look at a site, told to the timer.
class Look {
 public:
  Look(SiteTimer* timer, int site) : timer_(timer) {
    if (timer_ != nullptr) timer_->enter_observe(site);
  }
  ~Look() {
    if (timer_ != nullptr) timer_->leave_observe();
  }
  Look(const Look&) = delete;
  Look& operator=(const Look&) = delete;

 private:
  SiteTimer* timer_;
};

}  // namespace

/// What hooks and observer share. Backward may run on another thread (one a device): everything is under the mutex.
struct Observer::Step {
  /// What tells the watched tensors of one site apart.
  struct Known {
    Watched::Kind kind;
    std::size_t argument;
    int format;
    bool emulated;
    int id;
  };

  std::mutex mutex;
  std::uint64_t generation = 0;  ///< hooks of earlier steps see another one and stay silent
  Level level = Level::kOff;
  std::vector<bool> filter;  ///< by site; empty: all
  std::vector<Watched> watched;
  std::vector<std::vector<Known>> known;  ///< by site: a few each, looked through at every call
  std::vector<Seen> seen;
  std::vector<int> place;  ///< of a watched tensor in `seen`, or -1
  struct DeviceRow {
    int tensor;
    at::ScalarType dtype;
    at::Tensor row;
  };
  std::vector<DeviceRow> rows;
  /// Where a gradient for an argument is looked at already: a weight that is used twice has one gradient.
  std::set<std::pair<const void*, std::uint32_t>> hooked;
  /// Copies of weights in a low format, by the calls that took one; see hook_sum().
  std::map<const void*, int> copies;
  Clock::duration spent{};
  SiteTimer* timer = nullptr;

  int id_of(const graph::Site& site, Watched::Kind kind, std::size_t argument, const formats::Format& format,
            bool emulated) {
    const auto at = static_cast<std::size_t>(site.id);
    if (at >= known.size()) known.resize(at + 1);
    const int number = number_of(format);
    for (const Known& each : known[at]) {
      if (each.kind == kind && each.argument == argument && each.format == number && each.emulated == emulated) {
        return each.id;
      }
    }
    const int id = static_cast<int>(watched.size());
    known[at].push_back({kind, argument, number, emulated, id});
    const bool named = kind == Watched::Kind::kInputGradient;
    watched.push_back({id, site.id, kind, named ? site.argument_names[argument] : "", format, emulated});
    place.push_back(-1);
    return id;
  }

  formats::TensorStats& stats_of(int tensor) {
    int& at = place[static_cast<std::size_t>(tensor)];
    if (at < 0) {
      at = static_cast<int>(seen.size());
      seen.push_back({tensor, {}});
    }
    return seen[static_cast<std::size_t>(at)].stats;
  }

  /// How closely a tensor is looked at; nothing: it is scanned.
  std::optional<formats::Depth> depth_of(bool gradient) const {
    switch (level) {
      case Level::kRange:
        return formats::Depth::kHistogram;
      case Level::kHistogram:
        return gradient ? std::optional(formats::Depth::kFormats) : std::nullopt;
      case Level::kWhatIf:
        return formats::Depth::kWhatIf;
      case Level::kOff:
      case Level::kFinite:
        break;
    }
    return std::nullopt;
  }

  bool skips(const graph::Site& site) const {
    return level == Level::kOff || site.view || (!filter.empty() && !filter.at(static_cast<std::size_t>(site.id)));
  }

  void look(int tensor, const at::Tensor& values, bool gradient) {
    if (!measurable(values)) return;
    const at::NoGradGuard no_history;
    const formats::Format& format = watched[static_cast<std::size_t>(tensor)].format;
    if (!values.is_cpu()) {
      stats_of(tensor);  // keeps the order in which tensors were met
      rows.push_back({tensor, values.scalar_type(), device_row(values, format)});
    } else if (const auto depth = depth_of(gradient)) {
      measure(values, format, stats_of(tensor), *depth);
    } else if (level != Level::kHistogram) {
      scan(values, format, stats_of(tensor));  // overflow is all that counts
    } else {
      formats::TensorStats seen;
      scan(values, format, seen);
      if (may_underflow(seen, format)) {
        seen = {};
        measure(values, format, seen, formats::Depth::kFormats);
      }
      formats::add(stats_of(tensor), seen);
    }
  }
};

/// Sits on one autograd node and looks at the gradient for one of its outputs.
class Observer::GradientHook : public torch::autograd::FunctionPreHook {
 public:
  GradientHook(std::shared_ptr<Step> step, std::uint64_t generation, int tensor, std::size_t output)
      : step_(std::move(step)), generation_(generation), tensor_(tensor), output_(output) {}

  torch::autograd::variable_list operator()(const torch::autograd::variable_list& gradients) override {
    const std::lock_guard lock(step_->mutex);
    if (step_->generation == generation_ && output_ < gradients.size()) {
      const auto start = Clock::now();
      const Look look(step_->timer, step_->watched[static_cast<std::size_t>(tensor_)].site);
      step_->look(tensor_, gradients[output_], /*gradient=*/true);
      step_->spent += Clock::now() - start;
    }
    return gradients;
  }

 private:
  std::shared_ptr<Step> step_;
  std::uint64_t generation_;
  int tensor_;
  std::size_t output_;
};

/// An emulated op takes a float32 copy of the weight's copy in a low format. Where several calls share the latter, as
/// in a loop, their gradients are rounded one by one and then added up in the low format, which may not hold the sum.
void Observer::hook_sum(const graph::Site& site, std::size_t argument, torch::autograd::Node& copy) {
  const auto& next = copy.next_edges();
  if (next.size() != 1 || !next.front().is_valid()) return;
  torch::autograd::Node& shared = *next.front().function;
  const std::uint32_t input = next.front().input_nr;
  if (input >= shared.num_inputs()) return;
  const at::ScalarType dtype = shared.input_metadata(input).dtype().toScalarType();
  if ((dtype != at::kHalf && dtype != at::kBFloat16) || ++step_->copies[&shared] != 2) return;
  const int id = step_->id_of(site, Watched::Kind::kInputGradient, argument, format_of(dtype), false);
  shared.add_pre_hook(std::make_unique<GradientHook>(step_, step_->generation, id, input));
}

Observer::Observer() : step_(std::make_shared<Step>()) {}

Observer::~Observer() {
  const std::lock_guard lock(step_->mutex);
  ++step_->generation;  // hooks may outlive the observer with the graph they sit on
}

void Observer::set_filter(std::vector<bool> watched) {
  const std::lock_guard lock(step_->mutex);
  step_->filter = std::move(watched);
}

void Observer::begin(Level level) {
  const std::lock_guard lock(step_->mutex);
  ++step_->generation;
  step_->level = level;
  step_->seen.clear();
  if (level != Level::kOff) step_->seen.reserve(step_->watched.size());  // statistics are large: they do not move
  step_->rows.clear();
  step_->hooked.clear();
  step_->copies.clear();
  std::fill(step_->place.begin(), step_->place.end(), -1);
  step_->spent = {};
}

bool Observer::on() const {
  return step_->level != Level::kOff;
}

namespace {

/// The rounding that waits for a tensor of the call, or null: it is what its dtype says.
const graph::Rounding* rounding_of(const graph::Call& call, const at::Tensor& tensor) {
  return call.rounding && tensor.scalar_type() == at::kFloat ? &*call.rounding : nullptr;
}

bool wants_gradient(const c10::IValue& value) {
  return value.isTensor() && value.toTensor().defined() && value.toTensor().is_floating_point() &&
         value.toTensor().requires_grad();
}

}  // namespace

void Observer::before(graph::Call& call) {
  const std::lock_guard lock(step_->mutex);
  if (step_->skips(call.site) || !at::GradMode::is_enabled()) return;
  const bool rounds = call.rounding && call.rounding->gradients;
  for (std::size_t i = 0; i < call.site.inputs; ++i) {
    // Weights always; of the rest every argument whose gradient is rounded, since only there it is seen before.
    if (call.site.roles[i] != graph::Role::kWeight && !rounds) continue;
    if (!wants_gradient(call.argument(i))) continue;
    const at::Tensor& argument = call.argument(i).toTensor();
    const auto edge = torch::autograd::impl::gradient_edge(argument);
    if (!step_->hooked.emplace(edge.function.get(), edge.input_nr).second) continue;
    const graph::Rounding* rounding = rounds ? rounding_of(call, argument) : nullptr;
    const formats::Format format = rounding != nullptr ? rounding->backward : format_of(argument.scalar_type());
    const int id = step_->id_of(call.site, Watched::Kind::kInputGradient, i, format, rounding != nullptr);
    edge.function->add_pre_hook(std::make_unique<GradientHook>(step_, step_->generation, id, edge.input_nr));
    const bool weight = call.site.roles[i] == graph::Role::kWeight;
    if (rounding != nullptr && weight) hook_sum(call.site, i, *edge.function);
  }
}

void Observer::after(graph::Call& call) {
  const std::lock_guard lock(step_->mutex);
  if (step_->skips(call.site)) return;
  const c10::IValue& result = call.result(0);
  if (!result.isTensor() || !measurable(result.toTensor())) return;
  const auto start = Clock::now();
  const Look look(step_->timer, call.site.id);
  const at::Tensor& output = result.toTensor();
  const graph::Rounding* rounding = rounding_of(call, output);
  const bool emulated = rounding != nullptr;
  const formats::Format format = emulated ? rounding->format : format_of(output.scalar_type());
  step_->look(step_->id_of(call.site, Watched::Kind::kOutput, 0, format, emulated), output, /*gradient=*/false);
  if (wants_gradient(result) && at::GradMode::is_enabled()) {
    const formats::Format gradients = emulated ? rounding->backward : format;
    const int id = step_->id_of(call.site, Watched::Kind::kOutputGradient, 0, gradients, emulated);
    const auto edge = torch::autograd::impl::gradient_edge(output);
    edge.function->add_pre_hook(std::make_unique<GradientHook>(step_, step_->generation, id, edge.input_nr));
  }
  step_->spent += Clock::now() - start;
}

std::vector<Seen> Observer::finish() {
  const std::lock_guard lock(step_->mutex);
  ++step_->generation;
  if (!step_->rows.empty()) {
    const auto start = Clock::now();
    std::vector<at::Tensor> rows;
    for (const Step::DeviceRow& row : step_->rows) rows.push_back(row.row);
    const at::Tensor home = at::stack(rows).cpu();
    for (std::size_t i = 0; i < step_->rows.size(); ++i) {
      const Step::DeviceRow& row = step_->rows[i];
      add_row(home[static_cast<std::int64_t>(i)], step_->watched[static_cast<std::size_t>(row.tensor)].format,
              row.dtype, step_->stats_of(row.tensor));
    }
    step_->spent += Clock::now() - start;
  }
  for (Seen& seen : step_->seen) {
    const Watched& watched = step_->watched[static_cast<std::size_t>(seen.tensor)];
    // What arrives at an emulated output has been through the format already, unless several gradients meet there:
    // their sum is rounded after this look, and only an unrounded one can reach beyond the format.
    if (watched.emulated && watched.kind == Watched::Kind::kOutputGradient) {
      seen.stats.censored = seen.stats.overflow == 0 && seen.stats.underflow == 0;
    }
  }
  return std::exchange(step_->seen, {});
}

const std::vector<Watched>& Observer::watched() const {
  return step_->watched;
}

void Observer::set_timer(SiteTimer* timer) {
  step_->timer = timer;
}

double Observer::seconds() const {
  return std::chrono::duration<double>(step_->spent).count();
}

}  // namespace binade::observe
