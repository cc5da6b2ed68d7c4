// SPDX-License-Identifier: Apache-2.0
#include "tests/autocast_oracle/regions.h"

#include "engine/autocast/composite.h"
#include "tests/autocast_oracle/row_call.h"

#include <ATen/autocast_mode.h>
#include <ATen/cpu/Utils.h>

#include <map>
#include <string>

namespace binade::test {

using nlohmann::json;

namespace {

/// The lists as PyTorch runs them: natively, with its bugs. Made once each, as a training does.
std::shared_ptr<const policy::Resolved> tableOf(const json& region) {
  static std::map<std::string, std::shared_ptr<const policy::Resolved>> tables;
  auto& table = tables[region.dump()];
  if (table == nullptr) {
    policy::Policy policy;
    policy.base = region["device"] == "cpu" ? policy::Base::kCpuAmp : policy::Base::kCudaAmp;
    policy.low = region["dtype"] == "float16" ? formats::kFloat16 : formats::kBFloat16;
    policy.execution = policy::Execution::kNative;
    policy.behaviour = policy::Behaviour::kPyTorch211;
    table = std::make_shared<const policy::Resolved>(
        policy::resolve(policy, {}, {.native_bfloat16 = true, .native_float16 = true}));
  }
  return table;
}

}  // namespace

struct OurRegion::Open {
  autocast::Casting casting;
  autocast::CompositeRegion region;

  Open(const json& asked, c10::DeviceType device) : casting(device), region(&casting) {
    casting.set_policy(tableOf(asked));
  }
};

OurRegion::OurRegion(const json& region, c10::DeviceType device) {
  if (region["enabled"].get<bool>()) open_ = std::make_unique<Open>(region, device);
}

OurRegion::~OurRegion() = default;

NativeRegion::NativeRegion(const json& region)
    : device_(region["device"] == "cpu" ? c10::kCPU : c10::kCUDA),
      enabled_(at::autocast::is_autocast_enabled(device_)),
      dtype_(at::autocast::get_autocast_dtype(device_)) {
  at::autocast::set_autocast_enabled(device_, region["enabled"].get<bool>());
  at::autocast::set_autocast_dtype(device_, dtypeOf(region["dtype"]));
  at::autocast::increment_nesting();
}

NativeRegion::~NativeRegion() {
  if (at::autocast::decrement_nesting() == 0) at::autocast::clear_cache();
  at::autocast::set_autocast_enabled(device_, enabled_);
  at::autocast::set_autocast_dtype(device_, dtype_);
}

json enabledRegion(const char* device, const char* dtype) {
  return {{"device", device}, {"dtype", dtype}, {"enabled", true}};
}

bool isLikeTheRecordingMachine() {
  const auto known = at::cpu::get_cpu_capabilities();
  const auto found = known.find("avx512_bf16");
  return found != known.end() && found->second.toBool();
}

}  // namespace binade::test
