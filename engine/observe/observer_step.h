// SPDX-License-Identifier: Apache-2.0
#pragma once

// Private to engine/observe: what an Observer's hooks share over one step, and what it knows of all steps.

#include "engine/formats/tensor_stats.h"
#include "engine/observe/edge_notes.h"
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

/// The format that a dtype stores; float32 for the wider ones too.
formats::Format stored_format(at::ScalarType dtype);

/// A look at a site, told to the timer, its time kept.
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
  struct DeviceRow {
    int tensor;
    at::ScalarType dtype;
    at::Tensor row;
  };
  /// A tensor among the arguments of the present call, as it came; of a list each.
  struct Came {
    std::size_t argument;
    std::size_t place;
    at::Tensor tensor;
  };
  /// Tensors of one dtype on one device.
  struct Group {
    std::vector<int> ids;
    std::vector<at::Tensor> values;
  };
  struct Parameter {
    std::string name;
    int site = -1;  ///< that took it first
  };

  std::mutex mutex;
  std::uint64_t generation = 0;  ///< hooks of earlier steps see another one and stay silent
  Level level = Level::kOff;
  std::vector<bool> filter;  ///< by site; empty: all
  std::vector<Watched> watched;
  std::vector<std::vector<Known>> known;  ///< by site: a few each, looked through at every call
  std::vector<Seen> seen;
  std::vector<int> place;  ///< of a watched tensor in `seen`, or -1
  std::vector<DeviceRow> rows;
  std::map<int, std::size_t> row_of;  ///< of a watched tensor, its place in `rows`
  /// Where a gradient for an argument is looked at already: a weight that is used twice has one gradient.
  EdgeNotes<bool> hooked;
  /// Copies of weights in a low format: how many calls took one; see hook_sum().
  EdgeNotes<int> copies;
  EdgeNotes<int> uses;       ///< as arguments of op calls
  EdgeNotes<bool> arrivals;  ///< where gradients of outputs are looked at: whether the output is emulated
  /// What adds up a parameter's gradient is gone with its last owner, and made anew: kept until the op has run.
  std::vector<std::shared_ptr<torch::autograd::Node>> held;
  Look::Clock::duration spent{};
  SiteTimer* timer = nullptr;

  bool inputs = false;     ///< whether arguments are looked at before their cast
  std::vector<Came> came;  ///< arguments of the present call; sites do not nest
  std::unordered_map<const c10::TensorImpl*, Parameter> parameters;  ///< that are to be looked at; they outlive this
  std::map<std::tuple<std::string, Watched::Kind, int>, int> known_parameters;  ///< by name, kind, format

  int id_of(const graph::Site& site, Watched::Kind kind, std::size_t argument, const formats::Format& format,
            bool emulated);
  int id_of_parameter(const Parameter& parameter, Watched::Kind kind, const formats::Format& format);
  formats::TensorStats& stats_of(int tensor);

  /// Whether gradients are looked at one by one as they leave a native call: a sum of them is finite only where they
  /// are, which is all that the finite level asks.
  bool watches_leaving() const { return level > Level::kFinite; }
  /// The level, or the filter, leaves a site out.
  bool leaves_out(const graph::Site& site) const;
  /// Whether a site is left out of this step: so, or because it is a view.
  bool skips(const graph::Site& site) const;
  /// The dtype of what the present call was given, where its op is a view by its schema and a cast of the model's own.
  std::optional<at::ScalarType> converts_from;
  /// Looks at what such a call gives where it narrows: its overflow is nobody else's.
  void look_at_own_cast(const graph::Call& call);
  /// Adds what `values` show. `closely`: in the histogram's depth at that level, and not only what one cheap look
  /// finds.
  void look(int tensor, const at::Tensor& values, bool closely);
  /// The same of many tensors on a device, in as few launches as they take.
  void look_at_group(const Group& group, at::ScalarType dtype);

 private:
  int add(Watched tensor);
  std::optional<formats::Depth> depth_of(bool closely) const;
  /// The same on a GPU, where binades come with every reading of the values.
  formats::Depth device_depth() const {
    if (level == Level::kWhatIf) return formats::Depth::kWhatIf;
    return level == Level::kHistogram ? formats::Depth::kFormats : formats::Depth::kHistogram;
  }
};

}  // namespace binade::observe
