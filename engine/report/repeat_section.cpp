// SPDX-License-Identifier: Apache-2.0
#include "engine/report/numbers.h"
#include "engine/report/sections.h"
#include "engine/formats/shell_word.h"

#include <filesystem>

namespace binade::report {

namespace {

/// The files that the run read; empty if it read none.
std::vector<std::string> inputs_of(const wire::RunConfig& config) {
  std::vector<std::string> files;
  for (const std::string& each : {config.model, config.weights, config.resume, config.data.folder}) {
    if (!each.empty()) files.push_back(each);
  }
  files.insert(files.end(), config.data.files.begin(), config.data.files.end());
  return files;
}

}  // namespace

Section repeat_section(const RunContent& run) {
  Section section{"repeat", "To repeat the run", {}};
  if (!run.started) {
    section.body = note("A run description was not recorded.");
    return section;
  }
  const std::string stem = std::filesystem::path(run.file).stem().string();
  const std::string description = (stem.empty() ? "run" : stem) + ".run.json";
  section.body = paragraph("Save the run description below as " + description + ", and run:");
  const std::size_t ranks = run.started->ranks.size();
  section.body += listing((ranks > 1 ? "binade-engine launch --ranks " + std::to_string(ranks) + " "
                                     : std::string("binade-engine train ")) +
                          formats::shell_word(description) + " --run-file " +
                          formats::shell_word((stem.empty() ? "run" : stem) + ".repeated.binade"));
  section.body += paragraph("The run read:");
  Html files;
  for (const std::string& each : inputs_of(run.started->config)) files += element("li", code(each));
  section.body += element("ul", files);
  section.body +=
      note(std::string("On a CPU, the same description, files, versions and number of threads ") +
           (ranks > 1 ? "and of ranks " : "") + "give the same run. The report contains neither weights nor data.");
  if (!run.history.empty()) {
    section.body += note(
        "The run was edited while it trained. The description has the policy that it began with; the "
        "policy in force at the end follows it. The section History lists the edits by step.");
  }
  section.body += heading(3, "description", "Run description") + listing(wire::to_json(run.started->config));
  if (!run.history.empty())
    section.body +=
        heading(3, "final-policy", "Policy in force at the end") + listing(policy::to_json(run.policy.policy));
  return section;
}

}  // namespace binade::report
