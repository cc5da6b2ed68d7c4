// SPDX-License-Identifier: Apache-2.0
#include "engine/host/commands.h"
#include "engine/host/exit_code.h"
#include "engine/host/open_cuda.h"
#include "engine/host/probe.h"

#include <cstdio>

namespace binade::host {

int probe_machine(const ProbeOptions& options) {
  // main() has opened CUDA already; this only tells again what came of it.
  const Probe found = probe(open_cuda());
  std::fputs((options.json ? to_json(found) + "\n" : to_text(found)).c_str(), stdout);
  return found.drifts() ? kFailed : kDone;
}

}  // namespace binade::host
