// SPDX-License-Identifier: Apache-2.0
#include "engine/host/input/run_access.h"

#include <filesystem>
#include <system_error>

namespace binade::host {

bool has_gpu_devices() {
  std::error_code unknown;
  return std::filesystem::exists("/dev/nvidiactl", unknown);
}

confine::Access model_access(const std::string& model) {
  confine::Access access;
  if (!model.starts_with("sample:")) access.reads.push_back(model);
  access.gpu = has_gpu_devices();
  return access;
}

confine::Access run_access(const wire::RunConfig& config) {
  confine::Access access = model_access(config.model);
  confine::Access more{.reads = {config.weights, config.data.folder, config.resume},
                       .folders = {config.checkpoint.folder},
                       .outputs = {config.run_file}};
  more.reads.insert(more.reads.end(), config.data.files.begin(), config.data.files.end());
  confine::add(access, more);
  return access;
}

}  // namespace binade::host
