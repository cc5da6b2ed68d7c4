// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/autocast/autocast.h"
#include "engine/graph/flat_graph.h"
#include "engine/graph/model.h"
#include "engine/observe/observer.h"
#include "engine/observe/own_cast.h"
#include "engine/observe/site_timer.h"
#include "engine/scaler/kept_tensors.h"
#include "engine/scaler/master_weights.h"
#include "engine/train/batches.h"
#include "engine/train/kept_attributes.h"
#include "engine/train/losses.h"
#include "engine/train/optimizer.h"
#include "engine/train/scalers.h"
#include "engine/train/start_values.h"
#include "engine/train/waiting.h"
#include "engine/wire/model_info.h"
#include "engine/wire/run_config.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace torch::optim {
class Optimizer;
}

namespace binade::train {

/// Everything one training holds: made and checked by set_up, used by one thread.
struct Training {
  wire::RunConfig config;
  c10::Device device{c10::kCPU};
  policy::Capabilities capabilities;
  graph::Model model;
  graph::FlatGraph forward;
  std::unique_ptr<BatchSource> data;
  std::vector<Loss> losses;
  std::vector<const graph::Site*> sites;  ///< of forward, then of the losses; sites[i]->id == i
  NamedTensors trainable;                 ///< what the optimizer steps: master weights where the level has them
  std::unique_ptr<torch::optim::Optimizer> optimizer;
  std::unique_ptr<scaler::MasterWeights> masters;  ///< of apex-o2; else null
  bool half_weights = false;                       ///< of apex-o2 and apex-o3
  LearningRates rates;
  Scalers scalers;
  scaler::KeptTensors buffers;  ///< as they were when the present step began
  KeptAttributes attributes;
  autocast::Autocast autocast;
  observe::SiteTimer timer;
  observe::Observer observer;
  std::unique_ptr<observe::LiftedNarrowings> own_casts;  ///< lifts the model's own casts in each step; null: they stay
  std::shared_ptr<const policy::Resolved> policy;        ///< in force
  wire::ModelInfo info;                                  ///< with the losses' sites at the end
  /// False once an optimizer failed in mid-step: some parameters have been updated and others not. What cannot be gone
  /// on from is not saved; load_checkpoint() makes it whole again.
  bool whole = true;
  StartValues start;  ///< of the model as its file and `weights` gave it

  ~Training();
};

/// Loads, checks and tries out what `config` describes: one forward and loss in eval mode on the first batch, which
/// changes nothing. Ends with LibTorch's generators freshly seeded.
/// Throws Error: kBadFile, kUnsafe, kBadModel, kBadData, kBadRun, as the fault is; kCancelled as `waiting`
/// says.
std::unique_ptr<Training> set_up(const wire::RunConfig& config, const Waiting& waiting = {});

/// The table for this training's sites.
std::shared_ptr<const policy::Resolved> resolve(const Training& training, const policy::Policy& policy, int revision);

/// Throws Error{kBadRun} unless the training is whole: before anything of it is saved.
void check_whole(const Training& training);

/// The batch's inputs and target on the training's device.
Batch on_device(const Training& training, Batch batch);

/// While it lives, the model is in eval mode and no history is kept. Puts train mode, LibTorch's random state, the
/// buffers (models traced in train mode draw numbers and update statistics even so) and attributes (a model may count
/// its calls) back: training goes on as if nothing had been.
class Aside {
 public:
  explicit Aside(const Training& training);
  ~Aside();
  Aside(const Aside&) = delete;
  Aside& operator=(const Aside&) = delete;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace binade::train
