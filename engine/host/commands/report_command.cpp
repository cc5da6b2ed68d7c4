// SPDX-License-Identifier: Apache-2.0
#include "engine/files/atomic_file.h"
#include "engine/formats/output_file.h"
#include "engine/host/commands/commands.h"
#include "engine/host/print/policy_json.h"
#include "engine/host/print/rank_report.h"
#include "engine/host/process/exit_code.h"
#include "engine/host/process/log.h"
#include "engine/report/report.h"

#include <nlohmann/json.hpp>

#include <cstdio>

namespace binade::host {

int report(const ReportOptions& options) {
  refuse_existing(options.out, "--out");
  const report::Report made = report::make_report(options.run_file);
  for (const std::string& line : made.damage.lines()) log("warning", line);
  files::AtomicFile file(options.out);
  file.write(made.html.data(), made.html.size());
  file.commit();
  if (options.json) {
    nlohmann::ordered_json line{{"event", "report"},
                                {"run_file", options.run_file},
                                {"file", options.out},
                                {"bytes", made.html.size()},
                                {"steps", made.steps},
                                {"events", made.events},
                                {"damaged", made.damage.count()}};
    if (made.ranks.steps() > 0) line["ranks"] = ranks_json(made.ranks);
    print_json(line);
    return kDone;
  }
  std::printf("%s: %lld steps and %zu events on one page, %zu bytes\n", options.out.c_str(),
              static_cast<long long>(made.steps), made.events, made.html.size());
  if (made.ranks.steps() > 0) std::printf("\n%s\n", ranks_text(made.ranks).c_str());
  if (!made.damage.empty())
    std::printf("%zu parts of %s could not be read. The report names them and leaves them out.\n", made.damage.count(),
                options.run_file.c_str());
  return kDone;
}

}  // namespace binade::host
