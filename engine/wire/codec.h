// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/casts.h"
#include "engine/wire/comparison.h"
#include "engine/wire/data_preview.h"
#include "engine/wire/messages.h"
#include "engine/wire/model_info.h"
#include "engine/wire/observe_cost.h"
#include "engine/wire/profile.h"
#include "engine/wire/records.h"
#include "engine/wire/run_config.h"
#include "engine/wire/silent_fault.h"

#include <nlohmann/json.hpp>

#include <concepts>
#include <string>

namespace binade::wire {

/// What travels as the params of a request or notification, or as a result.
template <class T>
concept Payload = std::same_as<T, Hello> || std::same_as<T, Welcome> || std::same_as<T, InspectModel> ||
    std::same_as<T, StartRun> || std::same_as<T, SetScale> || std::same_as<T, PolicySet> ||
    std::same_as<T, StateChanged> || std::same_as<T, LogLine> || std::same_as<T, StepBatch> ||
    std::same_as<T, ModelInfo> || std::same_as<T, ObserveConfig> || std::same_as<T, RunConfig> ||
    std::same_as<T, StepRecord> || std::same_as<T, Event> || std::same_as<T, Diagnosis> || std::same_as<T, Evaluated> ||
    std::same_as<T, PolicyApplied> || std::same_as<T, RunStarted> || std::same_as<T, Finished> ||
    std::same_as<T, ScalerConfig> || std::same_as<T, CheckpointInfo> || std::same_as<T, Rewound> ||
    std::same_as<T, ScalerChanged> || std::same_as<T, ListCheckpoints> || std::same_as<T, CheckpointList> ||
    std::same_as<T, LoadCheckpoint> || std::same_as<T, SaveModel> || std::same_as<T, PreviewData> ||
    std::same_as<T, DataPreview> || std::same_as<T, Float32Comparison> || std::same_as<T, CastLedger> ||
    std::same_as<T, ListArrays> || std::same_as<T, DataArrays> || std::same_as<T, ProfileConfig> ||
    std::same_as<T, Profile> || std::same_as<T, SilentFault> || std::same_as<T, SilentReport> ||
    std::same_as<T, ObserveCost>;

/// The value as a JSON object: a field is a key, an enum its name, a format its name, statistics the bytes of
/// formats::pack, a policy the object of its file. Doubles may be NaN or infinite: such an object goes over CBOR,
/// while its JSON text would say null.
template <Payload T>
nlohmann::json encode(const T& value);

/// The value that `encode` made into `json`. Unknown fields are ignored; a field that is missing or of the wrong
/// kind throws Error{kUsage} naming it (`steps[2].observations[0].stats`); a bad policy throws Error{kBadPolicy}.
template <Payload T>
T decode(const nlohmann::json& json);

/// The object of `encode` as JSON text. JSON has no number for these: NaN becomes null, an infinity "Infinity" or
/// "-Infinity".
template <Payload T>
std::string encode_text(const T& value);

/// The value of a text that `encode_text` made. Throws as `decode` does, and Error{kUsage} for what is no JSON.
template <Payload T>
T decode_text(const std::string& text);

/// A whole message as its JSON-RPC 2.0 object.
nlohmann::json encode_message(const Message& message);

/// The message in a JSON-RPC 2.0 object. Throws Error{kUsage} for anything else.
Message decode_message(const nlohmann::json& json);

}  // namespace binade::wire
