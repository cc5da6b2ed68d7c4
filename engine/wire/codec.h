// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/data_preview.h"
#include "engine/wire/envelope.h"
#include "engine/wire/messages.h"
#include "engine/wire/model_info.h"
#include "engine/wire/notifications.h"
#include "engine/wire/run_config.h"
#include "engine/wire/savings.h"
#include "engine/wire/what_if.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>

namespace binade::wire {

/// Types that can be params of a request or notification, or a result.
using Payloads = decltype(
    Received{} + TypeList<StepRecord, ProfileConfig,  //
                          Hello, Welcome, InspectModel, TrustModel, TrustedModels, EndTrust, ModelInfo, StartRun,
                          RunConfig, PolicySet, SetScale, ScalerConfig, ObserveConfig, ListCheckpoints, CheckpointList,
                          SaveCheckpoint, LoadCheckpoint, SaveModel, AttachedRun, ListFolder, FolderList, ReadFile,
                          FilePart, PreviewData, DataPreview, ListArrays, DataArrays, AskSavings, Savings, AskWhatIf,
                          WhatIf, Diagnosis, TensorVerdict, Trial>{});  // parts of others, in run files
template <class T>
concept Payload = OneOf<T, Payloads>;

namespace codec {
nlohmann::json encode(VariantTypes<Payloads>::ConstPointers value);
void decode(const nlohmann::json& json, VariantTypes<Payloads>::Pointers value);
/// Replaces NaN and infinities by null and words, everywhere in `value`.
void spell(nlohmann::json& value);
void decode_text(const std::string& text, VariantTypes<Payloads>::Pointers value);
}  // namespace codec

/// The value as a JSON object: a field becomes a key, an enum or a format its name, statistics the bytes of
/// formats::pack(), a policy the object of its file. Doubles may be NaN or infinite, which CBOR can carry and JSON text
/// cannot.
template <Payload T>
nlohmann::json encode(const T& value) {
  return codec::encode(&value);
}

/// The value that `encode` turned into `json`. Unknown fields are ignored. Throws Error{kUsage} naming a missing or
/// wrong field (`steps[2].observations[0].stats`), and Error{kBadPolicy} for a bad policy.
template <Payload T>
T decode(const nlohmann::json& json) {
  T value;
  codec::decode(json, &value);
  return value;
}

/// The object of `encode` as JSON text. JSON has no number for these: NaN becomes null, an infinity "Infinity" or
/// "-Infinity".
template <Payload T>
std::string encode_text(const T& value) {
  nlohmann::json object = encode(value);
  codec::spell(object);
  return object.dump();
}

/// The value of a text that `encode_text` made. Throws as `decode` does, and Error{kUsage} for what is no JSON.
template <Payload T>
T decode_text(const std::string& text) {
  T value;
  codec::decode_text(text, &value);
  return value;
}

/// The message of a notification.
template <OneOf<Received> T>
Notification notification_of(const T& value) {
  return {std::string(kRouteOf<T>.method), encode(value)};
}

/// The value of a notification; empty if its method is unknown, which a newer engine may send. Throws as decode() does.
std::optional<RunNotification> decode_notification(const Notification& notification);

/// A message as its JSON-RPC 2.0 object.
nlohmann::json encode_message(const Message& message);

/// The message in a JSON-RPC 2.0 object. Throws Error{kUsage} for anything else.
Message decode_message(const nlohmann::json& json);

}  // namespace binade::wire
