// SPDX-License-Identifier: Apache-2.0
#include "engine/host/process/environment.h"

#include "engine/host/process/version.h"
#include "engine/train/device.h"

#include <sys/utsname.h>

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <ATen/Version.h>
#include <torch/version.h>

namespace binade::host {

wire::Welcome welcome() {
  const c10::Device device = train::open_device(wire::RunConfig{}.device);
  const policy::Capabilities can = train::capabilities(device);
  return {.protocol = wire::kProtocol,
          .version = kVersion,
          .libtorch = TORCH_VERSION,
          .device = train::describe(device),
          .native_bfloat16 = can.native_bfloat16,
          .native_float16 = can.native_float16,
          .native_tfloat32 = can.native_tfloat32};
}

std::map<std::string, std::string> environment() {
  utsname system{};
  ::uname(&system);
  return {{"program", "binade-engine"},
          {"version", kVersion},
          {"libtorch", TORCH_VERSION},
          {"cpu_capability", at::get_cpu_capability()},
          {"threads", std::to_string(at::get_num_threads())},
          {"system", std::string(system.sysname) + " " + system.release + " " + system.machine}};
}

}  // namespace binade::host
