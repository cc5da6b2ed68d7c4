// SPDX-License-Identifier: Apache-2.0
//
// Says what profiler::look finds with the libraries that this process is given, one line each of driver, CUPTI and
// NVML: code, sentence, next step.
#include "profiler/monitor.h"

#include <cstdio>

int main() {
  using namespace binade::profiler;
  const Readiness ready = look(open_parts(), 0);
  for (const Status& status : {ready.cuda, ready.cupti, ready.nvml}) {
    std::printf("%s\t%s\t%s\n", std::string(name(status.code)).c_str(), status.sentence.c_str(), status.next.c_str());
  }
  return 0;
}
