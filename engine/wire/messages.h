// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/records.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

namespace binade::wire {

/// The version both sides must share; exchanged by engine.hello before anything else.
inline constexpr int kProtocol = 1;

// JSON-RPC 2.0. Requests go from the explorer to the engine:
//   engine.hello   Hello -> Welcome          model.inspect  {"file"} -> ModelInfo
//   run.start      {"config": RunConfig} -> {}      (then run.started)
//   run.pause | run.resume | run.stop | run.step -> {}
//   policy.set     PolicySet -> {}                  (then policy.applied)
//   scaler.set     {"scale": number} -> {}          observe.set  ObserveConfig -> {}
// Notifications come from the engine:
//   run.started RunStarted · run.state StateChanged · run.steps {"steps": [StepRecord...]} · run.event Event
//   run.evaluated Evaluated · run.finished Finished · policy.applied PolicyApplied · engine.log LogLine

struct Hello {
  int protocol = kProtocol;
  std::string program = "binade";
  std::string version;
  friend bool operator==(const Hello&, const Hello&) = default;
};

struct Welcome {
  int protocol = kProtocol;
  std::string version;
  std::string libtorch;
  std::string device;  ///< `CPU, 2 threads` or `NVIDIA H200`
  bool native_bfloat16 = false;
  bool native_float16 = false;
  friend bool operator==(const Welcome&, const Welcome&) = default;
};

struct PolicySet {
  int revision = 0;
  policy::Policy policy;
  friend bool operator==(const PolicySet&, const PolicySet&) = default;
};

struct StateChanged {
  RunState state = RunState::kIdle;
  std::int64_t step = 0;
  friend bool operator==(const StateChanged&, const StateChanged&) = default;
};

struct LogLine {
  std::string level;  ///< `info`, `warning`, `error`
  std::string text;
  friend bool operator==(const LogLine&, const LogLine&) = default;
};

struct Request {
  std::int64_t id = 0;
  std::string method;
  nlohmann::json params;
};

/// An answer is a result or a failure.
struct Failure {
  int code = 0;  ///< JSON-RPC: -32601 unknown method, -32602 bad params; else static_cast<int>(ErrorCode) + 1
  std::string message;
  std::string hint;
};

struct Response {
  std::int64_t id = 0;
  std::variant<nlohmann::json, Failure> outcome;
};

struct Notification {
  std::string method;
  nlohmann::json params;
};

using Message = std::variant<Request, Response, Notification>;

}  // namespace binade::wire
