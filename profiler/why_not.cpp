// SPDX-License-Identifier: Apache-2.0
#include "profiler/why_not.h"

#include <array>
#include <cstdio>

namespace binade::profiler {

namespace {

/// Returns the multiple that NVIDIA's guides require of a product's dimensions; 0: not supported by tensor cores.
std::int64_t multiple_of(const std::string& format) {
  if (format == "float16" || format == "bfloat16") return 8;
  if (format == "tfloat32") return 4;
  if (format == "float8_e4m3fn" || format == "float8_e5m2") return 16;
  return 0;
}

double bytes_of(const std::string& format) {
  return format == "tfloat32" ? 4 : multiple_of(format) == 16 ? 1 : 2;
}

/// Operations per byte below which current data-centre GPUs are memory-bound. An A100's ridge is 153 to 200, an H100's
/// about 300.
constexpr double kRidge = 100;
/// Products with fewer operations finish before tensor cores are busy: an A100 needs 32 ns for them at its float16
/// peak.
constexpr double kLittleWork = 1e7;

std::string number(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.3g", value);
  return text.data();
}

double operations(const MatrixShape& shape) {
  return 2.0 * static_cast<double>(shape.m) * static_cast<double>(shape.n) * static_cast<double>(shape.k) *
         static_cast<double>(shape.batches);
}

/// Returns the product's operations per byte moved, with operands and result of `bytes` each.
double intensity(const MatrixShape& shape, double bytes) {
  const auto m = static_cast<double>(shape.m), n = static_cast<double>(shape.n), k = static_cast<double>(shape.k);
  const double moved = bytes * (m * k + k * n + m * n);
  return moved > 0 ? 2 * m * n * k / moved : 0;
}

struct Side {
  const char* name;
  std::int64_t size;
};

std::optional<WhyNot> by_dimensions(const OpFacts& facts) {
  const std::int64_t multiple = multiple_of(facts.format);
  // Kernels pad the rows of a product (m) themselves; the rows in memory (n, k) must be aligned.
  for (const Side& side : {Side{"k", facts.shape->k}, Side{"n", facts.shape->n}}) {
    if (side.size % multiple == 0) continue;
    const std::int64_t padded = (side.size / multiple + 1) * multiple;
    const char* what = side.name[0] == 'k' ? "inputs (features, or channels times kernel)" : "outputs";
    return WhyNot{Verdict::kDimensions,
                  "Its " + std::string(what) + " number " + std::to_string(side.size) + ", no multiple of " +
                      std::to_string(multiple) + ", which " + facts.format + " on tensor cores asks for.",
                  "Pad to " + std::to_string(padded) + " in the model."};
  }
  return std::nullopt;
}

std::optional<WhyNot> by_shape(const OpFacts& facts) {
  if (auto found = by_dimensions(facts)) return found;
  const double work = operations(*facts.shape);
  if (work < kLittleWork) {
    return WhyNot{Verdict::kTooSmall,
                  "One call is " + number(work * 1e-6) + " million operations, over before tensor cores are fed.",
                  "Raise the batch size, or join small products into one."};
  }
  const double each = intensity(*facts.shape, bytes_of(facts.format));
  if (each < kRidge) {
    return WhyNot{Verdict::kMemoryBound,
                  "It does " + number(each) + " operations for each byte it moves; below some " + number(kRidge) +
                      " it waits for memory.",
                  "Raise the batch size; a narrower format moves fewer bytes."};
  }
  return std::nullopt;
}

/// Fallback text if nothing was measured.
std::string hint(const OpFacts& facts) {
  if (facts.by_name == KernelClass::kUnknown) return {};
  return std::string(" Its longest kernel is named like those that ")
      .append(facts.by_name == KernelClass::kTensor ? "use them" : "do not use them")
      .append(": a hint, no measurement.");
}

/// Names the next obstacle, once the edit is made.
std::string and_then(const OpFacts& facts) {
  if (multiple_of(facts.format) == 0 || !facts.shape) return {};
  const auto found = by_shape(facts);
  return found ? " Then: " + found->sentence + " " + found->edit : std::string();
}

}  // namespace

std::string_view name(Verdict verdict) {
  static constexpr std::array<std::string_view, 10> kNames{"used",         "no-gpu",     "not-matrix", "emulated",
                                                           "format",       "dimensions", "too-small",  "memory-bound",
                                                           "not-measured", "unexplained"};
  return kNames[static_cast<std::size_t>(verdict)];
}

WhyNot why_not(const OpFacts& facts) {
  if (facts.percent >= kUsedPercent) {
    return {Verdict::kUsed, "Tensor cores are active in " + number(facts.percent) + " % of its cycles.", {}};
  }
  if (!facts.matrix_op) {
    return {Verdict::kNotMatrix, "Not a matrix operation.", {}};
  }
  if (facts.emulated) {
    const std::string edit =
        facts.on_gpu ? "Set its execution to native, if the GPU has the format." : "Run on a GPU that has the format.";
    return {Verdict::kEmulated, facts.format + " is emulated here: computed in float32, then rounded.",
            edit + and_then(facts)};
  }
  if (!facts.on_gpu) {
    return {Verdict::kNoGpu, "The run is on the CPU, which has no tensor cores.",
            "Set the run's device to cuda." + and_then(facts)};
  }
  if (multiple_of(facts.format) == 0) {
    return {Verdict::kFormat, "It runs in " + facts.format + ", which tensor cores do not take.",
            "Set it to float16 or bfloat16; tfloat32 keeps float32's range."};
  }
  if (facts.shape) {
    if (auto found = by_shape(facts)) return *found;
  }
  if (facts.percent < 0) {
    return {
        Verdict::kNotMeasured, "Nothing speaks against tensor cores; their use was not measured." + hint(facts), {}};
  }
  return {Verdict::kUnexplained,
          "Measured " + number(facts.percent) + " %, though format and dimensions fit; its kernels may say more.",
          {}};
}

}  // namespace binade::profiler
