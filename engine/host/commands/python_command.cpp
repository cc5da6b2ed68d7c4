// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/error.h"
#include "engine/host/commands/commands.h"
#include "engine/host/commands/python_folder.h"
#include "engine/host/print/policy_json.h"
#include "engine/host/process/exit_code.h"
#include "engine/host/process/program_folder.h"

#include <nlohmann/json.hpp>

#include <cstdio>
#include <filesystem>
#include <system_error>

namespace binade::host {

int python(const PythonOptions& options) {
  if (!options.where) {
    throw Error(ErrorCode::kUsage, "python needs --where",
                "For example: pip install \"$(binade-engine python --where)\"");
  }
  std::error_code failed;
  const std::filesystem::path named = (program_folder(failed) / kPythonFolder).lexically_normal();
  const std::filesystem::path folder = std::filesystem::canonical(named, failed);
  if (failed) {
    throw Error(ErrorCode::kBadFile, named.string() + ", the folder of the Python package, does not exist",
                "Install Binade again, or copy the folder python of its sources there.");
  }
  if (options.json) {
    print_json({{"event", "python"}, {"folder", folder.string()}});
  } else {
    std::puts(folder.c_str());
  }
  return kDone;
}

}  // namespace binade::host
