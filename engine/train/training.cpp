// SPDX-License-Identifier: Apache-2.0
#include "engine/train/training.h"

#include "engine/autocast/resolve_executions.h"
#include "engine/batches/open_data.h"
#include "engine/files/progress.h"
#include "engine/formats/error.h"
#include "engine/graph/known_ops.h"
#include "engine/graph/samples.h"
#include "engine/train/apex_level.h"
#include "engine/train/check_ranks.h"
#include "engine/train/check_run.h"
#include "engine/train/device.h"
#include "engine/train/model_info.h"
#include "engine/train/optimizer.h"
#include "engine/train/weights.h"

#include <torch/optim/optimizer.h>

#include <algorithm>
#include <set>

namespace binade::train {

namespace {

/// Keeps a weight that has several names, as tied embeddings do, under its first one: it is unscaled, counted in the
/// gradient norm and stepped once.
void drop_repeated(NamedTensors& parameters) {
  std::set<const void*> seen;
  std::erase_if(parameters, [&](const auto& named) { return !seen.insert(named.second.unsafeGetTensorImpl()).second; });
}

/// Returns the parameters to train. If the file was saved with requires_grad off for all, it is switched on.
NamedTensors trainable_of(const graph::Model& model, const wire::RunConfig& config) {
  auto parameters = model.parameters();
  std::erase_if(parameters, [](const auto& parameter) { return !parameter.second.is_floating_point(); });
  if (parameters.empty()) {
    throw Error(ErrorCode::kBadModel, config.model + " has no trainable parameter",
                "A frozen model stores its weights as constants. Save it again without torch.jit.freeze.");
  }
  const auto frozen = [](const auto& parameter) { return !parameter.second.requires_grad(); };
  if (std::all_of(parameters.begin(), parameters.end(), frozen)) {
    for (auto& [name, tensor] : parameters) tensor.requires_grad_(true);
  }
  std::erase_if(parameters, frozen);
  drop_repeated(parameters);
  const auto scalers = wire::scalers_of(config);
  const bool scaled = std::any_of(scalers.begin(), scalers.end(), [](const auto& scaler) { return scaler.enabled; });
  for (const auto& [name, tensor] : parameters) {
    if (!scaled || tensor.scalar_type() != at::kHalf) continue;
    throw Error(ErrorCode::kBadModel,
                config.model + ": the parameter " + name + " is float16, and float16 gradients cannot be unscaled",
                "Save the model in float32 with model.float(). The policy casts to float16 where needed.");
  }
  return parameters;
}

}  // namespace

Training::~Training() = default;

std::shared_ptr<const policy::Resolved> resolve(const Training& training, const policy::Policy& policy, int revision) {
  auto resolved =
      std::make_shared<policy::Resolved>(autocast::resolve_for(policy, training.sites, training.capabilities));
  resolved->revision = revision;
  if (auto finding = level_finding(training.half_weights, policy)) resolved->findings.push_back(std::move(*finding));
  return resolved;
}

void check_whole(const Training& training) {
  if (training.whole) return;
  throw Error(ErrorCode::kBadRun,
              "The optimizer failed during a step. Only some parameters were updated, so the state is not saved",
              "Resume from the last checkpoint.");
}

c10::IValue moved(const c10::IValue& input, c10::Device device) {
  if (input.isTensor()) return input.toTensor().to(device);
  if (input.isList()) {
    c10::impl::GenericList list(input.toList().elementType());
    for (const c10::IValue& member : input.toListRef()) list.push_back(moved(member, device));
    return list;
  }
  if (input.isTuple()) {
    std::vector<c10::IValue> members;
    for (const c10::IValue& member : input.toTupleRef().elements()) members.push_back(moved(member, device));
    return c10::ivalue::Tuple::create(std::move(members));
  }
  if (input.isGenericDict()) {
    const auto given = input.toGenericDict();
    c10::impl::GenericDict dict(given.keyType(), given.valueType());
    for (const auto& entry : given) dict.insert(entry.key(), moved(entry.value(), device));
    return dict;
  }
  return input;
}

batches::Batch on_device(const Training& training, batches::Batch batch) {
  if (training.device.is_cpu()) return batch;
  for (c10::IValue& input : batch.inputs) input = moved(input, training.device);
  for (auto& [name, target] : batch.targets) target = target.to(training.device);
  return batch;
}

namespace {

std::vector<at::Tensor> buffers_of(const graph::Model& model) {
  std::vector<at::Tensor> all;
  for (auto& [name, buffer] : model.buffers()) all.push_back(std::move(buffer));
  return all;
}

/// Numbers the sites of forward and losses consecutively, and describes them in `info`.
void describe_all(Training& training, const std::vector<std::string>& notes) {
  const policy::Base base = training.config.policy.base;
  training.info = describe(training.config.model, training.model, training.forward, base);
  training.info.warnings.insert(training.info.warnings.end(), notes.begin(), notes.end());
  const auto add_sites = [&training](const graph::FlatGraph& graph) {
    for (const auto& site : graph.sites()) training.sites.push_back(site.get());
  };
  add_sites(training.forward);
  std::vector<std::vector<graph::Origin>> results;
  if (training.info.flow) results = graph::dataflow(training.forward).results;
  for (const Loss& loss : training.losses) {
    add_sites(loss.graph());
    for (auto& site : describe_sites(loss.graph(), base)) training.info.sites.push_back(std::move(site));
    if (training.info.flow) describe_loss(*training.info.flow, results, loss.graph(), loss.outputs());
  }
}

}  // namespace

std::unique_ptr<Training> set_up(const wire::RunConfig& described, const files::Progress& progress, const Seat& seat) {
  const std::stop_token& stop = progress.stop();
  const wire::RunConfig config = with_level(described);
  const std::string source = config.name.empty() ? "run" : config.name;
  wire::check(config, source);
  graph::check_ops(config.policy, source + ": policy");
  check_ranks(config, source, seat.shard.count);
  const c10::Device device = open_device(config.device, seat.gpu);
  seed(config.seed);
  graph::Model model = graph::open_model(config.model, config.seed);
  files::check_stop(stop);
  std::vector<std::string> notes;
  if (!config.weights.empty()) notes = load_weights(model, config.weights);
  files::check_stop(stop);
  graph::FlatGraph forward(model);
  auto data = batches::open_data(config, forward.schema(), progress, seat.shard);
  files::check_stop(stop);
  auto losses = make_losses(config, static_cast<int>(forward.sites().size()), *data);
  auto trainable = trainable_of(model, config);
  model.to(device);
  model.train(true);
  cast_model(config.policy, model);
  auto optimizer = make_optimizer(config.optimizer, trainable);
  auto masters = make_masters(config.policy, *optimizer, trainable);
  const LearningRates rates(*optimizer);

  std::unique_ptr<Training> training(new Training{
      .config = config,
      .device = device,
      .capabilities = capabilities(device),
      .model = model,
      .forward = std::move(forward),
      .data = std::move(data),
      .losses = std::move(losses),
      .sites = {},
      .trainable = std::move(trainable),
      .optimizer = std::move(optimizer),
      .masters = std::move(masters),
      .half_weights = keeps_half_weights(config.policy),
      .rates = rates,
      .scalers = Scalers(wire::scalers_of(config)),
      .buffers = scaler::KeptTensors(buffers_of(model)),
      .attributes = KeptAttributes(model),
      .autocast = autocast::Autocast(device.type()),
      .timer = {},
      .observer = {},
      .own_casts = nullptr,
      .policy = {},
      .info = {},
      .start = StartValues(model),
      .ranks = seat.shard.count,
  });
  training->observer.set_timer(&training->timer);
  describe_all(*training, notes);
  training->policy = resolve(*training, config.policy, 0);
  training->autocast.set_policy(training->policy);
  check_inputs(*training);
  check_first_batch(*training, stop);
  seed(config.seed);  // training starts from the same state, whatever set-up drew
  return training;
}

}  // namespace binade::train
