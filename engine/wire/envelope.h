// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

// The messages of JSON-RPC 2.0, whatever they contain. Apart from messages.h, so that the values need no JSON library.

namespace binade::wire {

struct Request {
  std::int64_t id = 0;
  std::string method;
  nlohmann::json params;
  friend bool operator==(const Request&, const Request&) = default;
};

inline constexpr int kUnknownMethod = -32601;
inline constexpr int kBadParams = -32602;

/// A place in a model's code that the engine's checks refuse.
struct UnsafeCode {
  std::string record{};   ///< file of the code; empty: unknown
  std::int64_t line = 0;  ///< from 1; 0: unknown
  std::string code{};     ///< the line
  std::string why{};      ///< `calls aten::save, which writes files`
  friend bool operator==(const UnsafeCode&, const UnsafeCode&) = default;
};

/// Error of a request.
struct Failure {
  int code = 0;  ///< kUnknownMethod, kBadParams, or static_cast<int>(ErrorCode) + 1
  std::string message{};
  std::string hint{};
  std::string field{};               ///< field of a run description that is wrong: Error::field; empty if there is none
  std::vector<UnsafeCode> unsafe{};  ///< of a model that is refused because of its code
  std::string sha256{};              ///< of that model's file, in hexadecimal digits; for TrustModel
  friend bool operator==(const Failure&, const Failure&) = default;
};

/// Response to a request: a result or a failure.
struct Response {
  std::int64_t id = 0;
  std::variant<nlohmann::json, Failure> outcome;
  friend bool operator==(const Response&, const Response&) = default;
};

struct Notification {
  std::string method;
  nlohmann::json params;
  friend bool operator==(const Notification&, const Notification&) = default;
};

using Message = std::variant<Request, Response, Notification>;

}  // namespace binade::wire
