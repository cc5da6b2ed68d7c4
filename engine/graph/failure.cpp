// SPDX-License-Identifier: Apache-2.0
#include "engine/graph/failure.h"

#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>

#include <new>
#include <regex>
#include <string_view>

namespace binade::graph {

namespace {

std::string described(const at::Tensor& tensor) {
  if (!tensor.defined()) return "none";
  std::string text = std::string(c10::toString(tensor.scalar_type())) + "[";
  for (std::int64_t i = 0; i < tensor.dim(); ++i) text += (i > 0 ? "," : "") + std::to_string(tensor.size(i));
  return text + "]";
}

/// The tensors among the arguments, as passed to the op: `input Float[2,7], weight BFloat16[128,784]`.
std::string arguments_of(const Call& call) {
  std::string text;
  const auto add = [&](const std::string& name, const at::Tensor& tensor) {
    text += (text.empty() ? "" : ", ") + (name.empty() ? "" : name + " ") + described(tensor);
  };
  for (std::size_t i = 0; i < call.site.inputs; ++i) {
    const std::string& name = call.site.argument_names[i];
    const c10::IValue& value = call.argument(i);
    if (value.isTensor()) add(name, value.toTensor());
    if (value.isTensorList()) {
      for (const at::Tensor& tensor : value.toTensorVector()) add(name, tensor);
    }
  }
  return text;
}

/// Whether a number in the model's code, such as the -1e9 of a mask, exceeds float16 in an op that runs in it.
bool is_number_beyond_half(const std::string& reason) {
  return reason.find("cannot be converted to type") != std::string::npos &&
         reason.find("Half without overflow") != std::string::npos;
}

/// After this text, a failed dispatch lists every backend.
constexpr std::string_view kBackends = ". This could be because the operator doesn't exist for this backend";

}  // namespace

std::string without_addresses(const std::string& text) {
  static const std::regex address(R"( \(of Python compilation unit at: (?:0x)?[0-9a-fA-F]*\))");
  return std::regex_replace(text, address, "");
}

std::string reason_of(const std::exception& error) {
  const auto* of_torch = dynamic_cast<const c10::Error*>(&error);
  const std::string text = without_addresses(of_torch != nullptr ? of_torch->what_without_backtrace() : error.what());
  const std::string line = text.substr(0, text.find('\n'));
  return line.substr(0, line.find(kBackends));
}

bool is_out_of_memory(const std::exception& error) {
  if (dynamic_cast<const c10::OutOfMemoryError*>(&error) != nullptr) return true;
  if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr) return true;
  // The CPU allocator throws a plain c10::Error.
  return std::string_view(error.what()).find("DefaultCPUAllocator: can't allocate memory") != std::string_view::npos;
}

Error site_failure(const Call& call, const std::exception& error, bool arguments_there) {
  const std::string& source = call.site.source;
  const std::string& path = call.site.key.path;
  const bool of_loss = path == "loss" || path.starts_with("loss.");
  std::string hint = of_loss          ? "The call is one of the loss's"
                     : source.empty() ? "Look for this call in the model"
                                      : "The call stands at " + source;
  const std::string arguments = arguments_there ? arguments_of(call) : std::string();
  hint += arguments.empty() ? "." : "; it was given " + arguments + ".";
  if (is_out_of_memory(error)) {
    return {ErrorCode::kOutOfMemory, call.site.key.name() + ": out of memory: " + reason_of(error), hint};
  }
  const std::string reason = reason_of(error);
  if (is_number_beyond_half(reason)) {
    return {
        ErrorCode::kBadPolicy,
        call.site.key.name() + ": a number in the model's code is beyond float16, which ends at 65504",
        hint + R"( In the model write torch.finfo(x.dtype).min in its place, or take such places out with a boolean )" +
            R"(mask (-inf makes NaN of a row that is masked as a whole); or let the op run in float32: "ops": {")" +
            call.site.op + R"(": "float32"} in the policy.)"};
  }
  return {ErrorCode::kBadModel, call.site.key.name() + ": " + reason, hint};
}

Error backward_failure(const std::exception& error, const std::string& hint) {
  if (const auto* ours = dynamic_cast<const Error*>(&error)) return *ours;
  if (is_out_of_memory(error)) {
    return {ErrorCode::kOutOfMemory, "backward: out of memory: " + reason_of(error),
            "A gradient, or a value made for one, did not fit. Use fewer rows in a batch."};
  }
  return {ErrorCode::kBadModel, "backward failed: " + reason_of(error), hint};
}

std::string last_line_named(const std::string& text) {
  std::string place;
  static const std::regex line(R"re(File "(?:[^"]*/)?([^"/]+)", line (\d+))re");
  for (std::sregex_iterator found(text.begin(), text.end(), line), end; found != end; ++found) {
    place = (*found)[1].str() + ":" + (*found)[2].str();
  }
  return place;
}

Error forward_failure(const std::exception& error, const std::string& text) {
  const auto* of_torch = dynamic_cast<const c10::Error*>(&error);
  const std::string what = without_addresses(of_torch != nullptr ? of_torch->what_without_backtrace() : error.what());
  // The interpreter's exception is a traceback of the model's code that ends in the message.
  std::string reason = what.substr(0, what.find('\n'));
  static const std::regex last_line(R"((?:^|\n)(?:builtins\.)?(\w*(?:Error|Exception)\w*): ([^\n]*))");
  for (std::sregex_iterator found(what.begin(), what.end(), last_line), end; found != end; ++found) {
    reason = (*found)[1] == "RuntimeError" ? (*found)[2].str() : (*found)[1].str() + ": " + (*found)[2].str();
  }
  std::string place = last_line_named(what);
  // Some of LibTorch's ops are texts of its own, whose lines are not lines of the model.
  if (text.empty() && place.starts_with("<string>:")) place.clear();
  if (is_out_of_memory(error)) {
    return {ErrorCode::kOutOfMemory,
            (text.empty() ? "forward" : text) + (place.empty() ? "" : ", at " + place) + ": out of memory: " + reason,
            "The model makes a tensor there that did not fit."};
  }
  if (!text.empty()) {
    const std::string line =
        place.empty() ? "Look in it" : "It stopped at its line " + place.substr(place.find(':') + 1);
    return {ErrorCode::kBadRun, text + ": the text failed: " + reason,
            line + (place.empty() ? "" : ": look there") +
                " for an op that its arguments do not suit, an assert or a raise."};
  }
  return {ErrorCode::kBadModel, "forward failed: " + reason,
          (place.empty() ? std::string("Look in the model's code") : "The model stopped at " + place + ": look there") +
              " for an op that its arguments do not suit, an assert, a raise or a loop."};
}

}  // namespace binade::graph
