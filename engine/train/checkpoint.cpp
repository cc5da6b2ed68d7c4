// SPDX-License-Identifier: Apache-2.0
#include "engine/train/checkpoint.h"

#include "engine/formats/error.h"
#include "engine/train/model_state.h"
#include "engine/train/optimizer_fields.h"
#include "engine/train/random_state.h"
#include "engine/train/safetensors.h"
#include "engine/wire/codec.h"

#include <ATen/core/grad_mode.h>
#include <torch/optim/optimizer.h>
#include <torch/version.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

namespace binade::train {

namespace {

using nlohmann::json;
using Tensors = std::map<std::string, at::Tensor>;
constexpr int kVersion = 1;
constexpr const char* kVersionField = "binade_checkpoint";
constexpr const char* kModel = "model.";
constexpr const char* kOptimizer = "optimizer.";
constexpr const char* kMasters = "master.";
constexpr const char* kRandom = "random.";

[[noreturn]] void refuse(const std::string& file, const std::string& what, const std::string& hint) {
  throw Error(ErrorCode::kBadFile, file + ": " + what, hint);
}

/// A scaler as it was: its settings, which may have been changed since the run was described, and where it stood.
struct SavedScaler {
  wire::ScalerConfig config;
  scaler::State state;
};

json scalers_of(const Training& training) {
  json all = json::array();
  for (std::size_t i = 0; i < training.scalers.size(); ++i) {
    const scaler::State& state = training.scalers.state(i);
    const wire::ScalerConfig& config = training.scalers.config(i);
    all.push_back({{"id", config.id},
                   {"enabled", config.enabled},
                   {"scale", state.scale},
                   {"growth_factor", state.growth_factor},
                   {"backoff_factor", state.backoff_factor},
                   {"growth_interval", state.growth_interval},
                   {"growth_tracker", state.growth_tracker},
                   {"overflows_in_a_row", state.overflows_in_a_row},
                   {"minimum", config.minimum},
                   {"maximum", config.maximum},
                   {"hysteresis", config.hysteresis},
                   {"static", config.fixed}});
  }
  return all;
}

/// `described`: in the checkpoint's own run, for what an older Binade did not write.
std::vector<SavedScaler> saved_scalers(const json& saved, const std::vector<wire::ScalerConfig>& described) {
  std::vector<SavedScaler> all;
  for (const json& one : saved) {
    SavedScaler scaler;
    if (all.size() < described.size()) scaler.config = described[all.size()];
    scaler::State& state = scaler.state;
    state.scale = one.at("scale");
    state.growth_factor = one.at("growth_factor");
    state.backoff_factor = one.at("backoff_factor");
    state.growth_interval = one.at("growth_interval");
    state.growth_tracker = one.at("growth_tracker");
    state.overflows_in_a_row = one.at("overflows_in_a_row");
    wire::ScalerConfig& config = scaler.config;
    config.id = one.at("id");
    config.enabled = one.at("enabled");
    config.growth_factor = state.growth_factor;
    config.backoff_factor = state.backoff_factor;
    config.growth_interval = state.growth_interval;
    config.minimum = one.value("minimum", config.minimum);
    config.maximum = one.value("maximum", config.maximum);
    config.hysteresis = one.value("hysteresis", config.hysteresis);
    config.fixed = one.value("static", config.fixed);
    all.push_back(std::move(scaler));
  }
  return all;
}

/// Text that strtod reads back to the same number, NaN and infinities among them.
std::string exactly(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.17g", value);
  return text.data();
}

/// What a checkpoint's metadata says, parsed.
struct Header {
  std::int64_t step = 0;
  std::string reason;
  std::int64_t saved = 0;  // both are missing where an older Binade wrote the file
  std::optional<double> loss;
  wire::RunConfig run;
  wire::PolicyApplied policy;
  std::vector<SavedScaler> scalers;
  std::int64_t cursor = 0;
  json optimizer, attributes;
};

Header header_of(const Safetensors& contents, const std::string& file) {
  const auto& metadata = contents.metadata;
  const auto text = [&](const char* key) -> const std::string& {
    const auto found = metadata.find(key);
    if (found == metadata.end()) {
      refuse(file, std::string("no checkpoint of a run: its metadata has no \"") + key + "\"",
             "Weights alone are given as \"weights\" of a run description.");
    }
    return found->second;
  };
  if (text(kVersionField) != std::to_string(kVersion)) {
    refuse(file, "a checkpoint of version " + text(kVersionField) + "; this program reads 1",
           "A newer Binade wrote it.");
  }
  try {
    Header header;
    header.step = json::parse(text("step")).get<std::int64_t>();
    header.reason = text("reason");
    header.run = wire::parse_run(text("run"), "run", "");
    header.policy = wire::decode<wire::PolicyApplied>(json::parse(text("policy")));
    header.scalers = saved_scalers(json::parse(text("scalers")), wire::scalers_of(header.run));
    header.cursor = json::parse(text("data")).at("cursor").get<std::int64_t>();
    header.optimizer = json::parse(text("optimizer"));
    header.attributes = json::parse(text("attributes"));
    if (metadata.contains("saved")) header.saved = json::parse(text("saved")).get<std::int64_t>();
    if (metadata.contains("loss")) header.loss = std::strtod(text("loss").c_str(), nullptr);
    return header;
  } catch (const json::exception& error) {
    refuse(file, std::string("damaged metadata: ") + error.what(), "Use another checkpoint.");
  } catch (const Error& error) {
    if (error.code == ErrorCode::kBadFile) throw;
    refuse(file, std::string("damaged metadata: ") + error.what(), error.hint);
  }
}

/// The tensors whose names begin with `prefix`, without it.
Tensors part(const Tensors& all, const std::string& prefix) {
  Tensors some;
  for (auto at = all.lower_bound(prefix); at != all.end() && at->first.starts_with(prefix); ++at) {
    some.emplace(at->first.substr(prefix.size()), at->second);
  }
  return some;
}

void check_model(const Training& training, const Header& header, const Tensors& tensors, const std::string& file) {
  const auto all = differences(training.model, tensors);
  if (all.empty()) return;
  std::string list;
  for (const std::string& each : all) list += "\n  " + each;
  refuse(file,
         "a checkpoint of another model (" + header.run.model + "): " + std::to_string(all.size()) +
             (all.size() == 1 ? " tensor differs" : " tensors differ") + list,
         "Resume it with the model that it was made with.");
}

void check_parts(const Training& training, const Header& header, const std::string& file) {
  const auto& mine = training.config.optimizer;
  const std::string kind = header.optimizer.value("kind", "");
  const bool fused = header.optimizer.value("fused", false);
  if (kind != mine.kind || fused != mine.fused) {
    const auto name = [](const std::string& of, bool is_fused) { return of + (is_fused ? ", fused" : ""); };
    refuse(file, "the optimizer there is " + name(kind, fused) + "; this run's is " + name(mine.kind, mine.fused),
           "Set optimizer.kind and optimizer.fused as they were.");
  }
  bool same = header.scalers.size() == training.scalers.size();
  for (std::size_t i = 0; same && i < training.scalers.size(); ++i) {
    const wire::ScalerConfig& saved = header.scalers[i].config;
    same = saved.id == training.scalers.id(i) && saved.enabled == training.scalers.enabled(i);
  }
  if (!same) refuse(file, "its scalers are not this run's", "Set scaler or scalers as they were.");
}

/// What the float16 weights were rounded from; of a checkpoint that has none, the weights themselves.
void load_masters(Training& training, const Tensors& masters) {
  const at::NoGradGuard no_history;
  training.masters->model_to_masters();
  for (auto& [name, master] : training.trainable) {
    const auto found = masters.find(name);
    if (found != masters.end() && found->second.sizes() == master.sizes()) master.copy_(found->second);
  }
}

/// Why a resumed run may not give the same bits.
std::vector<std::string> notes_on(const Training& training, const Header& header, const Tensors& random) {
  std::vector<std::string> notes;
  const wire::RunConfig& was = header.run;
  const wire::RunConfig& is = training.config;
  const auto other = [&notes](bool differs, const char* field) {
    if (differs)
      notes.push_back(std::string(field) + " is not what it was in the checkpoint's run: it does not go on to the bit");
  };
  other(!(was.data == is.data), "data");
  other(was.batch != is.batch, "batch");
  other(was.accumulate != is.accumulate, "accumulate");
  other(was.seed != is.seed, "seed");
  other(!(was.optimizer == is.optimizer), "optimizer");
  other(!(was.schedule == is.schedule), "schedule");
  other(is.schedule.kind == "cosine" && was.steps != is.steps, "steps, the length of the cosine schedule,");
  other(!(was.clip == is.clip), "clip");
  other(!(wire::losses_of(was) == wire::losses_of(is)), "losses");
  if (!(wire::scalers_of(was) == wire::scalers_of(is))) {
    notes.push_back(
        "scaler is not what it was in the checkpoint's run: the checkpoint's scale and settings are in force");
  }
  for (const auto& [device, state] : RandomState::of(training.device).named()) {
    if (!random.contains(device))
      notes.push_back("it has no random state of " + device + ": it does not go on to the bit");
  }
  return notes;
}

}  // namespace

wire::CheckpointInfo save_checkpoint(const Training& training, std::int64_t step, const std::string& reason,
                                     const std::string& file, std::optional<double> loss) {
  const at::NoGradGuard no_history;
  NamedTensors tensors;
  const auto add = [&tensors](const char* prefix, const NamedTensors& some) {
    for (const auto& [name, tensor] : some) tensors.emplace_back(prefix + name, tensor.detach());
  };
  add(kModel, model_tensors(training.model));
  add(kOptimizer, optimizer_tensors(*training.optimizer, training.trainable));
  if (training.masters) add(kMasters, training.trainable);
  add(kRandom, RandomState::of(training.device).named());

  const wire::PolicyApplied policy{training.policy->revision, step, training.config.policy, training.policy->sites,
                                   training.policy->findings};
  const json data{{"cursor", training.data->cursor()}, {"seed", training.config.seed}};
  const json optimizer{{"kind", training.config.optimizer.kind},
                       {"fused", training.config.optimizer.fused},
                       {"learning_rate", training.optimizer->param_groups().front().options().get_lr()}};
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const std::int64_t saved = std::chrono::duration_cast<std::chrono::seconds>(now).count();
  std::map<std::string, std::string> metadata{{kVersionField, std::to_string(kVersion)},
                                              {"step", std::to_string(step)},
                                              {"reason", reason},
                                              {"saved", std::to_string(saved)},
                                              {"run", wire::to_json(training.config)},
                                              {"policy", wire::encode(policy).dump()},
                                              {"scalers", scalers_of(training).dump()},
                                              {"data", data.dump()},
                                              {"optimizer", optimizer.dump()},
                                              {"attributes", model_attributes(training.model).dump()},
                                              {"libtorch", TORCH_VERSION}};
  if (loss) metadata["loss"] = exactly(*loss);
  write_safetensors(file, tensors, metadata);
  return {.file = file,
          .step = step,
          .reason = reason,
          .policy_revision = training.policy->revision,
          .model = training.config.model,
          .bytes = static_cast<std::uint64_t>(std::filesystem::file_size(file)),
          .saved = saved,
          .loss = loss};
}

Resumed load_checkpoint(Training& training, const std::string& file) {
  const at::NoGradGuard no_history;
  const Safetensors contents = read_safetensors(file);
  const Header header = header_of(contents, file);
  const Tensors model = part(contents.tensors, kModel);
  const Tensors random = part(contents.tensors, kRandom);
  check_model(training, header, model, file);
  check_parts(training, header, file);
  const auto resolved = resolve(training, header.policy.policy, header.policy.revision);
  Resumed resumed{header.step, notes_on(training, header, random)};
  for (std::size_t i = 0; i < resolved->sites.size() && i < header.policy.decisions.size(); ++i) {
    if (resolved->sites[i].execution == header.policy.decisions[i].execution) continue;
    resumed.notes.push_back("the policy's execution is auto, and this machine runs " + training.sites[i]->key.name() +
                            " the other way: it does not go on to the bit");
    break;
  }
  // From here on nothing can be refused but what the optimizer keeps, and that before anything is changed.
  load_optimizer_tensors(*training.optimizer, training.config.optimizer, training.trainable,
                         part(contents.tensors, kOptimizer));
  training.optimizer->zero_grad();
  load_model_state(training.model, model, header.attributes);
  if (training.masters) load_masters(training, part(contents.tensors, kMasters));
  for (std::size_t i = 0; i < training.scalers.size(); ++i) {
    training.scalers.tune(header.scalers[i].config);
    training.scalers.load(i, header.scalers[i].state);
  }
  training.data->seek(header.cursor);
  training.config.policy = header.policy.policy;
  training.policy = resolved;
  training.autocast.set_policy(resolved);
  for (const auto& [device, state] : RandomState::of(training.device).named()) {
    if (const auto found = random.find(device); found != random.end()) RandomState::restore(device, found->second);
  }
  return resumed;
}

wire::CheckpointInfo inspect_checkpoint(const std::string& file) {
  const Header header = header_of(read_safetensors(file), file);
  return {.file = file,
          .step = header.step,
          .reason = header.reason,
          .policy_revision = header.policy.revision,
          .model = header.run.model,
          .bytes = static_cast<std::uint64_t>(std::filesystem::file_size(file)),
          .saved = header.saved,
          .loss = header.loss};
}

}  // namespace binade::train
