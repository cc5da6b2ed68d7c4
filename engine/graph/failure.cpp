// SPDX-License-Identifier: Apache-2.0
#include "engine/graph/failure.h"

#include "engine/formats/file_refusal.h"
#include "engine/graph/dtype_name.h"
#include "engine/graph/site_hook.h"

#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>

#include <new>
#include <regex>
#include <string_view>

namespace binade::graph {

namespace {

std::string described(const at::Tensor& tensor) {
  if (!tensor.defined()) return "none";
  return c10::toString(tensor.scalar_type()) + shape_text(tensor.sizes());
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

/// Whether oneDNN, which runs LibTorch's LSTM on CPUs, has none for the dtypes of the call on this processor: bfloat16
/// needs AVX-512, float16 AVX512-FP16 or AMX-FP16. It has one in float32 on every processor.
bool is_missing_lstm(const std::string& reason) {
  return reason.find("could not create a primitive descriptor for the LSTM") != std::string::npos;
}

/// What to write in the place of a number that float16 does not hold: by its sign, and of a mask alone as of one.
std::string advice_beyond_half(const Call& call, bool arguments_there) {
  constexpr double kLargest = 65504;
  std::string limit;
  for (std::size_t i = 0; arguments_there && i < call.site.inputs; ++i) {
    const c10::IValue& value = call.argument(i);
    if (!value.isDouble() && !value.isInt()) continue;
    const double number = value.toScalar().toDouble();
    if (number > kLargest) limit = "max";
    if (number < -kLargest) limit = "min";
  }
  const bool fills_places = call.site.op.starts_with("aten::masked_fill") || call.site.op.starts_with("aten::where");
  if (limit.empty()) return " In the model write a number that float16 holds.";
  std::string text =
      " In the model write a number that float16 holds, such as torch.finfo(torch.float16)." + limit + ".";
  if (fills_places && limit == "min") {
    text += " -inf in its place makes NaN of a row that is masked as a whole.";
  }
  return text;
}

/// A dispatch that fails lists every backend there is behind this.
constexpr std::string_view kBackends = ". This could be because the operator doesn't exist for this backend";

/// LibTorch's own checks fail for models that no PyTorch wrote: they are no bugs of it, and its source is nobody's
/// next step. What such a check says stays; one that says nothing is named by its condition.
std::string without_assertions(std::string text) {
  constexpr std::string_view kMark = " INTERNAL ASSERT FAILED at ";
  constexpr std::string_view kReport = "please report a bug to PyTorch. ";
  for (std::size_t mark = text.find(kMark); mark != std::string::npos; mark = text.find(kMark)) {
    const std::size_t report = text.find(kReport, mark);
    if (report == std::string::npos) return text;
    const std::size_t line = text.rfind('\n', mark);
    std::size_t begin = line == std::string::npos ? 0 : line + 1;
    constexpr std::string_view kNamed = "Error: ";
    const std::size_t named = text.rfind(kNamed, mark);
    if (named != std::string::npos && named >= begin) begin = named + kNamed.size();
    const std::size_t reason = report + kReport.size();
    const bool says_nothing = reason >= text.size() || text[reason] == '\n';
    const std::string condition = text.substr(begin, mark - begin);
    text.replace(begin, reason - begin, says_nothing ? "LibTorch expects " + condition : std::string());
  }
  return text;
}

/// Replaces `reason` by the last exception that a traceback of the interpreter names, without its lines of code.
void read_traceback(const std::string& what, std::string& reason) {
  static const std::regex last_line(R"((?:^|\n)(?:builtins\.)?(\w*(?:Error|Exception)\w*): ([^\n]*))");
  for (std::sregex_iterator found(what.begin(), what.end(), last_line), end; found != end; ++found) {
    reason = (*found)[1] == "RuntimeError" ? (*found)[2].str() : (*found)[1].str() + ": " + (*found)[2].str();
  }
}

}  // namespace

std::string without_addresses(const std::string& text) {
  static const std::regex address(R"( \(of Python compilation unit at: (?:0x)?[0-9a-fA-F]*\))");
  return without_assertions(std::regex_replace(text, address, ""));
}

std::string reason_of(const std::exception& error) {
  const auto* of_torch = dynamic_cast<const c10::Error*>(&error);
  const std::string text = without_addresses(of_torch != nullptr ? of_torch->what_without_backtrace() : error.what());
  std::string line = text.substr(0, text.find('\n'));
  if (line.ends_with("failed in the TorchScript interpreter.")) read_traceback(text, line);
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
                     : source.empty() ? "Find this call in the model"
                                      : "The call is at " + source;
  const std::string arguments = arguments_there ? arguments_of(call) : std::string();
  hint += arguments.empty() ? "." : "; its arguments: " + arguments + ".";
  if (is_out_of_memory(error)) {
    return {ErrorCode::kOutOfMemory, call.site.key.name() + ": out of memory: " + reason_of(error), hint};
  }
  const std::string reason = reason_of(error);
  if (reason.find("Failed to initialize cpuinfo") != std::string::npos) {
    return {ErrorCode::kBadModel, call.site.key.name() + ": LibTorch could not read about the processor in /proc",
            "Mount /proc, for example in a chroot by: mount -t proc proc /proc"};
  }
  if (names_confinement(reason)) {
    return {ErrorCode::kBadModel, call.site.key.name() + ": " + reason, hint + " " + kModelRefusedHint};
  }
  if (is_number_beyond_half(reason)) {
    return {ErrorCode::kBadPolicy,
            call.site.key.name() + ": a number in the model's code is beyond float16, which ends at 65504",
            hint + advice_beyond_half(call, arguments_there) + R"( Or let the op run in float32: "ops": {")" +
                call.site.op + R"(": "float32"} in the policy.)"};
  }
  if (is_missing_lstm(reason)) {
    return {ErrorCode::kBadPolicy,
            call.site.key.name() +
                ": oneDNN has no native LSTM in this 16-bit format on this processor; PyTorch's own "
                "autocast fails here too",
            hint + R"( A run with "execution": "auto" or "emulated" in the policy emulates it; verify and exported )" +
                R"(models run natively. With "ops": {")" + call.site.op +
                R"(": "float32"} in the policy, the op runs in float32.)"};
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
  read_traceback(what, reason);
  std::string place = last_line_named(what);
  // Some of LibTorch's ops are texts of its own, whose lines are not lines of the model.
  if (text.empty() && place.starts_with("<string>:")) place.clear();
  if (is_out_of_memory(error)) {
    return {ErrorCode::kOutOfMemory,
            (text.empty() ? "forward" : text) + (place.empty() ? "" : ", at " + place) + ": out of memory: " + reason,
            "The model makes a tensor there that did not fit."};
  }
  if (names_confinement(reason)) {
    return {ErrorCode::kBadModel, (text.empty() ? "forward" : text) + " failed: " + reason,
            (place.empty() ? std::string() : "The code stopped at " + place + ". ") + kModelRefusedHint};
  }
  if (!text.empty()) {
    const std::string line = place.empty() ? "Check it" : "It stopped at its line " + place.substr(place.find(':') + 1);
    return {ErrorCode::kBadRun, text + ": the text failed: " + reason,
            line + (place.empty() ? "" : ": check it") + " for an op with unsuitable arguments, an assert or a raise."};
  }
  return {ErrorCode::kBadModel, "forward failed: " + reason,
          (place.empty() ? std::string("Check the model's code") : "The model stopped at " + place + ": check it") +
              " for an op with unsuitable arguments, an assert, a raise or a loop."};
}

}  // namespace binade::graph
