// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/apex/options.h"
#include "engine/apex/scaled_loss.h"
#include "engine/scaler/apex_scaler.h"

#include <ATen/core/Tensor.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace binade::apex {

class Optimizer;

/// Scope in which O1's casts are active, or disabled: see Amp::casts() and Amp::disable_casts(). Movable.
class Casts {
 public:
  struct State;
  explicit Casts(std::unique_ptr<State> state);
  Casts(Casts&&) noexcept;
  Casts& operator=(Casts&&) = delete;
  ~Casts();

 private:
  std::unique_ptr<State> state_;
};

/// The result of initialize(): the properties in force and one loss scaler per loss. Copies share the same state. Not
/// thread-safe.
class Amp {
 public:
  /// Selects level and properties. Throws Error{kUsage} for an unknown level or an invalid override.
  explicit Amp(const Options& options);

  const policy::ApexProperties& properties() const;
  bool is_enabled() const { return properties().enabled; }

  /// At O1, casts the arguments of each listed op that this thread calls, until the returned object is destroyed. Use
  /// it around forward and loss, not around backward. Does nothing at other levels or inside another casts() scope.
  Casts casts() const;
  /// Disables these casts until the returned object is destroyed, also if the block throws. May be nested.
  Casts disable_casts() const;

  /// The dtypes to which a model's inputs and outputs are cast; nullopt: no cast.
  std::optional<at::ScalarType> input_dtype() const;
  std::optional<at::ScalarType> output_dtype() const;

  /// Returns `loss` as float32, multiplied by the scale; call backward() on it. At the end of the block the gradients
  /// of `optimizers` are unscaled, and after an overflow their next step() is skipped.
  ///
  ///     { const auto scaled = amp.scale_loss(loss, optimizer);
  ///       scaled->backward(); }
  ///     optimizer.step();
  ///
  /// `optimizers` must include every optimizer with a parameter that receives a gradient here. Further options are
  /// passed by name: `{.loss_id = 1, .delay_unscale = true}`. Throws Error{kUsage} for a `loss_id` outside [0,
  /// num_losses).
  ScaledLoss scale_loss(const at::Tensor& loss, Optimizer& optimizer, const ScaleOptions& options = {}) const;
  ScaledLoss scale_loss(const at::Tensor& loss, const std::vector<Optimizer*>& optimizers,
                        const ScaleOptions& options = {}) const;

  /// The scalers' states by name: `loss_scaler0`, `loss_scaler1` and so on; empty if amp is disabled.
  using State = std::vector<std::pair<std::string, scaler::ApexScaler::State>>;
  State state_dict() const;
  /// Loads by order, like Apex. Entries beyond num_losses are ignored with a printed line; scalers without an entry are
  /// unchanged. Throws Error{kUsage} for a name that does not contain `loss_scaler`.
  void load_state_dict(const State& state);

  const scaler::ApexScaler& loss_scaler(int loss_id = 0) const;

  struct Shared;
  const std::shared_ptr<Shared>& shared() const { return shared_; }

 private:
  std::shared_ptr<Shared> shared_;
};

}  // namespace binade::apex
