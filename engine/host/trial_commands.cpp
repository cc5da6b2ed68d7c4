// SPDX-License-Identifier: Apache-2.0
#include "engine/host/trial_commands.h"

#include "engine/host/at_least.h"

#include <string>
#include <utility>

namespace binade::host {

TrialCommands::TrialCommands(PolicyCommands::Add add, const bool& json, const char* exit_codes)
    : add_(std::move(add)), json_(json), exit_codes_(exit_codes) {}

void TrialCommands::add_try(CLI::App& app) {
  CLI::App* command =
      add_(&app, "try", "Train another policy beside the present one, and report whether the loss differs", [this] {
        try_.json = json_;
        return try_policy(try_);
      });
  command->add_option("RUN", try_.run, "Run description (.json), run file (.binade) or checkpoint")->required();
  command->add_option("--policy", try_.policy, "Policy file or base list to try")->required();
  command->add_option("--against", try_.against, "Policy to compare with; default: the one of RUN");
  command->add_option("--from", try_.checkpoint, "Checkpoint to start from, or a folder, which means its newest");
  command->add_option("--steps", try_.steps, "Steps of each training; default 100")->check(at_least(1, "POSITIVE"));
  command->add_option("--seeds", try_.seeds, "Number of repetitions, on other batches; default 1")
      ->check(at_least(1, "POSITIVE"));
  command->add_option("--name", try_.name, "Name of the change; default: made from the differences");
  CLI::Option* record = command->add_option("--record", try_.record, "Run file that keeps the result; default: RUN");
  command->add_flag("--no-record", try_.no_record, "Only print the result")->excludes(record);
  command->footer(std::string("Every verdict ends with exit code 0; --json has the verdict as a word.\n") +
                  exit_codes_);
}

void TrialCommands::add_search(CLI::App& app) {
  CLI::App* command =
      add_(&app, "search", "Search for a cheaper policy that trains alike, or repair one that fails", [this] {
        search_.json = json_;
        return search(search_);
      });
  command->add_option("RUN", search_.run, "Run description (JSON), run file (.binade) or checkpoint (.safetensors)")
      ->required();
  command
      ->add_option("--for", search_.goal,
                   "What to need less of; repair: make a policy that fails train, with nvfp4 and the like by the "
                   "fewest op calls out of them")
      ->required()
      ->check(CLI::IsMember({"time", "memory", "casts", "repair"}));
  command
      ->add_option(
          "--budget", search_.budget,
          "Limit on the time or the number of tries. LIMIT is a time (90s, 30min, 1.5h), a number (40tries) or "
          "both (30min,40tries, or two --budget). The try in progress is finished first")
      ->required()
      ->type_name("LIMIT")
      ->expected(1, 2)
      ->allow_extra_args(false);
  command->add_option("--policy", search_.policy, "Policy file or base list to start from (default: the run's)");
  command->add_option("--from", search_.from, "Checkpoint to try from, or a folder for its newest checkpoint");
  command->add_option("--steps", search_.steps, "Steps of each training")
      ->check(at_least(1, "POSITIVE"))
      ->capture_default_str();
  command->add_option("--seeds", search_.seeds, "Trainings of each policy, on different batches")
      ->check(at_least(1, "POSITIVE"))
      ->capture_default_str();
  command->add_option("--fixed", search_.fixed, "Op calls that must not change, as a pattern of a site rule")
      ->type_name("PATTERN")
      ->allow_extra_args(false);
  command->add_option("--formats", search_.formats,
                      "Formats that op calls may be given, such as bfloat16,float32 (default: the list's and float32)");
  command->add_option("--evaluation", search_.evaluation, "Largest loss on the test data that a policy may reach");
  command->add_option("--out", search_.out,
                      "Folder for the state and the policies (default: RUN with the ending .search)");
  command->add_option("--seed", search_.seed, "Decides between candidates that are equally good")
      ->check(at_least(0, "NONNEGATIVE"))
      ->capture_default_str();
  command->footer(std::string("Example:\n  binade-engine search run.json --for casts --budget 30min,40tries\n\n"
                              "The same command goes on with a search that was ended or killed, also with a larger "
                              "budget.\nIt refuses to if the model, the checkpoint or a data file has changed since.\n"
                              "Each policy that holds is written to FOLDER/policy-N.json.\n") +
                  exit_codes_);
}

}  // namespace binade::host
