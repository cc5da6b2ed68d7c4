// SPDX-License-Identifier: Apache-2.0
#include "engine/words/profile_text.h"

#include "engine/words/numbers.h"

namespace binade::words {

namespace {

using VerdictKind = wire::TensorVerdict::Kind;

/// An obstacle in the product's shape.
std::string obstacle(const wire::TensorVerdict& verdict, VerdictKind kind) {
  switch (kind) {
    case VerdictKind::kDimensions:
      return std::to_string(verdict.size) + (verdict.of_outputs ? " output" : " input") +
             (verdict.size == 1 ? "" : "s") + (verdict.of_outputs ? "" : " (features, or channels times kernel)") +
             "; " + verdict.format + " tensor cores want a multiple of " + std::to_string(verdict.multiple) + ".";
    case VerdictKind::kTooSmall:
      return "One call is " + figure(verdict.operations * 1e-6) +
             " million operations, too few to keep tensor cores busy.";
    case VerdictKind::kMemoryBound:
      return figure(verdict.per_byte) + " operations for each byte that is moved; below about " +
             figure(wire::TensorVerdict::kRidge) + " the op call waits for memory.";
    default:
      return {};
  }
}

std::string obstacle_edit(const wire::TensorVerdict& verdict, VerdictKind kind) {
  switch (kind) {
    case VerdictKind::kDimensions:
      return "Pad to " + std::to_string(verdict.padded) + " in the model.";
    case VerdictKind::kTooSmall:
      return "Raise the batch size, or join small products into one.";
    case VerdictKind::kMemoryBound:
      return "Raise the batch size; a narrower format moves fewer bytes.";
    default:
      return {};
  }
}

/// What the name of the longest kernel suggests if nothing was measured.
std::string hint(const wire::SiteProfile& site) {
  const std::string by_name = site.kernels.empty() ? std::string() : site.kernels.front().by_name;
  if (by_name != "tensor" && by_name != "ordinary") return {};
  return std::string(" Its longest kernel is named like those that ") +
         (by_name == "tensor" ? "use them" : "do not use them") + ": a hint, not a measurement.";
}

}  // namespace

std::string profile_verdict(const wire::SiteProfile& site) {
  const wire::TensorVerdict& verdict = site.verdict;
  switch (verdict.kind) {
    case VerdictKind::kUsed:
      return "Tensor cores are active in " + figure(site.tensor) + " % of its cycles.";
    case VerdictKind::kNotMatrix:
      return "Not a matrix operation.";
    case VerdictKind::kEmulated:
      return verdict.format + " is emulated: computed in float32, then rounded.";
    case VerdictKind::kNoGpu:
      return "The run is on the CPU, which has no tensor cores.";
    case VerdictKind::kFormat:
      return "Runs in " + verdict.format + ", which tensor cores do not support.";
    case VerdictKind::kDimensions:
    case VerdictKind::kTooSmall:
    case VerdictKind::kMemoryBound:
      return obstacle(verdict, verdict.kind);
    case VerdictKind::kNotMeasured:
      return "No obstacle to tensor cores; their use was not measured." + hint(site);
    case VerdictKind::kUnexplained:
      return "Tensor cores are active in " + figure(site.tensor) +
             " % of its cycles, although format and dimensions fit. Its kernels may show why.";
  }
  return {};
}

std::string profile_edit(const wire::TensorVerdict& verdict) {
  std::string edit;
  if (verdict.kind == VerdictKind::kEmulated) {
    edit = verdict.on_gpu ? "Set its execution to native, if the GPU has the format."
                          : "Run on a GPU that has the format.";
  } else if (verdict.kind == VerdictKind::kNoGpu) {
    edit = "Set the run's device to cuda.";
  } else if (verdict.kind == VerdictKind::kFormat) {
    edit = "Set it to float16 or bfloat16; tfloat32 keeps float32's range.";
  } else {
    return obstacle_edit(verdict, verdict.kind);
  }
  if (verdict.then) edit += " Then: " + obstacle(verdict, *verdict.then) + " " + obstacle_edit(verdict, *verdict.then);
  return edit;
}

}  // namespace binade::words
