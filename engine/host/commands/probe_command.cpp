// SPDX-License-Identifier: Apache-2.0
#include "engine/host/commands/commands.h"
#include "engine/host/process/exit_code.h"
#include "engine/host/process/open_cuda.h"
#include "engine/host/process/probe.h"

#include <cstdio>

namespace binade::host {

int probe_machine(const ProbeOptions& options) {
  if (options.inner_calls_only) {
    std::puts(audit_inner_calls_json().c_str());
    return kDone;
  }
  Probe found = probe(open_cuda());  // repeats the result: main() has loaded CUDA already
  if (options.inner_calls) ask_inner_calls(found);
  std::fputs((options.json ? to_json(found) + "\n" : to_text(found)).c_str(), stdout);
  return found.drifts() || !found.inner_calls_failed.empty() ? kFailed : kDone;
}

}  // namespace binade::host
