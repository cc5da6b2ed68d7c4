// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/graph/site_hook.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace binade::observe {

/// Which part of a step a thread works on for a site.
enum class Part : std::uint8_t {
  kForward,     ///< the op, its casts and rounding
  kBackward,    ///< the nodes of the autograd graph that the call made
  kAccumulate,  ///< adding its parameters' gradients up
  kObserve,     ///< an observer's look at it
};
inline constexpr std::size_t kParts = 4;

/// Told when a thread begins and ends work for a site; nests. Any thread. Must not throw and take next to no time.
class SiteMarks {
 public:
  virtual ~SiteMarks() = default;
  virtual void enter(int site, Part part) noexcept = 0;
  virtual void leave() noexcept = 0;
};

struct SiteSeconds {
  int site = 0;
  int calls = 0;
  double seconds[kParts] = {};  ///< by Part; each without those inside it
};

/// The matrix product a site computes: `m` × `k` by `k` × `n`, `batches` times.
struct Product {
  int site = 0;
  std::int64_t m = 0, n = 0, k = 0, batches = 1;
};

/// Takes the time of every site, forward and backward. Put it outside all other hooks, so that casts count for the site
/// that needs them. One step at a time: begin(), forward and loss, backward, finish(). Off, it costs one look at a flag
/// a call. Times are of the threads that run the graph; on a GPU they are those of launching.
class SiteTimer : public graph::SiteHook {
 public:
  SiteTimer();
  ~SiteTimer() override;

  /// Starts a step, timed or not.
  void begin(bool on);
  bool on() const;

  void before(graph::Call& call) override;
  void after(graph::Call& call) override;
  void failed(graph::Call& call, const std::exception& error) override;

  /// An observer begins and ends a look at a site, on this thread; between begin() and finish().
  void enter_observe(int site);
  void leave_observe();

  /// What the step took, by site. Later nodes of its graph are silent.
  std::vector<SiteSeconds> finish();
  /// Products of sites met for the first time since the last call.
  std::vector<Product> new_products();

  /// Who hears of begins and ends, or null; between steps only. Not owned.
  void set_marks(SiteMarks* marks);

 private:
  struct Step;
  class EnterHook;
  class LeaveHook;
  void follow_backward(const graph::Call& call, std::uint64_t first_node);
  std::shared_ptr<Step> step_;  ///< shared with the hooks on this step's nodes
};

/// The product that a call of a matrix-multiply or convolution op is about to compute; nothing for other ops.
std::optional<Product> product_of(const graph::Call& call);

}  // namespace binade::observe
