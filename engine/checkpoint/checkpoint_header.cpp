// SPDX-License-Identifier: Apache-2.0
#include "engine/checkpoint/checkpoint_header.h"

#include "engine/formats/error.h"
#include "engine/formats/newer_version.h"
#include "engine/train/model_state.h"
#include "engine/wire/codec.h"
#include "engine/wire/nesting.h"

#include <torch/optim/optimizer.h>
#include <torch/version.h>

#include <array>
#include <cstdio>
#include <cstdlib>

namespace binade::checkpoint {

namespace {

using nlohmann::json;
constexpr int kVersion = 1;
constexpr const char* kVersionField = "binade_checkpoint";

json scalers_of(const train::Training& training) {
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

/// Throws Error{kBadRun} for settings that no scaler can have. The scale may exceed limits that were changed later.
void check(const SavedScaler& saved) {
  wire::ScalerConfig config = saved.config;
  config.init_scale = config.minimum > 0 ? config.minimum : config.maximum > 0 ? config.maximum : 1;
  wire::check(config, "scalers");
  if (saved.config.enabled && !wire::is_loss_scale(saved.state.scale)) {
    throw Error(ErrorCode::kBadRun, "scalers: an invalid scale", "Use another checkpoint.");
  }
}

std::vector<SavedScaler> saved_scalers(const json& saved) {
  std::vector<SavedScaler> all;
  for (const json& one : saved) {
    SavedScaler scaler;
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
    config.minimum = one.at("minimum");
    config.maximum = one.at("maximum");
    config.hysteresis = one.at("hysteresis");
    config.fixed = one.at("static");
    check(scaler);
    all.push_back(std::move(scaler));
  }
  return all;
}

/// Formats a number such that strtod reads back the same value, including NaN and infinities.
std::string exactly(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.17g", value);
  return text.data();
}

}  // namespace

void refuse_checkpoint(const std::string& file, const std::string& what, const std::string& hint) {
  throw Error(ErrorCode::kBadFile, file + ": " + what, hint);
}

std::map<std::string, std::string> checkpoint_metadata(const train::Training& training, std::int64_t step,
                                                       const std::string& reason, std::int64_t saved,
                                                       std::optional<double> loss) {
  const wire::PolicyApplied policy{training.policy->revision, step, training.config.policy, training.policy->sites,
                                   training.policy->findings};
  const json data{{"cursor", training.data->cursor()}, {"seed", training.config.seed}, {"ranks", training.ranks}};
  const json optimizer{{"kind", training.config.optimizer.kind},
                       {"fused", training.config.optimizer.fused},
                       {"learning_rate", training.optimizer->param_groups().front().options().get_lr()}};
  std::map<std::string, std::string> metadata{{kVersionField, std::to_string(kVersion)},
                                              {"step", std::to_string(step)},
                                              {"reason", reason},
                                              {"saved", std::to_string(saved)},
                                              {"run", wire::to_json(training.config)},
                                              {"policy", wire::encode(policy).dump()},
                                              {"scalers", scalers_of(training).dump()},
                                              {"data", data.dump()},
                                              {"optimizer", optimizer.dump()},
                                              {"attributes", train::model_attributes(training.model).dump()},
                                              {"libtorch", TORCH_VERSION}};
  if (loss) metadata["loss"] = exactly(*loss);
  return metadata;
}

CheckpointHeader read_checkpoint_metadata(const files::Safetensors& contents, const std::string& file) {
  const auto& metadata = contents.metadata;
  const auto text = [&](const char* key) -> const std::string& {
    const auto found = metadata.find(key);
    if (found == metadata.end()) {
      refuse_checkpoint(file, std::string("not a checkpoint of a run: its metadata has no \"") + key + "\"",
                        "To load only weights, use \"weights\" of a run description.");
    }
    return found->second;
  };
  const std::string& version = text(kVersionField);
  if (version != std::to_string(kVersion)) {
    const auto needed = metadata.find(std::string(kNeedsField));
    refuse_checkpoint(file, "a checkpoint of version " + version + "; this program supports 1",
                      newer_version_hint(needed != metadata.end() ? needed->second : ""));
  }
  if (!contents.has_checksums) {
    refuse_checkpoint(file, "damaged: its checksums are missing", "Use another checkpoint.");
  }
  const auto value = [&](const char* key) {
    if (wire::is_too_deep(text(key))) {
      throw Error(ErrorCode::kBadRun, std::string("values in \"") + key + "\" are nested too deeply",
                  "Use another checkpoint.");
    }
    return json::parse(text(key));
  };
  try {
    CheckpointHeader header;
    header.step = value("step").get<std::int64_t>();
    header.reason = text("reason");
    header.run = wire::parse_run(text("run"), "run", "");
    header.policy = wire::decode<wire::PolicyApplied>(value("policy"));
    header.scalers = saved_scalers(value("scalers"));
    header.cursor = value("data").at("cursor").get<std::int64_t>();
    if (value("data").contains("ranks")) header.ranks = value("data").at("ranks").get<int>();
    if (header.step < 0 || header.cursor < 0)
      throw Error(ErrorCode::kBadRun, "its step is below 0", "Use another checkpoint.");
    header.optimizer = value("optimizer");
    header.attributes = value("attributes");
    header.saved = value("saved").get<std::int64_t>();
    if (metadata.contains("loss")) header.loss = std::strtod(text("loss").c_str(), nullptr);
    return header;
  } catch (const json::exception& error) {
    refuse_checkpoint(file, std::string("damaged metadata: ") + error.what(), "Use another checkpoint.");
  } catch (const Error& error) {
    if (error.code == ErrorCode::kBadFile) throw;
    refuse_checkpoint(file, std::string("damaged metadata: ") + error.what(), error.hint);
  }
}

}  // namespace binade::checkpoint
