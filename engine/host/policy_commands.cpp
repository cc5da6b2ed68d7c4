// SPDX-License-Identifier: Apache-2.0
#include "engine/host/policy_commands.h"

#include "engine/formats/error.h"
#include "engine/formats/input_file.h"
#include "engine/targets/read_text.h"

#include <filesystem>
#include <initializer_list>
#include <string>
#include <system_error>
#include <utility>

namespace binade::host {

namespace {

namespace fs = std::filesystem;

constexpr const char* kPolicy =
    "Policy file, name of a base list: cuda-amp, cpu-amp, apex-o0 to apex-o3, all-float32, or name of a recipe: mxfp8, "
    "nvfp4, fp8-current, fp8-delayed, fp8-block";
constexpr const char* kOut = "Policy file to write; must not exist";

/// The files that an imported file names. Empty if it is no regular file, which can be read only once.
std::vector<std::string> imported_with(const PolicyImportOptions& options) {
  const targets::Target* target = targets::find_target(options.target);
  std::error_code unknown;
  if (target == nullptr || !fs::is_regular_file(options.file, unknown)) return {};
  try {
    return targets::files_read(*target, read_input_text(options.file), fs::path(options.file).parent_path().string());
  } catch (const Error&) {
    return {};  // the command reports what it cannot read
  }
}

}  // namespace

PolicyCommands::PolicyCommands(Add add, const bool& json, const char* exit_codes, const char* model)
    : add_(std::move(add)), json_(json), exit_codes_(exit_codes), model_(model) {}

void PolicyCommands::add_to(CLI::App& app) {
  CLI::App* command = app.add_subcommand("policy", "Check, show, compare, merge and simplify policies");
  command->require_subcommand(1);
  command->footer(exit_codes_);
  add_check(command);
  add_show(command);
  add_diff(command);
  add_merge(command);
  add_minimise(command);
  add_generalise(command);
  add_import(command);
}

std::vector<std::string> PolicyCommands::read_files() const {
  std::vector<std::string> files = imported_with(import_);
  const std::initializer_list<std::string> named = {
      policy_.policy, policy_.model, diff_.first,  diff_.second,    diff_.third,    diff_.model,  merge_.base,
      merge_.mine,    merge_.theirs, merge_.model, rewrite_.policy, rewrite_.model, import_.file, import_.model};
  files.insert(files.end(), named);
  return files;
}

std::vector<std::string> PolicyCommands::written_files() const {
  return {merge_.out, rewrite_.out, import_.out};
}

void PolicyCommands::add_check(CLI::App* parent) {
  CLI::App* command = add_(parent, "check", "Report problems in a policy file", [this] {
    policy_.json = json_;
    return policy_check(policy_);
  });
  command->add_option("POLICY", policy_.policy, kPolicy)->required();
  command->add_option("MODEL", policy_.model,
                      "TorchScript file or sample:NAME. Also report which op calls the rules match, where rules "
                      "conflict, and which rules cannot apply");
  command->add_flag("--strict", policy_.strict, "Exit with code 1 on a warning; notes do not count");
}

void PolicyCommands::add_show(CLI::App* parent) {
  CLI::App* command = add_(parent, "show", "Show a policy and its effect on every op call of a model", [this] {
    policy_.json = json_;
    return policy_show(policy_);
  });
  command->add_option("POLICY", policy_.policy, kPolicy)->required();
  CLI::Option* model = command->add_option("MODEL", policy_.model, model_);
  command
      ->add_flag("--explain", policy_.explain,
                 "State for every op call which rule or list gave it its format, and what that overrules")
      ->needs(model);
}

void PolicyCommands::add_diff(CLI::App* parent) {
  CLI::App* command =
      add_(parent, "diff", "Compare two or three policies and their effects on a model's op calls", [this] {
        diff_.json = json_;
        return policy_diff(diff_);
      });
  command->add_option("POLICY", diff_.first, kPolicy)->required();
  command->add_option("OTHER", diff_.second, "Second policy file or base list")->required();
  command->add_option("THIRD", diff_.third,
                      "Third policy, or MODEL. With three policies, the first is the base that the others changed");
  command->add_option("MODEL", diff_.model,
                      "TorchScript file or sample:NAME. Also list the op calls that run differently");
  command->add_flag("--strict", diff_.strict,
                    "Exit with code 1 if the policies differ; with MODEL, if an op call runs differently");
  command->footer(std::string("Example: compare a tuned policy with PyTorch's lists:\n  binade-engine policy diff "
                              "cuda-amp tuned.policy.json model.pt\n\n") +
                  exit_codes_);
}

void PolicyCommands::add_merge(CLI::App* parent) {
  CLI::App* command = add_(parent, "merge", "Apply the changes of two policies to their common base", [this] {
    merge_.json = json_;
    return policy_merge(merge_);
  });
  command->add_option("BASE", merge_.base, "Policy that both others were made from: a file or a base list")->required();
  command->add_option("MINE", merge_.mine, "Policy with your changes")->required();
  command->add_option("THEIRS", merge_.theirs, "Policy with the other changes")->required();
  command->add_option("MODEL", merge_.model,
                      "TorchScript file or sample:NAME. Also check that every op call has the treatment of the side "
                      "that changed it");
  command->add_option("--out", merge_.out, kOut)->required();
  command->add_option("--prefer", merge_.prefer, "Side that decides conflicts: mine or theirs")
      ->check(CLI::IsMember({"mine", "theirs"}));
  command->footer(std::string("Conflicts are listed with the texts of all three policies. Nothing is written while one "
                              "is open.\n") +
                  exit_codes_);
}

void PolicyCommands::add_minimise(CLI::App* parent) {
  CLI::App* command =
      add_(parent, "minimise", "Write a policy with fewer rules and the same effect on a model", [this] {
        rewrite_.json = json_;
        return policy_minimise(rewrite_);
      });
  command->add_option("POLICY", rewrite_.policy, kPolicy)->required();
  command->add_option("MODEL", rewrite_.model, model_)->required();
  command->add_option("--out", rewrite_.out, kOut)->required();
  command->footer(
      std::string("Guaranteed: the treatment of every op call stays the same, no rule and no op change of the\nresult "
                  "can be left out, and no pattern that `policy generalise` tries replaces two of its\nrules. The "
                  "smallest possible number of rules is not searched for: that takes exponential time.\n") +
      exit_codes_);
}

void PolicyCommands::add_generalise(CLI::App* parent) {
  CLI::App* command =
      add_(parent, "generalise", "Write a policy with patterns in place of rules for single op calls", [this] {
        rewrite_.json = json_;
        return policy_generalise(rewrite_);
      });
  command->add_option("POLICY", rewrite_.policy, kPolicy)->required();
  command->add_option("MODEL", rewrite_.model, model_)->required();
  command->add_option("--out", rewrite_.out, kOut)->required();
  command->footer(
      std::string("A pattern is an op change, the path of a module, or a path with * for an index. It replaces two\nor "
                  "more rules, and is refused where it would change the treatment of another op call.\n") +
      exit_codes_);
}

void PolicyCommands::add_import(CLI::App* parent) {
  CLI::App* command = add_(parent, "import", "Read a policy from a file of another program", [this] {
    import_.json = json_;
    return policy_import(import_);
  });
  command->add_option("FILE", import_.file, "File that a target of export describes")->required();
  command->add_option("MODEL", import_.model, model_)->required();
  command->add_option("--from", import_.target, "Target that the file is in; see `binade-engine export --help`")
      ->required();
  command->add_option("--out", import_.out, kOut)->required();
}

}  // namespace binade::host
