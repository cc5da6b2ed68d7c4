// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/error.h"
#include "engine/formats/input_file.h"
#include "engine/host/commands/commands.h"
#include "engine/host/print/policy_json.h"
#include "engine/host/process/exit_code.h"
#include "engine/host/process/interrupt.h"
#include "engine/host/process/log.h"
#include "engine/interchange/export_run.h"

#include <nlohmann/json.hpp>

#include <atomic>
#include <cstdio>
#include <fstream>
#include <string>

namespace binade::host {

namespace {

void report_left_out(const record::Damage& damage) {
  for (const std::string& line : damage.lines()) log("warning", line);
  const std::size_t more = damage.count() - damage.lines().size();
  if (more > 0) log("warning", std::to_string(more) + " more could not be read.");
}

}  // namespace

bool is_run_file(const std::string& file) {
  if (file.ends_with(".binade")) return true;  // so that a missing or damaged one is reported as a run file
  check_input_file(file);                      // a named pipe would wait for its writer
  std::ifstream bytes(file, std::ios::binary);
  std::string head(16, '\0');
  bytes.read(head.data(), static_cast<std::streamsize>(head.size()));
  return head == std::string("SQLite format 3\0", 16);
}

int export_run(const ExportRunOptions& options) {
  const auto target = interchange::run_target(options.target);
  if (!target) {
    throw Error(ErrorCode::kUsage, "--to: " + options.target + " is not a target for a run file",
                "Targets: tensorboard, csv, perfetto.");
  }
  std::atomic<bool> cancelled = false;
  interchange::RunExport written;
  {
    const Interrupt interrupt([&] { cancelled = true; }, [] { return false; });
    written =
        interchange::export_run(options.run_file, *target, options.out, [&](double) { return !cancelled.load(); });
  }
  report_left_out(written.damage);
  if (options.json) {
    const nlohmann::ordered_json line{
        {"event", "run_exported"}, {"run", options.run_file}, {"target", options.target},          {"out", options.out},
        {"files", written.files},  {"steps", written.steps},  {"left_out", written.damage.count()}};
    print_json(line);
    return kDone;
  }
  std::printf("%s: %lld steps of %s\n", options.out.c_str(), static_cast<long long>(written.steps),
              options.run_file.c_str());
  if (*target == interchange::RunTarget::kPerfetto) return kDone;
  for (const std::string& file : written.files) std::printf("  %s\n", file.c_str());
  return kDone;
}

}  // namespace binade::host
