// SPDX-License-Identifier: Apache-2.0
#include "engine/policy/apex_properties.h"
#include "engine/policy/policy.h"

#include <array>

namespace binade::policy {

namespace {

// In the order of the enums.
constexpr std::array kBaseNames{"cuda-amp", "cpu-amp", "apex-o0", "apex-o1", "apex-o2", "apex-o3", "all-float32"};
constexpr std::array kExecutionNames{"auto", "native", "emulated"};
constexpr std::array kTreatmentNames{"low", "promote", "follow", "banned"};

}  // namespace

std::string name(Base base) {
  return kBaseNames.at(static_cast<std::size_t>(base));
}

std::string name(Execution execution) {
  return kExecutionNames.at(static_cast<std::size_t>(execution));
}

std::string name(Treatment treatment) {
  return kTreatmentNames.at(static_cast<std::size_t>(treatment));
}

std::string name(Behaviour behaviour) {
  return behaviour == Behaviour::kFixed ? "fixed" : "pytorch-2.11";
}

std::string brief(Base base) {
  if (base == Base::kCudaAmp) return "PyTorch's lists for CUDA.";
  if (base == Base::kCpuAmp) return "PyTorch's lists for CPUs.";
  if (base == Base::kAllFloat32) return "Nothing is cast.";
  return std::string(apex_brief(std::string("O") + name(base).back()));
}

std::optional<Base> parse_base(std::string_view text) {
  for (std::size_t i = 0; i < kBaseNames.size(); ++i) {
    if (kBaseNames[i] == text) return static_cast<Base>(i);
  }
  return std::nullopt;
}

std::string to_text(const OpChange& change) {
  if (const auto* format = std::get_if<formats::Format>(&change)) return formats::name(*format);
  return name(std::get<Treatment>(change));
}

}  // namespace binade::policy
