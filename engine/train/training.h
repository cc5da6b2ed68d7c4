// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/autocast/autocast.h"
#include "engine/batches/batches.h"
#include "engine/batches/shard.h"
#include "engine/files/progress.h"
#include "engine/graph/flat_graph.h"
#include "engine/graph/model.h"
#include "engine/observe/observer.h"
#include "engine/observe/own_cast.h"
#include "engine/observe/site_timer.h"
#include "engine/scaler/kept_tensors.h"
#include "engine/scaler/master_weights.h"
#include "engine/train/kept_attributes.h"
#include "engine/train/losses.h"
#include "engine/train/optimizer.h"
#include "engine/train/scalers.h"
#include "engine/train/start_values.h"
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

/// Everything that one training holds. Created and checked by set_up(), used by one thread.
struct Training {
  wire::RunConfig config;
  c10::Device device{c10::kCPU};
  policy::Capabilities capabilities;
  graph::Model model;
  graph::FlatGraph forward;
  std::unique_ptr<batches::BatchSource> data;
  std::vector<Loss> losses;
  std::vector<const graph::Site*> sites;  ///< of forward, then of the losses; sites[i]->id == i
  NamedTensors trainable;                 ///< the tensors that the optimizer steps: masters if the level has them
  std::unique_ptr<torch::optim::Optimizer> optimizer;
  std::unique_ptr<scaler::MasterWeights> masters;  ///< for apex-o2; else null
  bool half_weights = false;                       ///< for apex-o2 and apex-o3
  LearningRates rates;
  Scalers scalers;
  scaler::KeptTensors buffers;  ///< as at the start of the current step
  KeptAttributes attributes;
  autocast::Autocast autocast;
  observe::SiteTimer timer;
  observe::Observer observer;
  std::unique_ptr<observe::LiftedNarrowings> own_casts;  ///< lifts the model's own casts in each step; null: they stay
  std::shared_ptr<const policy::Resolved> policy;        ///< the policy in force
  wire::ModelInfo info;                                  ///< with the losses' sites at the end
  /// False after the optimizer failed during its step, when only some parameters have been updated. Such a state cannot
  /// be saved; load_checkpoint() makes the training whole again.
  bool whole = true;
  StartValues start;  ///< of the model as loaded from its file and `weights`
  int ranks = 1;      ///< of the run, each with its part of every batch

  ~Training();
};

/// What a rank of several has of a training: its part of each batch, and the number of its GPU.
struct Seat {
  batches::Shard shard;
  int gpu = 0;
};

/// Loads and checks what `config` describes, and tries one forward and loss in eval mode on the first batch, without
/// side effects. Leaves LibTorch's generators freshly seeded. Throws Error: kBadFile, kUnsafe, kBadModel, kBadData or
/// kBadRun depending on the fault; kCancelled as for `progress`.
std::unique_ptr<Training> set_up(const wire::RunConfig& config, const files::Progress& progress = {},
                                 const Seat& seat = {});

/// Resolves a policy for this training's sites.
std::shared_ptr<const policy::Resolved> resolve(const Training& training, const policy::Policy& policy, int revision);

/// Throws Error{kBadRun} unless the training is whole. Call it before saving.
void check_whole(const Training& training);

/// Returns an input of forward with every tensor on `device`, through lists, tuples and dictionaries.
c10::IValue moved(const c10::IValue& input, c10::Device device);

/// Returns the batch with inputs and targets on the training's device.
batches::Batch on_device(const Training& training, batches::Batch batch);

}  // namespace binade::train
