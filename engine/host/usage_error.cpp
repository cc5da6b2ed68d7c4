// SPDX-License-Identifier: Apache-2.0
#include "engine/host/usage_error.h"

#include "engine/host/print/text_table.h"
#include "engine/host/process/exit_code.h"
#include "engine/policy/base_policy.h"
#include "engine/policy/near_name.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace binade::host {

namespace {

/// `--input` and `--output` take all words up to the next option, including a model named after them.
bool took_positionals(const CLI::App& command, const CLI::ParseError& error) {
  if (error.get_exit_code() != static_cast<int>(CLI::ExitCodes::RequiredError)) return false;
  for (const CLI::Option* option : command.get_options()) {
    if (option->nonpositional() && option->count() > 0 && option->get_items_expected_max() > 1) return true;
  }
  return false;
}

/// Returns a message for an unknown or missing command, with the list of commands.
std::string wrong_command(const CLI::App& command) {
  TextTable table(2);
  std::vector<std::string> names;
  for (const CLI::App* each : command.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(each->get_name());
    table.add({each->get_name(), each->get_description()});
  }
  const std::vector<std::string> words = command.remaining();
  const auto word = std::find_if(words.begin(), words.end(), [](const auto& each) { return !each.starts_with('-'); });
  std::string text = "A command is required. ";
  if (word != words.end()) text = "Unknown command \"" + *word + "\". " + policy::did_you_mean(*word, names);
  return text + "Commands:\n" + table.text();
}

/// Returns a message for words that the command does not take: it names the first option among them, or the first word.
std::string unknown_word(const CLI::App& command, std::vector<std::string> words) {
  std::erase(words, "--");
  const auto option = std::find_if(words.begin(), words.end(), [](const auto& each) { return each.starts_with('-'); });
  if (words.empty()) return "Unexpected argument";
  if (option == words.end()) return "Unexpected argument \"" + words.front() + "\"";
  const std::string name = option->substr(0, option->find('='));
  std::vector<std::string> known;
  for (const CLI::Option* each : command.get_options()) {
    for (const std::string& long_name : each->get_lnames()) known.push_back("--" + long_name);
  }
  std::string text = "Unknown option \"" + name + "\". " + policy::did_you_mean(name, known);
  text.erase(text.find_last_not_of(" .") + 1);
  return text;
}

/// What an option takes, from its type as --help shows it: `INT:POSITIVE`, `TEXT:{off,times,counters}`.
std::string taken_by(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  if (type.ends_with(":POSITIVE")) return "a whole number above 0";
  if (type.ends_with(":NONNEGATIVE")) return "a whole number from 0";
  constexpr std::string_view kRange = " in [";  // of CLI::Range: `INT:INT in [1 - 65535]`
  const std::size_t range = type.find(kRange);
  if (range != std::string::npos && type.ends_with(']')) {
    std::string bounds = type.substr(range + kRange.size(), type.size() - range - kRange.size() - 1);
    const std::size_t between = bounds.find(" - ");
    if (between != std::string::npos) bounds.replace(between, 3, " to ");
    return "a number from " + bounds;
  }
  const std::size_t open = type.find('{');
  if (open == std::string::npos) return "a value";
  std::string text = "one of ";
  for (const char c : type.substr(open + 1, type.size() - open - 2)) {
    text += c;
    if (c == ',') text += ' ';
  }
  return text;
}

/// Returns a message for an option that is unknown, without a value, with a wrong value or given twice. CLI11's
/// messages name types.
std::string wrong_value(const CLI::App& command, const CLI::ParseError& error) {
  const std::string text = error.what();  // begins with the name of the option and a colon
  const std::vector<std::string> rest = command.remaining();
  if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ExtrasError) && !rest.empty()) {
    return unknown_word(command, rest);
  }
  const bool invalid = error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ValidationError);
  const bool mismatch = error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ArgumentMismatch);
  const std::string name = text.substr(0, text.find(": "));
  const CLI::Option* option = invalid || mismatch ? command.get_option_no_throw(name) : nullptr;
  if (option == nullptr) return text;
  if (mismatch && option->count() > 1) return name + " is given more than once";
  const std::string given = invalid && option->count() > 0 ? ", not \"" + option->results().back() + "\"" : "";
  return name + " needs " + taken_by(*option) + given;
}

/// Whether an argument takes a policy file or the name of a base list.
bool takes_policy(const std::string& option) {
  constexpr std::array<std::string_view, 6> kPolicies{"--policy", "POLICY", "OTHER", "BASE", "MINE", "THEIRS"};
  return std::find(kPolicies.begin(), kPolicies.end(), option) != kPolicies.end();
}

/// A call of a command with what it requires: `binade-engine try RUN --policy cuda-amp`.
std::string example_of(const CLI::App& command, const std::string& name) {
  std::string text = name;
  std::string policy = "cuda-amp";
  for (const CLI::Option* option : command.get_options()) {
    if (!option->get_required()) continue;
    const std::string each = option->get_name();
    if (!option->get_positional()) text += " " + each;
    if (takes_policy(each)) {
      text += " " + std::exchange(policy, "tuned.policy.json");
      continue;
    }
    text += ' ';
    for (const char c : each) {
      if (c != '-') text += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    }
  }
  return text;
}

/// Returns what names a policy, with an example, if one is missing; empty for any other error.
std::string hint_on_policy(const CLI::App& command, const std::string& name, const CLI::ParseError& error) {
  constexpr std::string_view kRequired = " is required";  // of CLI::RequiredError
  std::string option = error.what();
  if (!option.ends_with(kRequired)) return {};
  option.resize(option.size() - kRequired.size());
  if (!takes_policy(option)) return {};
  return policy::names_of_policies() + "\n  For example: " + example_of(command, name);
}

}  // namespace

int usage_error(const CLI::App& app, const CLI::ParseError& error) {
  std::string name = app.get_name();
  const CLI::App* command = &app;
  for (auto parsed = command->get_subcommands(); !parsed.empty(); parsed = command->get_subcommands()) {
    command = parsed.front();
    name += " " + command->get_name();
  }
  const bool wants_command = error.get_exit_code() == static_cast<int>(CLI::ExitCodes::RequiredError) &&
                             command->get_require_subcommand_min() > 0;
  const std::string what = wants_command ? wrong_command(*command) : wrong_value(*command, error) + "\n";
  std::fprintf(stderr, "%s: %s", name.c_str(), what.c_str());
  if (took_positionals(*command, error)) {
    std::fprintf(stderr,
                 "  Options with several values take all words up to the next option. Put these options last.\n");
  }
  if (const std::string hint = hint_on_policy(*command, name, error); !hint.empty()) {
    std::fprintf(stderr, "  %s\n", hint.c_str());
  }
  std::fprintf(stderr, "  See `%s --help`.\n", name.c_str());
  return kWrongUsage;
}

}  // namespace binade::host
