// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/autocast/ledger.h"
#include "engine/autocast/operand_matrices.h"
#include "engine/autocast/reused_memory.h"
#include "engine/policy/products.h"
#include "engine/scaled/block_scale.h"
#include "engine/scaled/block_stats.h"
#include "engine/scaled/delayed_scale.h"
#include "engine/scaled/random_bits.h"

#include <ATen/core/Tensor.h>
#include <c10/util/intrusive_ptr.h>

#include <array>
#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace binade::autocast {

/// A quantized operand of a product, as it is multiplied. References are valid during the report only.
struct QuantizedOperand {
  int site = 0;
  int call = 0;  ///< execution of the site in this forward
  policy::Product product = policy::Product::kForward;
  policy::Operand operand = policy::Operand::kInput;
  std::size_t argument = 0;  ///< in the op's schema; for a gradient 0
  const scaled::ScaledFormat& format;
  const at::Tensor& from;  ///< the values as they came
  const at::Tensor& to;  ///< what is multiplied: float32, of the same shape. Undefined for an image in the gradient of
                         ///< a convolution's weight, whose values are quantized in the matrix of columns
  scaled::Scale tensor;  ///< scale of the tensor; {1, 1} for a format without
  const scaled::BlockStats& stats;  ///< of all values
  const OperandMatrices* matrices;  ///< of `from`; null where `to` is undefined
};
using ProductWatch = std::function<void(const QuantizedOperand&)>;

/// State of quantized products that outlives single calls, shared by an Autocast and the autograd nodes that it made:
/// the place in the stream of random draws, the scales of delayed scaling, the quantized weights of a step, and those
/// who observe. One thread at a time; backward may run on another one.
class ProductState {
 public:
  /// Starts a step. Draws depend on seed and step, and the weights of the step before are dropped.
  void begin_step(std::uint64_t seed, std::int64_t step);
  /// Starts a forward. Without begin_step() each forward is a step of its own with the same draws.
  void begin_forward();
  /// Ends a step. The largest magnitudes that it saw enter the history of delayed scaling, unless the step was skipped.
  void end_step(bool counted);

  /// Takes over step, seed and scales of another state, for a forward and backward that must equal the other's.
  void follow(const ProductState& other);

  /// Draws for an operand of a product of the `call`-th execution of a site in the current forward.
  scaled::RandomBits draws(int site, int call, policy::Product product, policy::Operand operand) const;
  /// Seed of the signs of the Hadamard transform: one for the whole run, as both operands of a product need the same.
  std::uint64_t sign_seed() const { return seed_; }
  std::int64_t forward() const { return forward_; }

  /// Scale of delayed scaling for an operand of a site in this step.
  const scaled::Scale& delayed_scale(int site, policy::Operand operand, scaled::Element element);
  /// Notes the largest magnitude of the operand in this step; calls add up.
  void observe(int site, policy::Operand operand, float largest);

  /// Largest magnitude of an operand with delayed scaling in this step; 0: it was not quantized.
  struct Magnitude {
    int site = 0;
    policy::Operand operand = policy::Operand::kInput;
    scaled::Element element = scaled::Element::kE4M3;
    float largest = 0;
  };
  std::vector<Magnitude> magnitudes() const;
  /// Notes the magnitude of an operand that another rank has quantized, also one that this rank has never met.
  void observe_elsewhere(const Magnitude& magnitude);

  /// What delayed scaling has to keep, by site and operand, for a checkpoint.
  struct Delayed {
    int site = 0;
    policy::Operand operand = policy::Operand::kInput;
    scaled::Element element = scaled::Element::kE4M3;
    std::vector<float> state;
  };
  std::vector<Delayed> delayed() const;
  /// Replaces all scales of delayed scaling. Throws Error{kBadFile} for a state that none has, and changes nothing
  /// then.
  void restore(const std::vector<Delayed>& all);

  /// A parameter quantized in this step. `orientation` tells apart copies of one format along different dimensions.
  struct WeightKey {
    const c10::TensorImpl* tensor = nullptr;
    scaled::ScaledFormat format;
    int orientation = 0;
    friend bool operator==(const WeightKey&, const WeightKey&) = default;
  };
  /// The quantized copy of a parameter; undefined if there is none, or the parameter has changed since.
  at::Tensor weight(const WeightKey& key, const at::Tensor& parameter) const;
  void keep_weight(const WeightKey& key, const at::Tensor& parameter, const at::Tensor& copy);

  /// Memory for operands and what they are made of, which live for one product.
  ReusedMemory& memory() { return memory_; }

  /// Notes what hardware or libraries would do otherwise, once for each text.
  void note(std::string finding);
  /// Whether the shapes of a product have been examined since clear_findings(); marks it as examined.
  bool examine(int site, policy::Product product);
  std::vector<std::string> findings() const { return findings_; }
  void clear_findings();

  /// Callback for every operand that is quantized, in forward and backward; empty: none, at no cost.
  ProductWatch watch;
  CastLedger* ledger = nullptr;  ///< counts copies; null: none
  /// Site whose products share no quantized operand, so that each is reported for each product; -1: none. The values
  /// are the same.
  int unshared = -1;

 private:
  struct DelayedOperand {
    scaled::DelayedScale scale;
    float present = 0;  ///< largest magnitude in this step, which may yet be skipped
  };
  using Place = std::pair<int, policy::Operand>;
  struct Weight {
    WeightKey key;
    at::Tensor parameter;  ///< keeps the address from being reused
    std::int64_t version = 0;
    const void* data = nullptr;
    at::Tensor copy;
  };

  std::uint64_t seed_ = 0;
  std::int64_t step_ = 0;
  bool stepping_ = false;
  std::int64_t forward_ = 0;
  std::map<Place, DelayedOperand> delayed_;
  std::unordered_map<const c10::TensorImpl*, std::vector<Weight>> weights_;
  std::vector<std::string> findings_;
  std::map<std::pair<int, policy::Product>, bool> examined_;
  ReusedMemory memory_;
};

}  // namespace binade::autocast
