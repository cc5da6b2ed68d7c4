// SPDX-License-Identifier: Apache-2.0
//
// bench_search: searches for the op calls that need float32, in the 30 trainings of tests/planted, beside a bisection
// by prefix of the execution order.
#include "tests/bench/ratio.h"
#include "tests/bench/temporary_folder.h"
#include "tests/planted/check_case.h"
#include "tests/planted/mend_case.h"
#include "tests/planted/planted_case.h"

#include <ATen/Parallel.h>

#include <cstdio>
#include <exception>
#include <string>

namespace binade::bench {

namespace {

constexpr std::int64_t kSteps = 100;     // the default of a search
constexpr std::int64_t kMostTries = 60;  // of one search

struct Score {
  int checked = 0;  ///< cases that fail without their known rules, each of them
  int found = 0;
  int minimal = 0;
  double tries = 0;
  double tries_by_prefix = 0;
};

void search_one(const test::PlantedCase& planted, Score& score) {
  trial::Trials trials(planted.run, "");
  const std::string fault = test::faultOf(planted, trials, kSteps);
  if (!fault.empty()) {
    std::fprintf(stderr, "search.repair: %s: the case does not check: %s\n", planted.name.c_str(), fault.c_str());
    return;
  }
  ++score.checked;
  const test::Mended mended = test::mend(planted, trials, kSteps, kMostTries);
  const std::size_t by_prefix = test::triesByPrefix(planted, trials, kSteps, mended.calls);
  if (mended.found) ++score.found;
  if (mended.found && mended.is_minimal) ++score.minimal;
  score.tries += static_cast<double>(mended.tries);
  score.tries_by_prefix += static_cast<double>(by_prefix);
  std::fprintf(stderr, "search.repair: %s: %s, %zu of %zu op calls, %zu known, %lld tries, by prefix %zu\n",
               planted.name.c_str(),
               !mended.found       ? "not found"
               : mended.is_minimal ? "found"
                                   : "found, with superfluous rules",
               mended.found ? mended.found->changed.size() : 0, mended.calls.size(), planted.known.size(),
               static_cast<long long>(mended.tries), by_prefix);
}

void run() {
  const TemporaryFolder folder;
  Score score;
  for (std::size_t i = 0; i < test::plantedCases(); ++i) search_one(test::plantedCase(i, folder.path()), score);
  const auto cases = static_cast<double>(test::plantedCases());
  const std::string bench = "search.repair";
  print_figure(bench, "planted cases that check themselves", exactly(score.checked), "cases", cases, false);
  print_figure(bench, "a working policy found", exactly(score.found), "cases", 29, false);
  print_figure(bench, "found without a superfluous rule", exactly(score.minimal), "cases", 24, false);
  print_figure(bench, "tries of a search, mean", exactly(score.tries / score.checked), "tries");
  print_figure(bench, "tries of a bisection by prefix, mean", exactly(score.tries_by_prefix / score.checked), "tries");
  print_ratio(bench, "tries / those of a bisection by prefix", exactly(score.tries / score.tries_by_prefix), 0.5);
}

}  // namespace

}  // namespace binade::bench

int main() try {
  at::set_num_threads(1);  // the models are too small to share
  binade::bench::run();
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "bench_search: %s\n", error.what());
  return 1;
}
