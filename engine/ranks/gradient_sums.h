// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/ranks/group.h"
#include "engine/train/optimizer.h"

#include <ATen/core/Tensor.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace torch::autograd {
struct Node;
}

namespace binade::ranks {

/// Replaces the gradients of a step by their sums over all ranks. Gradients travel in buckets, those of the last layers
/// first, and the first buckets while backward still computes. Not c10d::Reducer: it keeps no gradients of the rank's
/// own, which tell whose examples overflowed, and its constructor changes with LibTorch's versions.
///
///     sums.begin_step();
///     ... backward of all batches but the last: gradients accumulate, nothing is sent ...
///     sums.start_early();  // optional, if one backward remains and gives the final gradients
///     ... backward of the last batch ...
///     sums.finish();       // once, or once for each scaler, with its gradients on the parameters
///
/// The result is the same on all ranks, bit for bit. By Gloo it depends on the number of ranks only; NCCL adds in an
/// order of its own, which also depends on the GPUs and the links between them.
class GradientSums {
 public:
  /// `parameters`: the leaves that the optimizer steps, in the same order on all ranks. The group must outlive it.
  GradientSums(Group& group, train::NamedTensors parameters);
  ~GradientSums();
  GradientSums(const GradientSums&) = delete;
  GradientSums& operator=(const GradientSums&) = delete;

  void begin_step();
  /// From now on, backward sends a bucket once all its gradients are accumulated.
  void start_early();
  /// Sends the rest and waits for all. Afterwards the parameters have the sums; one that has no gradient on any rank
  /// has none. Throws like Group, and Error{kBadModel} for a sparse gradient.
  void finish();
  /// Ends a step that failed: nothing is sent any more.
  void abandon() { early_ = false; }

  /// Whether the gradients that this rank computed in the step, before they were summed, are all finite.
  bool own_are_finite() const;
  /// Seconds that finish() has waited for the others in this step.
  double waited() const { return waited_; }
  /// Bytes of gradients that this rank gives in one step.
  std::uint64_t bytes() const;

 private:
  /// Gradients of one dtype that travel together; their copies in this rank's memory are reused in each step.
  struct Bucket {
    std::vector<std::size_t> members;  ///< indices of parameters
    std::int64_t elements = 0;
    std::size_t left = 0;  ///< members whose gradient is still to come
  };
  /// One finish() in a step: of one scaler.
  struct Flat {
    at::Tensor values;              ///< all members, then for each how many ranks had a gradient
    std::vector<at::Tensor> views;  ///< of `values`, by member
    at::Tensor present;             ///< of `values`
    std::vector<at::Tensor> own;    ///< this rank's gradients, by member; undefined: none
    Group::Sum sum;
  };
  class Hook;
  void make_buckets();
  void accumulated(std::size_t parameter);
  void send(std::size_t bucket);
  Flat& flat(std::size_t bucket) { return flats_[pass_][bucket]; }
  void take(const Bucket& bucket, Flat& flat);

  Group& group_;
  train::NamedTensors parameters_;
  std::vector<Bucket> buckets_;
  std::vector<std::size_t> bucket_of_;    ///< by parameter
  std::vector<std::vector<Flat>> flats_;  ///< by pass of the step, then by bucket
  std::vector<std::pair<std::shared_ptr<torch::autograd::Node>, std::uintptr_t>> hooks_;
  std::size_t pass_ = 0;
  std::size_t next_ = 0;  ///< the next bucket to send: the order is the same on all ranks
  bool early_ = false;
  double waited_ = 0;
};

}  // namespace binade::ranks
