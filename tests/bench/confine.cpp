// SPDX-License-Identifier: Apache-2.0
//
// bench_confine [step | check]: the time of a training step in a confined process compared with one that is not
// confined, and the time that opening a model of 100 MB takes with its checks.
#include "engine/confine/confined_process.h"
#include "engine/graph/model.h"
#include "engine/graph/samples.h"
#include "tests/bench/ratio.h"
#include "tests/bench/temporary_folder.h"
#include "tests/bench/training_steps.h"

#include <sys/wait.h>
#include <unistd.h>

#include <ATen/ops/zeros.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/serialization/import.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace binade::bench {

namespace {

constexpr int kProcesses = 7;
constexpr int kPairs = 12;
constexpr int kStepsInOne = 2;

/// The pipes to a process that takes steps on request. A write of one byte asks for kStepsInOne steps.
class Requests {
 public:
  Requests() : requests_(make_pipe()), done_(make_pipe()) {}
  ~Requests() {
    for (const int end : {requests_[0], requests_[1], done_[0], done_[1]}) ::close(end);
  }
  Requests(const Requests&) = delete;
  Requests& operator=(const Requests&) = delete;

  void operator()() const {
    char token = 0;
    if (::write(requests_[1], &token, 1) != 1 || ::read(done_[0], &token, 1) != 1) {
      throw std::runtime_error("the process that takes the steps has ended");
    }
  }
  /// In the process that takes the steps.
  int work() const {
    EngineStep step(training_of("resnet"));
    char token = 0;
    while (::read(requests_[0], &token, 1) == 1) {
      for (int i = 0; i < kStepsInOne; ++i) step();
      if (::write(done_[1], &token, 1) != 1) return 1;
    }
    return 0;
  }
  std::vector<int> ends_of_process() const { return {requests_[0], done_[1]}; }

 private:
  static std::array<int, 2> make_pipe() {
    std::array<int, 2> ends{};
    if (::pipe(ends.data()) != 0) throw std::runtime_error("no pipe");
    return ends;
  }

  std::array<int, 2> requests_;
  std::array<int, 2> done_;
};

pid_t fork_work(const Requests& requests) {
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("no process");
  if (child == 0) ::_exit(requests.work());
  return child;
}

void end(pid_t child) {
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
}

/// Returns the median ratio of the steps of one process to those of another. Both are children that wait at a pipe: a
/// step of this process would differ by more than the confinement. They are made before this process has threads.
double ratio_of_processes(bool confine_one) {
  const Requests one;
  const Requests other;
  const auto confine = [](const Requests& requests) {
    return std::make_unique<confine::ConfinedProcess>(
        confine::Access{}, [&requests] { return requests.work(); }, requests.ends_of_process());
  };
  const std::unique_ptr<confine::ConfinedProcess> confined = confine_one ? confine(one) : nullptr;
  const pid_t plain_one = confine_one ? 0 : fork_work(one);
  const pid_t plain_other = fork_work(other);
  const double ratio = median_interval(interleaved_ratios([&one] { one(); }, [&other] { other(); }, kPairs, 3)).median;
  end(plain_other);
  if (confined) {
    confined->end();
  } else {
    end(plain_one);
  }
  return ratio;
}

/// Where the memory of a process lies changes its steps by some percent for as long as it lives, so each ratio is of
/// new processes.
void time_steps() {
  const std::string name = "confine.step";
  if (const std::string why = confine::why_unavailable(); !why.empty()) {
    return print_not_measured(name, "resnet, float32", "unavailable", why);
  }
  std::vector<double> confined;
  std::vector<double> plain;
  for (int i = 0; i < kProcesses; ++i) {
    confined.push_back(ratio_of_processes(true));
    plain.push_back(ratio_of_processes(false));
  }
  print_ratio(name, "resnet, float32", median_interval(confined), 1.01);
  print_ratio(name, "resnet, float32: two processes, neither confined", median_interval(plain));
}

double seconds(const std::function<void()>& run) {
  const auto start = std::chrono::steady_clock::now();
  run();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// A module with a weight of 100 MB beside the code of a sample.
std::string large_model(const std::string& folder) {
  torch::jit::Module module = graph::open_model("sample:resnet", 1).module();
  module.register_buffer("weight_of_100_mb", at::zeros({25'000'000}));
  std::string file = folder + "/large.pt";
  module.save(file);
  return file;
}

void time_check() {
  const TemporaryFolder folder;
  const std::string file = large_model(folder.path());
  std::vector<double> extra;
  for (int i = 0; i < 12; ++i) {
    const double checked = seconds([&file] { static_cast<void>(graph::Model::load(file)); });
    extra.push_back(checked - seconds([&file] { static_cast<void>(torch::jit::load(file)); }));
  }
  print_figure("confine.check", "100 MB, beyond torch::jit::load", median_interval(extra), "s", 0.5);
}

}  // namespace

}  // namespace binade::bench

int main(int argc, char** argv) {
  try {
    const std::string what = argc > 1 ? argv[1] : "step";
    what == "check" ? binade::bench::time_check() : binade::bench::time_steps();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_confine: %s\n", error.what());
    return 1;
  }
  return 0;
}
