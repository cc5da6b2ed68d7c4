// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/driver.h"

#include "tests/fuzz/corpus.h"
#include "tests/fuzz/in_child.h"
#include "tests/fuzz/input_file.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>

namespace binade::fuzz {

namespace {

using Clock = std::chrono::steady_clock;

struct Options {
  std::string reader;
  std::vector<std::string> files;
  std::uint32_t seed = 0;
  std::uint32_t mutations = 1000;
  int seconds = 0;
  std::string collect;
};

constexpr std::uint32_t kBatch = 500;
constexpr int kMostFailures = 5;

/// In the form of Qt Test, so that the summary of all tests counts it.
int report(const Reader& reader, const char* what, int failures, const Counts& counts) {
  std::printf("%s: Fuzz::%s(%s)\n  %u files: %u accepted, %u refused, %d failed\n",
              failures == 0 ? "PASS   " : "FAIL!  ", what, reader.name.c_str(), counts.accepted + counts.refused,
              counts.accepted, counts.refused, failures);
  std::fflush(stdout);
  return failures == 0 ? 0 : 1;
}

void print_failure(const Reader& reader, const std::string& which, const std::string& why) {
  std::printf("%s, %s: %s\n", reader.name.c_str(), which.c_str(), why.c_str());
  std::fflush(stdout);
}

int replay(const Reader& reader, const std::vector<std::string>& files) {
  int failures = 0;
  Counts counts;
  for (const std::string& file : files) {
    const std::string bytes = read_file(file);
    const auto read = [&](std::uint32_t) {
      const Outcome outcome = outcome_of(reader, bytes);
      if (files.size() == 1) std::printf("%s\n", outcome.accepted ? "accepted" : outcome.text.c_str());
      std::fflush(stdout);
      return outcome.accepted;
    };
    if (const auto failed = in_child(read, 0, 1, counts)) {
      ++failures;
      print_failure(reader, file, failed->why);
    }
  }
  return report(reader, "everyFileOfTheCorpusIsReadOrRefused", failures, counts);
}

int mutate(const Reader& reader, const Options& options) {
  const Originals originals(reader);
  const auto mutation_of = [&](std::uint32_t seed) {
    return reader.mutate(originals.of(seed).bytes, originals.number(seed));
  };
  const auto check = [&](std::uint32_t seed) {
    const Mutation mutation = mutation_of(seed);
    const Outcome outcome = outcome_of(reader, mutation.bytes);
    const auto& before = originals.of(seed).content;
    if (outcome.accepted && mutation.old_checksums && before && outcome.text != *before) {
      throw Fault("changed numbers were accepted, with the checksums of the file before");
    }
    return outcome.accepted;
  };
  std::printf("%s: seeds from %u, %zu files to start from\n", reader.name.c_str(), options.seed, originals.size());
  const auto until = Clock::now() + std::chrono::seconds(options.seconds);
  int failures = 0;
  Counts counts;
  for (std::uint32_t seed = options.seed; failures < kMostFailures;) {
    const std::uint32_t done = seed - options.seed;
    if (done >= options.mutations && Clock::now() >= until) break;
    const std::uint32_t left = done < options.mutations ? options.mutations - done : kBatch;
    const std::uint32_t end = seed + std::min(kBatch, left);
    const auto failed = in_child(check, seed, end, counts);
    seed = end;
    if (!failed) continue;
    seed = failed->number + 1;
    ++failures;
    const std::string file = "failed-" + reader.name + "-" + std::to_string(failed->number) + reader.ending;
    write_file(file, mutation_of(failed->number).bytes);
    print_failure(reader, "seed " + std::to_string(failed->number) + ", written to " + file, failed->why);
  }
  if (failures == 0 && counts.refused == 0) {
    ++failures;
    print_failure(reader, "all seeds", "nothing was refused: is the content read?");
  }
  return report(reader, "everyMutationIsReadOrRefused", failures, counts);
}

int run(const Reader& reader, const Options& options) {
  if (!options.files.empty()) return replay(reader, options.files);
  if (!options.collect.empty()) return collect(reader, options.seed, options.mutations, options.collect);
  if (const int failed = replay(reader, corpus_files(reader))) return failed;
  return mutate(reader, options);
}

}  // namespace

int drive(const std::vector<Reader>& readers, int argc, char** argv) {
  Options options;
  std::string names;
  for (const Reader& reader : readers) names += (names.empty() ? "" : ", ") + reader.name;
  CLI::App app("Reads damaged files and checks that each is accepted or refused with a message");
  app.add_option("READER", options.reader, "one of " + names)->required();
  app.add_option("FILE", options.files, "only read these files");
  app.add_option("--seed", options.seed, "number of the first mutation");
  app.add_option("--mutations", options.mutations, "least number of mutations");
  app.add_option("--seconds", options.seconds, "go on for this time at least");
  app.add_option("--collect", options.collect,
                 "write the smallest mutation of each kind of message to this folder, instead of checking them");
  CLI11_PARSE(app, argc, argv);
  const auto reader =
      std::find_if(readers.begin(), readers.end(), [&](const Reader& each) { return each.name == options.reader; });
  if (reader == readers.end()) {
    std::fprintf(stderr, "There is no reader %s; there are %s.\n", options.reader.c_str(), names.c_str());
    return 2;
  }
  try {
    make_input_folder();
    return run(*reader, options);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}

}  // namespace binade::fuzz
