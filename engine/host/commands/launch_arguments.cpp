// SPDX-License-Identifier: Apache-2.0
#include "engine/host/commands/launch_arguments.h"

#include "engine/formats/shell_word.h"

#include <array>
#include <cstdio>
#include <filesystem>
#include <system_error>

namespace binade::host {

namespace {

/// A number in the shortest notation: `300`, `0.5`.
std::string shortest(double number) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.9g", number);
  return text.data();
}

/// Adds the options that differ from those of a command line without options.
void add_options(std::vector<std::string>& all, const LaunchOptions& options) {
  const TrainOptions& train = options.train;
  const TrainOptions unset;
  const auto add = [&all](const char* name, const std::string& value) {
    if (!value.empty()) all.insert(all.end(), {name, value});
  };
  add("--run-file", train.run_file);
  add("--policy", train.policy);
  add("--resume", train.resume);
  add("--save", train.save);
  add("--profile", train.profile);
  if (train.steps > 0) add("--steps", std::to_string(train.steps));
  if (train.seed >= 0) add("--seed", std::to_string(train.seed));
  if (train.rank_timeout != unset.rank_timeout) add("--rank-timeout", shortest(train.rank_timeout));
  if (train.gradients_over != unset.gradients_over) add("--gradients-over", train.gradients_over);
  if (options.trust) all.emplace_back("--trust");
  if (train.json) all.emplace_back("--json");
  if (!train.attach) all.emplace_back("--no-attach");
}

/// `a/b-resumed.binade` for `a/b.binade`, with a number if that exists too.
std::string free_name(const std::string& run_file) {
  namespace fs = std::filesystem;
  const fs::path file(run_file);
  std::error_code unknown;
  for (int i = 1;; ++i) {
    const std::string number = i == 1 ? "" : "-" + std::to_string(i);
    const fs::path name = file.parent_path() / (file.stem().string() + "-resumed" + number + file.extension().string());
    if (!fs::exists(name, unknown)) return name.string();
  }
}

}  // namespace

std::vector<std::string> rank_arguments(const LaunchOptions& options) {
  std::vector<std::string> all{"binade-engine", "train", options.train.run};
  add_options(all, options);
  return all;
}

std::string resume_command(const LaunchOptions& options, const wire::RunConfig& run, const std::string& checkpoint) {
  LaunchOptions next = options;
  next.train.resume = checkpoint;
  if (options.train.run_file != "none") {
    const std::string& recorded = options.train.run_file.empty() ? run.run_file : options.train.run_file;
    std::error_code unknown;
    if (!recorded.empty() && std::filesystem::exists(recorded, unknown)) next.train.run_file = free_name(recorded);
  }
  std::vector<std::string> all{"binade-engine", "launch", options.train.run, "--ranks", std::to_string(options.ranks)};
  add_options(all, next);
  if (options.port != 0) all.insert(all.end(), {"--port", std::to_string(options.port)});
  if (options.keep_going) all.emplace_back("--keep-going");
  std::string command;
  for (const std::string& word : all) command += (command.empty() ? "" : " ") + formats::shell_word(word);
  return command;
}

}  // namespace binade::host
