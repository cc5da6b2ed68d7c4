// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/graph/site_hook.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace binade::observe {

/// The part of a step that a thread executes for a site.
enum class Part : std::uint8_t {
  kForward,     ///< the op, its casts and rounding
  kBackward,    ///< the autograd nodes that the call created
  kAccumulate,  ///< accumulation of its parameters' gradients
  kObserve,     ///< observation by an Observer
};
inline constexpr std::size_t kParts = 4;

/// Receives the start and end of work for a site. Calls nest and come from any thread. Implementations must not throw
/// and must return quickly.
class SiteMarks {
 public:
  virtual ~SiteMarks() = default;
  virtual void enter(int site, Part part) noexcept = 0;
  virtual void leave() noexcept = 0;
};

struct SiteSeconds {
  int site = 0;
  int calls = 0;
  double seconds[kParts] = {};  ///< by Part, excluding nested parts
};

/// Shape of the matrix product that a site computes: `m` × `k` by `k` × `n`, `batches` times.
struct MatmulShape {
  int site = 0;
  std::int64_t m = 0, n = 0, k = 0, batches = 1;
};

/// Measures the time of every site, forward and backward. It must be the outermost hook, so that casts count for the
/// site that needs them. One step at a time: begin(), forward and loss, backward, finish(). When off it costs one flag
/// test per call. Times are those of the CPU threads that run the graph; on a GPU they are launch times.
class SiteTimer : public graph::SiteHook {
 public:
  SiteTimer();
  ~SiteTimer() override;

  /// Starts a step; `on`: whether it is timed.
  void begin(bool on);
  bool on() const;

  void before(graph::Call& call) override;
  void after(graph::Call& call) override;
  void failed(graph::Call& call, const std::exception& error) override;

  /// Start and end of an observation of a site on this thread; between begin() and finish().
  void enter_observe(int site);
  void leave_observe();

  /// Ends the step and returns the times by site. Nodes that run later are ignored.
  std::vector<SiteSeconds> finish();
  /// Returns the shapes of sites that ran for the first time since the last call.
  std::vector<MatmulShape> new_matmul_shapes();

  /// Sets the receiver of starts and ends; may be null. Call between steps only. Not owned.
  void set_marks(SiteMarks* marks);

 private:
  struct Step;
  class EnterHook;
  class LeaveHook;
  void follow_backward(const graph::Call& call, std::uint64_t first_node);
  std::shared_ptr<Step> step_;  ///< shared with the hooks on this step's nodes
};

/// Returns the shape of the product that a matrix-multiplication or convolution call computes; nullopt for other ops.
std::optional<MatmulShape> matmul_shape_of(const graph::Call& call);

}  // namespace binade::observe
