// SPDX-License-Identifier: Apache-2.0
#include "engine/policy/apex_properties.h"
#include "engine/policy/policy.h"

namespace binade::policy {

std::string name(Base base) {
  switch (base) {
    case Base::kCudaAmp:
      return "cuda-amp";
    case Base::kCpuAmp:
      return "cpu-amp";
    case Base::kApexO0:
      return "apex-o0";
    case Base::kApexO1:
      return "apex-o1";
    case Base::kApexO2:
      return "apex-o2";
    case Base::kApexO3:
      return "apex-o3";
    case Base::kAllFloat32:
      return "all-float32";
  }
  return {};
}

std::string brief(Base base) {
  switch (base) {
    case Base::kCudaAmp:
      return "PyTorch's lists for CUDA.";
    case Base::kCpuAmp:
      return "PyTorch's lists for CPUs.";
    case Base::kApexO0:
      return std::string(apex_brief("O0"));
    case Base::kApexO1:
      return std::string(apex_brief("O1"));
    case Base::kApexO2:
      return std::string(apex_brief("O2"));
    case Base::kApexO3:
      return std::string(apex_brief("O3"));
    case Base::kAllFloat32:
      break;
  }
  return "Nothing is cast.";
}

std::string name(Execution execution) {
  switch (execution) {
    case Execution::kAuto:
      return "auto";
    case Execution::kNative:
      return "native";
    case Execution::kEmulated:
      return "emulated";
  }
  return {};
}

std::string name(Treatment treatment) {
  switch (treatment) {
    case Treatment::kLow:
      return "low";
    case Treatment::kPromote:
      return "promote";
    case Treatment::kFollow:
      return "follow";
    case Treatment::kBanned:
      return "banned";
  }
  return {};
}

std::string name(Behaviour behaviour) {
  return behaviour == Behaviour::kFixed ? "fixed" : "pytorch-2.11";
}

std::optional<Base> parse_base(std::string_view text) {
  for (const Base base :
       {Base::kCudaAmp, Base::kCpuAmp, Base::kApexO0, Base::kApexO1, Base::kApexO2, Base::kApexO3, Base::kAllFloat32}) {
    if (name(base) == text) return base;
  }
  return std::nullopt;
}

std::string to_text(const OpChange& change) {
  if (const auto* format = std::get_if<formats::Format>(&change)) return formats::name(*format);
  return name(std::get<Treatment>(change));
}

}  // namespace binade::policy
