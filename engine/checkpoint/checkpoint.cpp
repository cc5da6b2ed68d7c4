// SPDX-License-Identifier: Apache-2.0
#include "engine/checkpoint/checkpoint.h"

#include "engine/batches/split.h"
#include "engine/checkpoint/checkpoint_header.h"
#include "engine/files/mapped_file.h"
#include "engine/files/safetensors.h"
#include "engine/formats/error.h"
#include "engine/train/model_state.h"
#include "engine/train/optimizer_fields.h"
#include "engine/train/random_state.h"
#include "engine/train/scale_tensors.h"

#include <ATen/core/grad_mode.h>
#include <torch/optim/optimizer.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iterator>
#include <set>

namespace binade::checkpoint {

namespace {

using Tensors = std::map<std::string, at::Tensor>;
constexpr const char* kModel = "model.";
constexpr const char* kAttribute = "attribute.";
constexpr const char* kOptimizer = "optimizer.";
constexpr const char* kMasters = "master.";
constexpr const char* kRandom = "random.";
constexpr const char* kScales = "scales.";

/// Returns the tensors whose names start with `prefix`, with the prefix removed.
Tensors part(const Tensors& all, const std::string& prefix) {
  Tensors some;
  for (auto at = all.lower_bound(prefix); at != all.end() && at->first.starts_with(prefix); ++at) {
    some.emplace(at->first.substr(prefix.size()), at->second);
  }
  return some;
}

void check_model(const train::Training& training, const CheckpointHeader& header, const Tensors& tensors,
                 const std::string& file) {
  const auto all = train::differences(training.model, tensors, training.attributes.assigned());
  if (all.empty()) return;
  std::string list;
  for (const std::string& each : all) list += "\n  " + each;
  refuse_checkpoint(file,
                    "a checkpoint of another model (" + header.run.model + "): " + std::to_string(all.size()) +
                        (all.size() == 1 ? " tensor differs" : " tensors differ") + list,
                    "Resume it with the model of its run.");
}

void check_parts(const train::Training& training, const CheckpointHeader& header, const std::string& file) {
  const auto& mine = training.config.optimizer;
  const std::string kind = header.optimizer.value("kind", "");
  const bool fused = header.optimizer.value("fused", false);
  if (kind != mine.kind || fused != mine.fused) {
    const auto name = [](const std::string& of, bool is_fused) { return of + (is_fused ? ", fused" : ""); };
    refuse_checkpoint(file,
                      "its optimizer is " + name(kind, fused) + ", but this run uses " + name(mine.kind, mine.fused),
                      "Set optimizer.kind and optimizer.fused to the checkpoint's values.");
  }
  bool same = header.scalers.size() == training.scalers.size();
  for (std::size_t i = 0; same && i < training.scalers.size(); ++i) {
    const wire::ScalerConfig& saved = header.scalers[i].config;
    same = saved.id == training.scalers.id(i) && saved.enabled == training.scalers.enabled(i);
  }
  if (!same)
    refuse_checkpoint(file, "its scalers differ from those of this run",
                      "Set scaler or scalers to the checkpoint's values.");
}

std::vector<train::AttributeValue> attributes_in(const train::Training& training, const CheckpointHeader& header,
                                                 const Tensors& tensors, const std::string& file) {
  try {
    return train::read_attributes(training.model, header.attributes, tensors);
  } catch (const Error& error) {
    refuse_checkpoint(file, std::string("damaged: ") + error.what(), error.hint);
  }
}

/// Loads the masters; from a checkpoint without any, the float16 weights themselves.
void load_masters(train::Training& training, const Tensors& masters) {
  const at::NoGradGuard no_history;
  training.masters->model_to_masters();
  for (auto& [name, master] : training.trainable) {
    const auto found = masters.find(name);
    if (found != masters.end() && found->second.sizes() == master.sizes()) master.copy_(found->second);
  }
}

/// Adds the fields that differ from `was`, with both values: `optimizer.learning_rate is 0.05, and was 0.1`.
void add_changes(const nlohmann::json& was, const nlohmann::json& is, const std::string& path,
                 std::vector<std::string>& to) {
  if (was == is) return;
  if (was.is_object() && is.is_object()) {
    const auto value_of = [](const nlohmann::json& object, const std::string& key) {
      const auto found = object.find(key);
      return found == object.end() ? nlohmann::json() : *found;
    };
    std::set<std::string> keys;
    for (const auto& [key, value] : was.items()) keys.insert(key);
    for (const auto& [key, value] : is.items()) keys.insert(key);
    for (const std::string& key : keys) {
      add_changes(value_of(was, key), value_of(is, key), std::string(path).append(".").append(key), to);
    }
    return;
  }
  const auto text = [](const nlohmann::json& value) {
    return value.is_null() ? std::string("not given") : value.dump();
  };
  to.push_back(path + " is " + text(is) + ", but was " + text(was) + " in the checkpoint's run");
}

/// Returns the fields of a description that influence results, in a canonical form.
nlohmann::json deciding(wire::RunConfig config) {
  config.losses = wire::losses_of(config);
  config.scalers = wire::scalers_of(config);
  config.data.prefetch = {};
  return nlohmann::json::parse(wire::to_json(config));
}

/// Returns reasons why a resumed run may not give the same bits.
std::vector<std::string> notes_on(const train::Training& training, const CheckpointHeader& header,
                                  const Tensors& random) {
  std::vector<std::string> notes;
  const wire::RunConfig& was = header.run;
  const wire::RunConfig& is = training.config;
  const nlohmann::json then = deciding(was);
  const nlohmann::json now = deciding(is);
  std::vector<std::string> mine;  // fields whose value comes from this run
  for (const char* field : {"data", "batch", "accumulate", "seed", "optimizer", "schedule", "clip", "losses"}) {
    add_changes(then.value(field, nlohmann::json()), now.value(field, nlohmann::json()), field, mine);
  }
  if (is.schedule.kind == "cosine" && was.steps != is.steps) {
    add_changes(was.steps, is.steps, "steps, the length of the cosine schedule,", mine);
  }
  for (const std::string& change : mine)
    notes.push_back(change + ". The value of this run applies, so the results differ from an uninterrupted run");
  std::vector<std::string> theirs;
  const nlohmann::json scalers = now.value("scalers", nlohmann::json::array());
  for (std::size_t i = 0; i < scalers.size(); ++i) {
    const std::string field = scalers.size() == 1 ? "scaler" : "scalers[" + std::to_string(i) + "]";
    add_changes(then.at("scalers").at(i), scalers[i], field, theirs);
  }
  for (const std::string& change : theirs) notes.push_back(change + ". The value of the checkpoint applies");
  if (header.ranks && *header.ranks != training.ranks) {
    const auto count = [](int ranks) { return std::to_string(ranks) + (ranks == 1 ? " rank" : " ranks"); };
    notes.push_back("it is of a run on " + count(*header.ranks) + ", and this run has " + count(training.ranks) +
                    ". Sums round differently, and random ops such as dropout draw other numbers, so the results "
                    "differ from an uninterrupted run");
  }
  for (const auto& [device, state] : train::RandomState::of(training.device).named()) {
    if (!random.contains(device))
      notes.push_back("it has no random state of " + device + ". The results differ from an uninterrupted run");
  }
  return notes;
}

/// Test rows of files are selected by seed and share. If these have changed, evaluations use rows that were trained on.
std::optional<std::string> note_on_held_out(const train::Training& training, const wire::RunConfig& was) {
  const wire::RunConfig& is = training.config;
  const bool same = is.seed == was.seed && is.data.test == was.data.test;
  const bool of_one_data = is.data.kind == "files" && was.data.kind == "files" && is.data.files == was.data.files;
  if (same || !of_one_data || is.data.test <= 0) return std::nullopt;
  const std::int64_t held_out = training.data->test_examples();
  const std::int64_t rows = training.data->examples() + held_out;
  const std::vector<std::int64_t> now = batches::split_rows(rows, is.data.test, is.seed).test;
  const std::vector<std::int64_t> then = batches::split_rows(rows, was.data.test, was.seed).train;
  std::vector<std::int64_t> trained;
  std::set_intersection(now.begin(), now.end(), then.begin(), then.end(), std::back_inserter(trained));
  if (trained.empty()) return std::nullopt;
  const auto by = [](const wire::RunConfig& run) {
    return "seed " + std::to_string(run.seed) + " and data.test " + nlohmann::json(run.data.test).dump();
  };
  return by(is) + " hold out different rows than " + by(was) + " did: " + std::to_string(trained.size()) + " of the " +
         std::to_string(held_out) +
         " of the evaluation were used for training before, so evaluations are too optimistic. Resume with " + by(was) +
         " to hold out the same rows";
}

/// Returns why the op calls may give other bits. A checkpoint stores their number, not their names.
std::optional<std::string> note_on_sites(const train::Training& training, const policy::Resolved& resolved,
                                         const CheckpointHeader& header) {
  const std::size_t now = resolved.sites.size();
  const std::size_t then = header.policy.decisions.size();
  if (then != 0 && now != then) {
    return "model and losses have " + std::to_string(now) + " op calls, but had " + std::to_string(then) +
           " in the checkpoint's run, although their tensors are equal. The results differ from an uninterrupted run";
  }
  for (std::size_t i = 0; i < then; ++i) {
    if (resolved.sites[i].execution == header.policy.decisions[i].execution) continue;
    return "the policy's execution is auto, and this machine runs " + training.sites[i]->key.name() +
           " differently. The results differ from an uninterrupted run";
  }
  return std::nullopt;
}

}  // namespace

wire::CheckpointInfo save_checkpoint(const train::Training& training, std::int64_t step, const std::string& reason,
                                     const std::string& file, std::optional<double> loss) {
  train::check_whole(training);
  const at::NoGradGuard no_history;
  train::NamedTensors tensors;
  const auto add = [&tensors](const char* prefix, const train::NamedTensors& some) {
    for (const auto& [name, tensor] : some) tensors.emplace_back(prefix + name, tensor.detach());
  };
  add(kModel, train::model_tensors(training.model));
  add(kAttribute, train::attribute_tensors(training.model));
  add(kOptimizer, train::optimizer_tensors(*training.optimizer, training.trainable));
  if (training.masters) add(kMasters, training.trainable);
  add(kRandom, train::RandomState::of(training.device).named());
  add(kScales, train::scale_tensors(training));

  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const std::int64_t saved = std::chrono::duration_cast<std::chrono::seconds>(now).count();
  files::write_safetensors(file, tensors, checkpoint_metadata(training, step, reason, saved, loss));
  return {.file = file,
          .step = step,
          .reason = reason,
          .policy_revision = training.policy->revision,
          .model = training.config.model,
          .bytes = static_cast<std::uint64_t>(std::filesystem::file_size(file)),
          .saved = saved,
          .loss = loss};
}

namespace {

Resumed load(train::Training& training, const files::Safetensors& contents, const std::string& file) {
  const CheckpointHeader header = read_checkpoint_metadata(contents, file);
  const Tensors model = part(contents.tensors, kModel);
  const Tensors random = part(contents.tensors, kRandom);
  check_model(training, header, model, file);
  check_parts(training, header, file);
  const auto attributes = attributes_in(training, header, part(contents.tensors, kAttribute), file);
  const auto resolved = train::resolve(training, header.policy.policy, header.policy.revision);
  Resumed resumed{header.step, notes_on(training, header, random)};
  if (auto note = note_on_held_out(training, header.run)) resumed.notes.push_back(std::move(*note));
  if (auto note = note_on_sites(training, *resolved, header)) resumed.notes.push_back(std::move(*note));
  // From here on only the optimizer's state can be refused, before anything has been changed.
  std::vector<autocast::ProductState::Delayed> scales;
  try {
    scales = train::read_scales(training, part(contents.tensors, kScales));
    train::load_optimizer_tensors(*training.optimizer, training.config.optimizer, training.trainable,
                                  part(contents.tensors, kOptimizer));
  } catch (const Error& error) {
    refuse_checkpoint(file, error.what(), error.hint);
  }
  training.whole = false;  // until everything has been restored
  training.optimizer->zero_grad();
  train::load_model_state(training.model, model, attributes, training.attributes.assigned());
  if (training.masters) load_masters(training, part(contents.tensors, kMasters));
  for (std::size_t i = 0; i < training.scalers.size(); ++i) {
    training.scalers.tune(header.scalers[i].config);
    training.scalers.load(i, header.scalers[i].state);
  }
  training.data->seek(header.cursor);
  training.config.policy = header.policy.policy;
  training.policy = resolved;
  training.autocast.set_policy(resolved);
  training.autocast.products().restore(scales);
  for (const auto& [device, state] : train::RandomState::of(training.device).named()) {
    if (const auto found = random.find(device); found != random.end())
      train::RandomState::restore(device, found->second);
  }
  files::check_mapped(file);
  training.whole = true;
  return resumed;
}

}  // namespace

Resumed load_checkpoint(train::Training& training, const std::string& file) {
  const at::NoGradGuard no_history;
  const files::Safetensors contents = files::read_safetensors(file);
  try {
    return load(training, contents, file);
  } catch (const Error& error) {
    if (error.code != ErrorCode::kBadPolicy && error.code != ErrorCode::kBadRun) throw;
    refuse_checkpoint(file, std::string("damaged: ") + error.what(), "Use another checkpoint.");
  } catch (const std::exception& error) {  // from LibTorch, for a state that it refuses
    const std::string what = error.what();
    refuse_checkpoint(file, "damaged: " + what.substr(0, what.find('\n')), "Use another checkpoint.");
  }
}

void save_trained_model(const train::Training& training, const std::string& file) {
  train::check_whole(training);
  // Without the policy's casts, float16 weights would not match float32 inputs.
  train::save_model(training.half_weights ? train::in_float32(training.model, training.trainable) : training.model,
                    file);
}

wire::CheckpointInfo inspect_checkpoint(const std::string& file) {
  const CheckpointHeader header = read_checkpoint_metadata(files::read_safetensors_header(file), file);
  return {.file = file,
          .step = header.step,
          .reason = header.reason,
          .policy_revision = header.policy.revision,
          .model = header.run.model,
          .bytes = static_cast<std::uint64_t>(std::filesystem::file_size(file)),
          .saved = header.saved,
          .loss = header.loss};
}

}  // namespace binade::checkpoint
