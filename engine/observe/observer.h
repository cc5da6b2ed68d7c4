// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/tensor_stats.h"
#include "engine/graph/site_hook.h"

#include <ATen/core/Tensor.h>

#include <memory>
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
  kFinite,     ///< scans: largest magnitudes, overflow and non-finite counts of outputs and gradients
  kRange,      ///< and smallest magnitudes, zeros and norms; from here on parameters and what leaves for arguments too
  kHistogram,  ///< scans of outputs and of what leaves natively for arguments, and more of those that may underflow;
               ///< of other gradients exponent histograms, and what the named formats do to them
  kWhatIf,     ///< of outputs and gradients, enough to tell what any format does to them at any scale
};

/// A tensor that is watched; its id is stable over the run.
struct Watched {
  enum class Kind : std::uint8_t {
    kOutput,             ///< a site's result, or each of several, before rounding where execution is emulated
    kOutputGradient,     ///< the gradient that arrives there, as the format held it
    kInputGradient,      ///< the gradient that leaves the site's backward for an argument, entering the cast: before
                         ///< rounding where emulated; natively, except of weights, only what no other look shows
    kInput,              ///< an argument before its cast to `format` on the way into a site
    kParameter,          ///< a parameter as it is stored
    kParameterGradient,  ///< its gradient, when the observer is shown it
  };
  int id = 0;
  int site = 0;  ///< of a parameter the site that takes it first; -1: none was seen to
  Kind kind = Kind::kOutput;
  std::string argument;    ///< of kInput and kInputGradient; of a parameter its name; of a further result its number
  formats::Format format;  ///< what overflow and underflow count against
  bool emulated = false;
};

struct Seen {
  int tensor = 0;  ///< Watched::id
  formats::TensorStats stats;
};

/// Looks at values as they pass: nest it inside Autocast, which says of every call what will be rounded. One step at a
/// time: begin(), forward and loss, backward, finish(). Nothing on another device is waited for before finish(). A site
/// that runs several times in a step gives one record.
class Observer : public graph::SiteHook {
 public:
  Observer();
  ~Observer() override;

  /// Looks only at sites for which `watched` says so, by id, from the next step on; empty: at all.
  void set_filter(std::vector<bool> watched);

  /// Whether arguments are looked at too, before they are cast on their way into a site; from the next step on.
  void watch_inputs(bool inputs);
  /// The model's parameters, where they are to be looked at too at level kRange and above, by name; empty: not at all.
  /// They outlive the observer or the next call of this. From the next step on.
  void watch_parameters(const std::vector<std::pair<std::string, at::Tensor>>& parameters);

  /// Starts a step.
  void begin(Level level);
  /// Whether the present step is looked at: else the hook may be left out.
  bool on() const;

  /// To be nested outside of Autocast in the step that has begun; null where nothing of it needs that.
  graph::SiteHook* outer() const;
  void before(graph::Call& call) override;
  void after(graph::Call& call) override;

  /// Looks at parameters and their gradients as they are now, where the step is looked at and watch_parameters() asked
  /// for it. `stepped`: what the optimizer steps, by the names of the model's parameters.
  void look_at_parameters(const std::vector<std::pair<std::string, at::Tensor>>& stepped);

  /// What the step showed, in the order in which it was met (forward first, then backward).
  std::vector<Seen> finish();

  /// Every tensor met so far, by id; grows only.
  const std::vector<Watched>& watched() const;

  /// Who is told of looks at a site, so that they are nobody else's time; or null. Between steps only; not owned.
  void set_timer(SiteTimer* timer);

  /// Seconds spent in this step's looking.
  double seconds() const;

 private:
  struct Step;
  class GradientHook;
  class Outer;
  class Leaving;
  void look_at_inputs(graph::Call& call);
  void hook_sum(const graph::Site& site, std::size_t argument, torch::autograd::Node& copy);
  std::shared_ptr<Step> step_;  ///< shared with the hooks on this step's autograd nodes
  std::unique_ptr<Outer> outer_;
  std::unique_ptr<Leaving> leaving_;
};

}  // namespace binade::observe
