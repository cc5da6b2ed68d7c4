// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/tensor_stats.h"
#include "engine/graph/site_hook.h"

#include <ATen/core/Tensor.h>

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace torch::autograd {
struct Node;
}

namespace binade::observe {

class SiteTimer;

enum class Level : std::uint8_t {
  kOff,
  kFinite,     ///< scans outputs and gradients: largest magnitudes, overflow and non-finite counts
  kRange,      ///< also smallest magnitudes, zeros and norms. From this level on, parameters and gradients leaving for
               ///< arguments are observed
  kHistogram,  ///< scans outputs and natively leaving gradients, and measures those that may underflow. Other
               ///< gradients: exponent histograms and the effect of the named formats
  kWhatIf,     ///< outputs and gradients in enough detail to compute the effect of any format at any scale
};

/// An observed tensor. Its id is stable over the run.
struct Watched {
  enum class Kind : std::uint8_t {
    kOutput,             ///< a site's result, or one of several; before rounding where execution is emulated
    kOutputGradient,     ///< the gradient that arrives at a result, in the result's format
    kInputGradient,      ///< the gradient that leaves the site's backward for an argument. Emulated: before rounding.
                         ///< Native: for weights always, for other arguments only where no other tensor shows it
    kInput,              ///< an argument before its cast to `format` on the way into a site
    kParameter,          ///< a parameter as stored
    kParameterGradient,  ///< its gradient, when observe_parameters() is called
  };
  int id = 0;
  int site = 0;  ///< for a parameter, the first site that uses it; -1: none observed
  Kind kind = Kind::kOutput;
  std::string argument;    ///< argument (kInput, kInputGradient), parameter name, or number of a further result
  formats::Format format;  ///< the format that overflow and underflow refer to
  bool emulated = false;
};

struct Seen {
  int tensor = 0;  ///< Watched::id
  formats::TensorStats stats;
};

/// Observes values while a step runs. It must be nested inside Autocast, which announces what each call rounds. One
/// step at a time: begin(), forward and loss, backward, finish(). Does not synchronise with other devices before
/// finish(). A site that runs several times in a step gives one record.
///
/// A gradient is observed at four places: where it arrives at a site's output; where it leaves for a weight; if a
/// format is emulated, before each rounding; and natively where it leaves for another argument, unless it is what
/// arrives elsewhere (observer_leaving.cpp). Several uses of a tensor are summed before they arrive, and no hook sees
/// the backward of a cast.
class Observer : public graph::SiteHook {
 public:
  Observer();
  ~Observer() override;

  /// Restricts observation to sites whose entry is true, by id, from the next step on; empty: all sites.
  void set_filter(std::vector<bool> watched);

  /// Sets whether arguments are also observed before their casts, from the next step on.
  void watch_inputs(bool inputs);
  /// Sets the model's parameters, by name, to observe at kRange and above; empty: none. They must outlive the observer
  /// or the next call. From the next step on.
  void watch_parameters(const std::vector<std::pair<std::string, at::Tensor>>& parameters);

  /// Starts a step.
  void begin(Level level);
  /// Returns whether the current step is observed; if not, the hook can be omitted.
  bool on() const;

  /// In steps that observe arguments before their casts, or parameters.
  bool observes_casts() const override;
  void cast(graph::Call& call, std::span<const c10::IValue> came) override;
  void before(graph::Call& call) override;
  void after(graph::Call& call) override;

  /// Observes parameters and gradients in their current state, if the step is observed and watch_parameters() was
  /// called. `stepped`: the tensors that the optimizer steps, by parameter name.
  void observe_parameters(const std::vector<std::pair<std::string, at::Tensor>>& stepped);

  /// Ends the step and returns its records, in order of first observation (forward, then backward). Synchronises with
  /// devices.
  std::vector<Seen> finish();

  /// Returns every tensor observed so far, by id; only grows.
  const std::vector<Watched>& watched() const;

  /// Sets the timer to which observing time is reported, so that it is not counted as a site's; may be null. Call
  /// between steps only. Not owned.
  void set_timer(SiteTimer* timer);

  /// Returns the seconds spent observing in this step.
  double seconds() const;

 private:
  struct Step;
  class GradientHook;
  class Leaving;
  void observe_inputs(const graph::Call& call, std::span<const c10::IValue> came);
  void hook_sum(const graph::Site& site, std::size_t argument, torch::autograd::Node& copy);
  std::shared_ptr<Step> step_;  ///< shared with the hooks on this step's autograd nodes
  std::unique_ptr<Leaving> leaving_;
};

}  // namespace binade::observe
