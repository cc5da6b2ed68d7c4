// SPDX-License-Identifier: Apache-2.0
#include "engine/host/commands/commands.h"
#include "engine/host/print/policy_json.h"
#include "engine/host/process/exit_code.h"
#include "engine/interchange/event_bundle.h"

#include <nlohmann/json.hpp>

#include <cstdio>

namespace binade::host {

int bundle(const BundleOptions& options) {
  const interchange::EventBundle made =
      interchange::write_event_bundle(options.run_file, options.step, options.out, options.data);
  if (options.json) {
    print_json({{"event", "bundle"},
                {"run", options.run_file},
                {"step", options.step},
                {"out", options.out},
                {"files", made.files},
                {"replayable", made.replayable},
                {"needed", made.needed}});
    return kDone;
  }
  std::printf("%s: step %lld of %s, %zu files. README.txt has the commands that reproduce it.\n", options.out.c_str(),
              static_cast<long long>(options.step), options.run_file.c_str(), made.files.size());
  if (!made.replayable) std::printf("The run kept no state before this step, so it cannot be replayed alone.\n");
  for (const std::string& file : made.needed) std::printf("Not in the folder, but needed: %s\n", file.c_str());
  return kDone;
}

}  // namespace binade::host
