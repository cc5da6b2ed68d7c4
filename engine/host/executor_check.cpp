// SPDX-License-Identifier: Apache-2.0
#include "engine/host/executor_check.h"

#include "engine/graph/failure.h"
#include "engine/graph/flat_graph.h"
#include "engine/host/verify_side.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <ATen/Context.h>
#include <torch/csrc/jit/api/module.h>

#include <array>
#include <cstring>
#include <sstream>

extern char** environ;  // NOLINT: POSIX declares it so

namespace binade::host {

namespace {

constexpr int kCalls = 3;  ///< it profiles in the first and optimises in the second

constexpr const char* kWho = "LibTorch's optimising executor ";

/// Appended: GCC 12 sees an overlap in `std::string + text` that is not there.
std::string of_it(const std::string& what) {
  return std::string(kWho).append(what);
}

std::string in_call(const char* what, int call) {
  return of_it(what) + " of its call " + std::to_string(call + 1);
}

std::string reason_of(const std::exception& error) {
  const Error failure = graph::forward_failure(error);
  const std::string text = failure.what();
  constexpr std::string_view kPrefix = "forward failed: ";
  return text.starts_with(kPrefix) ? text.substr(kPrefix.size()) : text;
}

/// One call of each; empty where they agree.
std::string compare(Side& reference, Side& optimised, const VerifyOptions& options, int call) {
  const auto seed = [&] { at::manual_seed(options.seed + static_cast<std::uint64_t>(call)); };
  seed();
  {
    const NativeAutocast autocast(options.autocast);
    const c10::IValue output = reference.model.forward(options.inputs(call));
    reference.backward(options, output);
  }
  c10::IValue output;
  try {
    seed();
    const NativeAutocast autocast(options.autocast);
    output = optimised.model.module().forward(options.inputs(call));
  } catch (const std::exception& error) {
    return in_call("fails in the forward", call) + ": " + reason_of(error);
  }
  try {
    optimised.backward(options, output);
  } catch (const std::exception& error) {
    return in_call("fails in the backward", call) + ": " + reason_of(error);
  }
  const auto differs = [&](const std::string& what, double by) {
    std::ostringstream text;
    text << kWho << "differs from the reference in its call " << call + 1 << ": " << what << " by " << by;
    return text.str();
  };
  for (std::size_t i = 0; i < std::min(reference.outputs.size(), optimised.outputs.size()); ++i) {
    const double by = difference(reference.outputs[i], optimised.outputs[i]);
    if (by != 0) return differs("output " + std::to_string(i), by);
  }
  const auto expected = reference.gradients();
  const auto got = optimised.gradients();
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double by = difference(expected[i], got[i]);
    if (by != 0) return differs("the gradient of " + reference.parameters[i].first, by);
  }
  return {};
}

}  // namespace

std::string check_executor(const VerifyOptions& options) {
  Side reference(options.load());
  Side optimised(options.load());
  prepare(reference, optimised, options);
  if (!graph::FlatGraph(reference.model).own_blocks().empty()) {
    return of_it("ignores the model's own autocast blocks: it was not compared");
  }
  for (int call = 0; call < kCalls; ++call) {
    const std::string found = compare(reference, optimised, options, call);
    if (!found.empty()) return found;
    reference.step();
    optimised.step();
  }
  return {};
}

std::string check_executor_apart(const std::vector<std::string>& arguments) {
  std::array<int, 2> pipe{};
  if (::pipe2(pipe.data(), O_CLOEXEC) != 0) return {};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, pipe[1], STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  std::vector<std::string> words = arguments;
  words.insert(words.begin(), "binade-engine");
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  pid_t child = 0;
  const int failed = ::posix_spawn(&child, "/proc/self/exe", &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  ::close(pipe[1]);
  std::string text;
  std::array<char, 4096> buffer{};
  for (ssize_t got = 0; failed == 0 && (got = ::read(pipe[0], buffer.data(), buffer.size())) > 0;) {
    text.append(buffer.data(), static_cast<std::size_t>(got));
  }
  ::close(pipe[0]);
  int status = 0;
  if (failed != 0 || ::waitpid(child, &status, 0) != child) return of_it("could not be started");
  if (WIFSIGNALED(status)) return of_it("ended the process with ").append(::strsignal(WTERMSIG(status)));
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text.substr(text.rfind('\n') + 1);
}

}  // namespace binade::host
