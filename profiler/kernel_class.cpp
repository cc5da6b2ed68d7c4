// SPDX-License-Identifier: Apache-2.0
#include "profiler/kernel_class.h"

#include <algorithm>
#include <cctype>
#include <string>

namespace binade::profiler {

namespace {

constexpr std::string_view kTensorParts[] = {"nvjet_",    "xmma_",        "tensorop",       "hmma",  "imma",
                                             "wgmma",     "gmma",         "s884",           "h884",  "s1688",
                                             "h1688",     "16816",        "s16816",         "i8816", "flash_fwd",
                                             "flash_bwd", "fmha_cutlass", "cutlass3x_sm90", "sm100", "utcmma"};
constexpr std::string_view kOrdinaryParts[] = {"simt", "sgemm", "gemv", "elementwise", "reduce", "vectorized"};

}  // namespace

KernelClass class_by_name(std::string_view kernel) {
  std::string lower(kernel);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const auto has = [&lower](std::string_view part) { return lower.find(part) != std::string::npos; };
  // `sgemm` also occurs in names of tensor kernels (`..._tensorop_sgemm_...`), so signs of tensor cores take
  // precedence, except over simt.
  if (has("simt")) return KernelClass::kOrdinary;
  if (std::any_of(std::begin(kTensorParts), std::end(kTensorParts), has)) return KernelClass::kTensor;
  if (std::any_of(std::begin(kOrdinaryParts), std::end(kOrdinaryParts), has)) return KernelClass::kOrdinary;
  return KernelClass::kUnknown;
}

std::string_view name(KernelClass kind) {
  switch (kind) {
    case KernelClass::kTensor:
      return "tensor";
    case KernelClass::kOrdinary:
      return "ordinary";
    case KernelClass::kUnknown:
      break;
  }
  return "unknown";
}

}  // namespace binade::profiler
