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

/// What casts O1 does while it lives: see Amp::casts(). Moves, so that a function can give it.
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

/// What initialize() sets up: the properties in force and one loss scaler for each loss. A handle: copies share it.
/// One thread at a time.
class Amp {
 public:
  /// Chooses level and properties. Throws Error{kUsage} for an unknown level or an override that makes no sense.
  explicit Amp(const Options& options);

  const policy::ApexProperties& properties() const;
  bool is_enabled() const { return properties().enabled; }

  /// At O1, until the end of the block: the arguments of each listed op that this thread calls are cast. Open it around
  /// forward and loss; backward goes outside. Does nothing at the other levels, and inside another one.
  Casts casts() const;
  /// The other way round, until the end of the block: ops take their arguments as they are. Nests, and ends with the
  /// block also when it throws.
  Casts disable_casts() const;

  /// What a model's inputs and outputs are cast to; nothing where they stay.
  std::optional<at::ScalarType> input_dtype() const;
  std::optional<at::ScalarType> output_dtype() const;

  /// `loss` as float32, times the scale. Call backward() on it; at the end of the block the gradients that
  /// `optimizers` step are unscaled, and an overflow makes their next step() a skip.
  ///
  ///     { const auto scaled = amp.scale_loss(loss, optimizer);
  ///       scaled->backward(); }
  ///     optimizer.step();
  ///
  /// `optimizers` are all those that own a parameter which receives a gradient here. More by name, as
  /// `{.loss_id = 1, .delay_unscale = true}`. Throws Error{kUsage} for a `loss_id` outside [0, num_losses).
  ScaledLoss scale_loss(const at::Tensor& loss, Optimizer& optimizer, const ScaleOptions& options = {}) const;
  ScaledLoss scale_loss(const at::Tensor& loss, const std::vector<Optimizer*>& optimizers,
                        const ScaleOptions& options = {}) const;

  /// The scalers in order, `loss_scaler0` and so on; empty where amp is not enabled.
  using State = std::vector<std::pair<std::string, scaler::ApexScaler::State>>;
  State state_dict() const;
  /// By order, as with Apex: entries beyond num_losses are skipped with a line, missing ones leave their scaler. Throws
  /// Error{kUsage} for a name without `loss_scaler`.
  void load_state_dict(const State& state);

  const scaler::ApexScaler& loss_scaler(int loss_id = 0) const;

  struct Shared;
  const std::shared_ptr<Shared>& shared() const { return shared_; }

 private:
  std::shared_ptr<Shared> shared_;
};

}  // namespace binade::apex
