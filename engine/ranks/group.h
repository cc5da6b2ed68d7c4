// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/ranks/backend_choice.h"
#include "engine/ranks/place.h"

#include <ATen/core/Tensor.h>
#include <c10/core/Device.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace binade::ranks {

/// The ranks of a run and what they do together, over Gloo, and sums of tensors on GPUs over NCCL if choose_backend()
/// has chosen it. All ranks must call the same collective operations in the same order. Each of them ends at most a few
/// seconds after the group's time-out, with an Error that names the ranks that are missing: killed, stopped, out of
/// reach or behind. A rank that told of longer work with Work is waited for as long as it lives. After such an Error
/// the group is unusable.
///
/// Use on the training thread.
class Group {
 public:
  /// Joins the ranks of the run, and waits until all have. Throws Error{kBadRun} like Store::join(), and if ranks are
  /// missing after `timeout`. SIGPIPE is ignored in the whole process from then on. `wanted`: what choose_backend()
  /// goes by; that of rank 0 holds for all.
  static std::unique_ptr<Group> join(const Place& place, std::chrono::milliseconds timeout,
                                     GradientsOver wanted = GradientsOver::kAuto);
  ~Group();
  Group(const Group&) = delete;
  Group& operator=(const Group&) = delete;

  int rank() const;
  int size() const;
  const Place& place() const;
  /// Name of a rank's computer.
  const std::string& host(int rank) const;
  /// `Rank 1 (host b)`.
  std::string name(int rank) const;

  /// Chooses, together with all ranks, what sums tensors on `device`, and connects to the others by NCCL if it is
  /// chosen. `own`: nccl_ability() of the device. Returns a sentence for the log; empty on the CPU. Throws
  /// Error{kBadRun} on every rank if the run wants NCCL and cannot have it.
  std::string choose_backend(c10::Device device, const NcclAbility& own);

  /// While it lives, the others wait for this rank without limit: it evaluates, saves or is paused. For a
  /// kDiagnosisWork they wait ten times the time-out.
  class Work {
   public:
    Work(Group* group, const std::string& what);
    ~Work();
    Work(const Work&) = delete;
    Work& operator=(const Work&) = delete;

   private:
    Group* group_;
    std::string before_;
  };

  /// A sum over all ranks in progress.
  class Sum {
   public:
    Sum();
    ~Sum();
    Sum(Sum&&) noexcept;
    Sum& operator=(Sum&&) noexcept;

   private:
    friend class Group;
    struct Impl;
    std::unique_ptr<Impl> impl_;
  };
  /// Starts to replace `values` by their sum over all ranks. They must not be used before finish(). Any thread, one at
  /// a time, but in the same order on all ranks.
  Sum sum(const at::Tensor& values);
  /// Waits for a sum. On a GPU, later operations of the current stream wait.
  void finish(Sum& sum);

  /// Replaces each of `values`, which are on the CPU, by the largest of all ranks.
  void largest(const at::Tensor& values);
  /// Replaces `values` by those of rank 0.
  void broadcast(const at::Tensor& values);
  /// Returns the bytes of rank 0; the argument of others is not used.
  std::string broadcast(const std::string& bytes);
  /// Returns the numbers of all ranks, of each the same count, by rank.
  std::vector<std::vector<double>> exchange(const std::vector<double>& numbers);
  /// Returns the bytes of all ranks, by rank, on rank 0; nothing on others.
  std::vector<std::string> gather(const std::string& bytes);

  /// Bytes that this rank has given to largest, broadcast of bytes, exchange and gather: what ranks send beside
  /// gradients.
  std::uint64_t bytes_beside_gradients() const;

  /// Tells the other ranks why this one ends. They report it when they next wait for it. `begun`: whether its training
  /// had begun. Before that it has refused what it was given, so the others refer to its message and advise nothing.
  /// Does not throw.
  void fail(const std::string& why, bool begun = true) noexcept;
  /// Ends the run together: returns once every rank has called it, or is gone. Does not throw.
  void leave() noexcept;

 private:
  struct Impl;
  explicit Group(std::unique_ptr<Impl> impl);
  /// Connects all ranks by NCCL. Returns why that failed, the same on all ranks; empty: `nccl` is there.
  std::string connect_by_nccl(c10::Device device);
  std::unique_ptr<Impl> impl_;
};

}  // namespace binade::ranks
