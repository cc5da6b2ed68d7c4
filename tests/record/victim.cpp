// SPDX-License-Identifier: Apache-2.0
// Writes run files until it is killed or the file system says no. What it wrote is known: sampleStep(n).
//   record_victim endless FILE         prints the number of committed steps, again and again
//   record_victim limited FILE BYTES   no file may grow beyond BYTES; prints what happened
//   record_victim append FILE COUNT    adds that many Tries; prints a line after each
#include "engine/record/append.h"
#include "engine/record/run_writer.h"
#include "tests/wire/samples.h"

#include <sys/resource.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>

using namespace binade;

namespace {

constexpr int kTensors = 20;

[[noreturn]] void writeForEver(const std::string& path) {
  record::RunWriter writer(path, {.gather = std::chrono::milliseconds(2)});
  writer.add(test::sampleStarted());
  for (std::int64_t step = 0;; ++step) {
    writer.add(test::sampleStep(step, kTensors));
    if (step % 10 == 9) writer.add(test::sampleEvent(step));
    if (step % 20 == 19) {
      std::printf("%lld\n", static_cast<long long>(writer.committed_steps()));
      std::fflush(stdout);
    }
  }
}

int writeUntilFull(const std::string& path, rlim_t bytes) {
  std::signal(SIGXFSZ, SIG_IGN);
  const rlimit limit{bytes, bytes};
  setrlimit(RLIMIT_FSIZE, &limit);
  int told = 0;
  record::RunWriter writer(path, {.on_failure = [&](const Error&) { ++told; }});
  writer.add(test::sampleStarted());
  for (std::int64_t step = 0; step < 4000; ++step) writer.add(test::sampleStep(step, kTensors));
  writer.flush();
  const auto failure = writer.failure();
  std::printf("%lld %d %s\n", static_cast<long long>(writer.committed_steps()), told,
              failure ? failure->what() : "no failure");
  try {
    writer.close();
  } catch (const Error& error) {
    std::printf("closed: %s\n", error.hint.c_str());
  }
  return 0;
}

int appendTries(const std::string& path, std::int64_t count) {
  try {
    for (std::int64_t i = 0; i < count; ++i) {
      record::append(path, test::sampleTrial(i));
      std::printf("%lld\n", static_cast<long long>(i));
      std::fflush(stdout);
    }
  } catch (const Error& error) {
    std::printf("%s\n", error.what());
    return 1;
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string mode = argc > 2 ? argv[1] : "";
  if (mode == "endless") writeForEver(argv[2]);
  if (mode == "limited" && argc > 3) return writeUntilFull(argv[2], static_cast<rlim_t>(std::atoll(argv[3])));
  if (mode == "append" && argc > 3) return appendTries(argv[2], std::atoll(argv[3]));
  return 2;
}
