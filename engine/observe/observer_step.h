// SPDX-License-Identifier: Apache-2.0
#pragma once

// Private to engine/observe: state shared by an Observer's hooks over one step, and kept over all steps.

#include "engine/formats/tensor_stats.h"
#include "engine/observe/autograd_edge_map.h"
#include "engine/observe/observer.h"
#include "engine/observe/site_timer.h"

#include <ATen/core/Tensor.h>

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace binade::observe {

/// Scope of one observation of a site: adds to the time spent and reports it to the timer.
class Look {
 public:
  using Clock = std::chrono::steady_clock;
  Look(Clock::duration& spent, SiteTimer* timer, int site) : spent_(spent), timer_(timer) {
    if (timer_ != nullptr) timer_->enter_observe(site);
  }
  ~Look() {
    spent_ += Clock::now() - start_;
    if (timer_ != nullptr) timer_->leave_observe();
  }
  Look(const Look&) = delete;
  Look& operator=(const Look&) = delete;

 private:
  Clock::duration& spent_;
  SiteTimer* timer_;
  Clock::time_point start_ = Clock::now();
};

/// Shared by hooks and observer. Backward may run on other threads (one per device), so the mutex guards everything.
struct Observer::Step {
  /// Distinguishes the observed tensors of one site.
  struct Known {
    Watched::Kind kind;
    std::size_t argument;
    int format;
    bool emulated;
    int id;
  };
  struct DeviceRow {
    int tensor;
    at::ScalarType dtype;
    at::Tensor row;
  };
  /// Tensors of one dtype on one device.
  struct Group {
    std::vector<int> ids;
    std::vector<at::Tensor> values;
  };
  struct Parameter {
    std::string name;
    int site = -1;  ///< the first site that uses it
  };

  std::mutex mutex;
  std::uint64_t generation = 0;  ///< hooks of earlier steps hold an older one and do nothing
  Level level = Level::kOff;
  std::vector<bool> filter;  ///< by site; empty: all
  std::vector<Watched> watched;
  std::vector<std::vector<Known>> known;  ///< by site; few per site, searched at every call
  std::vector<Seen> seen;
  std::vector<int> place;  ///< index in `seen` of an observed tensor, or -1
  std::vector<DeviceRow> rows;
  std::map<int, std::size_t> row_of;  ///< index in `rows` of an observed tensor
  /// Edges at which a gradient for an argument is observed already: a weight used twice has one gradient.
  AutogradEdgeMap<bool> hooked;
  /// Copies of weights in a low format: number of calls that used each; see hook_sum().
  AutogradEdgeMap<int> copies;
  AutogradEdgeMap<int> uses;  ///< as arguments of op calls
  AutogradEdgeMap<bool>
      arrivals;  ///< edges at which output gradients are observed; value: whether the output is emulated
  /// Keeps a parameter's gradient accumulator, which would otherwise be destroyed and recreated, until the op has run.
  std::vector<std::shared_ptr<torch::autograd::Node>> held;
  Look::Clock::duration spent{};
  SiteTimer* timer = nullptr;

  bool inputs = false;  ///< whether arguments are observed before their casts
  std::unordered_map<const c10::TensorImpl*, Parameter> parameters;  ///< the parameters to observe; they outlive this
  std::map<std::tuple<std::string, Watched::Kind, int>, int> known_parameters;  ///< by name, kind, format

  int id_of(const graph::Site& site, Watched::Kind kind, std::size_t argument, const formats::Format& format,
            bool emulated);
  int id_of_parameter(const Parameter& parameter, Watched::Kind kind, const formats::Format& format);
  formats::TensorStats& stats_of(int tensor);

  /// Whether gradients leaving a native call are observed one by one. At the finite level this is not needed: a finite
  /// sum has finite terms.
  bool watches_leaving() const { return level > Level::kFinite; }
  /// Returns whether the level or the filter excludes a site.
  bool leaves_out(const graph::Site& site) const;
  /// Returns whether a site is not observed in this step: excluded, or a view.
  bool skips(const graph::Site& site) const;
  /// Dtype of the current call's argument, if the op is a view by its schema and a cast of the model's own.
  std::optional<at::ScalarType> converts_from;
  /// Observes the result of such a call if it narrows, since no other tensor shows its overflow.
  void observe_own_cast(const graph::Call& call);
  /// Adds an observation of `values`. `closely`: in the level's histogram depth; otherwise a scan first.
  void look(int tensor, const at::Tensor& values, bool closely);
  /// Observes many tensors of a device with as few launches as possible.
  void observe_group(const Group& group, at::ScalarType dtype);

 private:
  int add(Watched tensor);
  std::optional<formats::Depth> depth_of(bool closely) const;
  /// The depth on a GPU, where every pass over the values counts binades.
  formats::Depth device_depth() const {
    if (level == Level::kWhatIf) return formats::Depth::kWhatIf;
    return level == Level::kHistogram ? formats::Depth::kFormats : formats::Depth::kHistogram;
  }
};

}  // namespace binade::observe
