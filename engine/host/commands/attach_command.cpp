// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/error.h"
#include "engine/formats/printable.h"
#include "engine/host/attach/bridge.h"
#include "engine/host/attach/found_trainings.h"
#include "engine/host/commands/commands.h"
#include "engine/host/print/policy_json.h"
#include "engine/host/print/text_table.h"
#include "engine/host/process/exit_code.h"

#include <nlohmann/json.hpp>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <ctime>

namespace binade::host {

namespace {

std::string local_time(std::int64_t seconds) {
  const auto time = static_cast<std::time_t>(seconds);
  std::tm parts{};
  std::array<char, 32> text{};
  if (::localtime_r(&time, &parts) == nullptr) return {};
  std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M", &parts);
  return text.data();
}

void print_json_lines(const std::vector<FoundTraining>& trainings) {
  for (const FoundTraining& each : trainings) {
    nlohmann::ordered_json line{{"event", "training"},
                                {"name", each.run.name},
                                {"process", each.sign.process},
                                {"host", each.sign.host},
                                {"since", each.run.since}};
    if (each.why.empty()) {
      line["step"] = each.run.step;
      line["run_file"] = each.run.run_file;
      line["explorers"] = each.run.peers;
    } else {
      line["problem"] = each.why;
    }
    print_json(line);
  }
}

void print_table(const std::vector<FoundTraining>& trainings) {
  if (trainings.empty()) {
    std::printf("No training of this user runs on this computer.\n");
    return;
  }
  TextTable table;
  table.add({"process", "run", "since", "step", "run file"});
  for (const FoundTraining& each : trainings) {
    const bool answers = each.why.empty();
    table.add({std::to_string(each.sign.process), formats::printable(each.run.name), local_time(each.run.since),
               answers ? std::to_string(each.run.step) : "-",
               answers ? formats::printable(each.run.run_file) : each.why});
  }
  std::printf("%s", table.text().c_str());
}

}  // namespace

int attach(const AttachOptions& options) {
  if (options.list) {
    const std::vector<FoundTraining> trainings = find_trainings();
    options.json ? print_json_lines(trainings) : print_table(trainings);
    return kDone;
  }
  if (::isatty(STDIN_FILENO) != 0 || ::isatty(STDOUT_FILENO) != 0) {
    throw Error(ErrorCode::kUsage, "attach communicates with a program, not with a terminal",
                "Start `binade --connect 'binade-engine attach'`, or see `binade-engine attach --list`.");
  }
  std::signal(SIGPIPE, SIG_IGN);
  const int socket = connect_to_training(options.run);
  bridge(socket, STDIN_FILENO, STDOUT_FILENO);
  ::close(socket);
  return kDone;
}

}  // namespace binade::host
