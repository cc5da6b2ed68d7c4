// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/attach.h"
#include "engine/wire/far_files.h"
#include "engine/wire/records.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace binade::wire {

/// Protocol version, which must be equal on both sides; exchanged by engine.hello before anything else.
inline constexpr int kProtocol = 1;

// JSON-RPC 2.0. Requests go from the explorer to the engine:
//   engine.hello   Hello -> Welcome          model.inspect  InspectModel -> ModelInfo
//   model.trust    TrustModel -> {}          model.trusted  {} -> TrustedModels
//   model.untrust  EndTrust -> TrustedModels (what is left)
//   run.start      StartRun -> {}            (once the model is loaded; then run.started)
//   run.demo       {} -> {}                  (the demo, as run.start)
//   run.pause | run.resume | run.stop | run.step -> {}
//   policy.set     PolicySet -> {}           (then policy.applied)
//   policy.savings AskSavings -> Savings     (of a policy that is not applied)
//   scaler.set     SetScale -> {}            scaler.tune    ScalerConfig -> {}   (all but the scale; then run.scaler)
//   observe.set    ObserveConfig -> {}       observe.compare {} -> Float32Comparison
//   observe.what_if AskWhatIf -> WhatIf      (of a live run; nothing is recorded)
//   profiler.set   ProfileConfig -> {}       (then profiler.update)
//   checkpoint.save SaveCheckpoint -> CheckpointInfo
//   checkpoint.list ListCheckpoints -> CheckpointList
//   checkpoint.load LoadCheckpoint -> {}     (then run.rewound, and policy.applied)
//   model.save     SaveModel -> {}           (the trained model)
//   For an ended run, model.save, observe.compare and policy.savings also take the fields of StartRun.
//   attach.take | attach.release and link.seen: engine/wire/attach.h
//   folder.list, file.read: engine/wire/far_files.h
//   data.preview   PreviewData -> DataPreview   data.arrays   ListArrays -> DataArrays
// Notifications come from the engine: engine/wire/notifications.h lists them.

struct Hello {
  int protocol = kProtocol;
  std::string program = "binade";
  std::string version;
  std::optional<LinkLimits> link{};   ///< nullopt: as fast as the explorer reads
  std::optional<bool> watch{};        ///< true: do not become the editor, even if there is none
  std::optional<std::string> user{};  ///< of an attached explorer, for the others: `anna at desk`
  friend bool operator==(const Hello&, const Hello&) = default;
};

struct Welcome {
  int protocol = kProtocol;
  std::string version;
  std::string libtorch;
  std::string device;  ///< default device of runs: `CPU, 2 threads`
  bool native_bfloat16 = false;
  bool native_float16 = false;
  bool native_tfloat32 = false;
  std::optional<AttachedRun> attached{};  ///< the training that this connection belongs to; nullopt: the engine is idle
  friend bool operator==(const Welcome&, const Welcome&) = default;
};

struct InspectModel {
  std::string file;  ///< as in RunConfig::model
  friend bool operator==(const InspectModel&, const InspectModel&) = default;
};

/// Trusts a model file, by its hash, from now on and for this user.
struct TrustModel {
  std::string file;    ///< for people who read the list
  std::string sha256;  ///< Failure::sha256
  friend bool operator==(const TrustModel&, const TrustModel&) = default;
};

/// A line of the user's list of trusted models.
struct TrustedModel {
  std::string sha256;
  std::string file;  ///< its path when it was trusted, with control characters escaped
  friend bool operator==(const TrustedModel&, const TrustedModel&) = default;
};

struct TrustedModels {
  std::vector<TrustedModel> models;
  friend bool operator==(const TrustedModels&, const TrustedModels&) = default;
};

/// Ends the trust in the models with this hash. Models that are open stay open.
struct EndTrust {
  std::string sha256;
  friend bool operator==(const EndTrust&, const EndTrust&) = default;
};

struct StartRun {
  RunConfig config;
  friend bool operator==(const StartRun&, const StartRun&) = default;
};

struct SetScale {
  double scale = 1;
  std::string id{};  ///< id, if there are several scalers; empty: the first
  friend bool operator==(const SetScale&, const SetScale&) = default;
};

/// Steps since the last batch. If the explorer is slow, older steps arrive without their observations.
struct StepBatch {
  std::vector<StepRecord> steps;
  friend bool operator==(const StepBatch&, const StepBatch&) = default;
};

struct PolicySet {
  int revision = 0;
  policy::Policy policy;
  friend bool operator==(const PolicySet&, const PolicySet&) = default;
};

struct ListCheckpoints {
  std::string folder;
  friend bool operator==(const ListCheckpoints&, const ListCheckpoints&) = default;
};

struct CheckpointList {
  std::vector<CheckpointInfo> checkpoints;  ///< oldest step first
  friend bool operator==(const CheckpointList&, const CheckpointList&) = default;
};

struct SaveCheckpoint {
  /// CheckpointInfo::reason: `request`, or `try` for one that a Try or a search starts from, which takes no place of
  /// the run's own in its folder. nullopt: `request`.
  std::optional<std::string> reason{};
  friend bool operator==(const SaveCheckpoint&, const SaveCheckpoint&) = default;
};

struct LoadCheckpoint {
  std::string file;
  std::optional<PolicySet> policy;  ///< applied together with the checkpoint, instead of the checkpoint's own
  friend bool operator==(const LoadCheckpoint&, const LoadCheckpoint&) = default;
};

struct SaveModel {
  std::string file;
  friend bool operator==(const SaveModel&, const SaveModel&) = default;
};

struct StateChanged {
  RunState state = RunState::kIdle;
  std::int64_t step = 0;
  friend bool operator==(const StateChanged&, const StateChanged&) = default;
};

struct LogLine {
  std::string level;  ///< `info`, `warning`, `error`, or `progress`: of a long operation, not kept
  std::string text;
  friend bool operator==(const LogLine&, const LogLine&) = default;
};

}  // namespace binade::wire
